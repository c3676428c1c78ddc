package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// walk is the token that has its turn: it steps until it has found nothing, or has had its steps while another one waits. What its last step
// finds decides whether the token stays.
type walk struct {
	busy    hdl.Reg
	stream  hdl.Reg
	insists hdl.Value // the next cycle is its

	steps, passed, stops hdl.Reg
	pushed               hdl.Source[walkToken]
	waiting              hdl.Sink[walkToken]
}

// walkToken names the QP that it belongs to.
type walkToken struct{ Stream hdl.Value }

func newWalk(m *hdl.Module, streams int) *walk {
	sw := block.IndexWidth(streams)
	pushed, waiting := hdl.NewStream(m, "token", walkToken{hdl.Bits(sw)}), hdl.NewStream(m, "waiting_token", walkToken{hdl.Bits(sw)})
	block.Fifo(m, "tokens", max(2, streams), pushed.Sink(), waiting.Source())
	m.Unused("there is room for all tokens", pushed.Source().Ready)
	w := &walk{busy: m.Reg("walk_busy_q", 1, hdl.ResetTo(0)), stream: m.Reg("walk_stream_q", sw, hdl.NoReset),
		steps: m.Reg("walk_steps_q", bits.Len(walkSteps-1), hdl.NoReset), passed: m.Reg("walk_passed_q", bits.Len(walkPatience), hdl.ResetTo(0)),
		stops: m.Reg("walk_stops_q", 1, hdl.NoReset), pushed: pushed.Source(), waiting: waiting.Sink()}
	w.insists = w.passed.Bit(w.passed.Width() - 1)
	return w
}

// goes lets the token step. arrives is 1 if an arrival of stream has the cycle instead, serves if that is as good as a step for its QP. The result
// is 1 if it is the last step of its turn.
func (w *walk) goes(m *hdl.Module, steps, arrives, stream, serves hdl.Value) (last hdl.Value) {
	m.Note("An arrival of its QP without a delivery serves the walk as well as a step does, until another one waits for a turn.")
	had := m.Let("walk_had_its_steps", w.steps.All())
	over := m.Let("walk_is_over", had.And(w.waiting.Valid))
	last = m.Let("walk_ends", steps.And(w.stops.Or(over)))
	w.waiting.Accept(m, w.busy.Not())
	moves := m.Let("walk_moves", steps.Or(hdl.AllOf(arrives, serves, stream.Eq(w.stream.Value))))
	served := m.Let("walk_is_served", hdl.AnyOf(w.busy.Not(), steps, moves.And(over.Not())))
	m.OnClock(
		hdl.If(w.busy.Not(), w.busy.Set(w.waiting.Valid), w.stream.Set(w.waiting.Data.Stream), w.steps.Set(hdl.Zero(w.steps.Width()))).
			Else(hdl.If(last, w.busy.Set(hdl.Zero(1))), hdl.If(moves.And(had.Not()), w.steps.Set(w.steps.Plus(1)))),
		hdl.If(served, w.passed.Set(hdl.Zero(w.passed.Width()))).ElseIf(arrives, w.passed.Set(w.passed.Plus(1))))
	return last
}

// found says that nothing more of a stream can take effect now; push gives it a token.
func (w *walk) found(m *hdl.Module, nothing, stream, push hdl.Value) {
	pushes, pushed := m.Reg("token_push_q", 1, hdl.ResetTo(0)), m.Reg("token_stream_q", stream.Width(), hdl.NoReset)
	m.OnClock(pushes.Set(push), pushed.Set(stream),
		hdl.If(w.busy.Not(), w.stops.Set(hdl.Zero(1))).ElseIf(m.Let("walk_found_nothing", nothing.And(stream.Eq(w.stream.Value))), w.stops.Set(hdl.Ones(1))))
	w.pushed.Drive(m, pushes.Value, walkToken{pushed.Value})
}
