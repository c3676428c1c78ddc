package block

import "github.com/rnicgen/rnicgen/hdl"

const queueDoc = `queue forwards beats in order: one per cycle in, one per cycle out, one cycle of latency when it is empty. It holds
DEPTH beats in its memory, one read from it, and one at its output, which is a register: nothing on the way to a wide
or distant consumer comes from a memory. A beat that follows the only one, while that stays, is on offer one cycle
after that has left.`

// Queue is a [Fifo] that offers its beats from registers.
func Queue[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	hdl.Instance(m, name, QueueOf(hdl.Fixed(hdl.PackedWidth(in.Data)), hdl.Fixed(depth)), FifoPorts{hdl.PackSink[Word](in), hdl.PackSource[Word](m, name+"_out", out)})
}

// QueueOf is the buffer of [Queue].
func QueueOf(width, depth hdl.Size) hdl.Block[FifoPorts] {
	w, d := widthOf(width), depthOf(depth)
	proto := Word{w.Size().Bits()}
	return hdl.Block[FifoPorts]{
		Kind: "queue", Parameters: []hdl.Parameter{w, d}, Doc: queueDoc,
		Ports: FifoPorts{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts) { buildQueue(m, p, w.Size(), d.Size()) },
	}
}

func buildQueue(m *hdl.Module, p FifoPorts, width, depth hdl.Size) {
	index := m.IndexSize("INDEX", depth)
	valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
	vacant := m.Reg("vacant_q", 1, hdl.ResetTo(1))
	out := m.SizedReg("out_q", width, hdl.NoReset)
	waits := m.Reg("fetched_valid_q", 1, hdl.ResetTo(0))
	head := m.SizedReg("head_q", index, hdl.ResetTo(0))
	tail := m.SizedReg("tail_q", index, hdl.ResetTo(0))
	before, latest := m.SizedReg("not_before_head_q", index, hdl.ResetTo(0)), m.SizedReg("not_before_tail_q", index, hdl.ResetTo(0))
	full := m.Reg("full_q", 1, hdl.ResetTo(0))
	empty := m.Reg("empty_q", 1, hdl.ResetTo(1))

	m.Note("The output is loaded with the beat that was read ahead or, if there is none, with the one that comes in. Whether it is free has")
	m.Note("many readers; the pointers ask a register of their own.")
	loads := m.Let("out_free", valid.Not().Or(p.Out.Ready))
	free := m.Let("is_free", vacant.Or(p.Out.Ready))
	goes := m.Let("may_fetch", waits.Not().Or(free))
	fetch := m.Let("fetch", empty.Not().And(goes))
	first := m.Let("is_first", empty.And(waits.Not()))
	pass := m.Let("pass", hdl.AllOf(p.In.Valid, first, free))
	store := m.Let("store", hdl.AllOf(p.In.Valid, full.Not(), pass.Not()))
	p.In.Accept(m, full.Not())

	memory := m.SizedMemory("beats", width, depth)
	m.Note("What bypasses the memory is written, too, and overwritten by the next: the write does not wait for that decision.")
	memory.Write(p.In.Valid.And(full.Not()), tail.Value, p.In.Data.Data)
	fetched := memory.Read("fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("Full and empty are registers, one step from in_valid and out_ready. With one place or one beat left, the memory is neither.")
	m.Note("The places before head and tail, complemented to be 0 after reset, are registers, so that no sum is compared.")
	lastPlace, lastBeat := m.Let("last_place", tail.Eq(before.Not())), m.Let("last_beat", head.Eq(latest.Not()))
	m.OnClock(
		hdl.If(loads, valid.Set(waits.Or(pass)), out.Set(hdl.Mux(waits.Value, fetched, p.In.Data.Data))),
		hdl.If(free, vacant.Set(waits.Or(pass).Not())),
		waits.Set(fetch.Or(waits.And(free.Not()))),
		hdl.If(fetch, head.Set(head.Plus(1)), before.Set(head.Not())),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		full.Set(fetch.Not().And(full.Or(p.In.Valid.And(lastPlace)))),
		empty.Set(hdl.Mux(empty.Value, store.Not(), hdl.AllOf(goes, lastBeat, p.In.Valid.Not()))),
	)
	p.Out.Drive(m, valid.Value, Word{out.Value})
}
