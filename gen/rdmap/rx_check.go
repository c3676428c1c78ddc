package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// RxCheckPorts is the receive side between the parser and memory.
type RxCheckPorts struct {
	Record    hdl.Sink[Record]
	Opening   hdl.Sink[engine.Opening]
	Failure   hdl.Sink[engine.Failure]   `doc:"of other blocks"`
	Expecting hdl.Sink[engine.Expecting] `doc:"what the requester will get an answer to"`
	Credit    hdl.Sink[engine.Credit]    `doc:"what the responder has answered"`

	Region      engine.STagLookup `doc:"row of the buffer or target"`
	Invalidated engine.STagLookup `doc:"row of the STag that a Send with Invalidate names"`
	Kill        hdl.Out           `doc:"that row becomes invalid"`
	KillIndex   hdl.Out           `doc:"upper 24 bits of the STag"`
	Ring        engine.RingLookup
	Consumed    engine.RingConsumed

	Place   hdl.Source[engine.Placement]
	Placed  hdl.In  `doc:"number of the latest placement that is finished"`
	Begun   hdl.Out `doc:"number of the latest placement that was begun"`
	Deliver hdl.Source[engine.Delivery]
	Count   RxCount
}

// RxCount is 1 for one clock each time.
type RxCount struct {
	Segments    hdl.Out `doc:"a segment came"`
	Discarded   hdl.Out `doc:"it was for a stream that is not open"`
	Errors      hdl.Out `doc:"it ends its stream with an error"`
	Invalidated hdl.Out `doc:"it invalidates an STag"`
}

const rxCheckDoc = `rx_check keeps the receive state of each stream and decides on every segment, in order: message numbers and offsets
of queues 0 to 3 (RFC 5041 section 7), receive requests, IRD, the region of the STag, the responses that the
requester waits for (RFC 5040 sections 5 and 7, RFC 7306 sections 5, 6 and 8).

A valid segment produces a placement of its payload, a delivery, or both. The first error of a stream ends it with
one Terminate; so does a failure that another block reports. Payload of a segment that is not placed is discarded.

A Write, Read Request or Atomic Request takes one cycle; a Send, Immediate Data or a response takes three, because
its buffer is looked up first. After reset all streams are closed, one per cycle; nothing is accepted before that.`

// RxCheck has its state in one word a stream.
func RxCheck(c engine.Config) hdl.Block[RxCheckPorts] {
	sw, slot := block.IndexWidth(c.Streams), block.IndexWidth(c.ReceiveDepth)
	return hdl.Block[RxCheckPorts]{
		Kind: "rx_check", Options: c.Profile.Options(), Params: c.Params("streams", "ird", "ord", "receive_depth"),
		Doc: rxCheckDoc,
		Ports: RxCheckPorts{
			Record: hdl.NewSink(RecordOf(c.Streams)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Failure: hdl.NewSink(engine.FailureOf(c.Streams)),
			Expecting: hdl.NewSink(engine.ExpectingOf(c)), Credit: hdl.NewSink(engine.CreditOf(c.Streams)),
			Region: engine.STagLookupOf(), Invalidated: engine.STagLookupOf(), Kill: hdl.NewOut(1), KillIndex: hdl.NewOut(24),
			Ring: engine.RingLookup{Enable: hdl.NewOut(1), Stream: hdl.NewOut(sw), Slot: hdl.NewOut(slot),
				Entry: hdl.NewIn(hdl.PackedWidth(engine.RingEntryOf())), Posted: hdl.NewIn(slot + 1)},
			Consumed: engine.RingConsumed{Valid: hdl.NewOut(1), Stream: hdl.NewOut(sw), Count: hdl.NewOut(slot + 1)},
			Place:    hdl.NewSource(engine.PlacementOf(c.Streams)), Placed: hdl.NewIn(engine.PlacementBits), Begun: hdl.NewOut(engine.PlacementBits),
			Deliver: hdl.NewSource(engine.DeliveryOf(c)),
			Count:   RxCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)},
		},
		Build: func(m *hdl.Module, p RxCheckPorts) { buildRxCheck(m, p, c) },
	}
}

// rxStep is how far rx_check is with what it holds.
type rxStep int

const (
	deciding rxStep = iota // all is known
	reading                // the receive request and the awaited answer are being read
	looking                // the STag of the buffer is being looked up
)

func (s rxStep) String() string { return [...]string{"deciding", "reading", "looking"}[s] }

func buildRxCheck(m *hdl.Module, p RxCheckPorts, c engine.Config) {
	sw := block.IndexWidth(c.Streams)
	sweep := block.NewSweep(m, sw)
	swept := sweep.Done
	fire := m.Wire("fire", 1)

	m.Section("Take: an opening first, then a failure, then a segment")
	held := hdl.NewRegOf(m, "held", RecordOf(c.Streams), hdl.NoReset)
	heldOpening := hdl.NewRegOf(m, "opening", engine.Opening{Stream: hdl.Bits(sw), Open: hdl.Bits(1), Domain: hdl.Bits(engine.DomainBits)}, hdl.NoReset)
	heldFault := m.Reg("fault_q", p.Failure.Data.Fault.Width(), hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	isOpening := m.Reg("held_is_opening_q", 1, hdl.NoReset)
	isFailure := m.Reg("held_is_failure_q", 1, hdl.NoReset)
	advance := m.Let("advance", swept.And(valid.Not().Or(fire.Value)))
	takeRecord := m.Let("take_record", hdl.AllOf(advance, p.Record.Valid, p.Opening.Valid.Not(), p.Failure.Valid.Not()))
	take := m.Let("take", advance.And(hdl.AnyOf(p.Opening.Valid, p.Failure.Valid, p.Record.Valid)))
	p.Opening.Accept(m, advance)
	p.Failure.Accept(m, advance.And(p.Opening.Valid.Not()))
	p.Record.Accept(m, advance.And(p.Opening.Valid.Or(p.Failure.Valid).Not()))
	fetched := p.Record.Data
	fetched.Stream = m.Let("fetched_stream", hdl.Select(p.Record.Data.Stream,
		hdl.When{Cond: p.Opening.Valid, Then: p.Opening.Data.Stream}, hdl.When{Cond: p.Failure.Valid, Then: p.Failure.Data.Stream}))
	early := earlyQuery(m, p.Record.Data)
	step := hdl.NewFSM(m, "step", deciding, reading, looking)
	m.OnClock(
		hdl.If(advance, valid.Set(take)),
		hdl.If(take, held.Set(fetched), heldFault.Set(p.Failure.Data.Fault), heldOpening.Set(p.Opening.Data), isOpening.Set(p.Opening.Valid),
			isFailure.Set(p.Failure.Valid.And(p.Opening.Valid.Not()))),
		step.Switch(
			step.In(deciding, hdl.If(takeRecord.And(early.slow), step.Go(reading))),
			step.In(reading, step.Go(looking)),
			step.In(looking, step.Go(deciding))))

	m.Section("State of the streams")
	m.Note("The sweep writes zeros: a closed stream. What else they say does not count before it is opened.")
	state := block.NewContext(m, "stream_state", hdl.Zero(hdl.PackedWidth(RxStateOf(c))), sweep).Loop(take, fetched.Stream, held.Q.Stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(RxStateOf(c), state.Now))

	m.Section("Requests answered: the latest Message Sequence Number of queue 1 that the peer has its answer to")
	opens := m.Let("opens", fire.And(isOpening.Value))
	credits := block.NewContext(m, "answered_msn", hdl.Zero(32), sweep)
	p.Credit.Accept(m, swept.And(opens.Not()))
	credits.Write(block.Change{When: opens, Stream: held.Q.Stream}, block.Change{When: p.Credit.Valid, Stream: p.Credit.Data.Stream, Word: p.Credit.Data.Number})
	answeredMsn := credits.Read("answered_msn", take, fetched.Stream)

	m.Section("Answers that the requester waits for, and the receive request in turn")
	isReading := m.Let("is_reading", step.Is(reading))
	isLooking := m.Let("is_looking", step.Is(looking))
	awaited, none := awaitedAnswer(m, p, c, awaitedQuery{sweep: sweep, opens: opens, read: isReading, stream: held.Q.Stream, count: now.Awaited})
	m.Drive(p.Ring.Enable, isReading)
	m.Drive(p.Ring.Stream, held.Q.Stream)
	m.Drive(p.Ring.Slot, now.Consumed.Truncate(block.IndexWidth(c.ReceiveDepth)))
	request := hdl.LetOf(m, "request", hdl.Unpack(engine.RingEntryOf(), p.Ring.Entry.Value))
	empty := m.Let("ring_is_empty", p.Ring.Posted.Eq(now.Consumed))

	m.Section("Region: that of the header's STag, or of the buffer that was read")
	s := viewSegment(m, held.Q)
	query := hdl.NewRegOf(m, "region", regionRequest{STag: hdl.Bits(32), TO: hdl.Bits(64), Length: hdl.Bits(32)}, hdl.NoReset)
	late := regionRequest{
		STag:   m.Let("buffer_stag", hdl.Mux(s.isSend, request.Buffer.STag, awaited.Local.STag)),
		TO:     m.Let("buffer_to", hdl.Mux(s.isSend, request.Buffer.TO.Add(now.Offset.ZeroExtend(64)), awaited.Local.TO)),
		Length: hdl.Mux(s.isSend, held.Q.PayloadLength.ZeroExtend(32), hdl.Const(32, 8)),
	}
	lookLate := m.Let("look_at_buffer", isLooking.And(s.isReadResponse.Not()))
	m.OnClock(hdl.If(take, query.Set(early.region)).ElseIf(lookLate, query.Set(late)))
	m.Drive(p.Region.Enable, take.Or(lookLate))
	m.Drive(p.Region.Index, hdl.Mux(isLooking, late.STag.Slice(31, 8), early.region.STag.Slice(31, 8)))
	m.Drive(p.Invalidated.Enable, take)
	invalidate := early.header.field(0, wire.DDPUntaggedTable, "invalidate_stag")
	m.Drive(p.Invalidated.Index, invalidate.Slice(31, 8))
	m.Unused("the key is compared with the row", invalidate.Truncate(8))

	m.Section("Decide")
	entry := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(), p.Region.Entry.Value))
	region := memory.RegionCheck(m, "region", memory.RegionQuery{Entry: entry, STag: query.Q.STag, TO: query.Q.TO, Length: query.Q.Length,
		Right:  m.Let("right", hdl.Select(entry.Rights.LocalWrite, rights(s, entry)...)),
		Stream: held.Q.Stream, Domain: now.Domain})
	region.Address = m.Let("region_address", region.Address)
	m.Unused("rights of another use of the region", entry.Rights.LocalRead, entry.Rights.Invalidate)
	missing := m.Let("missing", awaited.Length.Sub(now.Received))
	found := judge(m, s, rxBreaches(m, p, c, s, now, rxKnown{request: request, empty: empty, awaited: awaited, none: none,
		missing: missing, answered: answeredMsn, region: region, to: query.Q.TO, stag: query.Q.STag}))
	decideRx(m, p, c, rxDecision{s: s, now: now, found: found, request: request, awaited: awaited, region: region, stag: query.Q.STag,
		valid: valid.And(step.Is(deciding)), isOpening: isOpening.Value, isFailure: isFailure.Value, opening: heldOpening.Q,
		fault: heldFault.Value, fire: fire, state: state})
}

// regionRequest is what a segment wants to reach.
type regionRequest struct {
	STag   hdl.Value `hdl:"stag"`
	TO     hdl.Value `hdl:"to"`
	Length hdl.Value
}

// early is what is known of a record when it is taken.
type early struct {
	header header
	slow   hdl.Value // its buffer has to be read first
	region regionRequest
}

// earlyQuery finds the region that a header names.
func earlyQuery(m *hdl.Module, r Record) early {
	h := newHeader(m, "incoming", r.Header.Truncate(8*(18+28)).ReverseOctets())
	m.Unused("only its fields are read", h.bits)
	opcode := h.field(0, wire.DDPUntaggedTable, "opcode")
	isTagged := h.fieldAs("incoming_is_tagged", 0, wire.DDPUntaggedTable, "t")
	write := regionRequest{STag: h.field(0, wire.DDPTaggedTable, "stag"), TO: h.field(0, wire.DDPTaggedTable, "to"), Length: r.PayloadLength.ZeroExtend(32)}
	var stags, tos, lengths []hdl.When
	add := func(is hdl.Value, q regionRequest) {
		stags, tos, lengths = append(stags, hdl.When{Cond: is, Then: q.STag}), append(tos, hdl.When{Cond: is, Then: q.TO}), append(lengths, hdl.When{Cond: is, Then: q.Length})
	}
	add(isTagged, write)
	first := requests[0].region(h)
	fast := []hdl.Value{opcode.Is(uint64(spec.Write.Opcode()))}
	for i, r := range requests {
		is := m.Let("incoming_is_"+r.Executor, opcode.Is(uint64(r.Opcode)))
		fast = append(fast, is)
		if i > 0 {
			add(is, r.region(h))
		}
	}
	return early{header: h, slow: m.Let("incoming_is_slow", hdl.AnyOf(fast...).Not()),
		region: regionRequest{
			STag:   m.Let("incoming_region_stag", hdl.Select(first.STag, stags...)),
			TO:     m.Let("incoming_region_to", hdl.Select(first.TO, tos...)),
			Length: m.Let("incoming_region_length", hdl.Select(first.Length, lengths...)),
		}}
}

// rights are what the row of a Write or of a request must grant.
func rights(s rxSegment, entry engine.STagEntry) []hdl.When {
	of := map[spec.Right]hdl.Value{spec.NoRight: hdl.Ones(1), spec.LocalWrite: entry.Rights.LocalWrite, spec.RemoteRead: entry.Rights.RemoteRead,
		spec.RemoteWrite: entry.Rights.RemoteWrite, spec.RemoteAtomic: entry.Rights.RemoteAtomic}
	write, _ := spec.Write.Opcode().Operation()
	rows := []hdl.When{{Cond: s.isWrite, Then: of[write.Right]}}
	for i, r := range requests {
		rows = append(rows, hdl.When{Cond: s.requests[i], Then: of[r.Right]})
	}
	return rows
}

// awaitedQuery says which answer is looked at.
type awaitedQuery struct {
	sweep                      block.Sweep
	opens, read, stream, count hdl.Value
}

// awaitedAnswer keeps the answers that the requester waits for, a ring of ORD entries a stream, and reads the oldest.
// none is 1 when there is none.
func awaitedAnswer(m *hdl.Module, p RxCheckPorts, c engine.Config, q awaitedQuery) (oldest engine.Expected, none hdl.Value) {
	cw := block.IndexWidth(c.ORD)
	asked := block.NewContext(m, "asked", hdl.Zero(cw+1), q.sweep)
	entries := m.Memory("awaited", hdl.PackedWidth(engine.ExpectedOf(c)), c.Streams*c.ORD)
	counted := m.Reg("asked_is_read_q", 1, hdl.ResetTo(0))
	add := m.Let("add_awaited", hdl.AllOf(p.Expecting.Valid, counted.Value, q.opens.Not()))
	p.Expecting.Accept(m, counted.And(q.opens.Not()))
	m.OnClock(counted.Set(hdl.AllOf(q.sweep.Done, p.Expecting.Valid, add.Not())))
	stream := p.Expecting.Data.Stream
	before := asked.Read("asked_before", p.Expecting.Valid, stream)
	asked.Write(block.Change{When: q.opens, Stream: q.stream}, block.Change{When: add, Stream: stream, Word: before.Plus(1)})
	entries.Write(add, hdl.Cat(stream, before.Truncate(cw)), hdl.Pack(p.Expecting.Data.Expected))
	total := asked.Read("asked_now", q.read, q.stream)
	oldest = hdl.LetOf(m, "oldest", hdl.Unpack(engine.ExpectedOf(c), entries.Read("awaited_q", q.read, hdl.Cat(q.stream, q.count.Truncate(cw)), hdl.ReadNew)))
	return oldest, m.Let("awaits_nothing", total.Eq(q.count))
}
