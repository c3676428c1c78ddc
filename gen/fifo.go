package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// FifoPorts is a first-in first-out buffer.
type FifoPorts[T any] struct {
	In  hdl.Sink[T]
	Out hdl.Source[T]
}

// Fifo holds depth + 1 beats, depth being a power of two of at least 2. A beat that finds the buffer empty comes
// out one clock later. name says what is in it and, with its widths, tells it from every other Fifo of a design.
func Fifo[T any](name string, proto T, depth int) hdl.Block[FifoPorts[T]] {
	return hdl.Block[FifoPorts[T]]{
		Name: fmt.Sprintf("%s_fifo_%d", name, depth),
		Doc: fmt.Sprintf("%s_fifo_%d passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.\n"+
			"It holds %d in its memory and one at its output.", name, depth, depth),
		Ports: FifoPorts[T]{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts[T]) { buildFifo(m, p, proto, depth) },
	}
}

func buildFifo[T any](m *hdl.Module, p FifoPorts[T], proto T, depth int) {
	aw := indexWidth(depth)
	valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
	stored := m.Reg("out_is_stored_q", 1, hdl.NoReset)
	direct := m.Reg("direct_q", hdl.PackedWidth(proto), hdl.NoReset)
	head := m.Reg("head_q", aw, hdl.ResetTo(0))
	tail := m.Reg("tail_q", aw, hdl.ResetTo(0))
	held := m.Reg("held_q", aw+1, hdl.ResetTo(0))

	m.Note("A beat goes past the memory when nothing is in it and the output is free.")
	free := m.Let("out_free", valid.Not().Or(p.Out.Ready))
	empty := m.Let("memory_empty", held.IsZero())
	ready := m.Let("ready", held.Bit(aw).Not())
	fetch := m.Let("fetch", free.And(empty.Not()))
	pass := m.Let("pass", hdl.AllOf(p.In.Valid, free, empty))
	store := m.Let("store", hdl.AllOf(p.In.Valid, ready, pass.Not()))
	packed := m.Let("beat", hdl.Pack(p.In.Data))
	p.In.Accept(m, ready)

	memory := m.Memory("beats", hdl.PackedWidth(proto), depth)
	memory.Write(store, tail.Value, packed)
	fetched := memory.Read("fetched_q", fetch, head.Value, hdl.ReadOld)
	m.OnClock(
		hdl.If(free, valid.Set(fetch.Or(pass)), stored.Set(empty.Not())),
		hdl.If(pass, direct.Set(packed)),
		hdl.If(fetch, head.Set(head.Plus(1))),
		hdl.If(store, tail.Set(tail.Plus(1))),
		hdl.If(store.And(fetch.Not()), held.Set(held.Plus(1))).
			ElseIf(fetch.And(store.Not()), held.Set(held.Sub(hdl.Const(aw+1, 1)))),
	)
	p.Out.Drive(m, valid.Value, hdl.Unpack(proto, m.Let("out", hdl.Mux(stored.Value, fetched, direct.Value))))
}
