package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// messageFlags say what a message of the buffer is. They have a buffer of their own.
type messageFlags struct {
	Abandons hdl.Value // no message: a work request of the stream is not sent
	Asks     hdl.Value // the receive side must know what to expect
}

// bufferedMessage is a message of the requester; of a work request that is not sent only the stream counts.
type bufferedMessage struct {
	Stream       hdl.Value
	HeaderLength hdl.Value
	Header       hdl.Value
	Address      hdl.Value
	Length       hdl.Value
	Tag          any
}

// messageBuffers are at the end of the pipeline of request_messages.
type messageBuffers struct {
	m        *hdl.Module
	p        RequestMessagesPorts
	c        engine.Config
	messages block.Reserved[bufferedMessage]
	expects  block.Reserved[engine.Expecting]
	out      hdl.Sink[bufferedMessage]
	flags    hdl.Source[messageFlags]
	failures hdl.Source[engine.Failure]
	gives    hdl.Value // an element that is not sent, and not the last one: it has no message; unset if that cannot be
}

func newMessageBuffers(m *hdl.Module, p RequestMessagesPorts, c engine.Config) messageBuffers {
	message := engine.TxMessageOf(c)
	bit := hdl.Bits(1)
	out := hdl.NewStream(m, "next_message", bufferedMessage{Stream: message.Stream, HeaderLength: message.HeaderLength, Header: message.Header,
		Address: message.Address, Length: message.Length, Tag: message.Tag})
	known := hdl.NewStream(m, "known", engine.ExpectingOf(c))
	reserved := block.NewReserved[engine.Expecting]
	if compares(c) {
		reserved = block.NewWideReserved[engine.Expecting]
	}
	b := messageBuffers{m: m, p: p, c: c, out: out.Sink(),
		messages: block.NewWideReserved(m, "buffered", messageDepth, out.Sink().Data, out.Source()),
		expects:  reserved(m, "expecting", messageDepth, engine.ExpectingOf(c), known.Source())}
	next := hdl.NewStream(m, "next_flags", messageFlags{bit, bit})
	b.flags = next.Source()
	if failsAlone(c) {
		b.offer(known.Sink(), next.Sink(), nil)
		return b
	}
	failure, failed := hdl.NewStream(m, "failure", engine.FailureOf(c)), hdl.NewStream(m, "first_failure", engine.FailureOf(c))
	b.failures = failure.Source()
	block.Fifo(m, "failures", max(2, c.Streams), failure.Sink(), failed.Source())
	first := failed.Sink()
	b.offer(known.Sink(), next.Sink(), &first)
	return b
}

// room is 1 when one more work request may enter the pipeline.
func (b messageBuffers) room() hdl.Value { return b.messages.Room.And(b.expects.Room) }

// offer offers messages in order, those of Reads and Atomics once the receive side knows of them. failed is nil if no stream fails.
func (b messageBuffers) offer(known hdl.Sink[engine.Expecting], flags hdl.Sink[messageFlags], failed *hdl.Sink[engine.Failure]) {
	m, p, c := b.m, b.p, b.c
	m.Section("Offer messages; that of a Read or Atomic after the receive side has accepted what to expect")
	p.Expecting.Drive(m, known.Valid, known.Data)
	known.Accept(m, p.Expecting.Ready)
	width := block.IndexWidth(messageDepth) + 2
	ahead := m.Reg("announced_q", width, hdl.ResetTo(0))
	none := m.Reg("none_announced_q", 1, hdl.ResetTo(1))
	o, f := b.out.Data, flags.Data
	m.Unused("the flags are valid with it", b.out.Valid)
	waits := m.Let("waits", f.Asks.And(none.Value))
	offers := m.Let("offers", hdl.AllOf(flags.Valid, f.Abandons.Not(), waits.Not()))
	announces := m.Let("announces", known.Valid.And(p.Expecting.Ready))
	leaves := m.Let("request_leaves", hdl.AllOf(offers, f.Asks, p.Message.Ready))
	m.Note("Both sums are ready when it is known whether a request leaves.")
	stays, fewer := m.Let("announced_if_stays", ahead.Add(announces.ZeroExtend(width))), m.Let("announced_if_leaves", ahead.Minus(1).Add(announces.ZeroExtend(width)))
	m.OnClock(ahead.Set(hdl.Mux(leaves, fewer, stays)), none.Set(hdl.Mux(leaves, fewer.IsZero(), stays.IsZero())))
	number := hdl.Zero(engine.NumberBits(c))
	if engine.TxReportOf(c).Asks != nil {
		number = f.Asks.ZeroExtend(number.Width())
	}
	p.Message.Drive(m, offers, engine.TxMessage{Stream: o.Stream, Kind: hdl.Const(c.Kinds().SendBits(), engine.KindMessage), Number: number,
		HeaderLength: o.HeaderLength, Header: o.Header, Address: o.Address, Length: o.Length, Tag: o.Tag})
	may := hdl.Ones(1)
	if failed == nil {
		p.Failed.Drive(m, hdl.Zero(1), engine.LocalFailure(c, o.Stream))
		m.Unused("no stream fails here", p.Failed.Ready)
		p.Abandoned.Drive(m, m.Let("abandons", flags.Valid.And(f.Abandons)), engine.Ended{Stream: o.Stream})
	} else {
		may = b.fail(*failed, flags)
	}
	takes := m.Let("next_leaves", hdl.Mux(f.Abandons, p.Abandoned.Ready.And(may), p.Message.Ready.And(waits.Not())))
	flags.Accept(m, takes)
	b.out.Accept(m, takes)
}

// fail reports failures before a work request is abandoned. The result is 1 when one may be.
func (b messageBuffers) fail(failed hdl.Sink[engine.Failure], flags hdl.Sink[messageFlags]) hdl.Value {
	m, p := b.m, b.p
	m.Note("A work request is abandoned when all failures have been accepted.")
	p.Failed.Drive(m, failed.Valid, failed.Data)
	failed.Accept(m, p.Failed.Ready)
	m.Note("Once it is offered it stays: a later failure is of a later work request.")
	offered := m.Reg("abandon_waits_q", 1, hdl.ResetTo(0))
	may := m.Let("may_abandon", offered.Or(failed.Valid.Not()))
	abandons := m.Let("abandons", hdl.AllOf(flags.Valid, flags.Data.Abandons, may))
	m.OnClock(offered.Set(abandons.And(p.Abandoned.Ready.Not())))
	p.Abandoned.Drive(m, abandons, engine.Ended{Stream: b.out.Data.Stream})
	return may
}

// fill puts the message in the last stage of the pipeline in the buffers.
func (b messageBuffers) fill(s *messages) {
	m, p, c := b.m, b.p, b.c
	m.Section("Message")
	w := hdl.Unpack(waitingWorkOf(c), s.work.At(built))
	kind := hdl.Unpack(engine.WorkKindOf(c), s.kind.At(built))
	number := s.msn.At(built)
	held := engine.HeldWork{Stream: s.stream.At(built), Number: number, ID: w.ID, Signaled: w.Signaled, Opcode: w.Opcode, Kind: kind, Local: w.Local,
		Remote: w.Remote, Length: s.length.At(built), Operands: w.Operands, Tag: w.Tag, Named: w.Length}
	if failsAlone(c) {
		held.Unfit, held.Refused = s.unfit.At(built), s.refused.At(built)
	}
	if e := s.elements; e != nil {
		held.First, held.Remote.TO = e.first.At(built), e.remote.At(built)
		m.Unused("moved by the octets before the element", w.Remote.TO)
		engine.UnusedTag(m, "used before", w.TooLong)
	}
	octets, headerLength := c.Profile.Header(m, held)
	enters := m.Let("enters_pipeline", s.Valid(0).And(p.Opened.Not()))
	leaves := m.Let("leaves_pipeline", s.Valid(built).And(s.opens.At(built).Not()))
	sent := m.Let("leaves_sent", leaves.And(s.sent.At(built)))
	message := bufferedMessage{Stream: s.stream.At(built), HeaderLength: headerLength, Header: octets,
		Address: s.region.Address.At(built), Length: s.length.At(built).And(s.moves.At(built).Replicate(32)), Tag: c.Profile.Message(m, held)}
	expecting := func() engine.Expecting {
		return engine.Expecting{Stream: s.stream.At(built), Expected: engine.Expected{Executor: kind.Executor(),
			Identifier: number, Local: w.Local, Length: s.length.At(built), Compared: c.Profile.Compared(m, held)}}
	}
	if compares(c) {
		m.Note("One more stage: the choice of a header among so many is slow.")
		type made struct {
			Message   bufferedMessage
			Flags     messageFlags
			Expecting engine.Expecting
		}
		now := made{message, messageFlags{Abandons: sent.Not(), Asks: s.asks.At(built)}, expecting()}
		is, next := m.Reg("is_made_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "made", now, hdl.NoReset)
		m.OnClock(is.Set(leaves), next.Set(now))
		q := next.Q
		b.store(enters, is.Value, is.And(q.Flags.Abandons.Not()), q.Message, func() messageFlags { return q.Flags }, func() engine.Expecting { return q.Expecting })
		return
	}
	if e := s.elements; e != nil {
		b.gives = m.Let("leaves_nothing", leaves.And(s.sent.At(built).Or(e.last.At(built)).Not()))
		leaves = leaves.And(b.gives.Not())
	}
	b.store(enters, leaves, sent, message, func() messageFlags { return messageFlags{Abandons: sent.Not(), Asks: s.asks.At(built)} }, expecting)
}

// store puts a message in the buffers, with what the receive side must know if it is sent and asks for a response.
func (b messageBuffers) store(enters, leaves, sent hdl.Value, message bufferedMessage, flags func() messageFlags, expecting func() engine.Expecting) {
	m := b.m
	b.messages.Drive(enters, b.gives, leaves, message)
	m.Note("A place in the buffer of messages is reserved.")
	f := flags()
	block.Roomy(m, "flags_buffer", messageDepth, leaves, f, b.flags)
	announces := m.Let("fills_expecting", sent.And(f.Asks))
	spares := leaves
	if b.gives.Width() > 0 {
		spares = leaves.Or(b.gives)
	}
	b.expects.Drive(enters, spares.And(announces.Not()), announces, expecting())
}

// compares reports whether responses are compared.
func compares(c engine.Config) bool { return c.Profile.ComparedTag() != nil }
