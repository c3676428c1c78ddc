package block

import "github.com/rnicgen/rnicgen/hdl"

// Rotate shares something among several that ask for it, one per cycle. Whose turn it is comes from a register, so that granted is one
// step from asks; the next turn is that of the first behind it that asks now. A turn that is not used costs a cycle.
func Rotate(m *hdl.Module, name string, asks []hdl.Value) (turn, granted hdl.Value) {
	next := m.Reg(name+"_turn_q", len(asks), hdl.ResetTo(1))
	var bits []hdl.Value // most significant first
	for _, a := range asks {
		bits = append([]hdl.Value{a}, bits...)
	}
	asking := m.Let(name+"_asking", hdl.Cat(bits...))
	behind := m.Let(name+"_behind", asking.And(Above(next.Value)))
	m.OnClock(hdl.If(asking.Any(), next.Set(Lowest(m.Let(name+"_candidates", hdl.Mux(behind.Any(), behind, asking))))))
	return next.Value, m.Let(name+"_granted", asking.And(next.Value))
}
