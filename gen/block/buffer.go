package block

import "github.com/rnicgen/rnicgen/hdl"

// Buffer is a [Fifo] of wide beats for which one more cycle of latency does not matter: every beat goes through the memory, whose output
// register offers it. name prefixes the registers.
func Buffer[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	reg := func(what string, width int) hdl.Reg { return m.Reg(name+"_"+what, width, hdl.ResetTo(0)) }
	index := IndexWidth(depth)
	valid, head, tail, held := reg("valid_q", 1), reg("head_q", index), reg("tail_q", index), reg("held_q", index+1)
	ready := m.Let(name+"_has_room", held.Bit(index).Not())
	store := m.Let(name+"_store", in.Valid.And(ready))
	free := m.Let(name+"_free", valid.Not().Or(out.Ready))
	stored := m.Let(name+"_stored", held.Any())
	fetch := m.Let(name+"_fetch", free.And(stored))
	in.Accept(m, ready)
	memory := m.Memory(name, hdl.PackedWidth(in.Data), depth)
	memory.Write(store, tail.Value, m.Let(name+"_beat", hdl.Pack(in.Data)))
	fetched := memory.Read(name+"_fetched_q", fetch, head.Value, hdl.ReadOld)
	m.OnClock(
		hdl.If(free, valid.Set(stored)),
		hdl.If(fetch, head.Set(head.Plus(1))),
		hdl.If(store, tail.Set(tail.Plus(1))),
		hdl.If(store.And(fetch.Not()), held.Set(held.Plus(1))).ElseIf(fetch.And(store.Not()), held.Set(held.Minus(1))))
	out.Drive(m, valid.Value, hdl.Unpack(in.Data, fetched))
}
