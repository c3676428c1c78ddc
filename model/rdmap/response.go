package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// takeReadResponse takes a segment of the response to the oldest outstanding request, a Read: RFC 5040 section 5.2. It
// carries the Data Sink of the Read Request, and its octets arrive in order.
func (e *Engine) takeReadResponse(s *endpoint, parts *wire.Segment, v *Verdict) spec.Rule {
	if s.outstanding.len() == 0 {
		return spec.UnexpectedResponse
	}
	w := s.work.at(*s.outstanding.front())
	if w.Opcode != wire.OpReadRequest {
		return spec.UnexpectedResponse
	}
	if e.refusesInside(!s.inReadResponse && (s.inSend || s.inWrite)) {
		return spec.Interleaved
	}
	h, octets := &parts.Header, uint64(len(parts.Payload))
	missing := uint64(w.Length - w.octets)
	if octets > missing {
		return spec.ReadTooLong
	}
	if h.Last != (octets == missing) {
		return spec.WrongReadLast
	}
	if octets > 0 {
		if h.STag != w.Local.STag {
			return spec.WrongSinkSTag
		}
		if h.TO != w.Local.TO+uint64(w.octets) {
			return spec.WrongSinkTO
		}
	}
	address, fault := e.table.Check(s.peer, h.STag, h.TO, octets, memory.LocalWrite)
	if fault != memory.Granted {
		return taggedRules[fault]
	}
	if kind := e.placePayload(s, h.STag, address, parts.Payload, v); kind != spec.None {
		return kind
	}
	w.octets += uint32(octets)
	if s.inReadResponse = !h.Last; h.Last {
		e.completeRequest(s)
		s.release()
	}
	return spec.None
}

// takeReply takes a response on queue 3 to the oldest outstanding request: RFC 7306 section 5.2.2,
// draft-talpey-rdma-commit-01 section 3.1. What it returns goes to the requester's buffer.
func (e *Engine) takeReply(s *endpoint, parts *wire.Segment, v *Verdict) spec.Rule {
	if parts.Header.MSN != s.expected[wire.QueueAtomicResponse] {
		return spec.MSNOutOfRange
	}
	if s.outstanding.len() == 0 {
		return spec.NoAtomicOutstanding
	}
	w := s.work.at(*s.outstanding.front())
	o := byReply[parts.Header.Opcode]
	if w.Opcode != o.row.Opcode {
		return spec.UnexpectedResponse
	}
	if e.refusesInside(s.incomplete()) {
		return spec.Interleaved
	}
	r, rule := o.reply(w, parts.Payload)
	if rule != spec.None && (rule != spec.WrongIdentifier || !e.config.AnyIdentifier) {
		return rule
	}
	address, fault := e.table.Check(s.peer, w.Local.STag, w.Local.TO, uint64(r.octets), memory.LocalWrite)
	if fault != memory.Granted {
		return spec.Local // not caused by the peer
	}
	if kind := e.placePayload(s, w.Local.STag, address, r.buffer[:r.octets], v); kind != spec.None {
		return kind
	}
	w.data, w.status = r.data, r.status
	s.expected[wire.QueueAtomicResponse]++
	e.completeRequest(s)
	return spec.None
}

// completeRequest completes the oldest outstanding request.
func (e *Engine) completeRequest(s *endpoint) {
	s.work.at(*s.outstanding.pop()).done = true
	e.complete(s)
}
