package block

import "github.com/rnicgen/rnicgen/hdl"

const queueDoc = `queue forwards beats in order: one per cycle in, one per cycle out. It holds DEPTH beats in its memory, two read from it
ahead, and one at its output, which is a register. Nothing on the way to a wide or distant consumer comes from a
memory, and the pointers do not wait for that consumer. A beat that finds the queue empty is on offer in the next
cycle; others go through the memory, which takes two cycles more.`

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
	out := m.SizedReg("out_q", width, hdl.NoReset)
	waits := m.Reg("fetched_valid_q", 1, hdl.ResetTo(0))
	vacant := m.Reg("vacant_q", 1, hdl.ResetTo(1))
	keeps, aside := m.Reg("aside_valid_q", 1, hdl.ResetTo(0)), m.SizedReg("aside_q", width, hdl.NoReset)
	head := m.SizedReg("head_q", index, hdl.ResetTo(0))
	tail := m.SizedReg("tail_q", index, hdl.ResetTo(0))
	before, latest := m.SizedReg("not_before_head_q", index, hdl.ResetTo(0)), m.SizedReg("not_before_tail_q", index, hdl.ResetTo(0))
	full := m.Reg("full_q", 1, hdl.ResetTo(0))
	empty := m.Reg("empty_q", 1, hdl.ResetTo(1))

	m.Note("A beat bypasses the memory when nothing is inside.")
	pass := m.Let("pass", hdl.AllOf(p.In.Valid, empty.Value, waits.Not(), keeps.Not(), valid.Not()))
	store := m.Let("store", hdl.AllOf(p.In.Valid, full.Not(), pass.Not()))
	p.In.Accept(m, full.Not())
	m.Note("A beat that was read moves to the output or aside, unless another is there already: then none is read.")
	fetch := m.Let("fetch", empty.Not().And(waits.And(keeps.Value).Not()))
	m.Note("Whether the output is free has many readers; what decides asks a register of its own.")
	loads := m.Let("out_free", valid.Not().Or(p.Out.Ready))
	free := m.Let("is_free", vacant.Or(p.Out.Ready))

	memory := m.SizedMemory("beats", width, depth)
	m.Note("What bypasses the memory is written, too, and overwritten by the next: the write does not wait for that decision.")
	memory.Write(p.In.Valid.And(full.Not()), tail.Value, p.In.Data.Data)
	fetched := memory.Read("fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("With one place or one beat left, the memory is neither full nor empty. The places before head and tail, complemented to be 0")
	m.Note("after reset, are registers, so that no sum is compared.")
	lastPlace, lastBeat := m.Let("last_place", tail.Eq(before.Not())), m.Let("last_beat", head.Eq(latest.Not()))
	next := hdl.Select(p.In.Data.Data, hdl.When{Cond: keeps.Value, Then: aside.Value}, hdl.When{Cond: waits.Value, Then: fetched})
	some := m.Let("has_next", hdl.AnyOf(keeps.Value, waits.Value, pass))
	m.OnClock(
		hdl.If(loads, out.Set(next)),
		hdl.If(free, valid.Set(some), vacant.Set(some.Not())),
		hdl.If(keeps.Not().Or(free), aside.Set(fetched)),
		keeps.Set(hdl.Mux(free, keeps.And(waits.Value), keeps.Or(waits.Value))),
		waits.Set(fetch.Or(hdl.AllOf(waits.Value, keeps.Value, free.Not()))),
		hdl.If(fetch, head.Set(head.Plus(1)), before.Set(head.Not())),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		full.Set(fetch.Not().And(full.Or(p.In.Valid.And(lastPlace)))),
		empty.Set(hdl.Mux(empty.Value, store.Not(), hdl.AllOf(fetch, lastBeat, p.In.Valid.Not()))),
	)
	p.Out.Drive(m, valid.Value, Word{out.Value})
}
