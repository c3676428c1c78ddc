package system

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// post takes a request from the host. A receive request counts at once; a work request has its turn later.
func (n *rnic) post(now Cycle) (next Cycle) {
	switch m := n.host.Retrieve(at(n.Freq, now)).(type) {
	case *Receive:
		if n.model.PostReceive(m.Request) {
			n.fail("stream %d has more than %d incomplete receive requests", m.Request.Stream, n.site.Config.ReceiveDepth)
		}
	case *Work:
		if n.model.PostSend(m.Request) {
			n.fail("stream %d has more than %d incomplete work requests", m.Request.Stream, n.site.Config.SendDepth)
		}
		s := &n.streams[m.Request.Stream]
		n.agenda.enter(s.starts.next(now+Cycle(n.timing.WorkToFetch-turnToFetch), workLook, workPause), func(now Cycle) {
			s.work = append(s.work, m.Request)
			n.start(m.Request.Stream, now)
		})
	}
	if n.host.Peek() != nil {
		return now + 1
	}
	return never
}

// start makes messages of the work requests of a stream, as far as ORD permits.
func (n *rnic) start(number uint32, now Cycle) {
	s := &n.streams[number]
	for len(s.work) > 0 {
		segments, progress := n.model.Transmit(number)
		if progress == rdmap.Idle {
			return // a response calls again
		}
		w := s.work[0]
		s.work = s.work[1:]
		if progress == rdmap.Failed {
			n.fail("stream %d: a work request names local memory that it may not use", number)
			return
		}
		m := &message{stream: number, segments: cloned(segments)}
		if n.site.Config.Extensions.Is(w.Opcode, spec.Write|spec.Sends) {
			m.fetches, m.address = true, n.address(w.Local)
		}
		if n.site.Config.Extensions.Is(w.Opcode, spec.Write|spec.Receives) {
			m.sent = func(now Cycle) { n.left(number, now) }
		}
		if m.fetches && len(s.held) == 0 {
			n.list(m)
		} else {
			n.enqueue(m, now)
		}
	}
}

func cloned(segments [][]byte) [][]byte {
	list := make([][]byte, len(segments))
	for i, s := range segments {
		list[i] = slices.Clone(s)
	}
	return list
}

// finished takes what the model has completed on a stream.
func (n *rnic) finished(number uint32) (list []sim.Msg) {
	for {
		c, is := n.model.NextSent(number)
		if !is {
			c, is = n.model.NextReceived(number)
		}
		if !is {
			break
		}
		list = append(list, &Done{Completion: c})
	}
	for e, is := n.model.NextEvent(number); is; e, is = n.model.NextEvent(number) {
		if e.Kind == rdmap.EventTerminated {
			list = append(list, &Ended{Stream: number})
		}
	}
	return list
}

// report passes on completions of receive requests after a number of cycles, and those of work requests in turns of their stream.
func (n *rnic) report(number uint32, list []sim.Msg, now Cycle, cycles int) {
	for _, m := range list {
		if d, is := m.(*Done); !is || d.Completion.Recv {
			n.later(now, cycles, func(Cycle) { n.done = append(n.done, m) })
			continue
		}
		n.later(now, cycles, func(now Cycle) {
			n.agenda.enter(n.streams[number].ends.next(now, doneLook, donePause), func(Cycle) { n.done = append(n.done, m) })
		})
	}
}

// The hardware visits a stream for what has been posted, and for what is complete. What is ready when a visit begins, or so many cycles
// later, is done in it, one in a cycle; the next visit of the stream begins after a pause.
const (
	workLook, workPause = 4, 9
	doneLook, donePause = 2, 12
)

// visits are those of a stream, in cycles.
type visits struct {
	begun  Cycle
	latest Cycle // when the latest was done
	some   bool
}

// next returns when something is done that is ready at a cycle.
func (v *visits) next(ready, look, pause Cycle) Cycle {
	switch {
	case v.some && ready <= v.begun+look:
		v.latest = max(ready, v.latest+1)
	case v.some:
		v.latest = max(ready, v.latest+pause)
		v.begun = v.latest
	default:
		v.some, v.begun, v.latest = true, ready, ready
	}
	return v.latest
}

// left completes a message that has left and needs no response. Completions of a stream keep their order: behind those of an earlier
// request whose response is not in memory yet.
func (n *rnic) left(number uint32, now Cycle) {
	n.model.Left(number)
	list := n.finished(number)
	for _, d := range slices.Backward(n.deliveries) {
		if d.stream == number && len(d.done) > 0 {
			d.done = append(d.done, list...)
			return
		}
	}
	n.report(number, list, now, n.timing.BeatToDone)
}

// complete sends the next completion.
func (n *rnic) complete(now Cycle) (next Cycle) {
	if len(n.done) == 0 || !n.host.CanSend() {
		return never // the host's connection wakes the RNIC
	}
	m := n.done[0]
	n.done = n.done[1:]
	m.Meta().Src, m.Meta().Dst, m.Meta().SendTime = n.host, n.toHost, at(n.Freq, now)
	n.host.Send(m)
	if len(n.done) > 0 {
		return now + 1
	}
	return never
}
