package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// ULP NACK codes (I-64).
const (
	invalidRequest = 0x61
	accessError    = 0x62
	operationError = 0x63
)

func (s step) reply(name string, nack, ulp int) step {
	r := s.get().Request
	return s.expect(suite.Expect{Reply: &suite.Reply{CID: r.CID, RSN: r.RSN, Reply: name, NACK: nack, ULP: ulp}})
}

// ack acknowledges a push, or accepts a pull.
func (s step) ack() step { return s.reply("ack", 0, 0) }

// invalidCID, cie and nre are the NACKs of FTP 7.8.
func (s step) invalidCID() step { return s.reply("cid", 8, 0) }
func (s step) cie(ulp int) step { return s.reply("cie", 6, ulp) }
func (s step) nre(ulp int) step { return s.reply("nre", 7, ulp) }
func (s step) rnr() step        { return s.rnrAfter(rnrTimeout) }
func (s step) rnrAfter(c uint8) step {
	s.reply("rnr", 2, 0)
	s.get().Expect[len(s.get().Expect)-1].Reply.Timeout = &c
	return s
}

// answer is the response to a pull: SN, STETH and destination follow from the request.
func (s step) answer(p packet.Packet) step { return s.answerOf(s.get().Request, p) }

// answerOf is the response to a pull of an earlier step.
func (s step) answerOf(r *suite.Request, p packet.Packet) step {
	return s.expect(suite.Expect{Response: &suite.Response{CID: r.CID, RSN: r.RSN, Hex: s.t.octetsOf(p)}})
}

// responseTo begins the response to a pull: READ Response Only or ATOMIC Response.
func (t *T) responseTo(p packet.Packet) packet.Packet {
	op := uint8(readResponseOnly)
	if isAtomic(uint8(p.Opcode) & 0x1F) {
		op = atomicResponse
	}
	to := uint32(peer)
	if t.world.service == xrc {
		to = xrcPeer
	}
	return packet.Packet{Version: 1, Opcode: spec.Opcode(t.world.opcodes() | op), DestinationQP: to, SN: p.SN, SinkVA: p.SinkVA, SinkKey: p.SinkKey}
}

// failing is the response with CE, no payload and Original Data 0 (I-63).
func (t *T) failing(p packet.Packet) packet.Packet {
	r := t.responseTo(p)
	r.CE = true
	return r
}

// execute is the response to a pull of the region remote, whose effect it places.
func (t *T) execute(p packet.Packet) packet.Packet {
	r, at := t.responseTo(p), uint64(remoteAt)+p.VA-remoteVA
	switch uint8(p.Opcode) & 0x1F {
	case readRequest:
		r.Payload = t.read(at, int(p.Length))
	case fetchAdd:
		r.Original = t.memory.Word(at)
		t.memory.SetWord(at, r.Original+p.Data)
	case cmpSwap:
		r.Original = t.memory.Word(at)
		if r.Original == p.Compare {
			t.memory.SetWord(at, p.Data)
		}
	}
	return r
}

// served states that a pull is accepted, executed and answered.
func (s step) served(p packet.Packet) step { return s.ack().answer(s.t.execute(p)) }

// gotten is the completion of a receive: of a Send with its length, of a Write without.
func (s step) gotten(id uint64, p packet.Packet, octets int) step {
	op := uint8(p.Opcode) & 0x1F
	c := &suite.Completion{QP: target, ID: suite.Hex64(id), Recv: true, Status: "success", Kind: "send", Solicited: p.SE}
	switch op {
	case writeLastImmediate, writeOnlyImmediate:
		c.Kind = "write"
	default:
		c.Length = new(uint32(octets))
	}
	switch op {
	case sendLastImmediate, sendOnlyImmediate, writeLastImmediate, writeOnlyImmediate:
		c.Suffix, c.Immediate = "immediate", new(suite.Hex32(p.Immediate))
	case sendLastInvalidate, sendOnlyInvalidate:
		c.Suffix, c.Invalidated = "invalidate", new(suite.Hex32(p.Invalidate))
	}
	if s.t.world.service == ud {
		c.SourceQP = &p.SourceQP
	}
	s.t.taken(id)
	return s.expect(suite.Expect{Completion: c})
}

// lost is the completion of a receive in error.
func (s step) lost(id uint64, status string) step {
	s.t.taken(id)
	return s.expect(suite.Expect{Completion: &suite.Completion{QP: target, ID: suite.Hex64(id), Recv: true, Status: status}})
}

// taken removes a receive from those that are not complete.
func (t *T) taken(id uint64) {
	for i, p := range t.posted {
		if p == id {
			t.posted = append(t.posted[:i:i], t.posted[i+1:]...)
			return
		}
	}
}

// ended states that the target goes to Error: an event, and all receives of its own queue are flushed.
func (s step) ended(cause string) step {
	s.expect(suite.Expect{Event: &suite.Event{QP: target, Cause: cause}})
	s.t.failed = append(s.t.failed, target)
	for len(s.t.posted) > 0 {
		s.lost(s.t.posted[0], "flushed")
	}
	return s
}

// refused states what follows from an error of the peer in a request (RoF 6.3, I-65). In Verbs mode a push gets NRE and a
// pull a response with CE, then the QP is in Error; complete in error, a push gets CIE, a pull the same response, and the QP
// stays.
func (s step) refused(rule string, ulp int, p packet.Packet) step {
	s.breaks(rule)
	fails := s.t.world.errors == verbs
	switch {
	case s.get().Request.Type == pullReq:
		s.ack().answer(s.t.failing(p))
	case fails:
		s.nre(ulp)
	default:
		s.cie(ulp)
	}
	if fails {
		s.ended(rule)
	}
	return s
}

// fatal states what follows from an error that ends the QP in both error modes.
func (s step) fatal(rule string, ulp int, p packet.Packet) step {
	s.breaks(rule)
	if s.get().Request.Type == pullReq {
		s.ack().answer(s.t.failing(p))
	} else {
		s.nre(ulp)
	}
	return s.ended(rule)
}
