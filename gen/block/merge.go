package block

import "github.com/rnicgen/rnicgen/hdl"

// MergePorts are two streams in, one out.
type MergePorts struct {
	A   hdl.Sink[Word]   `doc:"one stream"`
	B   hdl.Sink[Word]   `doc:"the other stream"`
	Out hdl.Source[Word] `doc:"the beats of both, each stream's in order"`
}

const mergeDoc = `merge forwards the beats of two streams, one per cycle, with one cycle of latency. A waiting stream is passed
over at most once.`

// Merge joins two streams into one, one beat per cycle, keeping the order of each. It is fair: a waiting stream is passed over at most
// once.
func Merge[T any](m *hdl.Module, name string, a, b hdl.Sink[T], out hdl.Source[T]) {
	hdl.Instance(m, name, MergeOf(hdl.Fixed(hdl.PackedWidth(a.Data))), MergePorts{hdl.PackSink[Word](a), hdl.PackSink[Word](b), hdl.PackSource[Word](m, name+"_out", out)})
}

// MergeOf is the arbiter of [Merge].
func MergeOf(width hdl.Size) hdl.Block[MergePorts] {
	w := widthOf(width)
	proto := Word{w.Size().Bits()}
	return hdl.Block[MergePorts]{
		Kind: "merge", Parameters: []hdl.Parameter{w}, Doc: mergeDoc,
		Ports: MergePorts{A: hdl.NewSink(proto), B: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p MergePorts) {
			out := m.SizedReg("out_q", w.Size(), hdl.NoReset)
			valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
			turn := m.Reg("b_turn_q", 1, hdl.ResetTo(0))
			free := m.Let("free", valid.Not().Or(p.Out.Ready))
			pickB := m.Let("pick_b", p.B.Valid.And(turn.Or(p.A.Valid.Not())))
			any := m.Let("any", p.A.Valid.Or(p.B.Valid))
			p.A.Accept(m, free.And(pickB.Not()))
			p.B.Accept(m, free.And(pickB))
			picked := m.Let("picked", hdl.Mux(pickB, p.B.Data.Data, p.A.Data.Data))
			m.OnClock(hdl.If(free, valid.Set(any), hdl.If(any, out.Set(picked), turn.Set(pickB.Not()))))
			p.Out.Drive(m, valid.Value, Word{out.Value})
		},
	}
}

// Lowest keeps the lowest bit that is set.
func Lowest(v hdl.Value) hdl.Value { return v.And(Above(v).Not()) }

// Above marks the bits that have a set bit below them.
func Above(v hdl.Value) hdl.Value {
	bits := []hdl.Value{hdl.Zero(1)} // most significant first
	for i := 1; i < v.Width(); i++ {
		bits = append([]hdl.Value{v.Slice(i-1, 0).Any()}, bits...)
	}
	return hdl.Cat(bits...)
}

// NumberOf is the number of the only bit that is set.
func NumberOf(v hdl.Value) hdl.Value {
	var bits []hdl.Value // most significant first
	for b := IndexWidth(v.Width()) - 1; b >= 0; b-- {
		var with []hdl.Value
		for i := range v.Width() {
			if i>>b&1 == 1 {
				with = append(with, v.Bit(i))
			}
		}
		bits = append(bits, hdl.AnyOf(with...))
	}
	return hdl.Cat(bits...)
}
