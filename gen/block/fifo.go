package block

import "github.com/rnicgen/rnicgen/hdl"

// FifoPorts are those of [FifoOf] and [BypassOf].
type FifoPorts struct {
	In  hdl.Sink[Word]   `doc:"beats to store"`
	Out hdl.Source[Word] `doc:"the same beats, in order"`
}

const fifoDoc = `fifo forwards beats in order: one per cycle in, one per cycle out, one cycle of latency when it is empty.
It holds DEPTH beats in its memory and one at its output.`

// Fifo puts a buffer of depth + 1 beats between two streams; depth is a power of two of at least 2.
func Fifo[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	hdl.Instance(m, name, FifoOf(hdl.Fixed(hdl.PackedWidth(in.Data)), hdl.Fixed(depth)), FifoPorts{hdl.PackSink[Word](in), hdl.PackSource[Word](m, name+"_out", out)})
}

// FifoOf is the buffer of [Fifo].
func FifoOf(width, depth hdl.Size) hdl.Block[FifoPorts] {
	w, d := widthOf(width), depthOf(depth)
	proto := Word{w.Size().Bits()}
	return hdl.Block[FifoPorts]{
		Kind: "fifo", Parameters: []hdl.Parameter{w, d}, Doc: fifoDoc,
		Ports: FifoPorts{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts) { buildFifo(m, p, w.Size(), d.Size()) },
	}
}

func buildFifo(m *hdl.Module, p FifoPorts, width, depth hdl.Size) {
	index := m.IndexSize("INDEX", depth)
	valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
	stored := m.Reg("out_is_stored_q", 1, hdl.NoReset)
	direct := m.SizedReg("direct_q", width, hdl.NoReset)
	head := m.SizedReg("head_q", index, hdl.ResetTo(0))
	tail := m.SizedReg("tail_q", index, hdl.ResetTo(0))
	before, latest := m.SizedReg("not_before_head_q", index, hdl.ResetTo(0)), m.SizedReg("not_before_tail_q", index, hdl.ResetTo(0))
	full := m.Reg("full_q", 1, hdl.ResetTo(0))
	empty := m.Reg("empty_q", 1, hdl.ResetTo(1))

	m.Note("A beat bypasses the memory when the memory is empty and the output is free.")
	free := m.Let("out_free", valid.Not().Or(p.Out.Ready))
	fetch := m.Let("fetch", free.And(empty.Not()))
	pass := m.Let("pass", hdl.AllOf(p.In.Valid, free, empty.Value))
	store := m.Let("store", hdl.AllOf(p.In.Valid, full.Not(), pass.Not()))
	p.In.Accept(m, full.Not())

	memory := m.SizedMemory("beats", width, depth)
	m.Note("What bypasses the memory is written, too, and overwritten by the next: neither write nor register waits for that decision.")
	memory.Write(p.In.Valid.And(full.Not()), tail.Value, p.In.Data.Data)
	fetched := memory.Read("fetched_q", fetch, head.Value, hdl.ReadOld)
	m.Note("Full and empty are registers, one step from in_valid and out_ready. With one place or one beat left, the memory is neither.")
	m.Note("The places before head and tail, complemented to be 0 after reset, are registers, so that no sum is compared.")
	lastPlace, lastBeat := m.Let("last_place", tail.Eq(before.Not())), m.Let("last_beat", head.Eq(latest.Not()))
	m.OnClock(
		hdl.If(free, valid.Set(fetch.Or(pass)), stored.Set(empty.Not())),
		hdl.If(free.And(empty.Value), direct.Set(p.In.Data.Data)),
		hdl.If(fetch, head.Set(head.Plus(1)), before.Set(head.Not())),
		hdl.If(store, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		full.Set(fetch.Not().And(full.Or(p.In.Valid.And(lastPlace)))),
		empty.Set(hdl.Mux(empty.Value, p.In.Valid.And(free.Not()).Not(), hdl.AllOf(free, lastBeat, p.In.Valid.Not()))),
	)
	p.Out.Drive(m, valid.Value, Word{hdl.Mux(stored.Value, fetched, direct.Value)})
}
