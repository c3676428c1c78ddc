package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// commandFlags say what a command of the buffer is. They have a buffer of their own.
type commandFlags struct {
	Abandons hdl.Value // no command: a message of the stream is not sent to its end
	Asks     hdl.Value // the receive side must know what to expect
}

// bufferedCommand is a command of the requester; of one that abandons a message only the stream counts.
type bufferedCommand struct {
	Stream, Final hdl.Value
	HeaderLength  hdl.Value
	Header        hdl.Value
	Address       hdl.Value
	PayloadLength hdl.Value
}

// segmentBuffers are behind the pipeline of request_segments.
type segmentBuffers struct {
	m        *hdl.Module
	p        RequestSegmentsPorts
	c        engine.Config
	commands block.Reserved[bufferedCommand]
	expects  block.Reserved[engine.Expecting]
	out      hdl.Sink[bufferedCommand]
	flags    hdl.Source[commandFlags]
	failures hdl.Source[engine.Failure]
}

func newSegmentBuffers(m *hdl.Module, p RequestSegmentsPorts, c engine.Config) segmentBuffers {
	command := engine.TxCommandOf(c)
	bit := hdl.Bits(1)
	out := hdl.NewStream(m, "next_command", bufferedCommand{Stream: command.Stream, Final: bit, HeaderLength: command.HeaderLength,
		Header: command.Header, Address: command.Address, PayloadLength: command.PayloadLength})
	known := hdl.NewStream(m, "known", engine.ExpectingOf(c))
	b := segmentBuffers{m: m, p: p, c: c, out: out.Sink(),
		commands: block.NewWideReserved(m, "command", commandDepth, out.Sink().Data, out.Source()),
		expects:  block.NewReserved(m, "expecting", commandDepth, engine.ExpectingOf(c), known.Source())}
	in, next := hdl.NewStream(m, "flags", commandFlags{bit, bit}), hdl.NewStream(m, "next_flags", commandFlags{bit, bit})
	b.flags = in.Source()
	block.Buffer(m, "flags_buffer", commandDepth, in.Sink(), next.Source())
	failure, failed := hdl.NewStream(m, "failure", engine.FailureOf(c.Streams)), hdl.NewStream(m, "first_failure", engine.FailureOf(c.Streams))
	b.failures = failure.Source()
	block.Fifo(m, "failures", max(2, c.Streams), failure.Sink(), failed.Source())
	b.offer(known.Sink(), next.Sink(), failed.Sink())
	return b
}

// room is 1 when one more segment may enter the pipeline.
func (b segmentBuffers) room() hdl.Value { return b.commands.Room.And(b.expects.Room) }

// offer offers commands in order, those of Reads and Atomics once the receive side knows of them.
func (b segmentBuffers) offer(known hdl.Sink[engine.Expecting], flags hdl.Sink[commandFlags], failed hdl.Sink[engine.Failure]) {
	m, p, c := b.m, b.p, b.c
	m.Section("Offer commands; one of a Read or Atomic after the receive side has accepted what to expect")
	p.Expecting.Drive(m, known.Valid, known.Data)
	known.Accept(m, p.Expecting.Ready)
	width := block.IndexWidth(commandDepth) + 2
	ahead := m.Reg("announced_q", width, hdl.ResetTo(0))
	none := m.Reg("none_announced_q", 1, hdl.ResetTo(1))
	o, f := b.out.Data, flags.Data
	m.Unused("the flags are valid with it", b.out.Valid)
	waits := m.Let("waits", f.Asks.And(none.Value))
	offers := m.Let("offers", hdl.AllOf(flags.Valid, f.Abandons.Not(), waits.Not()))
	announces := m.Let("announces", known.Valid.And(p.Expecting.Ready))
	leaves := m.Let("request_leaves", hdl.AllOf(offers, f.Asks, p.Command.Ready))
	next := m.Let("announced_next", ahead.Add(announces.ZeroExtend(width)).Sub(leaves.ZeroExtend(width)))
	m.OnClock(ahead.Set(next), none.Set(next.IsZero()))
	p.Command.Drive(m, offers, engine.TxCommand{Stream: o.Stream, Kind: hdl.Const(c.Kinds().SendBits(), engine.KindMessage), Final: o.Final, Number: hdl.Zero(32),
		HeaderLength: o.HeaderLength, Header: o.Header, Address: o.Address, PayloadLength: o.PayloadLength})
	m.Note("A work request is abandoned when all failures have been accepted.")
	p.Failed.Drive(m, failed.Valid, failed.Data)
	failed.Accept(m, p.Failed.Ready)
	m.Note("Once it is offered it stays: a later failure is of a later work request.")
	offered := m.Reg("abandon_waits_q", 1, hdl.ResetTo(0))
	may := m.Let("may_abandon", offered.Or(failed.Valid.Not()))
	abandons := m.Let("abandons", hdl.AllOf(flags.Valid, f.Abandons, may))
	m.OnClock(offered.Set(abandons.And(p.Abandoned.Ready.Not())))
	p.Abandoned.Drive(m, abandons, engine.Ended{Stream: o.Stream})
	takes := m.Let("next_leaves", hdl.Mux(f.Abandons, p.Abandoned.Ready.And(may), p.Command.Ready.And(waits.Not())))
	flags.Accept(m, takes)
	b.out.Accept(m, takes)
}

// fill puts the segment in the last stage of the pipeline in the buffers.
func (b segmentBuffers) fill(s *segments) {
	m, p, c := b.m, b.p, b.c
	m.Section("Command")
	w := hdl.Unpack(waitingWorkOf(c), s.work.At(built))
	kind := hdl.Unpack(engine.WorkKindOf(c), s.kind.At(built))
	last, number := s.last.At(built), s.msn.At(built)
	held := engine.HeldWork{Stream: s.stream.At(built), ID: w.ID, Signaled: w.Signaled, Opcode: w.Opcode, Kind: kind, LocalSTag: w.Local.STag,
		RemoteSTag: w.Remote.STag, Length: s.length.At(built), Operands: w.Operands}
	m.Unused("the TO of the segment is computed", w.Remote.TO)
	offset := hdl.Cat(s.index.At(built), hdl.Zero(payloadBits(c)))
	octets, headerLength := c.Profile.Header(m, engine.RequestSegment{Work: held, Local: w.Local.TO, Remote: s.remote.At(built), Offset: offset, Last: last, Number: number})
	enters := m.Let("enters_pipeline", s.Valid(0).And(p.Opened.Not()))
	isSegment := m.Let("leaves_pipeline", s.Valid(built).And(s.opens.At(built).Not()))
	sent := m.Let("leaves_sent", isSegment.And(s.sent.At(built)))
	abandons := m.Let("ends_unsent", hdl.AllOf(isSegment, sent.Not(), last))
	command := m.Let("fills_command", sent.Or(abandons))
	b.commands.Drive(enters, isSegment.And(command.Not()), command, bufferedCommand{Stream: s.stream.At(built), Final: last,
		HeaderLength: headerLength, Header: octets, Address: s.region.Address.At(built),
		PayloadLength: wide(s.payload.At(built), 16).And(s.moves.At(built).Replicate(16))})
	b.flags.Drive(m, command, commandFlags{Abandons: sent.Not(), Asks: s.asks.At(built)})
	m.Unused("a place in the buffer of commands is reserved", b.flags.Ready)
	announces := m.Let("fills_expecting", sent.And(s.asks.At(built)))
	b.expects.Drive(enters, isSegment.And(announces.Not()), announces, engine.Expecting{Stream: s.stream.At(built), Expected: engine.Expected{Executor: kind.Executor(),
		Identifier: number, Local: engine.Buffer{STag: w.Local.STag, TO: w.Local.TO}, Length: s.length.At(built)}})
}
