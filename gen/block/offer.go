package block

import "github.com/rnicgen/rnicgen/hdl"

// Offer is a register in front of a stream: a beat may enter when it is empty, or in the cycle in which its beat leaves. Free comes from
// a register of its own, so that what decides does not share a net with the enables of all bits of the beat.
type Offer[T any] struct {
	Free   hdl.Value // a beat may enter
	m      *hdl.Module
	to     hdl.Source[T]
	out    hdl.RegOf[T]
	valid  hdl.Reg
	vacant hdl.Reg
	loads  hdl.Value
}

// NewOffer declares the register in front of to. Its registers are name + "_..._q".
func NewOffer[T any](m *hdl.Module, name string, proto T, to hdl.Source[T]) Offer[T] {
	o := Offer[T]{m: m, to: to, out: hdl.NewRegOf(m, name, proto, hdl.NoReset),
		valid: m.Reg(name+"_valid_q", 1, hdl.ResetTo(0)), vacant: m.Reg(name+"_vacant_q", 1, hdl.ResetTo(1))}
	m.Note("Whether it can be loaded has many readers; what decides asks a register of its own.")
	o.loads, o.Free = m.Let(name+"_loads", o.valid.Not().Or(to.Ready)), m.Let(name+"_free", o.vacant.Or(to.Ready))
	return o
}

// Drive lets data enter if enters is 1, which only counts while Free is 1. When no beat is on offer the register holds anything.
func (o Offer[T]) Drive(enters hdl.Value, data T) {
	o.m.OnClock(hdl.If(o.loads, o.out.Set(data)), hdl.If(o.Free, o.valid.Set(enters), o.vacant.Set(enters.Not())))
	o.to.Drive(o.m, o.valid.Value, o.out.Q)
}
