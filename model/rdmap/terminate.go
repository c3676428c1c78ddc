package rdmap

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// last is the item after the queued requests of a stream that ends: a Terminate, or nothing if the peer sent one.
type last struct {
	terminate *wire.Terminate // nil: nothing
}

// terminate returns the Terminate for a segment in error, RFC 5040 section 4.8. It contains the length and DDP header
// of the segment if the header is complete and the error is the peer's. It also contains the header of a Read Request
// if RDMAP found the error in one: untagged, with its opcode and length, regardless of other faults (I-40).
func terminate(rule spec.Rule, octets int, parts *wire.Segment) wire.Terminate {
	h := &parts.Header
	code, _ := rule.Terminate()
	t := wire.Terminate{Code: code}
	if rule == spec.ShortHeader || rule == spec.Local {
		return t
	}
	t.LengthValid, t.HasDDP = true, true
	t.DDPSegmentLength, t.DDP = uint16(octets), *h
	if h.Opcode == wire.OpReadRequest && !h.Tagged && code.Layer == wire.LayerRDMAP {
		t.HasRDMAP = t.ReadRequest.Decode(parts.Payload) == nil
	}
	return t
}

// end ends an open stream: it accepts no more segments and its posted receives are flushed. The last item follows the
// queued requests.
func (e *Engine) end(s *endpoint, l *last) {
	s.open = false
	s.last = l
	s.requests.drop(s.waiting) // never Delivered to RDMAP
	s.waiting = 0
	if l.terminate != nil {
		e.counters.StreamsEndedByError++
	}
	e.flushReceives(s)
}

// Fail ends a stream for a cause other than a received segment: spec.Local for a failed local buffer, as reported by
// Transmit, or a memory error; spec.RequestSTag for a queued request whose STag is no longer valid. The Terminate after
// the queued requests has the code and no headers, unless I-55 requires them. Fail has no effect on a stream that is not
// open. It reports whether the model knows the cause.
func (e *Engine) Fail(stream uint32, rule spec.Rule) (known bool) {
	s := &e.streams[stream]
	if !s.open {
		return false
	}
	code, _ := rule.Terminate()
	t := wire.Terminate{Code: code}
	switch rule {
	case spec.Local:
		known = s.halted
	case spec.RequestSTag:
		for n := s.requests.first; n != s.requests.next; n++ {
			if r := s.requests.at(n); !known && !e.valid(r) {
				known, t = true, terminateRequest(rule, r)
			}
		}
	}
	e.end(s, &last{terminate: &t})
	return known
}

// terminateRequest returns the Terminate for a request that could not be executed. For one of the extension Commit it
// contains the length and DDP header (I-55, I-93).
func terminateRequest(rule spec.Rule, r *request) wire.Terminate {
	code, _ := rule.Terminate()
	t := wire.Terminate{Code: code}
	if spec.AllExtensions.Is(r.header.Opcode, spec.Committing) {
		t.LengthValid, t.HasDDP = true, true
		t.DDPSegmentLength, t.DDP = uint16(r.header.Length()+r.length), r.header
	}
	return t
}

// failRequest ends a stream because its oldest request failed. Later requests are not executed.
func (e *Engine) failRequest(s *endpoint, r *request, rule spec.Rule) {
	t := terminateRequest(rule, r)
	s.requests.clear()
	s.waiting = 0
	if s.open {
		e.end(s, &last{terminate: &t})
	} else {
		e.executed.Instead = wire.AppendTerminate(nil, t)
	}
	e.executed.Error = rule
	e.finish(s)
}

// finish processes the last item of a stream.
func (e *Engine) finish(s *endpoint) {
	e.executed.Kind = ExecutedShut
	if t := s.last.terminate; t != nil {
		e.executed.Kind = ExecutedTerminate
		start := len(e.tx)
		e.tx = wire.AppendTerminate(e.tx, *t)
		e.emit(start)
		e.counters.TerminatesSent++
	}
	s.last = nil
	e.close(s)
}

// close ends the requester: nothing more is sent.
func (e *Engine) close(s *endpoint) {
	s.closed = true
	e.flushWork(s)
}
