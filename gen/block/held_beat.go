package block

import "github.com/rnicgen/rnicgen/hdl"

// HeldBeat is a beat of a packet in a register until the next one arrives, so that octets of both can leave together. The last beat of a
// packet does not wait.
type HeldBeat[T framed] struct {
	Beat   T
	Take   hdl.Value // the next beat is taken
	First  hdl.Value // it is the first of a packet
	Inside hdl.Value // it is of the packet of the held beat

	m           *hdl.Module
	next        hdl.Sink[T]
	beat        hdl.RegOf[T]
	valid       hdl.Reg
	first, more hdl.Reg
	may, leaves hdl.Wire
}

// NewHeldBeat declares the register at the end of a stream.
func NewHeldBeat[T framed](m *hdl.Module, from hdl.Sink[T]) HeldBeat[T] {
	h := HeldBeat[T]{m: m, next: from, beat: hdl.NewRegOf(m, "held", from.Data, hdl.NoReset), valid: m.Reg("held_valid_q", 1, hdl.ResetTo(0)),
		first: m.Reg("first_q", 1, hdl.ResetTo(1)), more: m.Reg("more_follows_q", 1, hdl.NoReset),
		leaves: m.Wire("release_held", 1), may: m.Wire("held_may_go", 1)}
	h.Beat, h.First, h.Inside = h.beat.Q, h.first.Value, h.more.Value
	ready := m.Let("rx_ready", h.valid.Not().Or(h.may.Value))
	h.Take = m.Let("take", from.Valid.And(ready))
	from.Accept(m, ready)
	return h
}

// load holds the beat that is taken, and runs more statements when one is.
func (h HeldBeat[T]) load(taken T, also ...hdl.Stmt) {
	last := taken.frame().Last
	h.m.OnClock(
		hdl.If(h.Take, h.valid.Set(hdl.Ones(1)), h.beat.Set(taken), h.first.Set(last), h.more.Set(last.Not()), hdl.Stmts(also)).
			ElseIf(h.leaves.Value, h.valid.Set(hdl.Zero(1))),
	)
}

// leave says when the outputs of the held beat are free, and returns when it leaves.
func (h HeldBeat[T]) leave(free hdl.Value) hdl.Value {
	h.m.Note("The held beat leaves when the next one has arrived or it is the last, and its outputs are free.")
	complete := h.m.Let("complete", h.isLast().Or(h.next.Valid))
	h.m.Drive(h.may.Out(), free)
	h.m.Drive(h.leaves.Out(), hdl.AllOf(h.valid.Value, complete, h.may.Value))
	return h.leaves.Value
}

func (h HeldBeat[T]) isLast() hdl.Value { return h.Beat.frame().Last }
