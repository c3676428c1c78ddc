package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

const requestMessagesDoc = `request_messages makes the messages of work requests, one per cycle, in the order in which they were issued.

The local buffer is checked as a whole. If the check fails, or the opcode is not one of a work request, %s
that has ended. A work request that is not sent is abandoned, after the messages before it have left, also those of
other streams.

The message of a Read or Atomic is offered after the receive side has accepted what to expect.

A work request is a message %d cycles later. Places in the buffer of %d messages are reserved, so no stage waits.`

// What becomes of a work request that fails: the stream does, or it fails alone.
const (
	failingDoc = `the failure is
reported and the stream has failed: nothing more of it is sent until it is opened again. Nor is anything sent of a stream`
	failingAloneDoc = `the message
is marked as unfit, and who cuts it into packets lets it fail in its turn. Nothing is sent of a stream`
)

// failsAlone reports whether a work request that is wrong fails alone. Else its stream fails.
func failsAlone(c engine.Config) bool { return c.Profile.OutcomeTag() != nil }

// messageDepth is how many messages the buffer holds, messageCountBits the width of their number on a stream: the transmit side holds
// fewer.
const (
	messageDepth     = 16
	messageCountBits = 16
)

// Stages of the pipeline, by what is known from there on.
const (
	workRead    = 2 // the work request
	rowRead     = 3 // the row of its local buffer's STag, as read from the table
	rowHeld     = 4 // the same; sums are made
	rowCompared = 5 // sums are compared
	decided     = 6 // whether the stream has failed or ended, and so whether the message is sent
	built       = 7 // its header
)

// RequestMessages keeps per stream: Message Sequence Numbers, domain, a count of messages, and whether it has failed.
func RequestMessages(c engine.Config) hdl.Block[RequestMessagesPorts] {
	latency := built + 1
	if compares(c) {
		latency++
	}
	failing := failingDoc
	if failsAlone(c) {
		failing = failingAloneDoc
	}
	return hdl.Block[RequestMessagesPorts]{
		Kind: "request_messages", Params: c.Params("streams", "send_depth", "ird"),
		Doc:   fmt.Sprintf(requestMessagesDoc, failing, latency, messageDepth),
		Ports: requestMessagesPorts(c),
		Build: func(m *hdl.Module, p RequestMessagesPorts) { buildRequestMessages(m, p, c) },
	}
}

// issueState is the state of a stream.
type issueState struct {
	SendMsn    hdl.Value // of the next message without a response
	RequestMsn hdl.Value // of the next Read or Atomic Request
	Failed     hdl.Value // a local buffer has failed: nothing is sent
	Made       hdl.Value // messages
	List       any       `hdl:"-"` // *issueList; nil if each work request has one element
}

// IssueStateOf is the prototype.
func IssueStateOf(c engine.Config) issueState {
	return issueState{SendMsn: hdl.Bits(32), RequestMsn: hdl.Bits(32), Failed: hdl.Bits(1), Made: hdl.Bits(messageCountBits), List: issueListOf(c)}
}

// messages is what the parts of the block share.
type messages struct {
	*hdl.Module
	*block.Pipeline
	c engine.Config
	p RequestMessagesPorts

	opens, stream, slot *block.Signal // in stage 0
	kind                *block.Signal // packed WorkKind
	asks, moves         *block.Signal
	fills               *block.Signal // its response is placed in the local buffer
	length              *block.Signal // of the message, in octets
	work                *block.Signal // the work request, in stage built
	region              memory.RegionFaults
	wrong, right        *block.Signal // a work request whose local buffer or opcode is wrong, or not
	unfit               *block.Signal // instead, if work requests fail alone: all are right, and this one is wrong
	refused             *block.Signal // then: whatever its local buffer allows
	sent                *block.Signal // in stage decided
	msn                 *block.Signal
	elements            *elements // nil if each work request has one

	failures hdl.Source[engine.Failure]
}

func buildRequestMessages(m *hdl.Module, p RequestMessagesPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	s := &messages{Module: m, c: c, p: p}
	out := newMessageBuffers(m, p, c)
	s.failures = out.failures
	begins := m.Reg("begins_q", 1, hdl.ResetTo(0))
	m.OnClock(begins.Set(sweep.Done))
	s.enter(m.Let("may_enter", begins.And(out.room())))
	s.check(sweep)
	s.decide(sweep)
	out.fill(s)
	s.Close()
}

// enter puts the next work request in the pipeline, or an opening.
func (s *messages) enter(may hdl.Value) {
	m, p, c := s.Module, s.p, s.c
	m.Section("The next work request; an opening goes first")
	valid, next := m.Reg("next_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "next", p.Work.Data, hdl.NoReset)
	goes := m.Let("goes", may.And(p.Opened.Not()))
	free := m.Let("next_free", valid.Not().Or(goes))
	enters := m.Let("enters", valid.And(goes))
	p.Work.Accept(m, free)
	m.OnClock(hdl.If(free, valid.Set(p.Work.Valid), next.Set(p.Work.Data)))
	work := next.Q
	s.Pipeline = block.NewPipeline(m, m.Let("moves_on", enters.Or(p.Opened.Value)), built)
	s.opens = s.Holds("opens", 0, p.Opened.Value)
	s.stream = s.Signal("stream", 0, hdl.Mux(p.Opened.Value, p.OpenedStream.Value, work.Stream))
	if lists(c) {
		s.elements = &elements{oldest: s.Holds("opens_slot", 0, p.OpenedSlot.Slot.Value), after: s.Signal("place_behind", 0, work.Number.Plus(1))}
	} else {
		s.slot = s.Signal("slot", 0, work.Number.Truncate(block.IndexWidth(c.SendDepth)))
	}
	m.Drive(p.Fetch, enters)
	m.Drive(p.FetchStream, work.Stream)
	m.Drive(p.FetchNumber, work.Number)
}

// check looks up the local buffer and checks it.
func (s *messages) check(sweep block.Sweep) {
	m, p, c := s.Module, s.p, s.c
	m.Section("Work request: its place and length")
	work := hdl.Unpack(waitingWorkOf(c), p.Fetched.Value)
	kind := c.Profile.Work(m, "work", work.Opcode)
	s.kind = s.Holds("kind", workRead, hdl.Pack(kind))
	s.asks = s.Signal("asks", workRead, kind.Request())
	s.moves = s.Signal("moves_payload", workRead, kind.Write.Or(kind.Send))
	octets, fills, lacks := c.Profile.Octets(m, kind, work.Length, work.Operands)
	isWork := kind.Any
	if lacks != nil {
		isWork = isWork.And(lacks.Not())
	}
	any := s.Signal("is_work", workRead, isWork)
	s.length, s.fills = s.Signal("octets", workRead, octets), s.asks
	if fills != nil {
		s.fills = s.Signal("fills_buffer", workRead, *fills)
	}
	s.work = s.Holds("work_request", workRead, p.Fetched.Value).Later(built)
	local := s.Holds("local_to", workRead, work.Local.TO)

	m.Section("Local buffer: looked up in one cycle, checked in two more")
	m.Drive(p.Local.Enable, s.Valid(workRead))
	m.Drive(p.Local.Index, work.Local.STag.Slice(31, 8))
	key := s.Signal("local_key", workRead, work.Local.STag.Truncate(8))
	domains := block.NewContext(m, "domains", hdl.Zero(engine.DomainBits), sweep)
	domains.Write(block.Change{When: p.Opened.Value, Stream: p.OpenedStream.Value, Word: p.OpenedDomain.Value})
	domain := s.Holds("domain", rowRead, domains.Read("domain", s.Valid(workRead), s.stream.At(workRead)))
	checked := m.Let("checked_octets", s.length.At(rowHeld).And(s.fills.At(rowHeld).Or(s.moves.At(rowHeld)).Replicate(32)))
	entry := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(c), s.Holds("row", rowRead, p.Local.Entry.Value).At(rowHeld)))
	m.Unused("rights of the peer", entry.Rights.RemoteRead, entry.Rights.RemoteWrite, entry.Rights.RemoteAtomic, entry.Rights.Invalidate)
	engine.UnusedTag(m, "what the peer may do", entry.Tag)
	s.region = memory.RegionCheck(m, s.Pipeline, "local_buffer", rowHeld, memory.RegionQuery{Entry: entry, STag: hdl.Cat(hdl.Zero(24), key.At(rowHeld)),
		TO: local.At(rowHeld), Length: checked, Right: m.Let("has_right", hdl.Mux(s.asks.At(rowHeld), entry.Rights.LocalWrite, entry.Rights.LocalRead)),
		Stream: s.stream.At(rowHeld), Domain: domain.At(rowHeld)})
	is := m.Let("is_work_request", s.Valid(rowCompared).And(s.opens.At(rowCompared).Not()))
	faults := []hdl.Value{s.region.Any.At(rowCompared), any.At(rowCompared).Not()}
	if s.elements != nil {
		faults = append(faults, s.misfit(work, kind).At(rowCompared))
	}
	if failsAlone(c) {
		refused := m.Let("is_refused", hdl.AnyOf(faults[1:]...))
		s.refused, s.unfit = s.Holds("refused", rowCompared, refused), s.Signal("unfit", rowCompared, faults[0].Or(refused))
		s.right = s.Holds("right_work", rowCompared, is)
		return
	}
	wrong := m.Let("is_wrong", hdl.AnyOf(faults...))
	s.wrong, s.right = s.Signal("wrong_work", rowCompared, is.And(wrong)), s.Signal("right_work", rowCompared, is.And(wrong.Not()))
}

// decide numbers the messages of a stream, and stops one that has failed or ended.
func (s *messages) decide(sweep block.Sweep) {
	m, p, c := s.Module, s.p, s.c
	m.Section("Send it, unless its stream has failed or ended")
	m.Drive(p.Ask, s.Valid(rowHeld))
	m.Drive(p.AskStream, s.stream.At(rowHeld))
	closed := s.Holds("closed", rowCompared, p.Closed.Value)
	context := block.NewContext(m, "issue_state", hdl.Zero(hdl.PackedWidth(IssueStateOf(c))), sweep)
	state := context.Stage(s.Pipeline, decided-2, s.stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(IssueStateOf(c), state.Now))
	made := hdl.Unpack(IssueStateOf(c), context.Read("counted", p.Count.Value, p.CountStream.Value))
	m.Unused("only messages are counted there", made.SendMsn, made.RequestMsn, made.Failed)
	engine.UnusedTag(m, "only messages are counted there", made.List)
	m.Drive(p.Made, made.Made)
	stopped, fails := closed.At(decided), func(stage int) hdl.Value { return hdl.Zero(1) }
	if failsAlone(c) {
		m.Unused("no stream fails here", now.Failed)
		now.Failed = hdl.Zero(1)
	} else {
		stopped = m.Let("is_stopped", now.Failed.Or(stopped))
		fails = s.Signal("fails", decided, stopped.Not().And(s.wrong.At(decided))).At
	}
	s.sent = s.Signal("is_sent", decided, stopped.Not().And(s.right.At(decided)))
	kind := hdl.Unpack(engine.WorkKindOf(c), s.kind.At(decided))
	asks := m.Let("sends_request", s.sent.At(decided).And(s.asks.At(decided)))
	sends := m.Let("sends_send", s.sent.At(decided).And(kind.Send.Or(kind.Immediate)))
	count := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	one := hdl.Const(32, 1)
	isMade, list, fresh := s.sent.At(decided), any(nil), any(nil)
	if s.elements != nil {
		isMade = isMade.And(s.elements.last.At(decided))
		list, fresh = s.gather(now.List.(*issueList))
	}
	word := hdl.Pack(issueState{SendMsn: count(now.SendMsn, sends), RequestMsn: count(now.RequestMsn, asks), Failed: now.Failed.Or(fails(decided)),
		Made: count(now.Made, isMade), List: list})
	state.Decide(m, hdl.Mux(s.opens.At(decided), hdl.Pack(issueState{SendMsn: one, RequestMsn: one, Failed: hdl.Zero(1), Made: now.Made, List: fresh}), word))
	s.msn = s.Signal("msn", decided, hdl.Mux(s.asks.At(decided), now.RequestMsn, now.SendMsn))

	title := "A failed one is marked among those in progress; it ends its stream"
	if failsAlone(c) {
		title = "Each is among those in progress"
	}
	m.Section(title)
	w := hdl.Unpack(waitingWorkOf(c), s.work.At(built))
	isBuilt := m.Let("is_built", s.Valid(built).And(s.opens.At(built).Not()))
	kind = hdl.Unpack(engine.WorkKindOf(c), s.kind.At(built))
	m.Unused("used before", kind.Any, kind.Send)
	if comparedOf(c) == nil {
		m.Unused("used before", w.Length)
	}
	m.Note("A response of a word is data of the completion.")
	returns := m.Let("returns_word", kind.Request().And(c.Profile.Word(kind)))
	var hasFailed hdl.Value
	if !failsAlone(c) {
		hasFailed = m.Let("has_failed", isBuilt.And(fails(built)))
	}
	stores, slot, length, behind := isBuilt, s.slot, s.length, any(nil)
	if e := s.elements; e != nil {
		m.Note("With its last element.")
		stores, slot, length, behind = isBuilt.And(e.last.At(built)), e.slot, e.total, &placeCount{e.after.At(built)}
	}
	m.Drive(p.Store, stores)
	m.Drive(p.StoreStream, s.stream.At(built))
	m.Drive(p.StoreSlot, slot.At(built))
	var compared any
	if comparedOf(c) != nil {
		compared = &comparedWork{m.Let("is_compared", kind.Request().And(c.Profile.Word(kind).Not()))}
	}
	m.Drive(p.StoreEntry, hdl.Pack(UnderWay{ID: w.ID, Opcode: w.Opcode, Signaled: w.Signaled, Length: length.At(built), Asks: kind.Request(), Returns: returns, Failed: fails(built), Compared: compared, Behind: behind}))
	if failsAlone(c) {
		return
	}
	s.failures.Drive(m, hasFailed, engine.LocalFailure(c, s.stream.At(built)))
	m.Unused("a stream fails once: there is room for all", s.failures.Ready)
}
