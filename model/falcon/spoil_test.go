package falcon_test

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"pgregory.net/rapid"
)

// spoilRequest is what the hostile peer sends for a request of its engine: another one, none, a second one, an earlier one later.
func (a *attack) spoilRequest(r falcon.Request) (list []falcon.Request) {
	push := r.Type == spec.PushRequest
	switch what := a.draw(a.least(), 11, "what"); {
	case what == 0 && push: // left out
	case what == 1 && push:
		a.held = append(a.held, r)
	case what == 2:
		list = []falcon.Request{r, a.change(r)}
	case what == 3:
		list = []falcon.Request{a.change(r), r}
	case what < 8:
		list = []falcon.Request{a.change(r)}
	default:
		list = []falcon.Request{r}
	}
	if len(a.held) > 0 && a.draw(0, 1, "held") == 1 {
		list = append(list, a.held...)
		a.held = nil
	}
	return list
}

// least is the number of the first choice: a gentle attack does not have the first ones.
func (a *attack) least() int {
	if a.gentle {
		return 4
	}
	return 0
}

// change changes a field or two of a request; the CID, with which Falcon vouches for the peer, alone.
func (a *attack) change(r falcon.Request) falcon.Request {
	var p packet.Packet
	p.Decode(r.Octets, a.bits)
	if a.draw(a.least(), 15, "cid") == 0 {
		r.CID = a.cid[1]
		return r
	}
	p.Invalidate = a.key()
	for range a.draw(1, 2, "fields") {
		a.field(&p, r.Type)
	}
	r.Octets = a.octet(p.Encode(nil, a.bits))
	return r
}

// field changes a field of a packet of a type.
func (a *attack) field(p *packet.Packet, kind spec.PacketType) {
	step := rapid.SampledFrom([]uint32{1, 2, 1<<32 - 1, mtu, 1<<32 - mtu, 255, 256, 1 << 31}).Draw(a.t, "step")
	fields := []string{"offset", "length", "va", "key", "sink", "ce", "service", "payload"}
	if !a.gentle {
		fields = append(fields, "opcode", "opcode", "sn", "rmsn", "rmsn", "qp", "version")
	}
	switch rapid.SampledFrom(fields).Draw(a.t, "field") {
	case "opcode":
		var rows []spec.Operation
		for _, row := range spec.Operations {
			if row.Packet == kind && row.Opcode.Service() == p.Opcode.Service() {
				rows = append(rows, row)
			}
		}
		p.Opcode = rapid.SampledFrom(rows).Draw(a.t, "opcode").Opcode
	case "sn":
		p.SN += step
	case "rmsn":
		p.RMSN += step
	case "offset":
		p.Offset += step
	case "length":
		p.Length += step
	case "va":
		p.VA += uint64(int32(step)) * 8
	case "key":
		p.RKey = a.key()
	case "sink":
		p.SinkKey = a.key()
		p.SinkVA += uint64(step)
	case "qp":
		p.DestinationQP = rapid.SampledFrom([]uint32{a.qp[1], a.to[1], a.at(1), a.target(1), 5}).Draw(a.t, "qp")
	case "version":
		p.Version = uint8(a.draw(0, 15, "version"))
	case "ce":
		p.CE = !p.CE
	case "service":
		p.SRQ, p.QKey = srqNumber, step
	case "payload":
		p.Payload = make([]byte, rapid.SampledFrom([]int{0, 1, mtu, mtu, mtu + 1}).Draw(a.t, "payload"))
		p.Length = uint32(len(p.Payload))
	}
}

// octet changes some packets once more: their opcode, pad or end.
func (a *attack) octet(b []byte) []byte {
	switch a.draw(a.least(), 15, "octet") {
	case 0:
		b[3] = byte(a.draw(0, 255, "opcode")) // drawn
	case 1:
		b[2] ^= byte(a.draw(1, 3, "pad") << 2)
	case 2:
		return b[:a.draw(0, len(b), "end")]
	case 3:
		return append(b, make([]byte, a.draw(1, 8, "more"))...)
	}
	return b
}

// key is one of a region, mostly of another one than the attacked QP's own.
func (a *attack) key() uint32 {
	return rapid.SampledFrom([]uint32{remoteKey, sinkKey, receiveKey, spareKey, foreign, sourceKey, noKey, attackKey, attackBufferKey, attackSinkKey}).Draw(a.t, "key")
}

// spoilResponse changes a field of some responses.
func (a *attack) spoilResponse(octets []byte) []byte {
	var p packet.Packet
	if a.draw(0, 2, "response") > 0 || p.Decode(octets, a.bits) != spec.None {
		return octets
	}
	p.Original++
	a.field(&p, spec.PullData)
	return a.octet(p.Encode(nil, a.bits))
}
