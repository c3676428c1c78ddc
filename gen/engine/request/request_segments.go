package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestSegmentsPorts send work requests that were issued.
type RequestSegmentsPorts struct {
	Message   hdl.Sink[WorkMessage]
	Local     engine.STagLookup
	Command   hdl.Source[engine.TxCommand]
	Expecting hdl.Source[engine.Expecting]
	Failed    hdl.Source[engine.Failure]
	Abandoned hdl.Source[engine.Ended] `doc:"a work request was issued whose last command will never be reported"`

	Fetch        hdl.Out `doc:"fetch a work request"`
	FetchStream  hdl.Out `doc:"number of the stream"`
	FetchNumber  hdl.Out `doc:"its number"`
	FetchedLast  hdl.Out `doc:"it is not fetched again"`
	Fetched      hdl.In  `doc:"packed work request, 2 cycles later"`
	Ask          hdl.Out `doc:"fetch whether ask_stream has ended"`
	AskStream    hdl.Out `doc:"number of the stream"`
	Closed       hdl.In  `doc:"it has, in the next cycle"`
	Store        hdl.Out `doc:"an entry of the work requests in progress changes"`
	StoreStream  hdl.Out `doc:"number of the stream"`
	StoreSlot    hdl.Out `doc:"its slot in the ring"`
	StoreEntry   hdl.Out `doc:"packed underWay"`
	Count        hdl.In  `doc:"fetch the number of commands of count_stream"`
	CountStream  hdl.In  `doc:"number of the stream"`
	Made         hdl.Out `doc:"commands, modulo 2^16, in the next cycle"`
	Opened       hdl.In  `doc:"opened_stream is opened or closed: nothing of it is in progress"`
	OpenedStream hdl.In  `doc:"number of the stream"`
	OpenedDomain hdl.In  `doc:"protection domain"`
}

const requestSegmentsDoc = `request_segments makes the commands for the segments of work requests, one per cycle, in the order in which they were
issued: at most %d octets of payload each, the last one shorter; a message without octets is one segment. The segments
of a message follow each other: another message begins when one has ended.

The local buffer is checked for each segment, that of a Read or Atomic as a whole. If the check fails, or the opcode is
not one of a work request, the failure is reported and the stream has failed: nothing more of it is sent until it is
opened again. Nor is anything sent of a stream that has ended. A work request that is not sent to its end is abandoned,
after the commands before it have left, also those of other streams.

The command of a Read or Atomic is offered after the receive side has accepted what to expect.

A segment is a command %d cycles later. Places in the buffer of %d commands are reserved, so no stage waits.`

// commandDepth is how many commands the buffer holds, commandCountBits the width of their number on a stream: the transmit side holds
// fewer.
const (
	commandDepth     = 16
	commandCountBits = 16
)

// Stages of the pipeline, by what is known from there on.
const (
	workRead    = 2 // the work request
	rowRead     = 3 // the row of its local buffer's STag, as it comes from the table
	rowHeld     = 4 // the same; sums are made
	rowCompared = 5 // sums are compared
	decided     = 6 // whether the stream has failed or ended, and so whether the segment is sent
	built       = 7 // its header
)

// RequestSegments keeps per stream: Message Sequence Numbers, domain, a count of commands, and whether it has failed.
func RequestSegments(c engine.Config) hdl.Block[RequestSegmentsPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[RequestSegmentsPorts]{
		Kind: "request_segments", Params: c.Params("streams", "send_depth", "max_payload"),
		Doc: fmt.Sprintf(requestSegmentsDoc, c.MaxPayload, built+1, commandDepth),
		Ports: RequestSegmentsPorts{
			Message: hdl.NewSink(WorkMessageOf(c)), Local: engine.STagLookupOf(), Command: hdl.NewSource(engine.TxCommandOf(c)),
			Expecting: hdl.NewSource(engine.ExpectingOf(c)), Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Abandoned: hdl.NewSource(engine.EndedOf(c.Streams)),
			Fetch: hdl.NewOut(1), FetchStream: hdl.NewOut(sw), FetchNumber: hdl.NewOut(numberBits(c)), FetchedLast: hdl.NewOut(1),
			Fetched: hdl.NewIn(hdl.PackedWidth(waitingWorkOf(c))),
			Ask:     hdl.NewOut(1), AskStream: hdl.NewOut(sw), Closed: hdl.NewIn(1),
			Store: hdl.NewOut(1), StoreStream: hdl.NewOut(sw), StoreSlot: hdl.NewOut(block.IndexWidth(c.SendDepth)), StoreEntry: hdl.NewOut(hdl.PackedWidth(underWay(c))),
			Count: hdl.NewIn(1), CountStream: hdl.NewIn(sw), Made: hdl.NewOut(commandCountBits),
			Opened: hdl.NewIn(1), OpenedStream: hdl.NewIn(sw), OpenedDomain: hdl.NewIn(engine.DomainBits),
		},
		Build: func(m *hdl.Module, p RequestSegmentsPorts) { buildRequestSegments(m, p, c) },
	}
}

// issueState is the state of a stream.
type issueState struct {
	SendMsn    hdl.Value // of the next message without a response
	RequestMsn hdl.Value // of the next Read or Atomic Request
	Failed     hdl.Value // a local buffer has failed: nothing is sent
	Made       hdl.Value // commands
}

// IssueStateOf is the prototype.
func IssueStateOf(c engine.Config) issueState {
	return issueState{SendMsn: hdl.Bits(32), RequestMsn: hdl.Bits(32), Failed: hdl.Bits(1), Made: hdl.Bits(commandCountBits)}
}

// segments is what the parts of the block share.
type segments struct {
	*hdl.Module
	*block.Pipeline
	c engine.Config
	p RequestSegmentsPorts

	opens, stream, slot, index, first, last *block.Signal // in stage 0
	kind                                    *block.Signal // packed WorkKind
	asks, moves                             *block.Signal
	length                                  *block.Signal // of the message, in octets
	local, remote                           *block.Signal // TO of the segment
	payload                                 *block.Signal // octets of the segment, for a message that moves payload
	work                                    *block.Signal // the work request, in stage built
	region                                  memory.RegionFaults
	wrong, right                            *block.Signal // a segment whose local buffer or opcode is wrong, or not
	sent                                    *block.Signal // in stage decided
	msn                                     *block.Signal

	failures hdl.Source[engine.Failure]

	message WorkMessage // that is being cut into segments
	cutting hdl.Value   // there is one
	cuts    hdl.Wire    // the message that is being cut into segments ends
}

func buildRequestSegments(m *hdl.Module, p RequestSegmentsPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	s := &segments{Module: m, c: c, p: p}
	out := newSegmentBuffers(m, p, c)
	s.failures = out.failures
	begins := m.Reg("begins_q", 1, hdl.ResetTo(0))
	m.OnClock(begins.Set(sweep.Done))
	s.cut(m.Let("may_enter", begins.And(out.room())))
	s.check(sweep)
	s.decide(sweep)
	out.fill(s)
	s.Close()
}

// cut puts a segment of the first message in the pipeline, or an opening.
func (s *segments) cut(may hdl.Value) {
	m, p, c := s.Module, s.p, s.c
	m.Section("Segment: the next one of the message; an opening goes first")
	s.cuts = m.Wire("cuts", 1)
	cut := m.Reg("cut_q", 1, hdl.ResetTo(0))
	m.Note("A message of a stream that has failed or ended ends with the next segment.")
	count := m.Let("segment_count", p.Message.Data.Segments.ZeroExtend(segmentBits(c)+1).Plus(1))
	w := newWalk(m, "segment", p.Message, hdl.Zero(segmentBits(c)), count, may.And(p.Opened.Not()), cut.Value)
	message, index, last, enters := w.data, w.number, w.last, w.goes
	m.Unused("the walk has them; a message has a segment", message.Segments, w.exists)
	s.cutting, s.message = w.valid, message
	m.OnClock(cut.Set(hdl.AllOf(cut.Or(s.cuts.Value), enters.And(last).Not())))
	s.Pipeline = block.NewPipeline(m, m.Let("moves_on", enters.Or(p.Opened.Value)), built)
	s.opens = s.Holds("opens", 0, p.Opened.Value)
	s.stream = s.Signal("stream", 0, hdl.Mux(p.Opened.Value, p.OpenedStream.Value, message.Stream))
	s.slot, s.index = s.Signal("slot", 0, message.Number.Truncate(block.IndexWidth(c.SendDepth))), s.Holds("index", 0, index)
	s.first, s.last = s.Holds("first", 0, w.first), s.Holds("last", 0, last)
	m.Drive(p.Fetch, enters)
	m.Drive(p.FetchStream, message.Stream)
	m.Drive(p.FetchNumber, message.Number)
	m.Drive(p.FetchedLast, last)
}

// check looks up the local buffer of the segment and checks it.
func (s *segments) check(sweep block.Sweep) {
	m, p, c := s.Module, s.p, s.c
	m.Section("Work request: its place and length")
	work := hdl.Unpack(waitingWorkOf(c), p.Fetched.Value)
	kind := c.Profile.Work(m, "work", work.Opcode)
	s.kind = s.Holds("kind", workRead, hdl.Pack(kind))
	s.asks = s.Signal("asks", workRead, kind.Request())
	s.moves = s.Signal("moves_payload", workRead, kind.Write.Or(kind.Send))
	any := s.Signal("is_work", workRead, kind.Any)
	offset := m.Let("offset", hdl.Cat(s.index.At(workRead), hdl.Zero(payloadBits(c))))
	s.local = s.Signal("local_to", workRead, work.Local.TO.Add(offset.ZeroExtend(64)))
	s.remote = s.Signal("remote_to", workRead, work.Remote.TO.Add(offset.ZeroExtend(64)))
	s.length = s.Signal("octets", workRead, hdl.Mux(c.Profile.Word(kind), hdl.Const(32, 8), work.Length))
	s.work = s.Holds("work_request", workRead, p.Fetched.Value).Later(built)

	m.Section("Local buffer: looked up in one cycle, checked in two more")
	m.Drive(p.Local.Enable, s.Valid(workRead))
	m.Drive(p.Local.Index, work.Local.STag.Slice(31, 8))
	key := s.Signal("local_key", workRead, work.Local.STag.Truncate(8))
	domains := block.NewContext(m, "domains", hdl.Zero(engine.DomainBits), sweep)
	domains.Write(block.Change{When: p.Opened.Value, Stream: p.OpenedStream.Value, Word: p.OpenedDomain.Value})
	domain := s.Holds("domain", rowRead, domains.Read("domain", s.Valid(workRead), s.stream.At(workRead)))
	most := hdl.Const(payloadBits(c)+1, uint64(c.MaxPayload))
	rest := s.length.At(rowRead).Truncate(payloadBits(c))
	m.Note("The last segment has the rest, or is full.")
	full := m.Let("is_full", s.last.At(rowRead).Not().Or(rest.IsZero().And(s.length.At(rowRead).Any())))
	s.payload = s.Signal("payload_octets", rowRead, hdl.Mux(full, most, rest.ZeroExtend(most.Width())))
	checked := s.Signal("checked_octets", rowRead, hdl.Select(hdl.Zero(32), hdl.When{Cond: s.asks.At(rowRead), Then: s.length.At(rowRead)},
		hdl.When{Cond: s.moves.At(rowRead), Then: s.payload.At(rowRead).ZeroExtend(32)}))
	entry := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(), s.Holds("row", rowRead, p.Local.Entry.Value).At(rowHeld)))
	m.Unused("rights of the peer", entry.Rights.RemoteRead, entry.Rights.RemoteWrite, entry.Rights.RemoteAtomic, entry.Rights.Invalidate)
	s.region = memory.RegionCheck(m, s.Pipeline, "local_buffer", rowHeld, memory.RegionQuery{Entry: entry, STag: hdl.Cat(hdl.Zero(24), key.At(rowHeld)),
		TO: s.local.At(rowHeld), Length: checked.At(rowHeld), Right: m.Let("has_right", hdl.Mux(s.asks.At(rowHeld), entry.Rights.LocalWrite, entry.Rights.LocalRead)),
		Stream: s.stream.At(rowHeld), Domain: domain.At(rowHeld)})
	segment := m.Let("is_segment", s.Valid(rowCompared).And(s.opens.At(rowCompared).Not()))
	wrong := m.Let("is_wrong", s.region.Any.At(rowCompared).Or(any.At(rowCompared).Not()))
	s.wrong, s.right = s.Signal("wrong_segment", rowCompared, segment.And(wrong)), s.Signal("right_segment", rowCompared, segment.And(wrong.Not()))
}

// decide numbers the messages of a stream, and stops one that has failed or ended.
func (s *segments) decide(sweep block.Sweep) {
	m, p, c := s.Module, s.p, s.c
	m.Section("Send it, unless its stream has failed or ended")
	m.Drive(p.Ask, s.Valid(rowHeld))
	m.Drive(p.AskStream, s.stream.At(rowHeld))
	closed := s.Holds("closed", rowCompared, p.Closed.Value)
	context := block.NewContext(m, "issue_state", hdl.Zero(hdl.PackedWidth(IssueStateOf(c))), sweep)
	state := context.Stage(s.Pipeline, decided-2, s.stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(IssueStateOf(c), state.Now))
	made := hdl.Unpack(IssueStateOf(c), context.Read("counted", p.Count.Value, p.CountStream.Value))
	m.Unused("only commands are counted there", made.SendMsn, made.RequestMsn, made.Failed)
	m.Drive(p.Made, made.Made)
	stopped := m.Let("is_stopped", now.Failed.Or(closed.At(decided)))
	fails := s.Signal("fails", decided, stopped.Not().And(s.wrong.At(decided)))
	s.sent = s.Signal("is_sent", decided, stopped.Not().And(s.right.At(decided)))
	kind := hdl.Unpack(engine.WorkKindOf(c), s.kind.At(decided))
	ends := m.Let("ends_message", s.sent.At(decided).And(s.last.At(decided)))
	asks := m.Let("ends_request", ends.And(s.asks.At(decided)))
	sends := m.Let("ends_send", ends.And(kind.Send.Or(kind.Immediate)))
	count := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	one := hdl.Const(32, 1)
	word := hdl.Pack(issueState{SendMsn: count(now.SendMsn, sends), RequestMsn: count(now.RequestMsn, asks), Failed: now.Failed.Or(fails.At(decided)),
		Made: count(now.Made, s.sent.At(decided))})
	state.Decide(m, hdl.Mux(s.opens.At(decided), hdl.Pack(issueState{SendMsn: one, RequestMsn: one, Failed: hdl.Zero(1), Made: now.Made}), word))
	s.msn = s.Signal("msn", decided, hdl.Mux(s.asks.At(decided), now.RequestMsn, now.SendMsn))

	m.Section("A failed one is marked among those in progress; it ends its stream")
	w := hdl.Unpack(waitingWorkOf(c), s.work.At(built))
	segment := m.Let("is_built", s.Valid(built).And(s.opens.At(built).Not()))
	kind = hdl.Unpack(engine.WorkKindOf(c), s.kind.At(built))
	m.Unused("used before", kind.Any, kind.Send, w.Length)
	m.Note("A response of a word is data of the completion.")
	returns := m.Let("returns_word", kind.Request().And(c.Profile.Word(kind)))
	hasFailed := m.Let("has_failed", segment.And(fails.At(built)))
	m.Drive(p.Store, segment.And(s.first.At(built)).Or(hasFailed))
	m.Drive(p.StoreStream, s.stream.At(built))
	m.Drive(p.StoreSlot, s.slot.At(built))
	m.Drive(p.StoreEntry, hdl.Pack(UnderWay{ID: w.ID, Opcode: w.Opcode, Signaled: w.Signaled, Length: s.length.At(built), Asks: kind.Request(), Returns: returns, Failed: fails.At(built)}))
	s.failures.Drive(m, hasFailed, engine.Failure{Stream: s.stream.At(built), Fault: engine.FaultOf(engine.FaultLocal)})
	m.Unused("a stream fails once: there is room for all", s.failures.Ready)
	same := s.message.Stream.Eq(s.stream.At(built))
	m.Drive(s.cuts.Out(), hdl.AllOf(segment, s.sent.At(built).Not(), s.cutting, same, s.last.At(built).Not()))
}
