package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxDecision is the input of the decision.
type rxDecision struct {
	s     rxSegment
	b     rxRules
	known rxKnown
	sweep block.Sweep
	room  hdl.Wire
}

// invalidationsAhead is the number of segments ahead that can invalidate an STag after a segment's lookup and before its decision; the
// lookup sees older invalidations.
const invalidationsAhead = leaving - found - 1

// verdict is the first broken rule of a segment, in stage leaving.
type verdict struct {
	rule, local hdl.Value
	term        Term // of its Terminate; undefined if no rule is broken
}

// decideRx decides on a segment from its broken rules, updates the life of the stream and emits the results.
func decideRx(m *hdl.Module, p RxCheckPorts, c engine.Config, d rxDecision) {
	s := d.s
	at := func(v *block.Signal) hdl.Value { return v.At(decided) }
	names := nameRules(m, s.x, func(*spec.RuleRow) bool { return true })
	m.Section("First broken rule; one found by the parser has priority")
	list := d.b.List(judged)
	given := s.rule.At(judged)
	rule, any := firstBroken(m, names, &given, list)
	broken := s.Holds("broken_rule", judged, rule)
	before := func(rule spec.Rule) hdl.Value { // an earlier rule is broken
		any := []hdl.Value{given.Any()}
		for _, b := range list {
			if b.Rule == rule {
				break
			}
			any = append(any, b.Cond)
		}
		return hdl.AnyOf(any...)
	}

	m.Section("STags invalidated since their lookup, by a segment 1 or more cycles ahead")
	invalidating := m.Wire("invalidates", 1)
	invalidated := []hdl.Value{invalidating.Value} // in the previous cycles, latest first
	var moves hdl.Stmts
	for n := 1; n < invalidationsAhead; n++ {
		k := m.Reg(fmt.Sprintf("invalidated_%d_q", n), 1, hdl.ResetTo(0))
		moves = append(moves, k.Set(invalidated[n-1]))
		invalidated = append(invalidated, k.Value)
	}
	m.OnClock(moves)
	access := s.isWrite.At(judged).Or(s.isReadResponse.At(judged))
	// gone reports in stage decided whether STag v, if used, has been invalidated; all but the last cycle is known a stage earlier.
	gone := func(name string, v *block.Signal, use hdl.Value) (before, now *block.Signal) {
		var any []hdl.Value
		var next hdl.Value
		for n := 1; n <= invalidationsAhead; n++ {
			same := s.Signal(fmt.Sprintf("%s_ahead_%d", name, n), found, v.At(found).Slice(31, 8).Eq(s.invalidate.At(found+n).Slice(31, 8))).At(judged)
			if n == 1 {
				next = same
				continue
			}
			any = append(any, same.And(invalidated[n-1]))
		}
		before = s.Signal(name+"_went_before", judged, use.And(hdl.AnyOf(any...)))
		goes := s.Signal(name+"_may_go", judged, use.And(next))
		return before, s.Signal(name+"_is_gone", decided, at(before).Or(at(goes).And(invalidated[1])))
	}
	usesRegion := m.Let("uses_region", d.known.region.reaches.At(judged).And(hdl.AnyOf(access, s.isRequest.At(judged), s.isSend.At(judged), s.isReply.At(judged))))
	invalidates := s.Signal("names_invalidated", judged, s.isInvalidating.At(judged).And(s.last.At(judged)))
	regionWent, regionGone := gone("region", d.known.region.stag, usesRegion)
	namesInvalidated := invalidates.At(judged)
	if s.revokes != nil {
		namesInvalidated = namesInvalidated.Or(s.revokes.At(judged))
	}
	invalidatedWent, invalidatedGone := gone("invalidated", s.invalidate, namesInvalidated)
	stagRule := s.Signal("stag_rule", judged, hdl.Select(names[spec.Local], hdl.When{Cond: access, Then: names[spec.TaggedSTag]},
		hdl.When{Cond: s.isRequest.At(judged), Then: names[spec.RequestSTag]}))
	earlier := s.Signal("breaks_before_stag", judged, hdl.Select(before(spec.Local), hdl.When{Cond: access, Then: before(spec.TaggedSTag)},
		hdl.When{Cond: s.isRequest.At(judged), Then: before(spec.RequestSTag)}))
	earlierYet := s.Signal("breaks_before_invalidation", judged, before(spec.CannotInvalidate))
	first := s.Signal("first_rule", decided, hdl.Select(at(broken),
		hdl.When{Cond: at(regionGone).And(at(earlier).Not()), Then: at(stagRule)},
		hdl.When{Cond: hdl.AllOf(at(invalidatedGone), at(earlierYet).Not(), at(regionGone).Not()), Then: names[spec.CannotInvalidate]}))
	breaks := s.Signal("breaks_rule", judged, hdl.AnyOf(any, regionWent.At(judged), invalidatedWent.At(judged)))

	m.Section("Decide")
	life := block.NewContext(m, "stream_life", hdl.Zero(hdl.PackedWidth(rxLifeOf())), d.sweep).Stage(s.Pipeline, decided-2, s.stream)
	now := hdl.LetOf(m, "life", hdl.Unpack(rxLifeOf(), life.Now))
	isSegment := at(s.isSegment)
	invalid := m.Let("is_invalid", hdl.AnyOf(at(breaks), at(regionGone), at(invalidatedGone)))
	fails := s.Signal("fails", decided, hdl.AllOf(isSegment, now.Open, invalid))
	accepted := s.Signal("is_accepted", decided, hdl.AllOf(isSegment, now.Open, invalid.Not()))
	terminates := s.Signal("terminates", decided, at(fails).Or(at(s.isFailure).And(now.Open)))
	closes := s.Signal("is_close", decided, at(accepted).And(at(s.isTerminate)))
	some := s.Signal("brings_payload", judged, s.payloadLength.At(judged).Any().And(s.isSegment.At(judged)))
	wants := s.Signal("wants_place", judged, s.wordReply.At(judged).Or(some.At(judged).And(hdl.AnyOf(s.placesPayload(access)...))))
	places := s.Signal("places", decided, at(accepted).And(at(wants)))
	issued := m.Reg("issued_q", engine.PlacementBits, hdl.ResetTo(0))
	next := m.Let("next_place", issued.Plus(1))
	numbered, far := at(places), hdl.Value{}
	if p.Far != nil {
		m.Note("Placements in far memory have no numbers: far_gate counts them.")
		far = m.Let("is_far", at(d.known.region.Address).Bit(c.FarBit))
		numbered = m.Let("is_numbered", at(places).And(far.Not()))
	}
	number := s.Signal("place_number", decided, hdl.Mux(numbered, next, now.Place))
	m.OnClock(hdl.If(s.Valid(decided).And(numbered), issued.Set(next)))
	life.Decide(m, hdl.Pack(rxLife{Open: hdl.Mux(at(s.isOpening), at(s.opens), now.Open.And(at(terminates).Or(at(closes)).Not())),
		Place: at(number).And(at(s.isOpening).Not().Replicate(engine.PlacementBits))}))
	m.Drive(invalidating.Out(), hdl.AllOf(s.Valid(decided), at(accepted), at(invalidates)))
	m.Note("An invalidation waits for the placements of all streams, so that the host owns the region afterwards.")
	awaits := s.Signal("awaited_place", decided, hdl.Mux(hdl.AllOf(at(accepted), at(invalidates), numbered.Not()), issued.Value, at(number)))
	isOpen := s.Holds("life_open", decided, now.Open)
	brings := s.Signal("brings_delivery", decided, hdl.AnyOf(at(s.now.receives), at(s.now.responds), at(s.isRequest), at(s.isTerminate), at(s.now.releases).And(at(s.isWrite))))

	m.Section("Terminate of the rule")
	v := verdict{rule: first.At(leaving)}
	v.term = terminateTable(m, s.x, names, v.rule)
	v.local = m.Let("is_local", v.rule.Eq(names[spec.ShortHeader]).Or(v.rule.Eq(names[spec.Local])))

	l := &rxLeaving{s: s, v: v, known: d.known, fails: fails.At(leaving), accepted: accepted.At(leaving), terminates: terminates.At(leaving), closes: closes.At(leaving),
		places: places.At(leaving), some: some.At(leaving), number: awaits.At(leaving), delivers: m.Let("delivers", accepted.At(leaving).And(brings.At(leaving)).Or(terminates.At(leaving)))}
	m.Drive(p.Issued, issued.Value)
	if p.Far != nil {
		l.awaits = &engine.AwaitsFar{Is: s.Signal("awaits_far", decided, at(accepted).And(at(invalidates))).At(leaving)}
		m.Drive(p.Far.Begun, s.Valid(leaving).And(s.Signal("begins_far", decided, at(places).And(far)).At(leaving)))
		m.Drive(p.Far.Stream, s.stream.At(leaving))
	}
	valid, receives := s.Valid(leaving), l.accepted.And(s.now.receives.At(leaving))
	m.Drive(p.Consumed.Valid, valid.And(receives))
	m.Drive(p.Consumed.Stream, s.stream.At(leaving))
	m.Drive(p.Consumed.Count, s.now.used.At(leaving))
	m.Drive(p.Invalidate, invalidated[1])
	m.Drive(p.InvalidateIndex, s.invalidate.At(leaving).Slice(31, 8))
	m.Drive(p.Count.Segments, valid.And(s.isSegment.At(leaving)))
	m.Drive(p.Count.Discarded, hdl.AllOf(valid, s.isSegment.At(leaving), isOpen.At(leaving).Not()))
	m.Drive(p.Count.Errors, valid.And(l.fails))
	m.Drive(p.Count.Invalidated, invalidated[1])
	l.leave(m, p, c)
	l.keepRoom(m, p, d.room, issued.Value)
}

// rxLeaving is a segment in stage leaving.
type rxLeaving struct {
	s     rxSegment
	v     verdict
	known rxKnown

	fails, accepted, terminates, closes, places, some, number hdl.Value

	uses, delivers              hdl.Value // it produces a placement, and a delivery
	placementLeft, deliveryLeft hdl.Value // one leaves its buffer

	awaits any // *engine.AwaitsFar; nil if no memory is far
}

// leave puts the placement and the delivery into their buffers.
func (l *rxLeaving) leave(m *hdl.Module, p RxCheckPorts, c engine.Config) {
	s := l.s
	at := func(v *block.Signal) hdl.Value { return v.At(leaving) }
	m.Section("Placement and delivery")
	record := m.Let("leaving_record", s.record.At(leaving))
	payloadLength := record.Slice(8*HeaderOctets+15, 8*HeaderOctets)
	octets := newHeader(m, "leaving", record.Truncate(8*HeaderOctets).ReverseOctets())
	m.Unused("only its fields are read", octets.bits)
	responds := m.Let("delivers_response", l.accepted.And(at(s.now.responds)))
	asks := m.Let("delivers_request", l.accepted.And(at(s.isRequest)))
	waits, releases := m.Let("delivers_waiting", asks.And(at(s.now.waits))), m.Let("delivers_release", l.accepted.And(at(s.now.releases)))
	onlyReleases := m.Let("only_releases", releases.And(at(s.isWrite)))
	l.uses = m.Let("uses_place", l.places.Or(l.some))
	inline := m.Let("places_word", l.places.And(at(s.wordReply)))
	place := engine.Placement{Stream: at(s.stream), Discard: l.places.Not(), Inline: inline, Address: at(l.known.region.Address),
		Length: hdl.Mux(inline, hdl.Const(16, 8), payloadLength), Data: s.reply(leaving, func(_ int, r request) (hdl.Value, bool) { return r.word(octets) })}
	none := at(s.isFailure).Or(l.v.local)
	if s.revokes != nil {
		m.Note("A failure returns the header of its request, if it is of one (I-55).")
		none = hdl.Mux(at(s.isFailure), record.Slice(8*HeaderOctets+31, 8*HeaderOctets+16).IsZero(), l.v.local)
	}
	back := m.Let("header_back", hdl.Select(hdl.Const(6, 18),
		hdl.When{Cond: none, Then: hdl.Const(6, 0)},
		hdl.When{Cond: l.returnsTagged(), Then: hdl.Const(6, 14)},
		hdl.When{Cond: hdl.AllOf(at(s.is("read")), record.Slice(8*HeaderOctets+31, 8*HeaderOctets+16).Is(18+28), l.v.term.Layer.IsZero()), Then: hdl.Const(6, 18+28)}))
	kinds := engine.NameDeliveries(m)
	held := hdl.LetOf(m, "leaving", hdl.Unpack(rxHeldOf(), s.Signal("held", 4, hdl.Pack(rxHeld{ID: l.known.request.ID, STag: l.known.region.stag.At(4),
		Length: s.now.messageEnd.At(4).Truncate(32), Number: s.now.responseMsn.At(4)})).Later(leaving).At(leaving)))
	deliver := engine.Delivery{
		Kind: hdl.Select(kinds[engine.DeliverReceive], hdl.When{Cond: responds, Then: kinds[engine.DeliverResponse]},
			hdl.When{Cond: asks, Then: kinds[engine.DeliverRequest]}, hdl.When{Cond: l.terminates, Then: kinds[engine.DeliverEnd]},
			hdl.When{Cond: l.closes, Then: kinds[engine.DeliverClose]}, hdl.When{Cond: onlyReleases, Then: kinds[engine.DeliverRelease]}),
		Place: l.number, ID: held.ID, Opcode: at(s.opcode), Length: hdl.Mux(at(s.isImmediate), hdl.Const(32, 8), held.Length),
		Rule:    l.v.rule.And(l.fails.Replicate(spec.RuleBits)),
		Queue:   engine.QueuePlace{Waits: waits, First: waits.And(at(s.now.first)), Releases: releases},
		Request: l.inbound(m, c, octets, record, back, held), Awaits: l.awaits,
	}
	if s.revokes != nil {
		l.placementLeft = sendRoomy(m, "places", placesAhead, s.Valid(leaving).And(l.uses), place, p.Place)
		l.deliveryLeft = sendSplit(m, deliveriesAhead, s.Valid(leaving).And(l.delivers), deliver, p.Deliver)
		return
	}
	l.placementLeft = send(m, "places", placesAhead, s.Valid(leaving), l.uses, engine.PlacementOf(c.Streams), place, p.Place)
	l.deliveryLeft = send(m, "deliveries", deliveriesAhead, s.Valid(leaving), l.delivers, engine.CheckedDeliveryOf(c), deliver, p.Deliver)
}

// rxHeld is known in stage found and kept for stage leaving.
type rxHeld struct {
	ID     hdl.Value `hdl:"id"`   // of the receive request
	STag   hdl.Value `hdl:"stag"` // of the region
	Length hdl.Value // octets of the message
	Number hdl.Value // of the response
}

func rxHeldOf() rxHeld {
	return rxHeld{ID: hdl.Bits(64), STag: hdl.Bits(32), Length: hdl.Bits(32), Number: hdl.Bits(32)}
}

// send emits data through a register and a buffer that has room. left is 1 in the cycle after an item has left the buffer.
func send[T any](m *hdl.Module, name string, depth int, valid, leaves hdl.Value, proto, data T, to hdl.Source[T]) (left hdl.Value) {
	in, out := hdl.NewStream(m, name+"_in", proto), hdl.NewStream(m, name+"_out", proto)
	in.Source().Drive(m, valid.And(leaves), data)
	m.Unused("room was reserved when the segment was accepted", in.Source().Ready)
	block.Queue(m, name+"_ahead", depth, in.Sink(), out.Source())
	to.Drive(m, out.Sink().Valid, out.Sink().Data)
	out.Sink().Accept(m, to.Ready)
	gone := m.Reg(name+"_left_q", 1, hdl.ResetTo(0))
	m.OnClock(gone.Set(out.Sink().Valid.And(to.Ready)))
	return gone.Value
}

// keepRoom lets an item be taken only if its results have room, and its placement a number.
func (l *rxLeaving) keepRoom(m *hdl.Module, p RxCheckPorts, room hdl.Wire, issued hdl.Value) {
	m.Section("Room: an item counts from the cycle after it is taken until it has left its buffer, which has room for one more")
	s := l.s
	count := func(name string, depth int, used, left hdl.Value) hdl.Value {
		width := block.IndexWidth(depth) + 1
		held := m.Reg(name+"_reserved_q", width, hdl.ResetTo(0))
		unused := m.Reg(name+"_spared_q", 1, hdl.ResetTo(0))
		m.OnClock(unused.Set(s.Valid(leaving).And(used.Not())))
		spared := unused.Value
		m.Note("The count changes by +1, 0, -1 or -2.")
		less := m.Let(name+"_fewer", spared.And(left).Or(s.Valid(0).Not().And(spared.Or(left))))
		odd := m.Let(name+"_by_one", s.Valid(0).Xor(spared).Xor(left))
		m.OnClock(held.Set(held.Add(hdl.Cat(less.Replicate(width-1), odd))))
		return held.Bit(width - 1)
	}
	noPlace := count("places", placesAhead, l.uses, l.placementLeft)
	noDelivery := count("deliveries", deliveriesAhead, l.delivers, l.deliveryLeft)
	m.Note("Numbers must not wrap around to placements in progress: 16 are kept for those in the pipeline.")
	crowded := m.Reg("is_crowded_q", 1, hdl.ResetTo(0))
	m.OnClock(crowded.Set(issued.Sub(p.Placed.Value).Slice(engine.PlacementBits-1, 4).All()))
	full := hdl.AnyOf(noPlace, noDelivery, crowded.Value)
	if p.Far != nil {
		full = full.Or(p.Far.Crowded.Value)
	}
	m.Drive(room.Out(), full.Not())
}

// inbound is the item for the responder: a request with what follows its DDP header, or the end of the stream.
func (l *rxLeaving) inbound(m *hdl.Module, c engine.Config, h header, record, back hdl.Value, held rxHeld) engine.InboundRequest {
	s := l.s
	at := func(v *block.Signal) hdl.Value { return v.At(leaving) }
	given := Term{Layer: h.field(18, wire.TerminateTable, "layer"), Etype: h.field(18, wire.TerminateTable, "etype"), Code: h.field(18, wire.TerminateTable, "error_code")}
	failed := l.termOfFault(m)
	pick := func(peer, found, failed hdl.Value) hdl.Value {
		return hdl.Select(found, hdl.When{Cond: l.closes, Then: peer}, hdl.When{Cond: at(s.isFailure), Then: failed})
	}
	term := Term{Layer: pick(given.Layer, l.v.term.Layer, failed.Layer), Etype: pick(given.Etype, l.v.term.Etype, failed.Etype), Code: pick(given.Code, l.v.term.Code, failed.Code)}
	named := c.Kinds().NameRequests(m)
	asked := []hdl.When{{Cond: l.terminates, Then: named.End}, {Cond: l.closes, Then: named.Close}}
	var requests []hdl.Value
	for _, is := range s.requests {
		requests = append(requests, at(is))
	}
	kinds, first := kindOfRequest(m, c, named.Executors, requests, at(l.known.region.Address))
	asked = append(asked, kinds...)
	msn := s.untaggedOf(h, "msn")
	if s.revokes == nil {
		m.Unused("a few bits of an MSN suffice for its credit", msn.Slice(31, engine.NumberBits(c)))
	}
	return engine.InboundRequest{
		Stream:  at(s.stream),
		Kind:    hdl.Select(first, asked...),
		Number:  msn.Truncate(engine.NumberBits(c)),
		STag:    m.Let("delivered_stag", hdl.Mux(at(s.isSend), at(s.invalidate).And(at(s.isInvalidating).Replicate(32)), held.STag)),
		Address: at(l.known.region.Address),
		Tag: &requestTag{ResponseMsn: held.Number, Term: term, HeaderLen: back, SegmentLength: record.Slice(8*HeaderOctets+31, 8*HeaderOctets+16),
			Body: m.Let("body", hdl.Mux(l.terminates, record.Slice(8*bodyOctets-1, 0), record.Slice(8*HeaderOctets-1, 8*18))), More: l.more(m, record, msn)},
	}
}
