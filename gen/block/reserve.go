package block

import "github.com/rnicgen/rnicgen/hdl"

// Reserved is a [Fifo] at the end of a [Pipeline]: a place is reserved for what enters the pipeline, so that the pipeline never stalls. What
// does not need its place gives it back.
type Reserved[T any] struct {
	Room  hdl.Value // one more may be reserved
	Spare hdl.Value // two more may be
	Used  hdl.Value // places that are reserved, or have been left in the cycle before
	m     *hdl.Module
	name  string
	used  hdl.Reg
	in    hdl.Stream[T]
	out   hdl.Stream[T]
	to    hdl.Source[T]
	put   func(m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) // the buffer
}

// NewReserved is a buffer of depth + 1 beats in front of to; depth is a power of two of at least 2.
func NewReserved[T any](m *hdl.Module, name string, depth int, proto T, to hdl.Source[T]) Reserved[T] {
	used := m.Reg(name+"_reserved_q", IndexWidth(depth)+1, hdl.ResetTo(0))
	full := used.Bit(used.Width() - 1)
	return Reserved[T]{Room: full.Not(), Spare: full.Or(used.Truncate(used.Width() - 1).All()).Not(), Used: used.Value, m: m, name: name, used: used,
		in: hdl.NewStream(m, name+"_in", proto), out: hdl.NewStream(m, name+"_out", proto), to: to, put: Fifo[T]}
}

// NewDirectReserved is [NewReserved] with a [Bypass]: what finds it empty leaves in the cycle in which it enters.
func NewDirectReserved[T any](m *hdl.Module, name string, depth int, proto T, to hdl.Source[T]) Reserved[T] {
	r := NewReserved(m, name, depth, proto, to)
	r.put = Bypass[T]
	return r
}

// NewWideReserved is [NewReserved] with a [Roomy] buffer of depth beats instead of a [Fifo].
func NewWideReserved[T any](m *hdl.Module, name string, depth int, proto T, to hdl.Source[T]) Reserved[T] {
	r := NewReserved(m, name, depth, proto, to)
	r.put = func(m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
		in.Accept(m, hdl.Ones(1))
		Roomy(m, name, depth, in.Valid, in.Data, out)
	}
	return r
}

// Drive says what happens in a cycle: reserves takes a place, spares, if set, gives one back that is not needed, enters uses
// one.
func (r Reserved[T]) Drive(reserves, spares, enters hdl.Value, data T) {
	m, width := r.m, r.used.Width()
	r.in.Source().Drive(m, enters, data)
	m.Unused("its place is reserved", r.in.Source().Ready)
	r.put(m, r.name+"_buffer", 1<<(width-1), r.in.Sink(), r.out.Source())
	r.to.Drive(m, r.out.Sink().Valid, r.out.Sink().Data)
	r.out.Sink().Accept(m, r.to.Ready)
	left := m.Reg(r.name+"_left_q", 1, hdl.ResetTo(0))
	m.OnClock(left.Set(r.out.Sink().Valid.And(r.to.Ready)))
	fewer := left.ZeroExtend(width)
	if spares.Width() > 0 {
		spared := m.Reg(r.name+"_spared_q", 1, hdl.ResetTo(0))
		m.OnClock(spared.Set(spares))
		fewer = m.Let(r.name+"_fewer", fewer.Add(spared.ZeroExtend(width)))
	}
	m.Note("The sums are made while it is decided whether one more place is reserved.")
	same := m.Let(r.name+"_if_none", r.used.Sub(fewer))
	more := m.Let(r.name+"_if_one_more", r.used.Plus(1).Sub(fewer))
	m.OnClock(r.used.Set(hdl.Mux(reserves, more, same)))
}
