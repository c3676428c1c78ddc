package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Verdict is the outcome of a segment.
type Verdict struct {
	Error   spec.Rule          // rule that ends the stream; StreamNotOpen: the segment is discarded
	Term    wire.TerminateCode // code of the stream's Terminate, zero if none
	Opcode  wire.Opcode        // as in the segment
	Address uint64             // memory address of the payload, if Octets is not 0
	Octets  int                // octets placed
	Last    bool               // the segment completes its message
}

// Receive takes the next segment of a stream, at most wire.MaxSegment octets. It checks the segment, places its
// payload, and consumes the message's resources. A request is queued for Execute.
//
// The first error ends the stream: the segment has no effect, and a Terminate follows the responses to earlier
// requests.
func (e *Engine) Receive(stream uint32, segment []byte) Verdict {
	s := &e.streams[stream]
	e.counters.SegmentsReceived++
	if !s.open {
		e.counters.SegmentsDiscarded++
		return Verdict{Error: spec.StreamNotOpen}
	}
	parts, kind := wire.ClassifyWith(e.config.Extensions, segment)
	v := Verdict{Opcode: parts.Header.Opcode, Last: parts.Header.Last}
	if kind == spec.None {
		kind = e.take(s, &parts, &v)
	}
	if kind == spec.None {
		return v
	}
	e.counters.SegmentsInError++
	t := terminate(kind, len(segment), &parts)
	e.end(s, &last{terminate: &t})
	return Verdict{Error: kind, Term: t.Code, Opcode: v.Opcode}
}

// take processes a segment whose header is valid.
func (e *Engine) take(s *endpoint, parts *wire.Segment, v *Verdict) spec.Rule {
	op := parts.Header.Opcode
	switch {
	case op.Is(spec.Write):
		return e.takeWrite(s, parts, v)
	case op.Is(spec.ReadResponse):
		return e.takeReadResponse(s, parts, v)
	case byRequest[op] != nil:
		return e.takeRequest(s, parts)
	case op.Is(spec.Terminate):
		return e.takeTerminate(s, parts)
	case byReply[op] != nil:
		return e.takeReply(s, parts, v)
	}
	return e.takeSend(s, parts, v)
}

// takeWrite places a segment of an RDMA Write, RFC 5040 section 5.1.
func (e *Engine) takeWrite(s *endpoint, parts *wire.Segment, v *Verdict) spec.Rule {
	address, fault := e.table.Check(s.peer, parts.Header.STag, parts.Header.TO, uint64(len(parts.Payload)), memory.RemoteWrite)
	if fault != memory.Granted {
		return taggedRules[fault]
	}
	if kind := e.placePayload(s, parts.Header.STag, address, parts.Payload, v); kind != spec.None {
		return kind
	}
	s.inWrite = !parts.Header.Last
	s.release()
	return spec.None
}

// placePayload writes the payload of a segment to memory, through the region of an STag.
func (e *Engine) placePayload(s *endpoint, stag uint32, address uint64, payload []byte, v *Verdict) spec.Rule {
	if !e.place(s, address, payload) {
		return spec.Local
	}
	e.writeThrough(stag, address, len(payload))
	if v.Octets = len(payload); v.Octets > 0 {
		v.Address = address
	}
	return spec.None
}

// takeSend takes a segment of QN 0: a Send of any kind, RFC 5040 section 5.3, or Immediate Data, RFC 7306 section 6.
func (e *Engine) takeSend(s *endpoint, parts *wire.Segment, v *Verdict) spec.Rule {
	h := &parts.Header

	// The queue: RFC 5041 section 7.1.
	if h.MSN != s.expected[wire.QueueSend] {
		return spec.MSNOutOfRange
	}
	if s.receives.len() == 0 {
		return spec.NoReceiveBuffer
	}
	if h.MO != s.octets {
		return spec.WrongMO
	}
	if s.inSend && h.Opcode != s.opcode {
		return spec.OpcodeChanges
	}
	if e.refusesInside(!s.inSend && (s.inWrite || s.inReadResponse)) {
		return spec.Interleaved
	}
	isImmediate := h.Opcode == wire.OpImmediate || h.Opcode == wire.OpImmediateSE
	if isImmediate && !e.config.ImmediateInBuffer {
		e.takeImmediate(s, parts)
		return spec.None
	}

	// The buffer.
	receive := s.receives.front()
	octets := uint64(h.MO) + uint64(len(parts.Payload))
	if octets > uint64(receive.Length) {
		return spec.MessageTooLong
	}
	address, fault := e.table.Check(s.peer, receive.Buffer.STag, receive.Buffer.TO+uint64(h.MO), uint64(len(parts.Payload)), memory.LocalWrite)
	if fault != memory.Granted {
		return spec.Local // not caused by the peer
	}

	// The Invalidate STag applies when the message is complete.
	invalidate := h.Last && (h.Opcode == wire.OpSendInv || h.Opcode == wire.OpSendSEInv)
	if invalidate {
		if !e.table.MayInvalidate(s.peer, h.InvalidateSTag) {
			return spec.CannotInvalidate
		}
		e.table.Invalidate(h.InvalidateSTag)
		e.counters.Invalidations++
	}

	if kind := e.placePayload(s, receive.Buffer.STag, address, parts.Payload, v); kind != spec.None {
		return kind
	}
	if isImmediate {
		e.takeImmediate(s, parts)
		return spec.None
	}
	s.inSend, s.opcode, s.octets = true, h.Opcode, uint32(octets)
	if h.Last {
		stag := uint32(0)
		if invalidate {
			stag = h.InvalidateSTag
		}
		e.completeReceive(s, h.Opcode, s.octets, 0, stag)
		s.release()
	}
	return spec.None
}

// takeImmediate completes a receive request with the value of Immediate Data.
func (e *Engine) takeImmediate(s *endpoint, parts *wire.Segment) {
	var i wire.Immediate
	_ = i.Decode(parts.Payload) // the length has been checked
	e.completeReceive(s, parts.Header.Opcode, uint32(len(parts.Payload)), i.Data, 0)
}

// refusesInside reports whether a message inside another one is refused.
func (e *Engine) refusesInside(inside bool) bool { return inside && !e.config.DeliverInside }

// takeTerminate takes the peer's Terminate, RFC 5040 section 5.4: the stream ends without a response.
func (e *Engine) takeTerminate(s *endpoint, parts *wire.Segment) spec.Rule {
	if parts.Header.MSN != s.expected[wire.QueueTerminate] {
		return spec.MSNOutOfRange
	}
	var t wire.Terminate
	_, _ = t.DecodeWith(e.config.Extensions, parts.Payload) // the code is present; the rest does not matter
	e.counters.TerminatesReceived++
	event := Event{Stream: s.peer.Stream, Kind: EventTerminated, Term: t.Code}
	if e.config.Extensions&spec.Commit != 0 && t.HasDDP && !t.DDP.Tagged && t.DDP.QueueNumber == wire.QueueRequest {
		event.OfRequest, event.MSN = true, t.DDP.MSN
	}
	s.events.push(event)
	e.end(s, &last{})
	return spec.None
}
