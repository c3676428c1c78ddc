package block

import "github.com/rnicgen/rnicgen/hdl"

// Bypass is a [Fifo] without latency when empty: a beat leaves in the cycle in which it arrives. It has a path from valid and data of the
// input to those of the output, and holds depth + 1 beats that are not accepted.
func Bypass[T any](m *hdl.Module, name string, depth int, in hdl.Sink[T], out hdl.Source[T]) {
	stored, waiting := hdl.NewStream(m, name+"_stored", in.Data), hdl.NewStream(m, name+"_waiting", in.Data)
	Fifo(m, name, depth, stored.Sink(), waiting.Source())
	empty := m.Let(name+"_is_empty", waiting.Sink().Valid.Not())
	stored.Source().Drive(m, in.Valid.And(empty.And(out.Ready).Not()), in.Data)
	in.Accept(m, stored.Source().Ready)
	waiting.Sink().Accept(m, out.Ready)
	out.Drive(m, waiting.Sink().Valid.Or(in.Valid), hdl.Unpack(in.Data, hdl.Mux(empty, hdl.Pack(in.Data), hdl.Pack(waiting.Sink().Data))))
}

// BypassOf is a block with nothing but a [Bypass], for tests and proofs.
func BypassOf(width, depth int) hdl.Block[FifoPorts] {
	proto := Word{hdl.Bits(width)}
	return hdl.Block[FifoPorts]{
		Kind: "bypass", Params: []hdl.Param{{Name: "width", Value: width}, {Name: "depth", Value: depth}}, Doc: "bypass is a FIFO without latency when empty.",
		Ports: FifoPorts{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts) { Bypass(m, "buffer", depth, p.In, p.Out) },
	}
}
