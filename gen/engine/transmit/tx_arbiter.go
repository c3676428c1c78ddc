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
per cycle, with one cycle of latency. Senders take turns, message by message. Messages leave from registers.`

// TxArbiter is fair: each other sender overtakes a message at most once.
func TxArbiter(c engine.Config) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxMessageOf(c))
	ports := TxArbiterPorts{End: sink, Requests: sink, Message: hdl.NewSource(engine.TxMessageOf(c))}
	for _, x := range c.Profile.Executors(c) {
		ports.Responses = append(ports.Responses, hdl.Name(x.Name, sink))
	}
	return hdl.Block[TxArbiterPorts]{
		Kind: "tx_arbiter", Params: c.Params("streams", "ird"),
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

	m.Section("Whose turn it is: that of the first sender behind the one before that has a message. Numbers from 0 on: " + strings.Join(names, ", "))
	proto := engine.TxMessageOf(c)
	out, offered := hdl.NewRegOf(m, "message", proto, hdl.NoReset), m.Reg("message_valid_q", 1, hdl.ResetTo(0))
	free := m.Let("message_free", offered.Not().Or(p.Message.Ready))
	before := m.Reg("latest_q", len(senders), hdl.ResetTo(1))
	m.Unused("none is behind the last", before.Bit(len(senders)-1))
	able := m.Let("able", hdl.Cat(valid...))
	behind := m.Let("able_behind", able.And(block.Above(before.Value)))
	turn := m.Let("has_turn", block.Lowest(m.Let("candidates", hdl.Mux(behind.Any(), behind, able))))
	offers := m.Let("offers", able.Any())
	m.OnClock(hdl.If(free.And(offers), before.Set(turn)))

	m.Section("Message")
	var data []hdl.When
	for i, s := range senders {
		s.Of.Accept(m, turn.Bit(i).And(free))
		data = append(data, hdl.When{Cond: turn.Bit(i), Then: hdl.Pack(s.Of.Data)})
	}
	last := len(data) - 1
	chosen := m.Let("chosen_message", hdl.Select(data[last].Then, data[:last]...))
	m.OnClock(hdl.If(free, offered.Set(offers), out.Set(hdl.Unpack(proto, chosen))))
	p.Message.Drive(m, offered.Value, out.Q)
}
