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
	held := m.SizedReg("held_q", index.Plus(1), hdl.ResetTo(0))

	m.Note("A beat bypasses the memory when the memory is empty and the output is free.")
	free := m.Let("out_free", valid.Not().Or(p.Out.Ready))
	empty := m.Let("memory_empty", held.IsZero())
	ready := m.Let("ready", held.Bit(index.Int()).Not())
	fetch := m.Let("fetch", free.And(empty.Not()))
	pass := m.Let("pass", hdl.AllOf(p.In.Valid, free, empty))
	store := m.Let("store", hdl.AllOf(p.In.Valid, ready, pass.Not()))
	p.In.Accept(m, ready)

	memory := m.SizedMemory("beats", width, depth)
	m.Note("A beat that bypasses the memory is written as well and overwritten by the next one, so neither write nor register waits for that decision.")
	memory.Write(p.In.Valid.And(ready), tail.Value, p.In.Data.Data)
	fetched := memory.Read("fetched_q", fetch, head.Value, hdl.ReadOld)
	m.OnClock(
		hdl.If(free, valid.Set(fetch.Or(pass)), stored.Set(empty.Not())),
		hdl.If(free, direct.Set(p.In.Data.Data)),
		hdl.If(fetch, head.Set(head.Plus(1))),
		hdl.If(store, tail.Set(tail.Plus(1))),
		hdl.If(store.And(fetch.Not()), held.Set(held.Plus(1))).
			ElseIf(fetch.And(store.Not()), held.Set(held.Minus(1))),
	)
	p.Out.Drive(m, valid.Value, Word{hdl.Mux(stored.Value, fetched, direct.Value)})
}
