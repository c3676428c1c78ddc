package block

import "github.com/rnicgen/rnicgen/hdl"

// Buffer is a [Fifo] of wide beats for which one more cycle of latency does not matter: every beat goes through the memory, whose output
// register offers it. name prefixes the registers.
func Buffer[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	reg := func(what string, width int, reset uint64) hdl.Reg {
		return m.Reg(name+"_"+what, width, hdl.ResetTo(reset))
	}
	index := IndexWidth(depth)
	valid, head, tail := reg("valid_q", 1, 0), reg("head_q", index, 0), reg("tail_q", index, 0)
	before, latest := reg("not_before_head_q", index, 0), reg("not_before_tail_q", index, 0)
	empty, full := reg("empty_q", 1, 1), reg("full_q", 1, 0)
	store := m.Let(name+"_store", in.Valid.And(full.Not()))
	free := m.Let(name+"_free", valid.Not().Or(out.Ready))
	fetch := m.Let(name+"_fetch", free.And(empty.Not()))
	in.Accept(m, full.Not())
	memory := m.Memory(name, hdl.PackedWidth(in.Data), depth)
	memory.Write(store, tail.Value, m.Let(name+"_beat", hdl.Pack(in.Data)))
	fetched := memory.Read(name+"_fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("With one place or one beat left, the memory is neither full nor empty. The places before head and tail are complemented.")
	lastPlace, lastBeat := m.Let(name+"_last_place", tail.Eq(before.Not())), m.Let(name+"_last_beat", head.Eq(latest.Not()))
	m.OnClock(
		hdl.If(free, valid.Set(empty.Not())),
		hdl.If(fetch, head.Set(head.Plus(1)), before.Set(head.Not())),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		full.Set(fetch.Not().And(full.Or(in.Valid.And(lastPlace)))),
		empty.Set(hdl.Mux(empty.Value, in.Valid.Not(), hdl.AllOf(free, lastBeat, store.Not()))))
	out.Drive(m, valid.Value, hdl.Unpack(in.Data, fetched))
}
