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
	var names []string
	for _, x := range engine.Speakers(c) {
		names = append(names, x.Name)
	}
	return txArbiterOf(c, txArbiterDoc, names, slices.IndexFunc(engine.Speakers(c), func(x engine.Executor) bool { return x.Words }))
}

// Joined is the name of the responses of [TxJoined].
const Joined = "responses"

const txJoinedDoc = `tx_arbiter joins the responses, the ends of streams and the requester, one per cycle, with one cycle of latency.
Senders take turns. Whose turn it is is known a cycle before: it passes on when another sender waits, so a message that
finds the turn elsewhere waits one more cycle. When none waits, the responses have the turn. Messages leave from
registers.`

// TxJoined is the arbiter where the responses of all executors are one sender.
func TxJoined(c engine.Config) hdl.Block[TxArbiterPorts] {
	return txArbiterOf(c, txJoinedDoc, []string{Joined}, 0)
}

func txArbiterOf(c engine.Config, doc string, names []string, home int) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxMessageOf(c))
	ports := TxArbiterPorts{End: sink, Requests: sink, Message: hdl.NewSource(engine.TxMessageOf(c))}
	for _, name := range names {
		ports.Responses = append(ports.Responses, hdl.Name(name, sink))
	}
	return hdl.Block[TxArbiterPorts]{
		Kind: "tx_arbiter", Params: c.Params("streams", "ird"),
		Doc: doc, Ports: ports,
		Build: func(m *hdl.Module, p TxArbiterPorts) { buildTxArbiter(m, p, c, uint64(max(0, home))) },
	}
}

func buildTxArbiter(m *hdl.Module, p TxArbiterPorts, c engine.Config, home uint64) {
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
	turn := newTurn(m, len(senders), home)
	now, able := m.Let("has_turn", turn.now), m.Let("able", hdl.Cat(valid...))
	offers := m.Let("offers", able.And(now).Any())
	m.Note("The next waiting sender after it, otherwise the first that waits. A message on offer keeps the turn until it is taken.")
	others := m.Let("others", able.And(now.Not()))
	behind := m.Let("others_behind", others.And(block.Above(now)))
	choice := m.Let("choice", block.Lowest(m.Let("candidates", hdl.Mux(behind.Any(), behind, others))))
	turn.choose(choice, func() hdl.Value { return m.Let("turn_passes", others.Any().And(free.Or(offers.Not()))) }, able.Any().Not())

	m.Section("Message")
	var messages []hdl.Value
	for i, s := range senders {
		s.Of.Accept(m, now.Bit(i).And(free))
		messages = append(messages, hdl.Pack(s.Of.Data))
	}
	data := turn.pick(messages)
	m.OnClock(hdl.If(free, offered.Set(offers), out.Set(hdl.Unpack(proto, m.Let("chosen_message", data)))))
	p.Message.Drive(m, offered.Value, out.Q)
}

// senderTurn is whose turn it is. With few senders it is a number; with many it has 1 bit per sender, one register for decisions and one for
// the choice of a message, which has many bits.
type senderTurn struct {
	m             *hdl.Module
	now           hdl.Value // 1 bit per sender
	home          uint64    // whose turn it is when none waits
	number        hdl.Reg
	marks, others hdl.Reg
	many          bool
}

func newTurn(m *hdl.Module, senders int, home uint64) *senderTurn {
	t := &senderTurn{m: m, home: home, many: senders > 4}
	if t.many {
		t.marks, t.others = m.Reg("has_turn_q", senders, hdl.ResetTo(1<<home)), m.Reg("has_no_turn_q", senders, hdl.ResetTo(1<<senders-1-1<<home))
		t.now = t.marks.Value
		m.Unused("the others leave the choice to the first", t.others.Bit(0))
		return t
	}
	t.number = m.Reg("turn_q", block.IndexWidth(senders), hdl.ResetTo(home))
	var is []hdl.Value // most significant bit first
	for i := range senders {
		is = append([]hdl.Value{t.number.Is(uint64(i))}, is...)
	}
	t.now = hdl.Cat(is...)
	return t
}

// choose passes the turn on to the choice, 1 bit per sender, or home while none waits.
func (t *senderTurn) choose(choice hdl.Value, passing func() hdl.Value, none hdl.Value) {
	if t.many {
		home := hdl.Const(choice.Width(), 1<<t.home)
		t.m.OnClock(hdl.If(passing(), t.marks.Set(choice), t.others.Set(choice.Not())).ElseIf(none, t.marks.Set(home), t.others.Set(home.Not())))
		return
	}
	t.m.Unused("number 0 has no bits", choice.Bit(0))
	passes := passing()
	t.m.OnClock(hdl.If(passes, t.number.Set(t.m.Let("next_turn", block.NumberOf(choice)))).ElseIf(none, t.number.Set(hdl.Const(t.number.Width(), t.home))))
}

// pick is the message of the sender whose turn it is.
func (t *senderTurn) pick(messages []hdl.Value) (data hdl.Value) {
	for i, one := range messages {
		switch {
		case i > 0 && t.many:
			one = t.m.Let(fmt.Sprintf("message_up_to_%d", i), hdl.Mux(t.others.Bit(i).Not(), one, data))
		case i > 0:
			one = hdl.Mux(t.number.Is(uint64(i)), one, data)
		}
		data = one
	}
	return data
}
