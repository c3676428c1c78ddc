package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxDecision is what a decision is made from, and what it is kept in.
type rxDecision struct {
	s       rxSegment
	now     rxState
	found   verdict
	request engine.RingEntry
	awaited engine.Expected
	region  memory.RegionFaults
	stag    hdl.Value

	valid, isOpening, isFailure hdl.Value
	fault                       hdl.Value // what isFailure reports
	opening                     engine.Opening

	fire  hdl.Wire
	state block.Loop
}

// decideRx turns a verdict into what leaves and into the stream's next state.
func decideRx(m *hdl.Module, p RxCheckPorts, c engine.Config, d rxDecision) {
	s, now := d.s, d.now
	isSegment := m.Let("is_segment", d.isOpening.Or(d.isFailure).Not())
	fails := m.Let("fails", hdl.AllOf(isSegment, now.Open, d.found.broken))
	right := m.Let("is_right", hdl.AllOf(isSegment, now.Open, d.found.broken.Not()))
	some := s.PayloadLength.Any()
	inline := m.Let("places_word", right.And(s.isReply()))
	places := m.Let("places", inline.Or(hdl.AllOf(right, some, hdl.AnyOf(s.isWrite, s.isReadResponse, s.isSend))))
	discards := m.Let("discards", hdl.AllOf(isSegment, some, places.Not()))
	receives := m.Let("completes_receive", right.And(s.isImmediate.Or(s.isSend.And(s.last))))
	answers := m.Let("completes_answer", right.And(s.isReply().Or(s.isReadResponse.And(s.last))))
	asks := m.Let("requests", right.And(s.isRequest()))
	shuts := m.Let("is_shut", right.And(s.isTerminate))
	terminates := m.Let("terminates", fails.Or(d.isFailure.And(now.Open)))

	m.Note("A request waits while a message of its stream is incomplete (RFC 7306 section 5.4). The segment that completes the last of them releases all.")
	sends, writes, responds := right.And(s.isSend), right.And(s.isWrite), right.And(s.isReadResponse)
	within := m.Let("still_within", hdl.Mux(sends, s.last.Not(), now.Within))
	writing := m.Let("still_writing", hdl.Mux(writes, s.last.Not(), now.Writing))
	answering := m.Let("still_answering", hdl.Mux(responds, s.last.Not(), now.Answering))
	waits := m.Let("waits", asks.And(now.incomplete()))
	releases := m.Let("releases", hdl.AllOf(right, now.Waiting.Any(), hdl.AnyOf(within, writing, answering).Not()))
	onlyReleases := m.Let("only_releases", releases.And(s.isWrite))
	delivers := m.Let("delivers", hdl.AnyOf(receives, answers, asks, shuts, terminates, onlyReleases))

	m.Section("What leaves")
	place := hdl.NewRegOf(m, "place", engine.PlacementOf(c.Streams), hdl.NoReset)
	placeValid := m.Reg("place_valid_q", 1, hdl.ResetTo(0))
	deliver := hdl.NewRegOf(m, "deliver", engine.DeliveryOf(c), hdl.NoReset)
	deliverValid := m.Reg("deliver_valid_q", 1, hdl.ResetTo(0))
	begun := m.Reg("begun_q", engine.PlacementBits, hdl.ResetTo(0))
	next := m.Let("next_place", begun.Plus(1))
	placeFree := m.Let("place_free", placeValid.Not().Or(p.Place.Ready))
	deliverFree := m.Let("deliver_free", deliverValid.Not().Or(p.Deliver.Ready))
	m.Note("Numbers must not come round to placements that are under way.")
	room := m.Let("has_number", next.Ne(p.Placed.Value))
	uses := m.Let("uses_place", places.Or(discards))
	m.Drive(d.fire.Out(), hdl.AllOf(d.valid, uses.Not().Or(placeFree.And(room)), delivers.Not().Or(deliverFree)))
	number := m.Let("place_number", hdl.Mux(places, next, now.Place))
	m.Note("Who invalidates an STag waits for the placements of all streams, so that the region is the host's again.")
	awaits := m.Let("awaited_place", hdl.Mux(hdl.AllOf(receives, s.isInvalidating, places.Not()), begun.Value, number))
	back := m.Let("header_back", hdl.Select(hdl.Const(6, 18),
		hdl.When{Cond: d.isFailure.Or(d.found.local), Then: hdl.Const(6, 0)},
		hdl.When{Cond: s.isTagged, Then: hdl.Const(6, 14)},
		hdl.When{Cond: hdl.AllOf(s.is("read"), s.SegmentLength.Is(18+28), d.found.term.Layer.IsZero()), Then: hdl.Const(6, 18+28)}))
	kinds := engine.NameDeliveries(m)
	word := s.reply(func(_ int, r *response) hdl.Value { return r.word })
	slot := now.RequestMsn.Truncate(engine.QueueSlotBits(c))
	m.OnClock(
		hdl.If(placeFree, placeValid.Set(d.fire.And(uses))),
		hdl.If(d.fire.And(uses), place.Set(engine.Placement{Stream: s.Stream, Discard: places.Not(), Inline: inline, Address: d.region.Address,
			Length: hdl.Mux(inline, hdl.Const(16, 8), s.PayloadLength), Data: word})),
		hdl.If(d.fire.And(places), begun.Set(next)),
		hdl.If(deliverFree, deliverValid.Set(d.fire.And(delivers))),
		hdl.If(d.fire.And(delivers), deliver.Set(engine.Delivery{
			Kind: hdl.Select(kinds[engine.DeliverReceive], hdl.When{Cond: answers, Then: kinds[engine.DeliverAnswer]},
				hdl.When{Cond: asks, Then: kinds[engine.DeliverRequest]}, hdl.When{Cond: terminates, Then: kinds[engine.DeliverEnd]},
				hdl.When{Cond: shuts, Then: kinds[engine.DeliverShut]}, hdl.When{Cond: onlyReleases, Then: kinds[engine.DeliverRelease]}),
			Place: awaits, ID: d.request.ID, Opcode: s.opcode, Length: hdl.Mux(s.isImmediate, hdl.Const(32, 8), now.Offset.Add(s.PayloadLength.ZeroExtend(32))),
			Rule: d.found.rule.And(fails.Spread(spec.RuleBits)),
			Queue: engine.QueuePlace{Waits: waits, Released: now.Waiting.And(releases.Spread(now.Waiting.Width())),
				Slot: m.Let("queue_slot", hdl.Mux(asks, slot, slot.Sub(now.Waiting.Truncate(slot.Width()))))},
			Request: inbound(m, d, c.Kinds(), terminates, shuts, back),
		})))
	p.Place.Drive(m, placeValid.Value, place.Q)
	p.Deliver.Drive(m, deliverValid.Value, deliver.Q)
	m.Drive(p.Begun, begun.Value)
	used := m.Let("requests_used", now.Consumed.Add(receives.ZeroExtend(now.Consumed.Width())))
	m.Drive(p.Consumed.Valid, d.fire.And(receives))
	m.Drive(p.Consumed.Stream, s.Stream)
	m.Drive(p.Consumed.Count, used)
	invalidates := m.Let("invalidates", hdl.AllOf(d.fire.Value, receives, s.isInvalidating))
	m.Drive(p.Kill, invalidates)
	m.Drive(p.KillIndex, s.untagged("invalidate_stag").Slice(31, 8))
	m.Drive(p.Count.Segments, d.fire.And(isSegment))
	m.Drive(p.Count.Discarded, hdl.AllOf(d.fire.Value, isSegment, now.Open.Not()))
	m.Drive(p.Count.Errors, d.fire.And(fails))
	m.Drive(p.Count.Invalidated, invalidates)

	m.Section("The stream from now on")
	count := func(v, when hdl.Value) hdl.Value { return v.Add(when.ZeroExtend(v.Width())) }
	progress := m.Let("progress", now.Offset.Add(s.PayloadLength.ZeroExtend(32)))
	received := m.Let("received", now.Received.Add(s.PayloadLength.ZeroExtend(32)))
	var asksReplies []hdl.Value
	for i, r := range requests {
		if r.atQueue3() {
			asksReplies = append(asksReplies, s.requests[i])
		}
	}
	asksReply := m.Let("asks_reply", hdl.AnyOf(asksReplies...))
	after := rxState{
		Open: now.Open.And(hdl.AnyOf(terminates, shuts).Not()), Domain: now.Domain, Place: number,
		ReceiveMsn:  count(now.ReceiveMsn, receives),
		Within:      within,
		Opcode:      hdl.Mux(sends, s.opcode, now.Opcode),
		Offset:      hdl.Mux(sends, progress.And(s.last.Not().Spread(32)), now.Offset),
		Consumed:    used,
		RequestMsn:  count(now.RequestMsn, asks),
		ResponseMsn: count(now.ResponseMsn, right.And(asksReply)),
		AnswerMsn:   count(now.AnswerMsn, inline),
		Awaited:     count(now.Awaited, answers),
		Received:    hdl.Mux(responds, received.And(s.last.Not().Spread(32)), now.Received),
		Writing:     writing,
		Answering:   answering,
		Waiting:     count(now.Waiting, waits).And(releases.Not().Spread(now.Waiting.Width())),
	}
	decided := hdl.Mux(d.isOpening, hdl.Pack(freshRxState(c, d.opening.Open, d.opening.Domain)), hdl.Pack(after))
	m.OnClock(hdl.If(d.fire.Value, d.state.Decide(s.Stream, decided)))
	m.Unused("the held record has the stream", d.opening.Stream)
}

// inbound is what the responder gets: a request with what follows its DDP header, or the end of the stream.
func inbound(m *hdl.Module, d rxDecision, kinds engine.Kinds, terminates, shuts, back hdl.Value) engine.InboundRequest {
	s := d.s
	octets := s.Header
	given := Term{Layer: s.head.field(18, wire.TerminateTable, "layer"), Etype: s.head.field(18, wire.TerminateTable, "etype"),
		Code: s.head.field(18, wire.TerminateTable, "error_code")}
	gone := m.Let("stag_is_gone", d.fault.Is(engine.FaultSTag))
	failed := hdl.Unpack(noTerm(), m.Let("term_of_fault", hdl.Mux(gone, hdl.Pack(termOf(spec.RequestSTag)), hdl.Pack(noTerm()))))
	pick := func(peer, found, failed hdl.Value) hdl.Value {
		return hdl.Select(found, hdl.When{Cond: shuts, Then: peer}, hdl.When{Cond: d.isFailure, Then: failed})
	}
	term := Term{
		Layer: pick(given.Layer, d.found.term.Layer, failed.Layer),
		Etype: pick(given.Etype, d.found.term.Etype, failed.Etype),
		Code:  pick(given.Code, d.found.term.Code, failed.Code),
	}
	named := kinds.NameRequests(m)
	asked := []hdl.When{{Cond: terminates, Then: named[kinds.End]}, {Cond: shuts, Then: named[kinds.Shut]}}
	for i := range requests[1:] {
		asked = append(asked, hdl.When{Cond: s.requests[1+i], Then: named[1+i]})
	}
	return engine.InboundRequest{
		Stream:  s.Stream,
		Kind:    hdl.Select(named[0], asked...),
		Number:  s.untagged("msn"),
		STag:    m.Let("named_stag", hdl.Mux(s.isSend, s.untagged("invalidate_stag").And(s.isInvalidating.Spread(32)), d.stag)),
		Address: d.region.Address,
		Tag: &requestTag{ResponseMsn: d.now.ResponseMsn, Term: term, HeaderLen: back, SegmentLength: s.SegmentLength,
			Body: m.Let("body", hdl.Mux(terminates, octets.Slice(8*bodyOctets-1, 0), octets.Slice(8*HeaderOctets-1, 8*18)))},
	}
}
