package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxArbiterPorts joins those who have segments to send.
type TxArbiterPorts struct {
	Atomic    hdl.Sink[engine.TxCommand]
	Read      hdl.Sink[engine.TxCommand]
	End       hdl.Sink[engine.TxCommand]
	Requests  hdl.Sink[engine.TxCommand]
	Abandoned hdl.In `doc:"requests will send no more of the message that it is in the middle of"`
	Command   hdl.Source[engine.TxCommand]
}

const txArbiterDoc = `tx_arbiter shares the transmit side among four senders, one command per cycle, without latency. Senders that can go
take turns, also within a message. Two messages of one stream never mix: from the first segment of a message to its
final one, the commands of other senders for that stream wait.

Atomic and end send messages of one segment. Read and requests finish one message before they begin the next;
requests may also abandon one, in the cycle in which its last command is accepted or later. After reset no sender
is inside a message. Only the turn and the open messages are registered; the paths are combinational.`

// TxArbiter is fair: a command that can go is passed over at most once by each other sender.
func TxArbiter(c engine.Config) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxCommandOf(c))
	return hdl.Block[TxArbiterPorts]{
		Kind: "tx_arbiter", Params: c.Params("streams"),
		Doc: txArbiterDoc,
		Ports: TxArbiterPorts{Atomic: sink, Read: sink, End: sink, Requests: sink, Abandoned: hdl.NewIn(1),
			Command: hdl.NewSource(engine.TxCommandOf(c))},
		Build: func(m *hdl.Module, p TxArbiterPorts) { buildTxArbiter(m, p, c) },
	}
}

func buildTxArbiter(m *hdl.Module, p TxArbiterPorts, c engine.Config) {
	senders := []hdl.Sink[engine.TxCommand]{p.Atomic, p.Read, p.End, p.Requests}
	names := []string{"atomic", "read", "end", "requests"}

	m.Section("Who can go: nobody else is in the middle of a message of the stream")
	middle := map[int]txMessage{}
	for _, i := range []int{1, 3} {
		middle[i] = txMessage{m.Reg(names[i]+"_in_message_q", 1, hdl.ResetTo(0)),
			m.Reg(names[i]+"_stream_q", p.Read.Data.Stream.Width(), hdl.NoReset)}
	}
	var can []hdl.Value // most significant bit first
	for i, sender := range senders {
		able := sender.Valid
		for _, j := range []int{1, 3} {
			if j != i {
				able = able.And(middle[j].under.And(middle[j].stream.Eq(sender.Data.Stream)).Not())
			}
		}
		can = append([]hdl.Value{m.Let(names[i]+"_can_go", able)}, can...)
	}

	m.Section("Who goes: the first behind the one that went last. Bit 0 is atomic, then read, end, requests")
	behind := m.Reg("behind_last_q", len(senders), hdl.ResetTo(0))
	waiting := m.Reg("waiting_q", 1, hdl.ResetTo(0))
	chosen := m.Reg("chosen_q", len(senders), hdl.NoReset)
	candidates := m.Let("able", hdl.Cat(can...))
	ahead := m.Let("able_behind_last", candidates.And(behind.Value))
	choice := m.Let("choice", lowest(m.Let("candidates", hdl.Mux(ahead.Any(), ahead, candidates))))
	m.Note("A command that was offered and not taken stays chosen, so that the offer does not change.")
	goes := m.Let("goes", hdl.Mux(waiting.Value, chosen.Value, choice))
	valid := m.Let("valid", goes.Any())
	pass := m.Let("pass", valid.And(p.Command.Ready))
	m.OnClock(
		waiting.Set(valid.And(p.Command.Ready.Not())),
		chosen.Set(goes),
		hdl.If(pass, behind.Set(above(goes))))

	m.Section("Command")
	proto, packed := engine.TxCommandOf(c), hdl.Value{}
	for i, sender := range senders {
		one := hdl.Pack(sender.Data).And(goes.Bit(i).Spread(hdl.PackedWidth(proto)))
		if i > 0 {
			one = packed.Or(one)
		}
		packed = one
		sender.Accept(m, p.Command.Ready.And(goes.Bit(i)))
	}
	out := hdl.Unpack(proto, m.Let("command", packed))
	p.Command.Drive(m, valid, out)
	m.OnClock(
		hdl.If(p.Abandoned.Value, middle[3].under.Set(hdl.Zero(1))),
		middle[1].follow(pass.And(goes.Bit(1)), out),
		middle[3].follow(pass.And(goes.Bit(3)).And(p.Abandoned.Not()), out))
}

// txMessage is what a sender is in the middle of.
type txMessage struct {
	under  hdl.Reg // a message
	stream hdl.Reg
}

// follow notes a command that passes.
func (t txMessage) follow(passes hdl.Value, c engine.TxCommand) hdl.Stmt {
	return hdl.If(passes, t.under.Set(c.Final.Not()), t.stream.Set(c.Stream))
}

// lowest keeps the lowest bit that is set.
func lowest(v hdl.Value) hdl.Value { return v.And(above(v).Not()) }

// above marks the bits that have a set bit below them.
func above(v hdl.Value) hdl.Value {
	bits := []hdl.Value{hdl.Zero(1)} // most significant first
	for i := 1; i < v.Width(); i++ {
		bits = append([]hdl.Value{v.Slice(i-1, 0).Any()}, bits...)
	}
	return hdl.Cat(bits...)
}
