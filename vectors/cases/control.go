package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// controlFields sends wrong versions, unknown opcodes and the wrong form of header.
func controlFields(l *list) {
	for _, v := range []uint64{0, 2, 3} {
		l.eachMessage(fmt.Sprintf("version/ddp/%%s/%d", v), fmt.Sprintf("%%s with DV = %d", v), flags(WrongVersion), every, control("dv", v))
	}
	for _, v := range []uint64{0, 2, 3} {
		l.eachMessage(fmt.Sprintf("version/rdmap/%%s/%d", v), fmt.Sprintf("%%s with RV = %d", v), flags(WrongVersion), every, control("rv", v))
	}
	for opcode := uint64(0xC); opcode <= 0xF; opcode++ {
		for _, like := range []wire.Opcode{wire.OpSend, wire.OpWrite, wire.OpAtomicRequest} {
			l.add(fmt.Sprintf("opcode/%x/like_%s", opcode, like.Name()), fmt.Sprintf("the unassigned opcode 0x%X in what is else a plain %v", opcode, like),
				flags(UnknownOpcode), func(t *T) { t.send(0, control("opcode", opcode)(t.plain(like))) })
		}
	}
	l.eachMessage("tagged/%s/1", "%s with T = 1", flags(WrongTagged), untagged, control("t", 1))
	l.eachMessage("tagged/%s/0", "%s with T = 0: what was STag and TO is ULP word, QN and MSN; the QN is 1", flags(WrongTagged),
		func(m wire.Message) bool { return m.Tagged },
		func(segment []byte) []byte { return control("queue_number", 1)(control("t", 0)(segment)) })
	l.eachMessage("tagged/%s/0_no_queue", "%s with T = 0: what was TO makes a QN that does not exist", flags(WrongTagged, WrongQueue, CheckOrder),
		func(m wire.Message) bool { return m.Tagged },
		func(segment []byte) []byte { return control("queue_number", 0x11223344)(control("t", 0)(segment)) })
}

// queues sends every untagged message to every wrong queue, among them numbers that are right in some of
// their bits.
func queues(l *list) {
	for _, m := range wire.Messages {
		if m.Tagged {
			continue
		}
		wrong := []uint32{4, 0x0001_0000 | m.Queue, 0x8000_0000 | m.Queue, 0x0000_0100 | m.Queue, 0xFFFF_FFFF}
		for q := range wire.QueueMax + 1 {
			if q != m.Queue {
				wrong = append(wrong, q)
			}
		}
		for _, q := range wrong {
			l.add(fmt.Sprintf("queue/%s/%08x", m.Name, q), fmt.Sprintf("%s with QN = 0x%X; its queue is %d", m.Title, q, m.Queue),
				flags(WrongQueue), func(t *T) { t.send(0, control("queue_number", uint64(q))(t.plain(m.Opcode))) })
		}
	}
	l.eachMessage("offset/%s/1", "%s with MO = 1", flags(WrongOffset), func(m wire.Message) bool { return m.ZeroMO || m.SingleSegment }, control("mo", 1))
	l.eachMessage("offset/%s/top", "%s with MO = 0x80000000", flags(WrongOffset), func(m wire.Message) bool { return m.ZeroMO || m.SingleSegment },
		control("mo", 0x8000_0000))
}

// checkOrder has two errors in each segment.
func checkOrder(l *list) {
	atomic := func(key, comment string, change func(t *T, h *wire.DDPHeader, r *wire.AtomicRequest), cut int) {
		l.add("order/"+key, comment, flags(CheckOrder), func(t *T) {
			h, r := wire.UntaggedHeader(wire.OpAtomicRequest, 1, 0), t.fetchAdd(0, 1, 0)
			change(t, &h, &r)
			segment := r.AppendEncode(h.AppendEncode(nil))
			t.send(0, segment[:len(segment)-cut])
		})
	}
	type header = wire.DDPHeader
	type request = wire.AtomicRequest
	atomic("short_before_version", "17 octets with DV = 0: the header is not there to be looked at",
		func(_ *T, h *header, _ *request) { h.DV = 0 }, 53)
	atomic("ddp_version_before_queue", "DV = 2 and QN = 9: DDP looks at its version first",
		func(_ *T, h *header, _ *request) { h.DV, h.QueueNumber = 2, 9 }, 0)
	atomic("queue_before_rdmap_version", "QN = 9 and RV = 0: DDP's check comes before RDMAP's",
		func(_ *T, h *header, _ *request) { h.QueueNumber, h.RV = 9, 0 }, 0)
	atomic("rdmap_version_before_opcode", "RV = 2 and opcode 0xD",
		func(_ *T, h *header, _ *request) { h.RV, h.Opcode = 2, 0xD }, 0)
	atomic("opcode_before_queue_mismatch", "opcode 0xE on queue 2, which no opcode above 0xB can be wrong on",
		func(_ *T, h *header, _ *request) { h.Opcode, h.QueueNumber = 0xE, 2 }, 0)
	atomic("queue_mismatch_before_offset", "an Atomic Request on queue 3 with MO = 4",
		func(_ *T, h *header, _ *request) { h.QueueNumber, h.MO = 3, 4 }, 0)
	atomic("offset_before_length", "an Atomic Request with MO = 8 and 51 octets",
		func(_ *T, h *header, _ *request) { h.MO = 8 }, 1)
	atomic("length_before_aopcode", "an Atomic Request of 51 octets with AOpCode 9",
		func(_ *T, _ *header, r *request) { r.AOpCode = 9 }, 1)
	atomic("aopcode_before_stag", "AOpCode 9 and a wrong Remote STag",
		func(_ *T, _ *header, r *request) { r.AOpCode, r.RemoteSTag = 9, ^r.RemoteSTag }, 0)
	atomic("stag_before_wrap", "a wrong Remote STag and Remote TO 2^64 - 1",
		func(_ *T, _ *header, r *request) { r.RemoteSTag, r.RemoteTO = ^r.RemoteSTag, ^uint64(0) }, 0)
	atomic("stag_before_alignment", "a wrong Remote STag and an odd Remote TO inside the window",
		func(_ *T, _ *header, r *request) { r.RemoteSTag, r.RemoteTO = ^r.RemoteSTag, r.RemoteTO+1 }, 0)
	atomic("wrap_before_bounds", "Remote TO 2^64 - 4 is outside the window and unaligned too",
		func(_ *T, _ *header, r *request) { r.RemoteTO = lastTO + 4 }, 0)
	atomic("bounds_before_alignment", "an odd Remote TO far outside the window",
		func(t *T, _ *header, r *request) { r.RemoteTO = t.base - 8*4096*1024 + 1 }, 0)
	l.add("order/immediate_offset_is_a_length", "Immediate Data with MO = 8 and 9 octets: its one rule, exactly 8 octets of one segment, covers both (I-07)",
		flags(CheckOrder), func(t *T) { t.send(0, append(control("mo", 8)(t.plain(wire.OpImmediate)), 0)) })
}
