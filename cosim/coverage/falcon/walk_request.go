package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// request gives the QP a request of the bin.
func (v *visit) request() {
	switch {
	case v.p.Opcode == found:
		v.foundLater()
		return
	case v.row == nil:
		v.row = v.find(spec.Write, spec.Only, spec.Plain)
		if v.p.Error == spec.NoIRRQ {
			v.row = v.find(spec.FetchAdd, spec.Only, spec.Plain)
		}
	}
	v.begin()
	octets := v.octetsOf(v.p.Length)
	if v.p.Length == none && v.row.Position&spec.Whole != 0 && v.row.Packet == spec.PushRequest {
		octets = v.config.MTU
	}
	x := v.next(v.row, octets)
	x.CE = v.p.Length == inBand
	cid := v.cid()
	v.spoil(&x, &cid)
	raw := v.cut(x, x.Encode(nil, v.order))
	v.deliver(v.row.Packet, cid, raw)
}

// begin brings about the state in which the packet is valid, but for its rule.
func (v *visit) begin() {
	send := v.row.Kind == spec.Send && v.row.Packet == spec.PushRequest
	if v.row.Receives() && v.p.Error != spec.NoReceive {
		v.receiveFor(send)
	}
	switch v.p.Error {
	case spec.BehindRNR:
		empty := v.find(spec.Send, spec.Only, spec.Plain)
		if v.row.Receives() { // the receive is for that one
			v.before(empty, 0, nil)
		}
		v.before(empty, 0, nil)
		return
	case spec.QPInError:
		v.give(suite.Step{Fail: new(v.qp())})
		return
	case spec.NoIRRQ:
		kind := spec.Read
		if v.ordering == spec.Weak.String() { // Atomics wait for a missing SN
			kind = spec.FetchAdd
			v.sn++
		}
		for range v.config.IRRQ {
			v.before(v.find(kind, spec.Only, spec.Plain), 8, nil)
		}
		return
	case spec.SNRepeated:
		if v.row.Position&spec.Starts != 0 {
			v.before(v.find(spec.Write, spec.Only, spec.Plain), 0, nil)
		}
	case spec.OutOfPlace:
		if v.row.Position&spec.Starts == 0 {
			return
		}
		if !v.row.Receives() {
			v.receiveFor(true)
		}
		v.before(v.find(spec.Send, spec.First, spec.Plain), v.config.MTU, nil)
		return
	}
	follows := v.row.Position&spec.Starts == 0 && v.row.Orderings.Has(orderingOf(v.ordering))
	unknown := v.p.Error == spec.NoReceive || v.p.Error == spec.UnknownSRQ && v.ordering == spec.Weak.String()
	if follows && !(send && unknown) {
		v.before(v.find(v.row.Kind, spec.First, spec.Plain), v.config.MTU, func(x *packet.Packet) {
			if v.p.Error == spec.UnknownSRQ {
				x.SRQ = noSRQ
			}
		})
	}
}

func orderingOf(name string) (o spec.Ordering) {
	for o.String() != name {
		o++
	}
	return o
}

// receiveFor posts the receive of the message.
func (v *visit) receiveFor(send bool) {
	mtu := v.config.MTU
	good, bad := v.element(rowLocal, 0, slotMTUs*mtu), v.element(rowRemote, 0, slotMTUs*mtu)
	starts := v.row.Position&spec.Starts != 0
	switch {
	case !send:
		v.receive(good)
	case v.p.Error == spec.TooLong && starts:
		v.receive(v.element(rowLocal, 0, 4))
	case v.p.Error == spec.TooLong:
		v.receive(v.element(rowLocal, 0, mtu+4))
	case v.p.Error == spec.ReceiveBuffer && starts:
		v.receive(bad)
	case v.p.Error == spec.ReceiveBuffer:
		v.receive(v.element(rowLocal, 0, mtu), bad)
	default:
		v.receive(good)
	}
}

// strange is a number without an open QP: of a closed one, or beyond those of the hardware.
func (v *visit) strange() uint32 {
	if v.IntN(4) == 0 {
		return noQP
	}
	return noQP ^ 1<<(16+v.IntN(8))
}

// spoil makes the packet break its rule.
func (v *visit) spoil(x *packet.Packet, cid *uint32) {
	switch v.p.Error {
	case spec.UnknownQP:
		x.DestinationQP = v.strange()
	case spec.WrongCID:
		*cid = noCID
	case spec.WrongVersion:
		x.Version ^= uint8(1 + v.IntN(15))
	case spec.SNGap:
		if x.SN++; v.ordering == spec.Weak.String() {
			x.SN += uint32(v.config.Window)
		}
	case spec.SNRepeated:
		x.SN--
	case spec.BadQKey:
		x.QKey ^= 1 << v.IntN(32)
	case spec.BadRMSN:
		switch {
		case v.ordering == spec.Strong.String():
			x.RMSN++
		case v.row.Packet == spec.PullRequest:
			x.RMSN += uint32(v.config.IRRQ)
		default:
			x.RMSN--
		}
	case spec.UnknownSRQ:
		x.SRQ = noSRQ
	case spec.BadLength:
		if x.Length++; v.row.Kind == spec.Read {
			x.Length += uint32(v.config.MTU)
		}
	case spec.BadOffset:
		x.Offset = 4
	case spec.RKeyUnknown:
		x.RKey = v.key(rowUnknown)
	case spec.RKeyOwner:
		x.RKey = v.key(rowForeign)
	case spec.RKeyRight:
		x.RKey = v.key(rowLocal)
	case spec.VAWrap:
		x.RKey, x.VA = v.key(rowEdge), 1<<64-4
	case spec.OutOfBounds:
		x.VA = v.va + uint64(walkMTUs*v.config.MTU) - 4
	case spec.Misaligned:
		x.VA += 4
	case spec.CannotInvalidate:
		x.Invalidate = v.key(rowLocal)
	}
}

// cut changes the octets of a packet as no field can.
func (v *visit) cut(x packet.Packet, octets []byte) []byte {
	headers := v.row.HeaderOctets()
	base := func(edit func()) []byte {
		edit()
		copy(octets, x.EncodeBase(nil, v.order))
		return octets
	}
	switch {
	case v.p.Opcode == foreignRequest:
		return base(func() { x.Opcode |= 0x1F })
	case v.p.Error == spec.ShortPacket:
		return octets[:8]
	case v.p.Error == spec.ShortHeaders:
		return octets[:headers-4]
	case v.p.Error == spec.BadPayload:
		switch whole := v.row.Position&spec.Whole != 0; {
		case v.row.Packet == spec.PullRequest:
			return append(octets, 0, 0, 0, 0)
		case v.p.Length == empty && v.row.Position == spec.Only, v.p.Length == full:
			return base(func() { x.Pad = 2 })
		case v.p.Length == below && !whole:
			return octets[:len(octets)-3]
		}
	}
	return octets
}

// foundLater delivers packets that are accepted, one of which is found invalid in the order of SN.
func (v *visit) foundLater() {
	v.row = v.find(spec.Send, spec.Only, spec.Plain)
	for range 2 {
		v.receiveFor(true)
	}
	switch v.p.Error {
	case spec.OutOfPlace:
		v.octetsSoFar = uint32(v.config.MTU)
		v.before(v.find(spec.Send, spec.Middle, spec.Plain), v.config.MTU, nil)
	case spec.BadRMSN:
		v.rmsn++
		v.before(v.row, 8, nil)
	case spec.Incomplete:
		v.before(v.find(spec.Send, spec.First, spec.Plain), v.config.MTU, nil)
		v.octetsSoFar += uint32(v.config.MTU)
		v.before(v.find(spec.Send, spec.Last, spec.Plain), 8, nil)
	case spec.RKeyUnknown: // a Send before it invalidates the region of an Atomic that waits
		v.sn++
		v.before(v.find(spec.FetchAdd, spec.Only, spec.Plain), 8, func(x *packet.Packet) { x.RKey = v.key(v.spare()) })
		v.sn = v.group.Number
		v.before(v.find(spec.Send, spec.Only, spec.Invalidate), 8, nil)
	}
}
