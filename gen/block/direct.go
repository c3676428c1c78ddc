package block

import "github.com/rnicgen/rnicgen/hdl"

// Direct is a [Fifo] in place that is never full: whoever lets data enter has reserved one of depth places. What finds it empty is on
// offer in the next cycle.
func Direct[T any](m *hdl.Module, name string, depth int, enters hdl.Value, data T, out hdl.Source[T]) {
	reg := func(what string, width int, reset uint64) hdl.Reg {
		return m.Reg(name+"_"+what, width, hdl.ResetTo(reset))
	}
	index := IndexWidth(depth)
	valid, empty, stored := reg("valid_q", 1, 0), reg("empty_q", 1, 1), m.Reg(name+"_is_stored_q", 1, hdl.NoReset)
	head, tail, latest := reg("head_q", index, 0), reg("tail_q", index, 0), reg("not_before_tail_q", index, 0)
	direct := hdl.NewRegOf(m, name+"_direct", data, hdl.NoReset)
	free := m.Let(name+"_free", valid.Not().Or(out.Ready))
	fetch := m.Let(name+"_fetch", free.And(empty.Not()))
	store := m.Let(name+"_store", enters.And(free.And(empty.Value).Not()))
	memory := m.Memory(name, hdl.PackedWidth(data), depth)
	m.Note("What is on offer in the next cycle is written, too, and overwritten by the next.")
	memory.Write(enters, tail.Value, m.Let(name+"_beat", hdl.Pack(data)))
	fetched := memory.Read(name+"_fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("With one beat left, the memory is not empty. The place before tail is complemented.")
	lastBeat := m.Let(name+"_last_beat", head.Eq(latest.Not()))
	m.OnClock(
		hdl.If(free, valid.Set(empty.Not().Or(enters)), stored.Set(empty.Not())),
		hdl.If(free.And(empty.Value), direct.Set(data)),
		hdl.If(fetch, head.Set(head.Plus(1))),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		empty.Set(hdl.Mux(empty.Value, store.Not(), hdl.AllOf(free, lastBeat, enters.Not()))))
	out.Drive(m, valid.Value, hdl.Unpack(data, hdl.Mux(stored.Value, fetched, hdl.Pack(direct.Q))))
}
