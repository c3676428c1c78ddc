package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// RxCheckPorts is the receive side between the parser and memory.
type RxCheckPorts struct {
	Record    hdl.Sink[Record]
	Opening   hdl.Sink[engine.Opening]
	Failure   hdl.Sink[engine.Failure]   `doc:"failures of other blocks"`
	Expecting hdl.Sink[engine.Expecting] `doc:"responses that the requester waits for"`
	Credit    hdl.Sink[engine.Credit]    `doc:"requests that the responder has answered"`

	Region          engine.STagLookup `doc:"row of the buffer or target"`
	Invalidated     engine.STagLookup `doc:"row of the STag named by a Send with Invalidate"`
	Invalidate      hdl.Out           `doc:"invalidates an STag"`
	InvalidateIndex hdl.Out           `doc:"upper 24 bits of the STag to invalidate"`
	Ring            engine.RingLookup
	Consumed        engine.RingConsumed

	Place   hdl.Source[engine.Placement]
	Placed  hdl.In  `doc:"number of the latest finished placement"`
	Issued  hdl.Out `doc:"number of the latest issued placement"`
	Far     *RxFar  // nil if no memory is far
	Deliver hdl.Source[engine.Delivery]
	Count   RxCount
}

// RxFar are the placements in far memory, which have no numbers.
type RxFar struct {
	Begun   hdl.Out `doc:"a placement in far memory is issued"`
	Stream  hdl.Out `doc:"number of its stream"`
	Crowded hdl.In  `doc:"no further segment is accepted, so that at most 32 more placements in far memory are issued"`
}

// RxCount has one pulse per event, one cycle long.
type RxCount struct {
	Segments    hdl.Out `doc:"a segment was received"`
	Discarded   hdl.Out `doc:"its stream is not open"`
	Errors      hdl.Out `doc:"it is in error and ends its stream"`
	Invalidated hdl.Out `doc:"it invalidates an STag"`
}

const rxCheckDoc = `rx_check keeps the receive state of each stream and decides on every segment, in order: message numbers and offsets
of queues 0 to 3 (RFC 5041 section 7), receive requests, IRD, the region of the STag, the responses that the
requester waits for (RFC 5040 sections 5 and 7, RFC 7306 sections 5, 6 and 8).

A valid segment produces a placement of its payload, a delivery, or both. The first error of a stream ends it with
one Terminate; so does a failure that another block reports. Payload of a segment that is not placed is discarded.

It accepts one segment per cycle, of any kind and stream, and decides %[1]d cycles later. The pipeline never stalls: a
segment is accepted only if the output buffers, %[2]d placements and %[3]d deliveries, have room for its results. The counts
of a stream advance as if every segment were valid, since the first invalid one ends the stream. After reset all
streams are closed, one per cycle; nothing is accepted before that.`

// Depths of the output buffers.
const (
	placesAhead     = 32
	deliveriesAhead = 128
)

// RxCheck keeps its state in one word per stream.
func RxCheck(c engine.Config) hdl.Block[RxCheckPorts] {
	sw, slot := block.IndexWidth(c.Streams), block.IndexWidth(c.ReceiveDepth)
	var far *RxFar
	params := c.Params("streams", "ird", "ord", "receive_depth")
	if c.HasFar() {
		far = &RxFar{Begun: hdl.NewOut(1), Stream: hdl.NewOut(sw), Crowded: hdl.NewIn(1)}
		params = append(params, c.Params("far_memory_bit")...)
	}
	return hdl.Block[RxCheckPorts]{
		Kind: "rx_check", Options: c.Profile.Options(), Params: params,
		Doc: fmt.Sprintf(rxCheckDoc, int(decided), placesAhead, deliveriesAhead),
		Ports: RxCheckPorts{
			Record: hdl.NewSink(RecordOf(c.Streams)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Failure: hdl.NewSink(engine.TaggedFailureOf(c)),
			Expecting: hdl.NewSink(engine.ExpectingOf(c)), Credit: hdl.NewSink(engine.CreditOf(c)),
			Region: engine.STagLookupOf(c), Invalidated: engine.STagLookupOf(c), Invalidate: hdl.NewOut(1), InvalidateIndex: hdl.NewOut(24),
			Ring: engine.RingLookup{Enable: hdl.NewOut(1), Stream: hdl.NewOut(sw), Slot: hdl.NewOut(slot),
				Entry: hdl.NewIn(hdl.PackedWidth(engine.RingEntryOf())), Posted: hdl.NewIn(slot + 1)},
			Consumed: engine.RingConsumed{Valid: hdl.NewOut(1), Stream: hdl.NewOut(sw), Count: hdl.NewOut(slot + 1)},
			Place:    hdl.NewSource(engine.PlacementOf(c.Streams)), Placed: hdl.NewIn(engine.PlacementBits), Issued: hdl.NewOut(engine.PlacementBits), Far: far,
			Deliver: hdl.NewSource(engine.CheckedDeliveryOf(c)),
			Count:   RxCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)},
		},
		Build: func(m *hdl.Module, p RxCheckPorts) { buildRxCheck(m, p, c) },
	}
}

// Stages of the pipeline, named after what is known from there on.
const (
	taken   = 1  // the octets
	counted = 2  // the state of the stream
	found   = 4  // the receive request and the awaited response, and so the region to access
	looked  = 6  // the row of the STag
	judged  = 8  // the broken rules
	decided = 9  // whether the stream is open, and the first broken rule
	leaving = 10 // the placement and delivery
)

func buildRxCheck(m *hdl.Module, p RxCheckPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))

	m.Section("Take: an opening first, then a failure, then a segment. Whose turn it is is known a cycle before")
	room := m.Wire("has_room", 1)
	ready := m.Let("ready", sweep.Done.And(room.Value))
	turn := func(name string) hdl.Reg { return m.Reg(name+"_turn_q", 1, hdl.ResetTo(0)) }
	opening, failure, segment := turn("opening"), turn("failure"), turn("segment")
	entered := m.Reg("opening_has_entered_q", 1, hdl.ResetTo(0))
	opensNext := m.Let("opening_is_next", hdl.AllOf(p.Opening.Valid, entered.Not(), opening.Not()))
	failsNext := m.Let("failure_is_next", hdl.AllOf(p.Failure.Valid, failure.Not(), opensNext.Not()))
	m.OnClock(opening.Set(ready.And(opensNext)), failure.Set(ready.And(failsNext)), segment.Set(ready.And(opensNext.Or(failsNext).Not())))
	p.Failure.Accept(m, failure.Value)
	p.Record.Accept(m, segment.Value)
	take := m.Let("take", hdl.AnyOf(opening.Value, failure.Value, segment.And(p.Record.Valid)))
	pipe := block.NewPipeline(m, take, leaving)
	s := rxSegment{Pipeline: pipe, m: m, x: extensions(c),
		stream: pipe.Signal("stream", 0, hdl.Select(p.Record.Data.Stream,
			hdl.When{Cond: opening.Value, Then: p.Opening.Data.Stream}, hdl.When{Cond: failure.Value, Then: p.Failure.Data.Stream})),
		isOpening: pipe.Holds("is_opening", 0, opening.Value),
		isFailure: pipe.Holds("is_failure", 0, failure.Value),
		isSegment: pipe.Holds("is_segment", 0, segment.Value),
		opens:     pipe.Holds("opens", 0, p.Opening.Data.Open),
		domain:    pipe.Holds("opens_domain", 0, p.Opening.Data.Domain),
		fault:     pipe.Holds("fault", 0, p.Failure.Data.Fault),
	}
	s.view(withFailure(m, p.Record.Data, failure.Value, p.Failure.Data))

	m.Note("An opening is accepted when it resets the counts.")
	begins := m.Reg("begins_q", 1, hdl.ResetTo(0))
	p.Opening.Accept(m, begins.Value)
	opens := m.Let("opening_is_taken", pipe.Valid(taken).And(s.isOpening.At(taken)))
	m.OnClock(begins.Set(opens), hdl.If(begins.Value, entered.Set(hdl.Zero(1))).ElseIf(opening.Value, entered.Set(hdl.Ones(1))))

	m.Section("State of the streams")
	m.Note("The sweep writes zeros; they have no meaning before the stream is opened.")
	state := block.NewContext(m, "stream_state", hdl.Zero(hdl.PackedWidth(RxStateOf(c))), sweep).Stage(pipe, counted-2, s.stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(RxStateOf(c), state.Now))
	s.count(m, c, now, state)

	m.Note("A change in the cycle of a lookup is visible from the next cycle on.")
	m.Section("MSN of the latest request from the peer (queue 1) that has been answered, its low bits")
	credits := block.NewContext(m, "answered_msn", hdl.Zero(engine.NumberBits(c)), sweep)
	p.Credit.Accept(m, sweep.Done.And(begins.Not()))
	credits.Write(block.Change{When: begins.Value, Stream: s.stream.At(counted)}, block.Change{When: p.Credit.Valid, Stream: p.Credit.Data.Stream, Word: p.Credit.Data.Number})
	answered := pipe.Holds("answered_msn", counted+1, credits.ReadAlone("answered_msn", pipe.Valid(counted), s.stream.At(counted)))

	m.Section("Awaited responses, and the next receive request")
	awaited, none, differs := awaitedResponse(m, p, c, s, awaitedQuery{sweep: sweep, opens: opens, begins: begins.Value, count: now.Awaited})
	m.Drive(p.Ring.Enable, pipe.Valid(counted))
	m.Drive(p.Ring.Stream, s.stream.At(counted))
	m.Drive(p.Ring.Slot, now.Consumed.Truncate(block.IndexWidth(c.ReceiveDepth)))
	request := hdl.LetOf(m, "request", hdl.Unpack(engine.RingEntryOf(), pipe.Holds("ring_entry", counted+1, p.Ring.Entry.Value).At(found)))
	empty := pipe.Signal("ring_is_empty", counted+1, p.Ring.Posted.Eq(s.now.consumed.At(counted+1)))

	known := rxKnown{request: request, empty: empty, awaited: awaited, none: none, answered: answered, differs: differs}
	known.region = lookRegion(m, p, c, s, known)
	known.invalidated = pipe.Holds("invalidated_entry", found+1, p.Invalidated.Entry.Value)
	b := checkRules(m, c, s, now, known)
	decideRx(m, p, c, rxDecision{s: s, b: b, known: known, sweep: sweep, room: room})
	pipe.Close()
}

// awaitedQuery selects an awaited response. An opening is taken, and resets the counts a cycle later, when it begins.
type awaitedQuery struct {
	sweep         block.Sweep
	opens, begins hdl.Value
	count         hdl.Value // responses that have come
}

// awaitedResponse keeps the responses that the requester waits for, in a ring of ORD entries per stream, and reads the oldest one.
// none is 1 if there is none. differs is 1 if the segment is not the response that it is compared with; nil without the extension.
func awaitedResponse(m *hdl.Module, p RxCheckPorts, c engine.Config, s rxSegment, q awaitedQuery) (oldest engine.Expected, none, differs *block.Signal) {
	cw := block.IndexWidth(c.ORD)
	accept := m.Let("accepts_expecting", q.sweep.Done.And(q.opens.Not()))
	p.Expecting.Accept(m, accept)
	adds := m.Reg("adds_awaited_q", 1, hdl.ResetTo(0))
	stream := m.Reg("awaited_stream_q", s.stream.At(taken).Width(), hdl.NoReset)
	added := hdl.NewRegOf(m, "added", engine.ExpectedOf(c), hdl.NoReset)
	named := m.Let("awaiting_stream", hdl.Mux(q.opens, s.stream.At(taken), p.Expecting.Data.Stream))
	enters := m.Let("expecting_enters", accept.And(p.Expecting.Valid))
	m.OnClock(adds.Set(enters), stream.Set(named), added.Set(p.Expecting.Data.Expected))

	asked := block.NewContext(m, "asked", hdl.Zero(cw+1), q.sweep)
	count := asked.Loop(block.LoopUser{Read: enters.Or(q.opens), Stream: named, Deciding: adds.Value.Or(q.begins), Decided: stream.Value})
	count.Decide(m.Let("asked_next", hdl.Mux(q.begins, hdl.Zero(cw+1), count.Now.Plus(1))))
	expected, slot := engine.ExpectedOf(c), hdl.Cat(stream.Value, count.Now.Truncate(cw))
	expected.Compared = nil
	entry := added.Q
	entry.Compared = nil
	entries := m.Memory("awaited", hdl.PackedWidth(expected), c.Streams*c.ORD)
	entries.Write(adds.Value, slot, hdl.Pack(entry))
	if added.Q.Compared != nil {
		m.Note("What a response is compared with is read later.")
		hashes := m.Memory("compared", hdl.PackedWidth(added.Q.Compared), c.Streams*c.ORD)
		hashes.Write(adds.Value, slot, hdl.Pack(added.Q.Compared))
		of := s.Signal("compared_slot", counted, hdl.Cat(s.stream.At(counted), q.count.Truncate(cw)))
		hash := hashes.Read("compared_q", s.Valid(found-1), of.At(found-1), hdl.ReadOld)
		differs = hdl.Unpack(*comparedTagOf(), hash).differs(s, found, s.digest.At(found))
	}

	m.Note("Neither read sees what this cycle decides.")
	at := s.stream.At(counted)
	total := asked.Read("asked_now", s.Valid(counted), at)
	read := entries.Read("awaited_q", s.Valid(counted), hdl.Cat(at, q.count.Truncate(cw)), hdl.ReadOld)
	oldest = hdl.LetOf(m, "oldest", hdl.Unpack(expected, s.Holds("awaited", counted+1, read).At(found)))
	return oldest, s.Signal("awaits_nothing", counted+1, total.Eq(s.now.awaited.At(counted+1))), differs
}

// regionRequest is the memory that a segment accesses.
type regionRequest struct {
	STag   hdl.Value `hdl:"stag"`
	TO     hdl.Value `hdl:"to"`
	Length hdl.Value
	named  bool // it names a region even with 0 octets
}

// nameRegion selects the region named in a header, of a tagged segment or of a request.
func (s *rxSegment) nameRegion(m *hdl.Module) {
	table, _ := wire.DDPTables(s.x)
	tagged := func(name string) hdl.Value { return s.head.field(0, table, name) }
	payload := s.payloadLength.At(taken).ZeroExtend(32)
	isTagged := s.isTagged.At(taken)
	stags, tos := []hdl.When{{Cond: isTagged, Then: tagged("stag")}}, []hdl.When{{Cond: isTagged, Then: tagged("to")}}
	lengths := []hdl.When{{Cond: s.orPayloadReply(isTagged.Or(s.isSend.At(taken))), Then: payload}, {Cond: s.wordReply.At(taken), Then: hdl.Const(32, 8)}}
	requests := requestsOf(s.x)
	last := len(requests) - 1
	var named []hdl.Value
	for i, r := range requests {
		q, is := r.region(s.head), s.requests[i].At(taken)
		if q.named {
			named = append(named, is)
		}
		if i == last {
			is = hdl.Ones(1)
		}
		stags, tos, lengths = append(stags, hdl.When{Cond: is, Then: q.STag}), append(tos, hdl.When{Cond: is, Then: q.TO}), append(lengths, hdl.When{Cond: is, Then: q.Length})
	}
	choose := func(list []hdl.When) hdl.Value { n := len(list) - 1; return hdl.Select(list[n].Then, list[:n]...) }
	s.stag, s.to = s.Signal("named_stag", taken, choose(stags)), s.Signal("named_to", taken, choose(tos))
	if s.payloadReply == nil {
		s.reach = s.Signal("region_length", taken, choose(lengths))
	} else {
		m.Note("That of a request first, then that of a segment with payload.")
		with := s.Signal("has_payload_region", taken, s.orPayloadReply(isTagged.Or(s.isSend.At(taken)))).At(counted)
		of := s.Signal("requested_length", taken, choose(lengths[2:])).At(counted)
		s.reach = s.Signal("region_length", counted, hdl.Select(of,
			hdl.When{Cond: with, Then: s.payloadLength.At(counted).ZeroExtend(32)}, hdl.When{Cond: s.wordReply.At(counted), Then: hdl.Const(32, 8)}))
	}
	if named != nil {
		s.names = s.Signal("names_region", taken, hdl.AnyOf(named...))
	}
}
