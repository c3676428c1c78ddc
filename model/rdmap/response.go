package rdmap

import (
	"encoding/binary"

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
	if kind := e.placePayload(s, address, parts.Payload, v); kind != spec.None {
		return kind
	}
	w.octets += uint32(octets)
	if s.inReadResponse = !h.Last; h.Last {
		e.completeRequest(s)
		s.release()
	}
	return spec.None
}

// takeReply takes a response on queue 3 to the oldest outstanding request: RFC 7306 section 5.2.2. Its word goes to the
// requester's buffer in the byte order of the memory.
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
	r := o.reply(parts.Payload)
	if r.identifier != w.msn && !e.config.AnyIdentifier {
		return spec.WrongIdentifier
	}
	address, fault := e.table.Check(s.peer, w.Local.STag, w.Local.TO, memory.WordOctets, memory.LocalWrite)
	if fault != memory.Granted {
		return spec.Local // not caused by the peer
	}
	var word [memory.WordOctets]byte
	binary.LittleEndian.PutUint64(word[:], r.word)
	if kind := e.placePayload(s, address, word[:], v); kind != spec.None {
		return kind
	}
	w.original = r.word
	s.expected[wire.QueueAtomicResponse]++
	e.completeRequest(s)
	return spec.None
}

// completeRequest completes the oldest outstanding request.
func (e *Engine) completeRequest(s *endpoint) {
	s.work.at(*s.outstanding.pop()).done = true
	e.complete(s)
}
