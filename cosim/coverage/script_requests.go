package coverage

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ofPeer returns a buffer as the peer names it, with the error of the bin.
func (k *maker) ofPeer(offset, octets int) rdmap.Buffer {
	b := k.buffer(k.at, rowGood, offset)
	switch k.m.Error {
	case spec.TaggedSTag, spec.RequestSTag:
		b.STag ^= 1
	case spec.TaggedAssociation, spec.RequestAssociation:
		other := (k.at + 1) % k.config.streams
		b = k.buffer(other, rowGood, offset)
	case spec.TaggedAccess, spec.RequestAccess:
		b.STag = k.stag(k.at, rowWeak)
	case spec.TaggedTOWrap, spec.RequestTOWrap:
		b.TO = ^uint64(0)
	case spec.TaggedBounds, spec.RequestBounds:
		b.TO = k.to(k.at, rowGood, rowLength-octets+1)
	}
	return b
}

func (k *maker) write() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atWrite)
	if k.m.Error == spec.Local {
		octets, at = k.failing64(octets, before)
		b := k.buffer(k.at, rowFailing, at)
		if before > 0 {
			k.in(wire.AppendWrite(nil, b.STag, b.TO-uint64(before), false, payload(before)))
		}
		k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
		return
	}
	if before > 0 {
		b := k.buffer(k.at, rowGood, at-before)
		k.in(wire.AppendWrite(nil, b.STag, b.TO, false, payload(before)))
	}
	b := k.ofPeer(at, octets)
	if k.m.Error == spec.TaggedTOWrap {
		octets = max(octets, 2)
	}
	if octets == 0 {
		b = rdmap.Buffer{} // not checked
	}
	k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
}

// failing64 returns the length and the offset of a payload that fails in the failing row. The first of two segments precedes the
// failing page.
func (k *maker) failing64(octets, before int) (long, at int) {
	if before > 0 {
		return 2 * 128, page - 128 + k.offset(k.m.Align)
	}
	return octets, page + k.config.bus*2 + k.offset(k.m.Align)
}

func (k *maker) request() {
	octets := k.octetsOf(k.m.Length)
	at, _ := k.place(atRead)
	if k.m.Length == "segments" {
		octets = k.config.maxPayload + 5
	}
	if k.m.Error == spec.IRDExceeded && k.m.Row != "nothing" {
		k.walk.hold = true
	}
	msn := k.asks
	if k.m.Error == spec.MSNOutOfRange {
		msn += 1 << (k.at % 32)
	}
	if k.is(spec.Committing) {
		k.commitRequest(msn)
		return
	}
	if k.op.Is(spec.ReadRequest) {
		if k.m.Error == spec.RequestTOWrap {
			octets = max(octets, 2)
		}
		b := k.ofPeer(at, octets)
		k.in(wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, DataSinkTO: 3, ReadMessageSize: uint32(octets), DataSourceSTag: b.STag, DataSourceTO: b.TO}))
		return
	}
	at = atAtomic + k.offset(k.m.Align)
	b := k.ofPeer(at, 8)
	if !k.op.Is(spec.AtomicRequest) {
		k.in(wire.AppendFixed(nil, k.op, msn, func(f wire.Field) uint64 {
			return map[string]uint64{"remote_stag": uint64(b.STag), "remote_to": b.TO}[f.Name]
		}))
		return
	}
	a := wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: 77, RemoteSTag: b.STag, RemoteTO: b.TO, Data: 3}
	switch k.m.Error {
	case spec.AOpCodeNotSupported:
		a.AOpCode = 7
	case spec.Misaligned:
		a.RemoteTO += 1 + uint64(k.at%7)
	}
	k.in(wire.AppendAtomicRequest(nil, msn, a))
}

// send is a Send of any kind, or Immediate Data.
func (k *maker) send() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atReceive)
	immediate := k.op.Is(spec.Immediate)
	buffer, room := k.buffer(k.at, rowGood, at-before), before+octets
	msn, mo, op := k.sends, before, k.op
	stag := k.stag(k.at, rowSink)
	if op.Is(spec.SendInvalidate) {
		k.changed[k.at*rowsOf+rowSink] = true
	}
	first := op
	switch k.m.Error {
	case spec.MSNOutOfRange:
		msn += 1 << (k.at % 32)
	case spec.WrongMO:
		if immediate {
			before, first = 4, spec.Send.Opcode()
			room = 4
		}
		mo += 1 << (k.at%31 + 1)
	case spec.OpcodeChanges:
		first = spec.Send.Opcode() + (op-spec.Send.Opcode()+1)%4
		if immediate {
			k.receive(buffer, 64)
			k.in(wire.AppendSend(nil, spec.Send.Opcode(), 0, msn, 0, false, nil))
			room = -1
		}
	case spec.MessageTooLong:
		room--
	case spec.CannotInvalidate:
		stag = k.stag(k.at, rowGood)
	case spec.Local:
		if k.m.Align == none { // the buffer ends where the message continues, or is not writable
			if buffer = k.buffer(k.at, rowWeak, 0); before > 0 {
				buffer = k.buffer(k.at, rowGood, rowLength-before)
			}
			break
		}
		octets, at = k.failing64(octets, before)
		buffer, room = k.buffer(k.at, rowFailing, at-before), before+octets
	}
	if k.m.Error != spec.NoReceiveBuffer && room >= 0 {
		k.receive(buffer, room)
	}
	if k.m.Error == spec.Interleaved {
		k.insideResponse()
		if immediate {
			k.later(wire.AppendImmediate(nil, solicited(op), msn, 9))
		} else {
			k.later(wire.AppendSend(nil, op, stag, msn, 0, true, payload(octets)))
		}
		return
	}
	if before > 0 {
		k.in(wire.AppendSend(nil, first, stag, k.sends, 0, false, payload(before)))
	}
	if immediate {
		k.in(wire.AppendImmediate(nil, solicited(op), msn, 9))
		return
	}
	k.in(wire.AppendSend(nil, op, stag, msn, uint32(mo), true, payload(octets)))
}

// solicited reports whether a message raises an event.
func solicited(op wire.Opcode) bool {
	row, _ := op.Operation()
	return row.Solicited
}
