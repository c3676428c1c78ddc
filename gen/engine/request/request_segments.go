package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestSegmentsPorts start work requests.
type RequestSegmentsPorts struct {
	Work      hdl.Sink[engine.WorkRequest] `doc:"accepted in one cycle: it is issued or refused"`
	Number    hdl.In                       `doc:"work requests of its stream issued before, modulo twice the limit of those in progress"`
	Refused   hdl.Out                      `doc:"it has to wait until something of its stream is complete"`
	Local     engine.STagLookup
	Command   hdl.Source[engine.TxCommand]
	Expecting hdl.Source[engine.Expecting]
	Failed    hdl.Source[engine.Failure]
	Abandoned hdl.Source[engine.Ended] `doc:"a work request was issued whose last command will never be reported"`

	Look         hdl.In  `doc:"a work request of look_stream is offered in the next cycle"`
	LookStream   hdl.In  `doc:"number of the stream"`
	State        hdl.In  `doc:"packed sendState of its stream"`
	Busy         hdl.In  `doc:"the state of busy_stream is about to change"`
	BusyStream   hdl.In  `doc:"number of the stream"`
	Store        hdl.Out `doc:"an entry of the work requests in progress changes"`
	StoreStream  hdl.Out `doc:"number of the stream"`
	StoreSlot    hdl.Out `doc:"its slot in the ring"`
	StoreEntry   hdl.Out `doc:"packed underWay"`
	Opened       hdl.In  `doc:"opened_stream is reset"`
	OpenedStream hdl.In  `doc:"number of the stream"`
	OpenedDomain hdl.In  `doc:"protection domain"`

	Reported      hdl.In `doc:"a command was sent or dropped"`
	Closing       hdl.In `doc:"closing_stream has ended"`
	ClosingStream hdl.In `doc:"number of the stream"`
}

const requestSegmentsDoc = `request_segments starts work requests, one after another, and makes the commands for their segments: at most %d
octets of payload each, the last one shorter; a message without octets is one segment. It makes one command per
cycle for a long message, and accepts a work request every 2 cycles, a Read or Atomic every 3.

A work request starts when its stream has a free place among those in progress and, for a Read or Atomic, among
those without a response; otherwise it is refused. The local buffer is checked for each segment when its command is
made. If the check fails, or the opcode is not one of a work request, nothing more of the message is sent and the
failure is reported. If the stream ends, nothing more of the message is sent. In both cases the block waits until
all commands are reported and then abandons the work request. On a stream that is not open it abandons the work
request as soon as no command waits.

The command of a Read or Atomic is offered after the receive side has accepted what to expect.`

// segmentsState is the state of request_segments.
type segmentsState int

const (
	segmentsIdle       segmentsState = iota
	segmentsSending                  // one command per cycle
	segmentsAnnouncing               // reporting to the receive side what to expect
	segmentsFailing                  // reporting the failure
	segmentsDraining                 // waiting until every command is reported
	segmentsAbandoning
)

func (s segmentsState) String() string {
	return [...]string{"idle", "sending", "announcing", "failing", "draining", "abandoning"}[s]
}

// RequestSegments keeps per stream: Message Sequence Numbers, domain, and a count of Reads and Atomics.
func RequestSegments(c engine.Config) hdl.Block[RequestSegmentsPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[RequestSegmentsPorts]{
		Kind: "request_segments", Params: c.Params("streams", "send_depth", "ord", "max_payload"),
		Doc: fmt.Sprintf(requestSegmentsDoc, c.MaxPayload),
		Ports: RequestSegmentsPorts{
			Work: hdl.NewSink(engine.WorkRequestOf(c)), Number: hdl.NewIn(block.IndexWidth(c.SendDepth) + 1), Refused: hdl.NewOut(1), Local: engine.STagLookupOf(), Command: hdl.NewSource(engine.TxCommandOf(c)),
			Expecting: hdl.NewSource(engine.ExpectingOf(c)), Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Abandoned: hdl.NewSource(engine.EndedOf(c.Streams)),
			Look: hdl.NewIn(1), LookStream: hdl.NewIn(sw), State: hdl.NewIn(hdl.PackedWidth(sendState(c))), Busy: hdl.NewIn(1), BusyStream: hdl.NewIn(sw),
			Store: hdl.NewOut(1), StoreStream: hdl.NewOut(sw), StoreSlot: hdl.NewOut(block.IndexWidth(c.SendDepth)), StoreEntry: hdl.NewOut(hdl.PackedWidth(underWay(c))),
			Opened: hdl.NewIn(1), OpenedStream: hdl.NewIn(sw), OpenedDomain: hdl.NewIn(engine.DomainBits),
			Reported: hdl.NewIn(1), Closing: hdl.NewIn(1), ClosingStream: hdl.NewIn(sw),
		},
		Build: func(m *hdl.Module, p RequestSegmentsPorts) { buildRequestSegments(m, p, c) },
	}
}

// issueState is the state of a stream.
type issueState struct {
	SendMsn    hdl.Value // of the next message without a response
	RequestMsn hdl.Value // of the next Read or Atomic Request
	Domain     hdl.Value
	Requests   hdl.Value // Reads and Atomics, modulo twice the limit of those without a response
}

func IssueStateOf(c engine.Config) issueState {
	return issueState{SendMsn: hdl.Bits(32), RequestMsn: hdl.Bits(32), Domain: hdl.Bits(engine.DomainBits), Requests: hdl.Bits(block.IndexWidth(c.ORD) + 1)}
}

// messagePosition is the position of the next segment in its message.
type messagePosition struct {
	Local  hdl.Value // TO of the local buffer
	Remote hdl.Value // TO at the peer
	Offset hdl.Value // octets before it
	Left   hdl.Value // octets of payload from there on
}

// heldCommand are the fields of a command that depend on the work request.
type heldCommand struct {
	Stream, Final, HeaderLength, Header, Address, PayloadLength hdl.Value
}

// commandCountBits is the width of the count of unreported commands; commands wait at its maximum.
const commandCountBits = 16

func buildRequestSegments(m *hdl.Module, p RequestSegmentsPorts, c engine.Config) {
	sw, dw, ow := block.IndexWidth(c.Streams), block.IndexWidth(c.SendDepth), block.IndexWidth(c.ORD)
	state := hdl.NewFSM(m, "state", segmentsIdle, segmentsSending, segmentsAnnouncing, segmentsFailing, segmentsDraining, segmentsAbandoning)
	is := func(s segmentsState) hdl.Value { return m.Let("is_"+s.String(), state.Is(s)) }
	idle, sending, announcing, failing, abandoning := is(segmentsIdle), is(segmentsSending), is(segmentsAnnouncing), is(segmentsFailing), is(segmentsAbandoning)
	sweep := block.NewSweep(m, sw)
	profile, kinds := c.Profile, c.Kinds()

	m.Section("The work request, and the position of the next segment in its message")
	offer := p.Work.Data
	offered := profile.Work(m, "work", offer.Opcode)
	bit := hdl.Bits(1)
	work := hdl.NewRegOf(m, "work", engine.HeldWork{Stream: hdl.Bits(sw), ID: hdl.Bits(64), Signaled: bit, Opcode: hdl.Bits(profile.OpcodeBits()),
		Kind:      engine.WorkKindOf(c),
		LocalSTag: hdl.Bits(32), RemoteSTag: hdl.Bits(32), Length: hdl.Bits(32), Operands: engine.AtomicOperandsOf()}, hdl.NoReset)
	at := hdl.NewRegOf(m, "at", messagePosition{hdl.Bits(64), hdl.Bits(64), hdl.Bits(32), hdl.Bits(32)}, hdl.NoReset)
	w, kind := work.Q, work.Q.Kind
	isRequest := m.Let("is_request", kind.Request())
	w.Length = m.Let("octets", hdl.Mux(profile.Word(kind), hdl.Const(32, 8), w.Length))

	m.Section("State of its stream, read in every cycle before one in which it is offered")
	stream := m.Let("stream", hdl.Mux(idle, offer.Stream, w.Stream))
	begins := m.Wire("begins", 1)
	states := block.NewContext(m, "issue_state", hdl.Zero(hdl.PackedWidth(IssueStateOf(c))), sweep)
	issued := hdl.NewRegOf(m, "issued", struct{ Msn, Domain, Slot hdl.Value }{hdl.Bits(32), hdl.Bits(engine.DomainBits), hdl.Bits(dw)}, hdl.NoReset)
	now := hdl.Unpack(IssueStateOf(c), states.Read("issue_state", p.Look.Value, p.LookStream.Value))
	asks := m.Let("asks_for_response", offered.Request())
	sends := m.Let("is_send", offered.Send.Or(offered.Immediate))
	one := hdl.Const(32, 1)
	states.Write(
		block.Change{When: p.Opened.Value, Stream: p.OpenedStream.Value, Word: hdl.Pack(issueState{SendMsn: one, RequestMsn: one,
			Domain: p.OpenedDomain.Value, Requests: hdl.Zero(ow + 1)})},
		block.Change{When: begins.Value, Stream: offer.Stream, Word: hdl.Pack(issueState{
			SendMsn: now.SendMsn.Add(sends.ZeroExtend(32)), RequestMsn: now.RequestMsn.Add(asks.ZeroExtend(32)),
			Domain: now.Domain, Requests: now.Requests.Add(asks.ZeroExtend(ow + 1))})})

	m.Section("May it be issued?")
	m.Note("Counts are modulo twice the limit: the top bit of a difference is set when the limit is reached.")
	done := hdl.Unpack(sendState(c), p.State.Value)
	m.Unused("only send_completion reads them", done.Ended, done.Sent, done.Answered)
	underWayCount := m.Let("under_way", p.Number.Sub(done.Oldest))
	unanswered := m.Let("unanswered", now.Requests.Sub(done.Finished))
	m.Unused("only whether the limit is reached matters", underWayCount.Truncate(dw), unanswered.Truncate(ow))
	limited := m.Let("limited", underWayCount.Bit(dw).Or(asks.And(unanswered.Bit(ow))))
	decides := m.Let("decides", hdl.AllOf(idle, p.Work.Valid, p.Opened.Not(), p.Busy.And(p.BusyStream.Eq(offer.Stream)).Not()))
	p.Work.Accept(m, decides)
	m.Drive(p.Refused, limited)
	m.Drive(begins.Out(), decides.And(limited.Not()))
	closes := m.Let("closes", p.Closing.And(p.ClosingStream.Eq(stream)))
	closed := m.Reg("closed_q", 1, hdl.NoReset)

	m.Section("Segment: the local buffer is looked up in the cycle before each check")
	m.Drive(p.Local.Enable, begins.Or(sending))
	m.Drive(p.Local.Index, hdl.Mux(idle, offer.Local.STag, w.LocalSTag).Slice(31, 8))
	moves := m.Let("moves_payload", kind.Write.Or(kind.Send))
	fits := m.Let("fits", at.Q.Left.Le(hdl.Const(32, uint64(c.MaxPayload))))
	last := m.Let("last", moves.Not().Or(fits))
	segment := m.Let("segment_length", hdl.Mux(fits, at.Q.Left, hdl.Const(32, uint64(c.MaxPayload))))
	entry := hdl.Unpack(engine.STagEntryOf(), p.Local.Entry.Value)
	m.Unused("rights of the peer", entry.Rights.RemoteRead, entry.Rights.RemoteWrite, entry.Rights.RemoteAtomic, entry.Rights.Invalidate)
	checked := m.Let("checked_length", hdl.Select(segment,
		hdl.When{Cond: isRequest, Then: w.Length}, hdl.When{Cond: kind.Immediate, Then: hdl.Zero(32)}))
	region := memory.RegionCheck(m, "local_buffer", memory.RegionQuery{Entry: entry, STag: w.LocalSTag, TO: at.Q.Local, Length: checked,
		Right: hdl.Mux(isRequest, entry.Rights.LocalWrite, entry.Rights.LocalRead), Stream: w.Stream, Domain: issued.Q.Domain})
	fails := m.Let("fails", hdl.AllOf(sending, closed.Not(), region.Any.Or(kind.Any.Not())))

	m.Section("Command")
	command := hdl.NewRegOf(m, "held", heldCommand{Stream: hdl.Bits(sw), Final: hdl.Bits(1), HeaderLength: hdl.Bits(7),
		Header: hdl.Bits(8 * profile.HeaderOctets()), Address: hdl.Bits(64), PayloadLength: hdl.Bits(16)}, hdl.NoReset)
	commandValid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	unreported := m.Reg("unreported_q", commandCountBits, hdl.ResetTo(0))
	free := m.Let("free", commandValid.Not().Or(p.Command.Ready).And(unreported.All().Not()))
	proceeds := m.Let("proceeds", hdl.AllOf(sending, closed.Not(), fails.Not(), free))
	announced := m.Let("announced", announcing.And(p.Expecting.Ready))
	makes := m.Let("makes_command", announced.Or(proceeds.And(isRequest.Not())))
	octets, headerLength := profile.Header(m, engine.RequestSegment{Work: w, Local: at.Q.Local, Remote: at.Q.Remote,
		Offset: at.Q.Offset, Last: last, Number: issued.Q.Msn})
	m.OnClock(
		hdl.If(makes, command.Set(heldCommand{Stream: w.Stream, Final: last, HeaderLength: headerLength, Header: octets,
			Address: region.Address, PayloadLength: segment.Truncate(16).And(moves.Replicate(16))}), commandValid.Set(hdl.Ones(1))).
			ElseIf(p.Command.Ready, commandValid.Set(hdl.Zero(1))),
		hdl.If(makes.And(p.Reported.Not()), unreported.Set(unreported.Plus(1))).
			ElseIf(p.Reported.And(makes.Not()), unreported.Set(unreported.Sub(hdl.Const(commandCountBits, 1)))),
	)
	held := command.Q
	p.Command.Drive(m, commandValid.Value, engine.TxCommand{Stream: held.Stream, Kind: hdl.Const(kinds.SendBits(), kinds.Message), Final: held.Final, Number: hdl.Zero(32),
		HeaderLength: held.HeaderLength, Header: held.Header, Address: held.Address, PayloadLength: held.PayloadLength})
	p.Expecting.Drive(m, announcing, engine.Expecting{Stream: w.Stream, Expected: engine.Expected{Executor: kind.Executor(), Identifier: issued.Q.Msn,
		Local: engine.Buffer{STag: w.LocalSTag, TO: at.Q.Local}, Length: w.Length}})

	m.Section("Work requests in progress; a failed one is marked")
	justIssued := m.Reg("just_issued_q", 1, hdl.ResetTo(0))
	m.Drive(p.Store, justIssued.Or(fails))
	m.Drive(p.StoreStream, w.Stream)
	m.Drive(p.StoreSlot, issued.Q.Slot)
	m.Drive(p.StoreEntry, hdl.Pack(UnderWay{ID: w.ID, Opcode: w.Opcode, Signaled: w.Signaled, Length: w.Length, Failed: fails}))
	p.Failed.Drive(m, failing, engine.Failure{Stream: w.Stream, Fault: engine.FaultOf(engine.FaultLocal)})
	m.Note("Only after the commands of earlier messages have left.")
	p.Abandoned.Drive(m, abandoning.And(commandValid.Not()), engine.Ended{Stream: w.Stream})

	m.OnClock(
		justIssued.Set(begins.Value),
		hdl.If(begins.Value,
			work.Set(engine.HeldWork{Stream: offer.Stream, ID: offer.ID, Signaled: offer.Signaled, Opcode: offer.Opcode, Kind: offered,
				LocalSTag: offer.Local.STag, RemoteSTag: offer.Remote.STag, Length: offer.Length, Operands: offer.Operands}),
			at.Set(messagePosition{Local: offer.Local.TO, Remote: offer.Remote.TO, Offset: hdl.Zero(32), Left: offer.Length}),
		).ElseIf(makes, at.Set(messagePosition{
			Local: at.Q.Local.Plus(uint64(c.MaxPayload)), Remote: at.Q.Remote.Plus(uint64(c.MaxPayload)),
			Offset: at.Q.Offset.Plus(uint64(c.MaxPayload)), Left: at.Q.Left.Sub(hdl.Const(32, uint64(c.MaxPayload)))})),
		hdl.If(begins.Value,
			issued.Set(struct{ Msn, Domain, Slot hdl.Value }{hdl.Mux(asks, now.RequestMsn, now.SendMsn), now.Domain, p.Number.Truncate(dw)}),
			closed.Set(closes),
		).ElseIf(closes, closed.Set(hdl.Ones(1))),
		state.Switch(
			state.In(segmentsIdle, hdl.If(begins.And(done.Closed), state.Go(segmentsAbandoning)).ElseIf(begins.Value, state.Go(segmentsSending))),
			state.In(segmentsSending,
				hdl.If(closed.Value, state.Go(segmentsDraining)).
					ElseIf(fails, state.Go(segmentsFailing)).
					ElseIf(proceeds.And(isRequest), state.Go(segmentsAnnouncing)).
					ElseIf(proceeds.And(last), state.Go(segmentsIdle))),
			state.In(segmentsAnnouncing, hdl.If(announced, state.Go(segmentsIdle))),
			state.In(segmentsFailing, hdl.If(p.Failed.Ready, state.Go(segmentsDraining))),
			state.In(segmentsDraining, hdl.If(unreported.IsZero(), state.Go(segmentsAbandoning))),
			state.In(segmentsAbandoning, hdl.If(p.Abandoned.Ready.And(commandValid.Not()), state.Go(segmentsIdle))),
		),
	)
}
