package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// hostBuffer is how many completions of receives, and how many events, wait for the host, so that what makes them sees registers.
const hostBuffer = 4

// hostStreams are what the host is told.
type hostStreams struct {
	received, done     hdl.Stream[engine.Completion] // of receives, of work requests
	delivered, refused hdl.Stream[engine.Event]
}

// build hands completions and events to the host. completed is 1 with each completion; logged are the events for the registers.
func (h hostStreams) build(m *hdl.Module, c engine.Config, completion hdl.Source[engine.Completion], event hdl.Source[engine.Event]) (completed hdl.Value, logged hdl.Stream[engine.Event]) {
	completions := hdl.NewStream(m, "completion", engine.CompletionOf(c))
	waiting := hdl.NewStream(m, "received_before", engine.CompletionOf(c))
	block.Buffer(m, "completion_buffer", hostBuffer, h.received.Sink(), waiting.Source())
	block.Merge(m, "completions", waiting.Sink(), h.done.Sink(), completions.Source())
	completed = m.Let("completed", completions.Sink().Valid.And(completion.Ready))
	completion.Drive(m, completions.Sink().Valid, completions.Sink().Data)
	completions.Sink().Accept(m, completion.Ready)
	events, logged := hdl.NewStream(m, "reported_event", engine.EventOf(c)), hdl.NewStream(m, "logged", engine.EventOf(c))
	before := hdl.NewStream(m, "delivered_before", engine.EventOf(c))
	block.Buffer(m, "event_buffer", hostBuffer, h.delivered.Sink(), before.Source())
	block.Merge(m, "events", before.Sink(), h.refused.Sink(), events.Source())
	both(m, "event", events.Sink(), event, logged.Source())
	return completed, logged
}

// eventPulse is 1 with each event of a kind.
func eventPulse(logged hdl.Stream[engine.Event], kind uint64) hdl.In {
	return hdl.AllOf(logged.Sink().Valid, logged.Source().Ready, logged.Sink().Data.Kind.Is(kind)).In()
}

// both forwards each beat to two consumers, and accepts the next one when both have taken it.
func both[T any](m *hdl.Module, name string, from hdl.Sink[T], a, b hdl.Source[T]) {
	hasA, hasB := m.Reg(name+"_first_has_q", 1, hdl.ResetTo(0)), m.Reg(name+"_second_has_q", 1, hdl.ResetTo(0))
	a.Drive(m, from.Valid.And(hasA.Not()), from.Data)
	b.Drive(m, from.Valid.And(hasB.Not()), from.Data)
	nowA, nowB := m.Let(name+"_first", hasA.Or(a.Ready)), m.Let(name+"_second", hasB.Or(b.Ready))
	done := m.Let(name+"_done", nowA.And(nowB))
	m.OnClock(hdl.If(from.Valid, hasA.Set(nowA.And(done.Not())), hasB.Set(nowB.And(done.Not()))))
	from.Accept(m, done)
}
