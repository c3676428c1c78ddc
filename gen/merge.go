package gen

import "github.com/rnicgen/rnicgen/hdl"

// MergePorts joins two streams.
type MergePorts[T any] struct {
	A   hdl.Sink[T]
	B   hdl.Sink[T]
	Out hdl.Source[T]
}

// Merge passes the beats of two streams on, one a clock, each stream's in order. It is fair: a waiting stream is
// passed over at most once. name says what the beats are and, with its widths, tells it from every other Merge.
func Merge[T any](name string, proto T) hdl.Block[MergePorts[T]] {
	return hdl.Block[MergePorts[T]]{
		Name: name + "_merge",
		Doc: name + "_merge passes on the beats of two streams, one a clock, with one clock of latency. A waiting stream is passed\n" +
			"over at most once.",
		Ports: MergePorts[T]{A: hdl.NewSink(proto), B: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p MergePorts[T]) {
			out := hdl.NewRegOf(m, "out", proto, hdl.NoReset)
			valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
			turn := m.Reg("b_turn_q", 1, hdl.ResetTo(0))
			free := m.Let("free", valid.Not().Or(p.Out.Ready))
			pickB := m.Let("pick_b", p.B.Valid.And(turn.Or(p.A.Valid.Not())))
			any := m.Let("any", p.A.Valid.Or(p.B.Valid))
			p.A.Accept(m, free.And(pickB.Not()))
			p.B.Accept(m, free.And(pickB))
			picked := hdl.Unpack(proto, m.Let("picked", hdl.Mux(pickB, hdl.Pack(p.B.Data), hdl.Pack(p.A.Data))))
			m.OnClock(hdl.If(free, valid.Set(any), hdl.If(any, out.Set(picked), turn.Set(pickB.Not()))))
			p.Out.Drive(m, valid.Value, out.Q)
		},
	}
}
