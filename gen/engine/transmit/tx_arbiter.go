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
per cycle, with one cycle of latency. Senders take turns, message by message; the end of a stream waits a cycle for its
turn. Messages leave from registers.`

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
	var valid []hdl.Value // most significant bit first
	var names []string
	for _, s := range p.Responses {
		valid, names = append([]hdl.Value{s.Of.Valid}, valid...), append(names, s.Name)
	}
	n := len(valid)
	all := hdl.Ones(n)

	m.Section("Whose turn it is. Numbers of responses from 0 on: " + strings.Join(names, ", "))
	proto := engine.TxMessageOf(c)
	out, offered := hdl.NewRegOf(m, "message", proto, hdl.NoReset), m.Reg("message_valid_q", 1, hdl.ResetTo(0))
	free := m.Let("message_free", offered.Not().Or(p.Message.Ready))
	end, requests := m.Reg("end_turn_q", 1, hdl.ResetTo(0)), m.Reg("requests_turn_q", 1, hdl.ResetTo(0))
	m.Note("A round: responses, then an end, then the requester. Of the responses, the first behind the latest, otherwise")
	m.Note("the first. An end and the requester have turns that are known a cycle before; a requester needs none if there")
	m.Note("is no response.")
	left := m.Reg("is_left_q", n, hdl.ResetTo(1<<n-1))
	able := m.Let("able", hdl.Cat(valid...))
	ableLeft := m.Let("able_left", able.And(left.Value))
	respond := m.Let("responses_turn", end.Or(requests.Value).Not())
	turn := m.Let("has_turn", block.Lowest(m.Let("candidates", hdl.Mux(ableLeft.Any(), ableLeft, able))))
	responds := m.Let("responds", respond.And(able.Any()))
	next := m.Let("next_left", hdl.Mux(responds, block.Above(turn), all))
	over := m.Let("responses_over", able.And(next).IsZero())
	requesting := m.Let("requests_take", requests.Or(respond.And(able.Any().Not())))
	offers := m.Let("offers", hdl.AnyOf(end.Value, able.Any(), p.Requests.Valid))
	m.OnClock(hdl.If(free,
		hdl.If(offers, left.Set(next)),
		end.Set(hdl.AllOf(p.End.Valid, end.Not(), over)),
		requests.Set(p.Requests.Valid.And(end.Or(hdl.AllOf(responds, over, p.End.Valid.Not()))))))

	m.Section("Message")
	data := []hdl.When{{Cond: end.Value, Then: hdl.Pack(p.End.Data)}, {Cond: requesting, Then: hdl.Pack(p.Requests.Data)}}
	for i, s := range p.Responses {
		s.Of.Accept(m, hdl.AllOf(turn.Bit(i), respond, free))
		data = append(data, hdl.When{Cond: turn.Bit(i), Then: hdl.Pack(s.Of.Data)})
	}
	p.End.Accept(m, end.And(free))
	p.Requests.Accept(m, requesting.And(free))
	last := len(data) - 1
	chosen := m.Let("chosen_message", hdl.Select(data[last].Then, data[:last]...))
	m.OnClock(hdl.If(free, offered.Set(offers), out.Set(hdl.Unpack(proto, chosen))))
	p.Message.Drive(m, offered.Value, out.Q)
}
