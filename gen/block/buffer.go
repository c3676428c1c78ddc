package block

import "github.com/rnicgen/rnicgen/hdl"

// Buffer is a [Fifo] of wide beats for which one more cycle of latency does not matter: every beat goes through the memory, whose output
// register offers it. name prefixes the registers. holds is 1 if a beat is inside.
func Buffer[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) (holds hdl.Value) {
	index := IndexWidth(depth)
	full, before := m.Reg(name+"_full_q", 1, hdl.ResetTo(0)), m.Reg(name+"_not_before_head_q", index, hdl.ResetTo(0))
	in.Accept(m, full.Not())
	b := roomy(m, name, depth, m.Let(name+"_store", in.Valid.And(full.Not())), in.Data, out)
	m.Note("With one place left, the memory is not full. The place before head is complemented.")
	lastPlace := m.Let(name+"_last_place", b.tail.Eq(before.Not()))
	m.OnClock(
		hdl.If(b.fetch, before.Set(b.head.Not())),
		full.Set(b.fetch.Not().And(full.Or(in.Valid.And(lastPlace)))))
	return b.valid.Or(b.empty.Not())
}

// Roomy is a [Buffer] that is never full: whoever lets data enter has reserved a place.
func Roomy[T any](m *hdl.Module, name string, depth int, enters hdl.Value, data T, out hdl.Source[T]) {
	roomy(m, name, depth, enters, data, out)
}

// roomyBuffer is what a [Buffer] must know.
type roomyBuffer struct {
	head, tail, valid, empty hdl.Reg
	fetch                    hdl.Value
}

func roomy[T any](m *hdl.Module, name string, depth int, store hdl.Value, data T, out hdl.Source[T]) roomyBuffer {
	reg := func(what string, width int, reset uint64) hdl.Reg {
		return m.Reg(name+"_"+what, width, hdl.ResetTo(reset))
	}
	index := IndexWidth(depth)
	valid, empty := reg("valid_q", 1, 0), reg("empty_q", 1, 1)
	head, tail, latest := reg("head_q", index, 0), reg("tail_q", index, 0), reg("not_before_tail_q", index, 0)
	free := m.Let(name+"_free", valid.Not().Or(out.Ready))
	fetch := m.Let(name+"_fetch", free.And(empty.Not()))
	memory := m.Memory(name, hdl.PackedWidth(data), depth)
	memory.Write(store, tail.Value, m.Let(name+"_beat", hdl.Pack(data)))
	fetched := memory.Read(name+"_fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("With one beat left, the memory is not empty. The place before tail is complemented.")
	lastBeat := m.Let(name+"_last_beat", head.Eq(latest.Not()))
	m.OnClock(
		hdl.If(free, valid.Set(empty.Not())),
		hdl.If(fetch, head.Set(head.Plus(1))),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		empty.Set(hdl.Mux(empty.Value, store.Not(), hdl.AllOf(free, lastBeat, store.Not()))))
	out.Drive(m, valid.Value, hdl.Unpack(data, fetched))
	return roomyBuffer{head, tail, valid, empty, fetch}
}
