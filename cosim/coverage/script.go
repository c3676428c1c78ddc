package coverage

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// maker builds the script for one message.
type maker struct {
	*walk
	s     script
	at    int // stream
	m     Message
	sends uint32 // MSN of the next message on queue 0
	asks  uint32 // on queue 1
	op    wire.Opcode
}

func (k *maker) do(list *[]func() error, f func() error) { *list = append(*list, f) }

// is reports whether the message is in one of the classes.
func (k *maker) is(c spec.Class) bool { return k.protocol.Is(k.op, c) }

// in sends a segment; later sends one once the device is idle.
func (k *maker) in(segment []byte) {
	k.do(&k.s.first, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) later(segment []byte) {
	k.do(&k.s.second, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) receive(b rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostReceive(rdmap.ReceiveRequest{Stream: uint32(k.at), ID: uint64(k.at) << 8, Buffer: b, Length: uint32(length)})
	})
}

func (k *maker) post(op wire.Opcode, local rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostWork(rdmap.WorkRequest{Stream: uint32(k.at), ID: 7, Signaled: true, Opcode: op, Local: local, Length: uint32(length),
			Remote: rdmap.Buffer{STag: 0xFFFFFF00}, Operands: rdmap.Operands{AOpCode: wire.FetchAdd}, Commit: rdmap.CommitOperands{Flags: wire.Persistence, Algorithm: k.algorithm()}})
	})
}

// before sends the preceding message, which is of a given operation.
func (k *maker) before(o ordering.Operation) {
	good := k.stag(k.at, rowGood)
	switch o {
	case ordering.Send:
		k.receive(k.buffer(k.at, rowGood, atBefore), 64)
		k.in(wire.AppendSend(nil, spec.Send.Opcode(), 0, k.sends, 0, true, payload(4)))
		k.sends++
	case ordering.Immediate:
		k.receive(rdmap.Buffer{}, 0)
		k.in(wire.AppendImmediate(nil, false, k.sends, 5))
		k.sends++
	case ordering.Write:
		k.in(wire.AppendWrite(nil, good, k.to(k.at, rowGood, atBefore+128), true, payload(4)))
	case ordering.Read:
		k.ask(4)
	case ordering.Atomic:
		k.in(wire.AppendAtomicRequest(nil, k.asks, wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: k.asks, RemoteSTag: good, RemoteTO: k.to(k.at, rowGood, atAtomic+256), Data: 1}))
		k.asks++
	default:
		k.beforeCommit(o)
	}
}

// ask sends a Read Request.
func (k *maker) ask(octets int) {
	k.in(wire.AppendReadRequest(nil, k.asks, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, ReadMessageSize: uint32(octets),
		DataSourceSTag: k.stag(k.at, rowGood), DataSourceTO: k.to(k.at, rowGood, atRead)}))
	k.asks++
}

// script returns the script that produces a message in a bin.
func (w *walk) script(stream int, m Message) (script, error) {
	k := &maker{walk: w, at: stream, m: m, sends: 1, asks: 1}
	first := w.protocol.Count() // reserved
	k.op = wire.Opcode(first + stream%(1<<w.protocol.OpcodeBits()-first))
	if row := message(m.Opcode); row != nil {
		k.op = row.Opcode
	}
	switch i := slices.Index(Rows(w.protocol), m.Row); {
	case i >= 2:
		for range k.fill(ordering.Operation(i - 2)) {
			k.ask(1)
		}
		k.before(ordering.Operation(i - 2))
	case m.Error == spec.IRDExceeded: // of a request outside the ordering tables
		for range k.config.ird {
			k.ask(1)
		}
	}
	switch {
	case m.Error == spec.StreamNotOpen:
		k.in(nil)
		if m.Opcode == none {
			k.in(payload(5))
		} else {
			k.in(wire.AppendSegment(nil, k.header(), nil))
		}
	case m.Error == spec.ShortHeader:
		k.in(payload(13)[:7])
	case m.Error.Row().Header:
		k.malformed()
	case k.is(spec.Write):
		k.write()
	case k.is(spec.Requests):
		k.request()
	case k.is(spec.ReadResponse):
		k.readResponse()
	case k.is(spec.Replies):
		k.reply()
	case k.is(spec.Terminate):
		h := k.header()
		if m.Error == spec.MSNOutOfRange {
			h.MSN = 2
		}
		k.in(wire.AppendSegment(nil, h, payload(4)))
	default:
		k.send()
	}
	return k.s, nil
}

// fill returns the number of requests to send before one exceeds IRD, not counting the preceding operation.
func (k *maker) fill(before ordering.Operation) int {
	if k.m.Error != spec.IRDExceeded {
		return 0
	}
	if before == ordering.Send || before == ordering.Write || before == ordering.Immediate {
		return k.config.ird
	}
	return k.config.ird - 1
}

// header returns a valid header for the opcode; a reserved opcode is untagged.
func (k *maker) header() wire.DDPHeader {
	row, _ := k.protocol.Operation(k.op)
	if row.Tagged {
		return wire.TaggedHeader(k.op, k.stag(k.at, rowGood), k.to(k.at, rowGood, atWrite), true)
	}
	h := wire.UntaggedHeader(k.op, 1, 0)
	h.QueueNumber = row.Queue
	switch h.QueueNumber {
	case wire.QueueSend:
		h.MSN = k.sends
	case wire.QueueRequest:
		h.MSN = k.asks
	}
	return h
}

// malformed sends a segment with an invalid header.
func (k *maker) malformed() {
	h := k.header()
	switch k.m.Error {
	case spec.TaggedDDPVersion, spec.UntaggedDDPVersion:
		h.DV, h.Tagged = 3, k.m.Error == spec.TaggedDDPVersion
	case spec.NoSuchQueue:
		h.Tagged, h.QueueNumber = false, 4+uint32(k.at)<<16
	case spec.BadRDMAPVersion:
		h.RV = 2
	case spec.WrongTBit:
		h.Tagged = !h.Tagged
	case spec.WrongQueue:
		h.QueueNumber = (h.QueueNumber + 1) % 4
	case spec.MONotZero:
		h.MO = 1 << (k.at % 32)
	case spec.WrongLength:
		h.Last = false
	}
	octets := k.octetsOf(k.m.Length)
	if k.m.Length == "beats" {
		octets = max(octets, 72)
	}
	k.in(wire.AppendSegment(nil, h, payload(octets)))
}

// place returns the offset of the payload, and the length of the preceding segment.
func (k *maker) place(offset int) (at, before int) {
	at = offset + k.config.bus*2 + k.offset(k.m.Align)
	if k.m.Length == "segments" {
		before = 16
	}
	return at, before
}
