package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// PostReceive posts a buffer for a message of QN 0. It refuses when ReceiveDepth of the stream are not complete. On a
// stream that is not open the request is flushed.
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

// PostSend posts a work request. It refuses when SendDepth of the stream are not complete, and what is not a work
// request's opcode. On a stream that is over the request is flushed.
func (e *Engine) PostSend(r WorkRequest) (refused bool) {
	s := &e.streams[r.Stream]
	if !r.Opcode.Is(spec.Write|spec.Requests|spec.Receives) || s.work.len() >= e.config.SendDepth {
		return true
	}
	s.work.push(work{WorkRequest: r})
	if s.over {
		e.flushWork(s)
	}
	return false
}

// completeReceive ends the message that was coming on QN 0, RFC 5040 section 5.3.
func (e *Engine) completeReceive(s *endpoint, op wire.Opcode, length uint32, data uint64, stag uint32) {
	r := s.receives.pop()
	s.received.push(Completion{Stream: s.peer.Stream, ID: r.ID, Recv: true, Opcode: op, Length: length, Data: data, STag: stag})
	e.counters.ReceivesCompleted++
	if op == wire.OpSendSE || op == wire.OpSendSEInv || op == wire.OpImmediateSE {
		s.events.push(Event{Stream: s.peer.Stream, Kind: EventSolicited})
		e.counters.SolicitedEvents++
	}
	s.begun, s.octets = false, 0
	s.expected[wire.QueueSend]++
}

// flushReceives completes all posted receives without success.
func (e *Engine) flushReceives(s *endpoint) {
	for s.receives.len() > 0 {
		s.received.push(Completion{Stream: s.peer.Stream, ID: s.receives.pop().ID, Recv: true, Status: StatusFlushed})
		e.counters.RequestsFlushed++
	}
}

// complete reports the work requests that are done, in the order of posting: one that is done waits for those before
// it. Success is reported only of those that are signaled.
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

// flushWork completes all work requests that are not complete. The one that failed keeps its status; one that was done
// but waited for another is flushed like that other.
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
		c.Data = w.original
	}
	if o := byRequest[w.Opcode]; o != nil && o.isWord() || w.Opcode.Is(spec.Immediate) {
		c.Length = memory.WordOctets
	}
	return c
}

// NextReceived takes the oldest completion of a receive of the stream; false when there is none.
func (e *Engine) NextReceived(stream uint32) (Completion, bool) {
	return poll(&e.streams[stream].received)
}

// NextSent takes the oldest completion of a work request of the stream; false when there is none.
func (e *Engine) NextSent(stream uint32) (Completion, bool) { return poll(&e.streams[stream].done) }

// NextEvent takes the oldest event of the stream; false when there is none.
func (e *Engine) NextEvent(stream uint32) (Event, bool) { return poll(&e.streams[stream].events) }

func poll[T any](q *queue[T]) (item T, ok bool) {
	if q.len() == 0 {
		return item, false
	}
	return *q.pop(), true
}
