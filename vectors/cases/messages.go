package cases

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/wire"
)

// plain is a message as a sender makes it. Its values are arbitrary, but no two octets that could be mixed up
// are equal. An Atomic Request works on word 0.
func (t *T) plain(op wire.Opcode) []byte {
	data := pattern(11)
	switch op {
	case wire.OpWrite:
		return wire.AppendWrite(nil, 0x0A1B2C3D, 0x0000_0001_1122_3344, true, data)
	case wire.OpReadRequest:
		return wire.AppendReadRequest(nil, 3, wire.ReadRequest{DataSinkSTag: 0x51525354, DataSinkTO: 0x61626364_65666768,
			ReadMessageSize: 0x00010203, DataSourceSTag: 0x71727374, DataSourceTO: 0x81828384_85868788})
	case wire.OpReadResponse:
		return wire.AppendReadResponse(nil, 0x0B1C2D3E, 0x0000_0002_2233_4455, true, data)
	case wire.OpTerminate:
		return wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.LayerDDP, EType: 2, Code: 0x04},
			LengthValid: true, HasDDP: true, DDPSegmentLength: 70, DDP: wire.UntaggedHeader(wire.OpAtomicRequest, 9, 0)})
	case wire.OpImmediate, wire.OpImmediateSE:
		return wire.AppendImmediate(nil, op == wire.OpImmediateSE, 5, 0xF1E2D3C4_B5A69788)
	case wire.OpAtomicRequest:
		return wire.AppendAtomicRequest(nil, t.nextMSN(0), t.fetchAdd(0, 0x1020_3040_5060_7080, 0))
	case wire.OpAtomicResponse:
		return wire.AppendAtomicResponse(nil, 6, wire.AtomicResponse{OriginalRequestIdentifier: 0xC1C2C3C4, OriginalRemoteDataValue: 0xD1D2D3D4_D5D6D7D8})
	}
	m, _ := op.Message()
	invalidate := uint32(0)
	if m.InvalidateSTag {
		invalidate = 0x0C1D2E3F
	}
	return wire.AppendSend(nil, op, invalidate, 7, 0, true, data)
}

// eachMessage adds one case of every kind of message, or of those that keep accepts: the plain message,
// changed.
func (l *list) eachMessage(key, comment string, names []string, keep func(wire.Message) bool, change func(segment []byte) []byte) {
	for _, m := range wire.Messages {
		if keep(m) {
			l.add(fmt.Sprintf(key, m.Name), fmt.Sprintf(comment, m.Title), names,
				func(t *T) { t.send(0, change(t.plain(m.Opcode))) })
		}
	}
}

func every(wire.Message) bool { return true }

func untagged(m wire.Message) bool { return !m.Tagged }

func unchanged(segment []byte) []byte { return segment }

// control gives a change of one field of the DDP or RDMAP Control Field, or of another field that both headers
// have in the same place.
func control(field string, value uint64) func([]byte) []byte {
	return func(segment []byte) []byte { return set(segment, 0, wire.DDPUntaggedTable, field, value) }
}

// messages sends every kind of message plainly, and with everything set that a receiver has to ignore.
func messages(l *list) {
	l.eachMessage("message/%s/plain", "%s as a sender makes it", flags(Basic), every, unchanged)
	l.eachMessage("message/%s/ddp_reserved", "%s with all 4 reserved bits of the DDP Control Field set", flags(ReservedBits), every,
		control("ddp_reserved", 0xF))
	l.eachMessage("message/%s/rdmap_reserved", "%s with both reserved bits of the RDMAP Control Field set", flags(ReservedBits), every,
		control("rdmap_reserved", 3))
	l.eachMessage("message/%s/ulp_word", "%s with a value in the octets of the Invalidate STag, which it does not have", flags(IgnoredField),
		func(m wire.Message) bool { return !m.Tagged && !m.InvalidateSTag }, control("invalidate_stag", 0xFFFFFFFF))
	l.eachMessage("message/%s/not_last", "%s with L = 0", flags(NotLast), every, control("l", 0))

	for bit := range 4 {
		l.atomicRequest(fmt.Sprintf("message/atomic_request/ddp_reserved/bit%d", bit), fmt.Sprintf("Atomic Request with the reserved DDP bit 0x%02X set", 4<<bit),
			flags(ReservedBits), control("ddp_reserved", 1<<bit))
	}
	for bit := range 2 {
		l.atomicRequest(fmt.Sprintf("message/atomic_request/rdmap_reserved/bit%d", bit), fmt.Sprintf("Atomic Request with the reserved RDMAP bit 0x%02X set", 16<<bit),
			flags(ReservedBits), control("rdmap_reserved", 1<<bit))
	}
	for _, r := range []struct {
		name  string
		value uint64
	}{{"all", 0xFFFFFFF}, {"next_to_aopcode", 1}, {"top", 0x8000000}, {"octets", 0x1234567}} {
		l.atomicRequest("message/atomic_request/header_reserved/"+r.name, fmt.Sprintf("Atomic Request with 0x%07X in the 28 reserved bits before AOpCode", r.value),
			flags(ReservedBits), func(segment []byte) []byte {
				return set(segment, untaggedOctets, wire.AtomicRequestTable, "reserved", r.value)
			}).cite("RFC7306-5.2.1-05", "RFC7306-5.2.1-06")
	}
	l.add("message/atomic_request/everything_ignored", "FetchAdd with every ignored bit set: all reserved ones, the ULP word, both compare operands",
		flags(ReservedBits, IgnoredField), func(t *T) {
			r := t.fetchAdd(0, 1, 0)
			r.Reserved, r.CompareData, r.CompareMask = 0xFFFFFFF, 0x5555_5555_5555_5555, 0x0F0F_0F0F_0F0F_0F0F
			h := wire.UntaggedHeader(wire.OpAtomicRequest, 1, 0)
			h.DDPReserved, h.RDMAPReserved, h.InvalidateSTag = 0xF, 3, 0xFFFFFFFF
			t.send(0, r.AppendEncode(h.AppendEncode(nil)))
		}).cite("RFC7306-5.2.1-05", "RFC7306-5.2.1-20", "RFC7306-5.2.1-23", "RFC7306-4.1-09")
	l.add("message/write_then_immediate", "RDMA Write, then Immediate Data: RDMA Write with Immediate of other transports", flags(Basic, MixedTraffic), func(t *T) {
		t.send(0, t.plain(wire.OpWrite))
		t.send(0, t.plain(wire.OpImmediate))
	}).cite("RFC7306-1-01", "RFC7306-6-01")
	l.add("message/fetch_add_zero", "FetchAdd of 0: the harmless probe for atomic support", flags(Basic), func(t *T) {
		t.word(0, 0xFEDC_BA98_7654_3210)
		t.request(0, t.fetchAdd(0, 0, 0))
	}).cite("RFC7306-1.1-07")
}

// octets of the DDP headers, which is where the RDMAP headers start.
const (
	taggedOctets   = 14
	untaggedOctets = 18
)

// atomicRequest adds a plain Atomic Request, changed.
func (l *list) atomicRequest(key, comment string, names []string, change func([]byte) []byte) *Case {
	return l.add(key, comment, names, func(t *T) { t.send(0, change(t.plain(wire.OpAtomicRequest))) })
}

// fields gives every value field of every header its largest value, and 0 where the plain message has another
// value. Fields with a meaning of their own, such as QN, have cases of their own.
func fields(l *list) {
	elsewhere := []string{"t", "l", "ddp_reserved", "dv", "rv", "rdmap_reserved", "opcode", "queue_number", "aopcode"}
	for _, m := range wire.Messages {
		ddp := wire.DDPUntaggedTable
		if m.Tagged {
			ddp = wire.DDPTaggedTable
		}
		for _, header := range []struct {
			table *wire.Table
			at    int
		}{{ddp, 0}, {m.Header, ddp.Octets}} {
			if header.table == nil {
				continue
			}
			for _, f := range header.table.Fields {
				ignored := f.Name == "invalidate_stag" && !m.InvalidateSTag || header.table == wire.AtomicRequestTable && f.Reserved
				if !ignored && !slices.Contains(elsewhere, f.Name) {
					l.field(m, header.table, header.at, f)
				}
			}
		}
	}
}

func (l *list) field(m wire.Message, table *wire.Table, at int, f wire.Field) {
	type value struct {
		name  string
		value uint64
	}
	values := []value{{"ones", f.Max()}, {"zero", 0}}
	switch f.Name {
	case "mo", "reserved", "hdrct_r": // are 0 in the plain message
		values = values[:1]
	case "hdrct_m", "hdrct_d": // are 1 in the plain Terminate
		values = values[1:]
	}
	for _, v := range values {
		l.add(fmt.Sprintf("field/%s/%s/%s", m.Name, f.Name, v.name), fmt.Sprintf("%s with %s = 0x%0*X", m.Title, f.Name, (f.Width+3)/4, v.value),
			flags(FieldRange), func(t *T) {
				segment := t.plain(m.Opcode)
				if f.Name == "add_or_swap_mask" || f.Name == "compare_data" || f.Name == "compare_mask" {
					segment = wire.AppendAtomicRequest(nil, 1, t.cmpSwap(0, 0x1020_3040_5060_7080, 0x00FF_00FF_00FF_00FF, 0x0123_4567_89AB_CDEF, ^uint64(0)))
				}
				t.send(0, set(segment, at, table, f.Name, v.value))
			})
	}
}
