package atomic

import "github.com/rnicgen/rnicgen/hdl"

// roomFor is a register that is 1 while fewer than 1<<bits of what enters a buffer wait to leave it. It is seen a cycle late: a buffer for
// one more than that many never overflows. entered counts what enters, from the cycle after, modulo more than can ever wait.
func roomFor(m *hdl.Module, name string, bits int, entered, leaves hdl.Value) hdl.Value {
	width := bits + 2
	left, room := m.Reg(name+"_left_q", width, hdl.ResetTo(0)), m.Reg(name+"_room_q", 1, hdl.ResetTo(0))
	waiting := m.Let(name+"_waiting", entered.Truncate(width).Sub(left.Value))
	m.Unused("compared with a power of two", waiting)
	m.OnClock(
		hdl.If(leaves, left.Set(left.Plus(1))),
		room.Set(waiting.Slice(width-1, bits).IsZero()))
	return room.Value
}
