package block

import "github.com/rnicgen/rnicgen/hdl"

// Rotate shares something among several that ask for it, one per cycle. Whose turn it is comes from a register, so that granted is one
// step from asks; the next turn is that of the first after it that asks now. A turn that is not used costs a cycle.
func Rotate(m *hdl.Module, name string, asks []hdl.Value) (turn, granted hdl.Value) {
	next, granted, asked := rotate(m, name, asks)
	m.OnClock(asked)
	return next.Value, granted
}

// RotateToward is Rotate; while none asks, the turn goes to the one that is expected to ask next: 1 bit each, 0 if none is.
func RotateToward(m *hdl.Module, name string, asks []hdl.Value, expected hdl.Value) (turn, granted hdl.Value) {
	next, granted, asked := rotate(m, name, asks)
	m.OnClock(asked.ElseIf(expected.Any(), next.Set(expected)))
	return next.Value, granted
}

// RotateWhile is RotateToward in which a turn is granted, and passes on, only while may is 1: asks do not wait for that.
func RotateWhile(m *hdl.Module, name string, asks []hdl.Value, expected, may hdl.Value) (turn, granted hdl.Value) {
	next, granted, asked := rotate(m, name, asks)
	m.OnClock(hdl.If(may, asked.ElseIf(expected.Any(), next.Set(expected))))
	return next.Value, m.Let(name+"_goes", granted.And(may.Replicate(granted.Width())))
}

func rotate(m *hdl.Module, name string, asks []hdl.Value) (next hdl.Reg, granted hdl.Value, asked *hdl.IfStmt) {
	next = m.Reg(name+"_turn_q", len(asks), hdl.ResetTo(1))
	var bits []hdl.Value // most significant first
	for _, a := range asks {
		bits = append([]hdl.Value{a}, bits...)
	}
	asking := m.Let(name+"_asking", hdl.Cat(bits...))
	behind := m.Let(name+"_behind", asking.And(Above(next.Value)))
	asked = hdl.If(asking.Any(), next.Set(Lowest(m.Let(name+"_candidates", hdl.Mux(behind.Any(), behind, asking)))))
	return next, m.Let(name+"_granted", asking.And(next.Value)), asked
}
