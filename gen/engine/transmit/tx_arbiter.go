package transmit

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxArbiterPorts are the commands of all senders in, one stream of commands out.
type TxArbiterPorts struct {
	Responses []hdl.Named[hdl.Sink[engine.TxCommand]] `hdl:"-"`
	End       hdl.Sink[engine.TxCommand]
	Requests  hdl.Sink[engine.TxCommand]
	Abandoned hdl.In `doc:"requests sends no more of its current message"`
	Command   hdl.Source[engine.TxCommand]
}

const txArbiterDoc = `tx_arbiter shares the transmit side among the executors' responses, the ends of streams and the requester, one
command per cycle, with one cycle of latency. Senders that can go take turns, also within a message. Two messages
of one stream never mix: from the first segment of a message to its final one, the commands of other senders for
that stream wait.

Messages of %s have several segments: each of these senders finishes one before it begins the next;
requests may also abandon one, in the cycle in which its last command is accepted or later. After reset no sender
is inside a message. Commands leave from registers, and one more can wait, so that what a sender sees depends on
the other senders, not on who takes the commands.`

// TxArbiter is fair: each other sender overtakes a command that can go at most once.
func TxArbiter(c engine.Config) hdl.Block[TxArbiterPorts] {
	sink := hdl.NewSink(engine.TxCommandOf(c))
	ports := TxArbiterPorts{End: sink, Requests: sink, Abandoned: hdl.NewIn(1), Command: hdl.NewSource(engine.TxCommandOf(c))}
	var split []string
	for _, x := range c.Profile.Executors(c) {
		ports.Responses = append(ports.Responses, hdl.Name(x.Name, sink))
		if x.Split {
			split = append(split, x.Name)
		}
	}
	return hdl.Block[TxArbiterPorts]{
		Kind: "tx_arbiter", Params: c.Params("streams"),
		Doc: fmt.Sprintf(txArbiterDoc, strings.Join(append(split, "requests"), " and ")), Ports: ports,
		Build: func(m *hdl.Module, p TxArbiterPorts) { buildTxArbiter(m, p, c) },
	}
}

func buildTxArbiter(m *hdl.Module, p TxArbiterPorts, c engine.Config) {
	m.Section("Senders that can go: no other is inside a message of the stream")
	var senders []txSender
	for i, x := range c.Profile.Executors(c) {
		senders = append(senders, newTxSender(m, x.Name, p.Responses[i].Of, x.Split))
	}
	senders = append(senders, newTxSender(m, "end", p.End, false), newTxSender(m, "requests", p.Requests, true))

	var can []hdl.Value // most significant bit first
	var names []string
	for i, sender := range senders {
		able := sender.from.Valid
		for j, other := range senders {
			if j != i && other.split {
				able = able.And(other.inside.And(other.stream.Eq(sender.from.Data.Stream)).Not())
			}
		}
		can = append([]hdl.Value{m.Let(sender.name+"_can_go", able)}, can...)
		names = append(names, sender.name)
	}

	m.Section("The next sender that can go after the last one that went. From bit 0 on: " + strings.Join(names, ", "))
	proto := engine.TxCommandOf(c)
	buffer := block.NewSkid(m, "command", proto, p.Command)
	behind := m.Reg("behind_last_q", len(senders), hdl.ResetTo(0))
	candidates := m.Let("able", hdl.Cat(can...))
	ahead := m.Let("able_behind_last", candidates.And(behind.Value))
	choice := m.Let("choice", block.Lowest(m.Let("candidates", hdl.Mux(ahead.Any(), ahead, candidates))))
	goes := m.Let("goes", choice.And(buffer.Room.Replicate(len(senders))))
	m.OnClock(hdl.If(candidates.Any().And(buffer.Room), behind.Set(block.Above(choice))))

	m.Section("Command")
	packed := hdl.Value{}
	for i, sender := range senders {
		one := hdl.Pack(sender.from.Data).And(goes.Bit(i).Replicate(hdl.PackedWidth(proto)))
		if i > 0 {
			one = packed.Or(one)
		}
		packed = one
		sender.from.Accept(m, goes.Bit(i))
	}
	out := hdl.Unpack(proto, m.Let("chosen_command", packed))
	buffer.DriveMasked(candidates.Any().And(buffer.Room), out)
	requests := len(senders) - 1
	follow := hdl.Stmts{hdl.If(p.Abandoned.Value, senders[requests].inside.Set(hdl.Zero(1)))}
	for i, sender := range senders {
		passes := goes.Bit(i)
		if i == requests {
			passes = passes.And(p.Abandoned.Not())
		}
		if sender.split {
			follow = append(follow, sender.follow(passes, out))
		}
	}
	m.OnClock(follow)
}

// txSender is a source of commands. It has the registers if its messages may have several segments.
type txSender struct {
	name   string
	from   hdl.Sink[engine.TxCommand]
	split  bool
	inside hdl.Reg // it is inside a message
	stream hdl.Reg // of that message
}

func newTxSender(m *hdl.Module, name string, from hdl.Sink[engine.TxCommand], split bool) txSender {
	s := txSender{name: name, from: from, split: split}
	if split {
		s.inside = m.Reg(name+"_in_message_q", 1, hdl.ResetTo(0))
		s.stream = m.Reg(name+"_stream_q", from.Data.Stream.Width(), hdl.NoReset)
	}
	return s
}

// follow tracks a command of the sender that passes.
func (s txSender) follow(passes hdl.Value, c engine.TxCommand) hdl.Stmt {
	return hdl.If(passes, s.inside.Set(c.Final.Not()), s.stream.Set(c.Stream))
}
