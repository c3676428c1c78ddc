package transmit

import (
	"fmt"
	"slices"
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
per cycle, with one cycle of latency. Senders take turns. Whose turn it is is known a cycle before: it passes on when
another sender waits, so a message that finds the turn elsewhere waits one more cycle. When none waits, the executor
of words has the turn, whose latency counts most. Messages leave from registers.`

// TxArbiter is fair: each other sender overtakes a message at most once.
func TxArbiter(c engine.Config) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxMessageOf(c))
	ports := TxArbiterPorts{End: sink, Requests: sink, Message: hdl.NewSource(engine.TxMessageOf(c))}
	for _, x := range engine.Speakers(c) {
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

	m.Section("Whose turn it is. Numbers from 0 on: " + strings.Join(names, ", "))
	proto := engine.TxMessageOf(c)
	out, offered := hdl.NewRegOf(m, "message", proto, hdl.NoReset), m.Reg("message_valid_q", 1, hdl.ResetTo(0))
	free := m.Let("message_free", offered.Not().Or(p.Message.Ready))
	home := uint64(max(0, slices.IndexFunc(engine.Speakers(c), func(x engine.Executor) bool { return x.Words })))
	turn := m.Reg("turn_q", block.IndexWidth(len(senders)), hdl.ResetTo(home))
	var is []hdl.Value // most significant bit first
	for i := range senders {
		is = append([]hdl.Value{turn.Is(uint64(i))}, is...)
	}
	decoded := hdl.Cat(is...)
	many := len(senders) > 4
	var mark hdl.Reg
	if many {
		m.Note("Decoded in registers of its own: the number selects the message, which has many bits.")
		mark = m.Reg("has_turn_q", len(senders), hdl.ResetTo(1<<home))
		decoded = mark.Value
	}
	now, able := m.Let("has_turn", decoded), m.Let("able", hdl.Cat(valid...))
	offers := m.Let("offers", able.And(now).Any())
	m.Note("The next sender that waits behind it, otherwise the first that waits. A message on offer keeps the turn until it is taken.")
	others := m.Let("others", able.And(now.Not()))
	behind := m.Let("others_behind", others.And(block.Above(now)))
	choice := m.Let("choice", block.Lowest(m.Let("candidates", hdl.Mux(behind.Any(), behind, others))))
	if !many {
		m.Unused("number 0 has no bits", choice.Bit(0))
	}
	passes := m.Let("turn_passes", others.Any().And(free.Or(offers.Not())))
	next, first := hdl.Stmts{turn.Set(m.Let("next_turn", block.NumberOf(choice)))}, hdl.Stmts{turn.Set(hdl.Const(turn.Width(), home))}
	if many {
		next, first = append(next, mark.Set(choice)), append(first, mark.Set(hdl.Const(len(senders), 1<<home)))
	}
	m.OnClock(hdl.If(passes, next...).ElseIf(able.Any().Not(), first...))

	m.Section("Message")
	var data hdl.Value
	var messages []hdl.Value
	for i, s := range senders {
		s.Of.Accept(m, now.Bit(i).And(free))
		one := hdl.Pack(s.Of.Data)
		messages = append(messages, one)
		if i == 0 {
			data = one
		} else {
			data = hdl.Mux(turn.Is(uint64(i)), one, data)
		}
	}
	if many {
		data = selectNumber(m, messages, turn.Value)
	}
	m.OnClock(hdl.If(free, offered.Set(offers), out.Set(hdl.Unpack(proto, m.Let("chosen_message", data)))))
	p.Message.Drive(m, offered.Value, out.Q)
}

// selectNumber is the value of a number, by the bits of the number one after another: a step has one condition for all values.
func selectNumber(m *hdl.Module, values []hdl.Value, number hdl.Value) hdl.Value {
	for bit := range number.Width() {
		var half []hdl.Value
		for i := 0; i < len(values); i += 2 {
			one := values[i]
			if i+1 < len(values) {
				one = m.Let(fmt.Sprintf("message_%d_of_%d", i/2, (len(values)+1)/2), hdl.Mux(number.Bit(bit), values[i+1], one))
			}
			half = append(half, one)
		}
		values = half
	}
	return values[0]
}
