package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// farSteps are steps that finish in the order in which they begin. They are numbered modulo 2^width.
type farSteps struct {
	begun, finished     hdl.Value // number of the latest one
	issued, done, wraps hdl.Value // for [engine.Pending]: a cycle ago
}

func newFarSteps(m *hdl.Module, name string, width int, begins, finishes hdl.Value) farSteps {
	reg := func(what string, width int) hdl.Reg { return m.Reg(name+"_"+what+"_q", width, hdl.ResetTo(0)) }
	begun, finished := reg("begun", width), reg("finished", width)
	issued, done, wraps := reg("issued", width), reg("done", width), reg("wraps", 1)
	m.OnClock(hdl.If(begins, begun.Set(begun.Plus(1))), hdl.If(finishes, finished.Set(finished.Plus(1))),
		issued.Set(begun.Value), done.Set(finished.Value), wraps.Set(begun.Lt(finished.Value)))
	return farSteps{begun.Value, finished.Value, issued.Value, done.Value, wraps.Value}
}

// pending is 1 while step n was not finished a cycle ago.
func (s farSteps) pending(m *hdl.Module, name string, n hdl.Value) hdl.Value {
	return m.Let(name, engine.Pending(n, s.issued, s.done, s.wraps))
}

// countEach counts the steps of each stream, modulo 2^width.
func countEach(m *hdl.Module, name string, width int, sweep block.Sweep, steps, stream hdl.Value) block.Loop {
	deciding, decided := m.Reg(name+"_counts_q", 1, hdl.ResetTo(0)), m.Reg(name+"_counted_q", stream.Width(), hdl.NoReset)
	m.OnClock(deciding.Set(steps), decided.Set(stream))
	loop := block.NewContext(m, name, hdl.Zero(width), sweep).Loop(block.LoopUser{Read: steps, Stream: stream, Deciding: deciding.Value, Decided: decided.Value})
	loop.Decide(m.Let(name+"_next", loop.Now.Plus(1)))
	return loop
}
