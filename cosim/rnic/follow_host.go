package rnic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// followEvent makes the model receive segments until it has an event.
func (n *Node) followEvent(e Event) error {
	n.checked.Events++
	n.events = append(n.events, e)
	f := &n.streams[e.Stream]
	if e.Kind == engine.EventEnded || e.Kind == engine.EventClosed {
		f.shown.ends[e.Kind-engine.EventEnded]++
	}
	device := fmt.Sprintf("kind %d, Terminate %v", e.Kind, e.Term)
	switch e.Kind {
	case engine.EventEnded:
		if !f.show(showsEvent) {
			return n.differs(e.Stream, "an event", device, "none")
		}
		f.reportedCode = &e.Term
		return nil // checked by its octets
	case engine.EventReceiveRefused:
		n.checked.Refused++
		n.refused++
		if f.refusals--; f.refusals < 0 && n.Model.IsOpen(e.Stream) || e.Term != (wire.TerminateCode{}) {
			return n.differs(e.Stream, "an event", device, "none")
		}
		return nil
	}
	for {
		if len(f.events) == 0 {
			if !n.take(e.Stream) {
				return n.differs(e.Stream, "an event", device, "none")
			}
			continue
		}
		m := f.events[0]
		f.events = f.events[1:]
		kind := uint8(engine.EventSolicited)
		if m.Kind == rdmap.EventTerminated {
			kind = engine.EventClosed
			_ = f.show(showsEvent) // this end's Terminate may have crossed it
		} else if e.Kind != engine.EventSolicited && n.findsDoom(e.Stream) {
			continue // Either: a receive in flight when a placement fails succeeds, or is lost
		}
		if model := fmt.Sprintf("kind %d, Terminate %v", kind, m.Term); device != model {
			return n.differs(e.Stream, "an event", device, model)
		}
		return nil
	}
}

// followCompletion makes the model receive segments until it has the completion.
func (n *Node) followCompletion(c Completion) error {
	n.checked.Completions++
	if c.Recv {
		return n.followReceive(c)
	}
	f := &n.streams[c.Stream]
	none := func() error { return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), "none") }
	for len(f.work) > 0 && f.work[0].id != c.ID && !f.work[0].signaled && !f.reportedClosed {
		// A successful unsignaled work request is skipped.
		if m, is := n.outcome(c.Stream); !is || m.Status != rdmap.StatusSuccess {
			return none()
		}
		f.work = f.work[1:]
	}
	if len(f.work) == 0 || f.work[0].id != c.ID {
		return none()
	}
	w := f.work[0]
	f.work = f.work[1:]
	if c.Status != engine.StatusSuccess && c.Status != engine.StatusDiffers {
		f.reportedClosed = true
		f.unhappy = append(f.unhappy, unhappy{c, w.wrong})
		return nil
	}
	m, is := n.outcome(c.Stream)
	if !is || f.reportedClosed || !w.signaled && c.Status == engine.StatusSuccess {
		return none()
	}
	if want := completionOf(m); c != want {
		return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want))
	}
	return nil
}

// outcome returns the completion of the oldest work request, if the model has it or reaches it by receiving segments.
func (n *Node) outcome(stream uint32) (m rdmap.Completion, is bool) {
	f := &n.streams[stream]
	for len(f.outcomes) == 0 {
		if !n.take(stream) {
			return m, false
		}
	}
	m = f.outcomes[0]
	f.outcomes = f.outcomes[1:]
	return m, true
}

// followReceive compares the completion of a receive.
func (n *Node) followReceive(c Completion) error {
	f := &n.streams[c.Stream]
	f.shown.received++
	for len(f.received) == 0 && n.take(c.Stream) {
	}
	if len(f.received) == 0 {
		return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), "none")
	}
	want := f.received[0]
	f.received = f.received[1:]
	if c.Status == engine.StatusMemory {
		// Either: a receive in flight when a placement fails succeeds, or is lost with it; and all behind it.
		f.reportedLost = true
		if n.findsDoom(c.Stream) && c.ID == want.completion.ID {
			return nil
		}
	} else if !f.reportedLost && !want.lost && c == want.completion {
		n.invalidated(c)
		return nil
	}
	return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v, lost: %t", want.completion, f.reportedLost || want.lost))
}

// findsDoom reports whether a placement has failed, after receiving the segments needed.
func (n *Node) findsDoom(stream uint32) bool {
	f := &n.streams[stream]
	for !f.failures.has(placementFailed) && n.take(stream) {
	}
	return f.failures.has(placementFailed)
}

// invalidated marks the requests that cannot have started when a Send with Invalidate completes, and must fail now: Reads
// that wait for an atomic, if its execution is reported, and atomics that wait for a Read.
func (n *Node) invalidated(c Completion) {
	f := &n.streams[c.Stream]
	if c.STag == 0 {
		return
	}
	reads, atomics := len(f.responses) > 0, false
	for i := range f.queue {
		in := &f.queue[i]
		if in.stag == c.STag && (in.is(spec.ReadRequest) && atomics && n.config.RetirePort || in.is(spec.AtomicRequest) && reads) {
			in.gone = true
		}
		reads, atomics = reads || in.is(spec.ReadRequest), atomics || in.is(spec.AtomicRequest)
	}
}

// completionOf converts a completion of the model to the device's form.
func completionOf(m rdmap.Completion) Completion {
	return Completion{Stream: m.Stream, ID: m.ID, Status: statusOf(m.Status), Opcode: m.Opcode, Recv: m.Recv, Length: m.Length, Data: m.Data, STag: m.STag}
}

func statusOf(s rdmap.Status) uint8 {
	switch s {
	case rdmap.StatusFlushed:
		return engine.StatusFlushed
	case rdmap.StatusProtection:
		return engine.StatusProtection
	case rdmap.StatusMismatch:
		return engine.StatusDiffers
	}
	return engine.StatusSuccess
}
