package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// PostReceive posts a buffer for a message on QN 0. It refuses the request if ReceiveDepth requests of the stream are
// incomplete. On a stream that is not open the request is flushed.
func (e *Engine) PostReceive(r ReceiveRequest) (refused bool) {
	s := &e.streams[r.Stream]
	if s.open && s.receives.len() >= e.config.ReceiveDepth {
		return true
	}
	s.receives.push(r)
	if !s.open {
		e.flushReceives(s)
	}
	return false
}

// PostSend posts a work request. It refuses the request if SendDepth requests of the stream are incomplete or the
// opcode is not that of a work request, and a Verify without an algorithm. On a closed stream the request is flushed.
func (e *Engine) PostSend(r WorkRequest) (refused bool) {
	s := &e.streams[r.Stream]
	if !e.config.Extensions.Is(r.Opcode, spec.Write|spec.Requests|spec.Receives) || !r.complete() || s.work.len() >= e.config.SendDepth {
		return true
	}
	s.work.push(work{WorkRequest: r})
	if s.closed {
		e.flushWork(s)
	}
	return false
}

// completeReceive completes the message being received on QN 0, RFC 5040 section 5.3.
func (e *Engine) completeReceive(s *endpoint, op wire.Opcode, length uint32, data uint64, stag uint32) {
	r := s.receives.pop()
	s.received.push(Completion{Stream: s.peer.Stream, ID: r.ID, Recv: true, Opcode: op, Length: length, Data: data, STag: stag})
	e.counters.ReceivesCompleted++
	if op == wire.OpSendSE || op == wire.OpSendSEInv || op == wire.OpImmediateSE {
		s.events.push(Event{Stream: s.peer.Stream, Kind: EventSolicited})
		e.counters.SolicitedEvents++
	}
	s.inSend, s.octets = false, 0
	s.expected[wire.QueueSend]++
}

// flushReceives completes all posted receives with status flushed.
func (e *Engine) flushReceives(s *endpoint) {
	for s.receives.len() > 0 {
		s.received.push(Completion{Stream: s.peer.Stream, ID: s.receives.pop().ID, Recv: true, Status: StatusFlushed})
		e.counters.RequestsFlushed++
	}
}

// complete reports finished work requests in the order of posting: each waits for those posted before it. Success is
// reported only for signaled requests.
func (e *Engine) complete(s *endpoint) {
	for s.work.len() > 0 && s.work.front().done {
		w := s.work.pop()
		if w.status == StatusSuccess {
			e.counters.RequestsCompleted++
			if !w.Signaled {
				continue
			}
		}
		s.done.push(w.completion(s.peer.Stream, w.status))
	}
}

// flushWork completes all incomplete work requests. One that failed keeps its status; one that was done but waited for
// an earlier one is flushed too.
func (e *Engine) flushWork(s *endpoint) {
	for s.work.len() > 0 {
		w := s.work.pop()
		status := w.status
		if status == StatusSuccess {
			status = StatusFlushed
			e.counters.RequestsFlushed++
		}
		s.done.push(w.completion(s.peer.Stream, status))
	}
	s.next = s.work.next
	s.outstanding.clear()
	s.leaving.clear()
}

func (w *work) completion(stream uint32, status Status) Completion {
	c := Completion{Stream: stream, ID: w.ID, Status: status, Opcode: w.Opcode, Length: w.Length}
	if status == StatusSuccess {
		c.Data = w.data
	}
	switch o := byRequest[w.Opcode]; {
	case o != nil:
		_, c.Length = o.lengths(&w.WorkRequest)
	case w.Opcode.Is(spec.Immediate):
		c.Length = memory.WordOctets
	}
	return c
}

// NextReceived takes the stream's oldest receive completion; false if there is none.
func (e *Engine) NextReceived(stream uint32) (Completion, bool) {
	return poll(&e.streams[stream].received)
}

// NextSent takes the stream's oldest completion of a work request; false if there is none.
func (e *Engine) NextSent(stream uint32) (Completion, bool) { return poll(&e.streams[stream].done) }

// NextEvent takes the stream's oldest event; false if there is none.
func (e *Engine) NextEvent(stream uint32) (Event, bool) { return poll(&e.streams[stream].events) }

func poll[T any](q *queue[T]) (item T, ok bool) {
	if q.len() == 0 {
		return item, false
	}
	return *q.pop(), true
}
