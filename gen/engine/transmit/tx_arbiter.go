package transmit

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxArbiterPorts are the messages of all senders in, one stream of messages out.
type TxArbiterPorts struct {
	Responses []hdl.Named[hdl.Sink[engine.TxMessage]] `hdl:"-"`
	End       hdl.Sink[engine.TxMessage]
	Requests  hdl.Sink[engine.TxMessage]
	Message   hdl.Source[engine.TxMessage]
}

const txArbiterDoc = `tx_arbiter joins the messages of all senders, the executors' responses, the ends of streams and the requester, one
per cycle, with one cycle of latency. Senders take turns. Messages leave from registers, and one more can wait, so that
what a sender sees depends on the other senders, not on who takes the messages.`

// TxArbiter is fair: each other sender overtakes a message at most once.
func TxArbiter(c engine.Config) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxMessageOf(c))
	ports := TxArbiterPorts{End: sink, Requests: sink, Message: hdl.NewSource(engine.TxMessageOf(c))}
	for _, x := range c.Profile.Executors(c) {
		ports.Responses = append(ports.Responses, hdl.Name(x.Name, sink))
	}
	return hdl.Block[TxArbiterPorts]{
		Kind: "tx_arbiter", Params: c.Params("streams"),
		Doc: txArbiterDoc, Ports: ports,
		Build: func(m *hdl.Module, p TxArbiterPorts) { buildTxArbiter(m, p, c) },
	}
}

func buildTxArbiter(m *hdl.Module, p TxArbiterPorts, c engine.Config) {
	senders := append(append([]hdl.Named[hdl.Sink[engine.TxMessage]]{}, p.Responses...), hdl.Name("end", p.End), hdl.Name("requests", p.Requests))
	var valid []hdl.Value // most significant bit first
	var names []string
	for _, s := range senders {
		valid, names = append([]hdl.Value{s.Of.Valid}, valid...), append(names, s.Name)
	}

	m.Section("The next sender after the last one that went. From bit 0 on: " + strings.Join(names, ", "))
	proto := engine.TxMessageOf(c)
	buffer := block.NewSkid(m, "message", proto, p.Message)
	behind := m.Reg("behind_last_q", len(senders), hdl.ResetTo(0))
	able := m.Let("able", hdl.Cat(valid...))
	ahead := m.Let("able_behind_last", able.And(behind.Value))
	choice := m.Let("choice", block.Lowest(m.Let("candidates", hdl.Mux(ahead.Any(), ahead, able))))
	goes := m.Let("goes", choice.And(buffer.Room.Replicate(len(senders))))
	m.OnClock(hdl.If(able.Any().And(buffer.Room), behind.Set(block.Above(choice))))

	m.Section("Message")
	packed := hdl.Value{}
	for i, s := range senders {
		one := hdl.Pack(s.Of.Data).And(goes.Bit(i).Replicate(hdl.PackedWidth(proto)))
		if i > 0 {
			one = packed.Or(one)
		}
		packed = one
		s.Of.Accept(m, goes.Bit(i))
	}
	buffer.DriveMasked(able.Any().And(buffer.Room), hdl.Unpack(proto, m.Let("chosen_message", packed)))
}
