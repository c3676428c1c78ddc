package block

import "github.com/rnicgen/rnicgen/hdl"

// Join is a [Merge] for wide beats and long ways: its output is a [Skid], so that neither the choice nor the registers of a beat wait
// for the consumer.
func Join[T any](m *hdl.Module, name string, a, b hdl.Sink[T], out hdl.Source[T]) {
	s, turn := NewSkid(m, name, a.Data, out), m.Reg(name+"_b_turn_q", 1, hdl.ResetTo(0))
	m.Note("The second stream is taken in its turn, or if the first has nothing.")
	pickB := m.Let(name+"_pick_b", b.Valid.And(turn.Or(a.Valid.Not())))
	enters := m.Let(name+"_enters", s.Room.And(a.Valid.Or(b.Valid)))
	a.Accept(m, s.Room.And(pickB.Not()))
	b.Accept(m, s.Room.And(pickB))
	m.OnClock(hdl.If(enters, turn.Set(pickB.Not())))
	s.Drive(enters, hdl.Unpack(a.Data, hdl.Mux(pickB, hdl.Pack(b.Data), hdl.Pack(a.Data))))
}

// JoinOf is a block with nothing but a [Join], for tests.
func JoinOf(width int) hdl.Block[MergePorts] {
	proto := Word{hdl.Bits(width)}
	return hdl.Block[MergePorts]{
		Kind: "join_streams", Params: []hdl.Param{{Name: "width", Value: width}}, Doc: "join_streams merges two streams into a buffer of two beats.",
		Ports: MergePorts{A: hdl.NewSink(proto), B: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p MergePorts) { Join(m, "joined", p.A, p.B, p.Out) },
	}
}
