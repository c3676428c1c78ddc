package atomic

import "github.com/rnicgen/rnicgen/hdl"

// relay is a stream whose ready comes from a register: a beat that is not accepted in its cycle moves aside. It adds no latency.
func relay[T any](m *hdl.Module, name string, in hdl.Sink[T]) hdl.Sink[T] {
	out := hdl.NewStream(m, name, in.Data)
	aside, data := m.Reg(name+"_aside_q", 1, hdl.ResetTo(0)), m.Reg(name+"_beat_q", hdl.PackedWidth(in.Data), hdl.NoReset)
	in.Accept(m, aside.Not())
	m.OnClock(
		aside.Set(aside.Or(in.Valid).And(out.Source().Ready.Not())),
		hdl.If(aside.Not(), data.Set(hdl.Pack(in.Data))))
	out.Source().Drive(m, aside.Or(in.Valid), hdl.Unpack(in.Data, hdl.Mux(aside.Value, data.Value, hdl.Pack(in.Data))))
	return out.Sink()
}
