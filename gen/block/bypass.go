package block

import "github.com/rnicgen/rnicgen/hdl"

const bypassDoc = `bypass passes beats on in order, one per cycle. When it is empty a beat leaves in the cycle in which it arrives;
it holds DEPTH + 1 beats that are not accepted.`

// Bypass is a [Fifo] without latency when empty: it has a path from valid and data of the input to those of the output.
func Bypass[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	hdl.Instance(m, name, BypassOf(hdl.Fixed(hdl.PackedWidth(in.Data)), hdl.Fixed(depth)), FifoPorts{hdl.PackSink[Word](in), hdl.PackSource[Word](m, name+"_out", out)})
}

// BypassOf is the buffer of [Bypass].
func BypassOf(width, depth hdl.Size) hdl.Block[FifoPorts] {
	w, d := widthOf(width), depthOf(depth)
	proto := Word{w.Size().Bits()}
	return hdl.Block[FifoPorts]{
		Kind: "bypass", Parameters: []hdl.Parameter{w, d}, Doc: bypassDoc,
		Ports: FifoPorts{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts) {
			stored, waiting := hdl.NewStream(m, "stored", proto), hdl.NewStream(m, "waiting", proto)
			hdl.Instance(m, "buffer", FifoOf(w.Size(), d.Size()), FifoPorts{In: stored.Sink(), Out: waiting.Source()})
			empty := m.Let("is_empty", waiting.Sink().Valid.Not())
			stored.Source().Drive(m, p.In.Valid.And(empty.And(p.Out.Ready).Not()), p.In.Data)
			p.In.Accept(m, stored.Source().Ready)
			waiting.Sink().Accept(m, p.Out.Ready)
			p.Out.Drive(m, waiting.Sink().Valid.Or(p.In.Valid), Word{hdl.Mux(empty, p.In.Data.Data, waiting.Sink().Data.Data)})
		},
	}
}
