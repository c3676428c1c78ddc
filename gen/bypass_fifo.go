package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// BypassFifo is a [Fifo] that a beat goes past when it is empty: out in the clock in which it comes in.
func BypassFifo[T any](name string, proto T, depth int) hdl.Block[FifoPorts[T]] {
	return hdl.Block[FifoPorts[T]]{
		Name: fmt.Sprintf("%s_bypass_%d", name, depth),
		Doc: fmt.Sprintf("%s_bypass_%d passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds\n"+
			"those that nobody takes, %d of them.", name, depth, depth+1),
		Ports: FifoPorts[T]{In: hdl.NewSink(proto), Out: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p FifoPorts[T]) {
			stored, waiting := hdl.NewStream(m, "stored", proto), hdl.NewStream(m, "waiting", proto)
			hdl.Instance(m, "fifo", Fifo(name, proto, depth), FifoPorts[T]{In: stored.Sink(), Out: waiting.Source()})
			empty := m.Let("is_empty", waiting.Sink().Valid.Not())
			stored.Source().Drive(m, p.In.Valid.And(empty.And(p.Out.Ready).Not()), p.In.Data)
			p.In.Accept(m, stored.Source().Ready)
			waiting.Sink().Accept(m, p.Out.Ready)
			p.Out.Drive(m, waiting.Sink().Valid.Or(p.In.Valid), hdl.Unpack(proto,
				m.Let("out", hdl.Mux(empty, hdl.Pack(p.In.Data), hdl.Pack(waiting.Sink().Data)))))
		},
	}
}
