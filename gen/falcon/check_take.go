package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// openingTurns is how many numbers of a QP have a word each.
func openingTurns(c engine.Config) int { return max(profileOf(c).Window, c.IRD, c.ReceiveDepth) }

// faultRules are the rules of faults that falcon_order and request_order report.
var faultRules = []struct {
	fault uint64
	rule  spec.Rule
}{{engine.FaultSTag, spec.RKeyUnknown}, {FaultIncomplete, spec.Incomplete}, {FaultRMSN, spec.BadRMSN}, {FaultPlace, spec.OutOfPlace}, {FaultWindow, spec.SNGap}}

// keptPacket is what of a packet its placement and arrival need.
type keptPacket struct {
	RSN     hdl.Value `hdl:"rsn"`
	CID     hdl.Value `hdl:"cid"`
	Octets  hdl.Value
	SE      hdl.Value `hdl:"se"`
	Opcode  hdl.Value
	SN      hdl.Value `hdl:"sn"`
	VA      hdl.Value `hdl:"va"`
	RKey    hdl.Value `hdl:"r_key"`
	Length  hdl.Value
	Data    hdl.Value
	Compare hdl.Value
	Offset  hdl.Value
	SinkVA  hdl.Value `hdl:"sink_va"`
	LKey    hdl.Value `hdl:"l_key"`
	Word    hdl.Value
}

// take puts the next item in the pipeline.
func (k *check) take(ready hdl.Value) {
	m, p, c := k.m, k.p, k.c
	m.Section("QPs that a packet has moved to Error enter again to report it, then reports of other blocks")
	proto := qpFailed{hdl.Bits(block.IndexWidth(c.Streams)), hdl.Bits(spec.RuleBits)}
	ends, ended := hdl.NewStream(m, "ends", proto), hdl.NewStream(m, "ended", proto)
	k.failed = ends.Source()
	block.Fifo(m, "ended_qps", max(2, c.Streams), ends.Sink(), ended.Source())
	own := ended.Sink()
	fails := m.Let("has_failure", own.Valid.Or(p.Failure.Valid))

	m.Section("Take: a turn of an opening, a shared queue, a failure, or a packet. Whose turn it is is known a cycle before")
	turn := func(name string) hdl.Reg { return m.Reg(name+"_turn_q", 1, hdl.ResetTo(0)) }
	opening, queue, failure, packet := turn("opening"), turn("queue"), turn("failure"), turn("packet")
	k.begins = m.Wire("begins", 1)
	number := m.Reg("number_q", block.IndexWidth(openingTurns(c)), hdl.ResetTo(0))
	entered := m.Reg("opening_has_entered_q", 1, hdl.ResetTo(0))
	m.Note("An opening waits until receives of its QP are flushed; its turns leave every other cycle to others.")
	m.Drive(p.Flush.Stream, p.Opening.Data.Stream)
	asks := m.Reg("opening_asks_q", 1, hdl.ResetTo(0))
	m.OnClock(asks.Set(p.Opening.Valid.And(k.begins.Value.Not())))
	opensNext := m.Let("opening_is_next", hdl.AllOf(p.Opening.Valid, asks.Value, p.Flush.Goes.Value.Not(), entered.Not(), opening.Not()))
	setsNext := m.Let("queue_is_next", hdl.AllOf(p.Queue.Valid, queue.Not(), opensNext.Not()))
	failsNext := m.Let("failure_is_next", hdl.AllOf(fails, failure.Not(), opensNext.Or(setsNext).Not()))
	m.OnClock(opening.Set(ready.And(opensNext)), queue.Set(ready.And(setsNext)), failure.Set(ready.And(failsNext)),
		packet.Set(ready.And(hdl.AnyOf(opensNext, setsNext, failsNext).Not())))
	p.Queue.Accept(m, queue.Value)
	own.Accept(m, failure.Value)
	p.Failure.Accept(m, failure.And(own.Valid.Not()))
	p.Record.Accept(m, packet.Value)
	last := m.Let("is_last_number", number.Is(uint64(openingTurns(c)-1)))
	k.pipe, k.gate = block.NewGatedPipeline(m, "found", m.Let("take", hdl.AnyOf(opening.Value, queue.Value, failure.Value, packet.And(p.Record.Valid))), checkFound, checkWaiting, checkLeaving)
	lastTurn := m.Let("opening_ends", opening.And(last))
	p.Opening.Accept(m, k.begins.Value)
	m.OnClock(hdl.If(opening.Value, number.Set(number.Plus(1))),
		hdl.If(lastTurn, entered.Set(hdl.Ones(1))).ElseIf(k.begins.Value, entered.Set(hdl.Zero(1))))

	sw := block.IndexWidth(c.Streams)
	k.stream = k.signal("stream", 0, hdl.Select(p.Record.Data.Header.DestinationQP.Truncate(sw), hdl.When{Cond: opening.Value, Then: p.Opening.Data.Stream},
		hdl.When{Cond: queue.Value, Then: p.Queue.Data.Number},
		hdl.When{Cond: failure.Value, Then: hdl.Mux(own.Valid, own.Data.Stream, p.Failure.Data.Stream)}))
	k.isOpening, k.isFailure, k.isPacket = k.holds("is_opening", 0, opening.Value), k.holds("is_failure", 0, failure.Value), k.holds("is_packet", 0, packet.Value)
	k.isQueue = k.holds("is_queue", 0, queue.Value)
	k.lastTurn = k.holds("opening_ends", 0, lastTurn)
	k.opens, k.domain = k.holds("opens", 0, p.Opening.Data.Open), k.holds("opens_domain", 0, p.Opening.Data.Domain)
	k.number = k.holds("number", 0, number.Value)
	k.again = k.signal("comes_again", 0, failure.And(own.Valid))
	var causes []hdl.When
	for _, f := range faultRules {
		causes = append(causes, hdl.When{Cond: p.Failure.Data.Fault.Is(f.fault), Then: hdl.Const(spec.RuleBits, uint64(f.rule))})
	}
	found := m.Let("rule_of_fault", hdl.Select(hdl.Zero(spec.RuleBits), causes...))
	k.cause = k.signal("cause", 0, hdl.Mux(own.Valid, own.Data.Rule, found))
	packed := k.holds("packet", 0, hdl.Pack(p.Record.Data))
	k.record = hdl.LetOf(m, "packet", hdl.Unpack(RecordOf(k.profile.Connections), packed.At(checkTaken)))
	h := k.record.Header
	m.Unused("only the number of the QP decides where it belongs", h.DestinationQP.Truncate(sw))
	kept := keptPacket{RSN: k.record.Transaction.RSN, CID: k.record.Transaction.CID, Octets: k.record.PayloadLength, SE: h.SE, Opcode: h.Opcode, SN: h.SN, VA: h.VA, RKey: h.RKey,
		Length: h.Length.Truncate(lengthBits), Data: h.Data, Compare: h.Compare, Offset: h.Offset, SinkVA: h.SinkVA, LKey: h.LKey, Word: h.Word}
	later := k.signal("kept", checkTaken, hdl.Pack(kept)).Later(checkLeaving)
	k.kept = func() keptPacket {
		return hdl.LetOf(m, "leaving", hdl.Unpack(kept, later.At(checkLeaving)))
	}
}
