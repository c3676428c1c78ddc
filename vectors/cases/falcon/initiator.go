package falcon

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// sender is the QP that sends.
func (t *T) sender() uint32 {
	if t.world.service == xrc {
		return xrcInitiator
	}
	return target
}

// work is a work request with what the world's service needs.
func (t *T) work(id uint64, kind, suffix string, local ...suite.Element) *suite.Work {
	w := &suite.Work{QP: t.sender(), ID: suite.Hex64(id), Kind: kind, Suffix: suffix, Local: local}
	switch suffix {
	case "immediate":
		w.Immediate = immediate
	case "invalidate":
		w.Invalidate = peerSpare
	}
	if kind != "send" {
		w.Remote = &suite.Remote{Key: peerKey, VA: peerVA}
	}
	if kind == "cmp_swap" || kind == "fetch_add" {
		w.Operands = &suite.Operands{Data: swapData, CompareData: compareData}
	}
	switch t.world.service {
	case xrc:
		w.SRQ = new(uint32(peerSRQ))
	case ud:
		w.Address = &suite.Address{CID: cid, QP: peer, QKey: peerQKey}
	}
	return w
}

// Words of this side's requests.
const (
	peerKey     = 0x0077_0033
	peerSpare   = 0x0088_0044
	peerVA      = 0xFEDC_BA98_7654_3210
	peerSRQ     = 0x00F051
	peerQKey    = 0x0BAD_CAFE
	compareData = 0x8877_6655_4433_2211
)

func (t *T) post(w *suite.Work) step { return t.give(suite.Step{Work: w}) }

// outgoing begins this side's next request on the CID of a work request.
func (t *T) outgoing(w *suite.Work, op uint8) packet.Packet {
	p := packet.Packet{Version: 1, Opcode: spec.Opcode(t.world.opcodes() | op), DestinationQP: peer, SRQ: peerSRQ, QKey: peerQKey, SourceQP: target,
		Immediate: uint32(w.Immediate), Invalidate: uint32(w.Invalidate)}
	if w.Address != nil {
		p.DestinationQP, p.QKey, p.SourceQP = w.Address.QP, uint32(w.Address.QKey), w.QP
	}
	n := t.out[cidOf(w)]
	p.SN = n.sn
	n.sn++
	if m := w.Remote; m != nil {
		p.VA, p.RKey = uint64(m.VA), uint32(m.Key)
	}
	switch {
	case isPull(op):
		p.RMSN = t.outPull
		t.outPull++
	case numbered(op):
		p.RMSN = t.outMessage
		if ends(op) {
			t.outMessage++
			p.SE = w.Solicited
		}
	}
	return p
}

func cidOf(w *suite.Work) uint32 {
	if w.Address != nil {
		return w.Address.CID
	}
	return cid
}

// sends states that the design sends a request on a connection.
func (s step) sends(cid uint32, p packet.Packet) step {
	t := s.t
	op := uint8(p.Opcode) & 0x1F
	octets := t.octetsOf(p)
	r := &suite.Request{CID: cid, RSN: t.out[cid].rsn, Type: typeOf(op), Length: len(octets), Hex: octets}
	if isPull(op) {
		r.Length = t.responseOctets(op, int(p.Length))
	}
	t.out[cid].rsn++
	return s.expect(suite.Expect{Request: r})
}

// source returns the octets that a work request sends.
func (t *T) source(w *suite.Work) (b []byte) {
	for _, e := range w.Local {
		b = append(b, t.read(localAt+uint64(e.VA)-localVA, int(e.Length))...)
	}
	return b
}

// push is the packets of a Send or Write, segmented at the MTU.
func (t *T) push(w *suite.Work, m message) (list []packet.Packet) {
	octets, mtu := t.source(w), t.config.MTU
	n := max(1, (len(octets)+mtu-1)/mtu)
	for i := range n {
		p := t.outgoing(w, m.operation(i, n))
		p.VA += uint64(i * mtu)
		p.Offset = uint32(i * mtu)
		list = append(list, carrying(p, octets[i*mtu:min(len(octets), (i+1)*mtu)]))
	}
	return list
}

// pulls is the pull requests of a Read: cut at the MTU and at the ends of elements (RoF 6.7).
func (t *T) pulls(w *suite.Work) (list []packet.Packet) {
	offset := 0
	for _, e := range w.Local {
		for at := 0; at < int(e.Length); at += t.config.MTU {
			n := min(int(e.Length)-at, t.config.MTU)
			p := t.outgoing(w, readRequest)
			p.VA += uint64(offset)
			p.Length, p.SinkVA, p.SinkKey = uint32(n), uint64(e.VA)+uint64(at), uint32(e.Key)
			list = append(list, p)
			offset += n
		}
	}
	return list
}

// atomic is the request of an Atomic.
func (t *T) atomic(w *suite.Work) packet.Packet {
	op := uint8(fetchAdd)
	if w.Kind == "cmp_swap" {
		op = cmpSwap
	}
	p := t.outgoing(w, op)
	p.Data, p.Compare = uint64(w.Operands.Data), uint64(w.Operands.CompareData)
	p.SinkVA, p.SinkKey = uint64(w.Local[0].VA), uint32(w.Local[0].Key)
	return p
}

// complete gives the design a completion of Falcon.
func (t *T) complete(cid, rsn uint32, code, ulp int) step {
	return t.give(suite.Step{Complete: &suite.Complete{CID: cid, RSN: rsn, Code: code, ULP: ulp}})
}

// done is the completion of a work request.
func (s step) done(w *suite.Work) step {
	octets := uint32(0)
	for _, e := range w.Local {
		octets += e.Length
	}
	return s.expect(suite.Expect{Completion: &suite.Completion{QP: w.QP, ID: w.ID, Status: "success", Kind: w.Kind, Length: &octets}})
}

// doneAtomic is the completion of an Atomic.
func (s step) doneAtomic(w *suite.Work, original uint64) step {
	s.done(w)
	s.get().Expect[len(s.get().Expect)-1].Completion.Data = new(suite.Hex64(original))
	return s
}

// failed is the completion of a work request in error.
func (s step) failed(w *suite.Work, status string) step {
	return s.expect(suite.Expect{Completion: &suite.Completion{QP: w.QP, ID: w.ID, Status: status}})
}

// senderEnded states that the sender goes to Error. On RC it is the target too, whose receives are flushed.
func (s step) senderEnded(cause string) step {
	number := s.t.sender()
	if number == target {
		return s.ended(cause)
	}
	s.t.failed = append(s.t.failed, number)
	return s.expect(suite.Expect{Event: &suite.Event{QP: number, Cause: cause}})
}

// respond gives the design the response to a pull that it has sent.
func (t *T) respond(rsn uint32, p packet.Packet) step {
	return t.give(suite.Step{Response: &suite.Response{CID: cid, RSN: rsn, Hex: t.octetsOf(p)}})
}

// dataFor is the peer's response to a pull: SN and STETH are those of the request.
func (t *T) dataFor(p packet.Packet, op uint8) packet.Packet {
	r := packet.Packet{Version: 1, Opcode: spec.Opcode(t.world.opcodes() | op), DestinationQP: t.sender(), SN: p.SN, SinkVA: p.SinkVA, SinkKey: p.SinkKey}
	if op == atomicResponse {
		r.Original = t.rand.Uint64()
	} else {
		r.Payload = t.octets(int(p.Length))
	}
	return r
}

// land places the data of a response in its sink: the result of an Atomic little-endian (I-73).
func (t *T) land(r packet.Packet) {
	at := localAt + r.SinkVA - localVA
	if r.SinkKey == own {
		at = remoteAt + r.SinkVA - remoteVA
	}
	octets := r.Payload
	if uint8(r.Opcode)&0x1F == atomicResponse {
		octets = binary.LittleEndian.AppendUint64(nil, r.Original)
	}
	t.place(at, octets)
}
