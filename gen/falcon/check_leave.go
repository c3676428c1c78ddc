package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// leave puts the placement and the arrival into their buffers.
func (k *check) leave(room hdl.Wire) {
	m, p, v := k.m, k.p, k.verdict
	at := func(s *block.Signal) hdl.Value { return s.At(checkLeaving) }
	m.Section("Answer to Falcon")
	reply, code, refusal := k.answer(checkLeaving - 1)
	replies, codes, refuses := k.holds("reply", checkLeaving-1, reply), k.holds("code", checkLeaving-1, code), k.holds("answers_ce", checkLeaving-1, refusal)
	status := k.holds("status", checkLeaving-1, k.packetStatus(checkLeaving-1))

	m.Section("Placement and arrival")
	h := k.kept()
	valid := k.pipe.Valid(checkLeaving)
	word := at(k.word)
	uses := m.Let("uses_place", at(v.places).Or(at(v.some)))
	place := Placing{List: at(k.parts.list), Placement: engine.Placement{Stream: at(k.stream), Discard: at(v.places).Not(), Inline: word, Address: at(k.found.Address),
		Length: hdl.Mux(word, hdl.Const(16, 8), h.Octets), Data: h.VA}}
	arrival := k.arrival(h, at(replies), at(codes), at(refuses), at(status))
	reports := m.Let("reports", hdl.AnyOf(at(k.isPacket), at(v.ends), at(k.isOpening).And(at(k.lastTurn))))
	m.Note("A place in either buffer is reserved when an item is taken.")
	takes := k.pipe.Valid(0)
	k.places.Drive(takes, valid.And(uses.Not()), valid.And(uses), place)
	k.arrivals.Drive(takes, valid.And(reports.Not()), valid.And(reports), arrival)
	m.Drive(p.Count.Packets, valid.And(at(k.isPacket)))
	m.Drive(p.Count.Refused, valid.And(at(v.refused)))

	m.Note("Numbers must not wrap around to placements in progress: 64 are kept for those in the pipeline.")
	crowded := m.Reg("is_crowded_q", 1, hdl.ResetTo(0))
	m.OnClock(crowded.Set(v.issued.Sub(p.Placed.Value).Slice(engine.PlacementBits-1, 6).All()))
	m.Drive(room.Out(), hdl.AllOf(k.places.Room, k.arrivals.Room, k.gate.Room, crowded.Not()))
}

// arrival is that of the item in stage checkLeaving.
func (k *check) arrival(h keptPacket, reply, code, refuses, status hdl.Value) Arrival {
	m, c, is, set, s, v := k.m, k.c, k.is, k.set, k.state, k.verdict
	at := func(s *block.Signal) hdl.Value { return s.At(checkLeaving) }
	known := m.Let("is_of_message", hdl.AllOf(at(is.push), at(s.counts), hdl.AnyOf(at(v.accepted), at(v.class).Is(uint64(spec.Refused)))))
	m.Note("A pull that is refused is of no operation if its QP goes to Error.")
	refused := m.Let("is_refused_alone", at(set.completes).And(at(v.class).Is(uint64(spec.Refused))))
	pulls := m.Let("is_pull_in_order", hdl.AllOf(at(is.pull), at(s.counts), at(v.accepted).Or(refused)))
	receives := m.Let("takes_receive", hdl.AllOf(known, at(is.receives), at(set.ud).Not().Or(at(set.dropped).Not())))
	taken := at(k.shared.takes)
	m.Note("Of a QP that has gone to Error nothing counts: a receive that is taken all the same is flushed.")
	flushes := m.Let("flushes_receive", taken.And(receives.Not()))
	counts := m.Let("takes_effect", hdl.AllOf(at(v.applies), at(set.ud).Not().Or(receives)))
	executors := c.Kinds().NameRequests(m)
	executor := func(name string) hdl.Value { return executors.Executors[c.Kinds().Executor(name)] }
	atomic := m.Let("is_atomic_request", at(is.pull).And(at(is.atomic)))
	waits := m.Let("waits", hdl.AllOf(at(v.accepted), atomic, at(set.weak)))
	asks := m.Let("asks", hdl.AllOf(at(is.pull), waits.Not(), at(v.accepted).Or(refuses)))
	responds := m.Let("responds", at(is.data).And(hdl.AnyOf(at(v.accepted), at(v.class).Is(uint64(spec.Found)))))
	deliveries := engine.NameDeliveries(m)
	kind := func(n int, when hdl.Value) hdl.Value { return deliveries[n].And(when.Replicate(engine.DeliveryKinds)) }
	before := m.Let("part_offset", h.Offset.And(at(set.ud).Not().Replicate(32)))
	m.Note("What a refusal takes from the headers of a pull is 0 if they are not there (I-108).")
	whole := at(k.set.readable)
	shown := func(v, when hdl.Value) hdl.Value { return v.And(when.Replicate(v.Width())) }
	end := m.Let("message_octets", before.Add(h.Octets.ZeroExtend(32)))
	id := at(k.found.id)
	return Arrival{
		Opens: at(k.isOpening), Weak: at(set.weak), Shares: at(k.shared.shares), Takes: taken.And(receives), Counts: counts, SN: at(k.sn), Waits: waits, Verbs: at(set.completes).Or(at(set.ud)).Not(),
		Part: Part{Send: known.And(at(is.send)), Write: known.And(at(is.write)), Pull: pulls, Starts: at(is.starts), Ends: at(is.ends), Receives: receives,
			Refused: at(v.refused), Provided: at(k.shared.noQueue).Not(), Status: status, RMSN: at(s.rmsn), Offset: before, Octets: h.Octets, ID: id, Use: hdl.Unpack(listUseOf(c), at(k.parts.use)),
			Revokes: hdl.AllOf(known, at(set.weak), at(k.revokes))},
		Delivery: engine.Delivery{
			Kind:  hdl.AnyOf(kind(engine.DeliverResponse, responds), kind(engine.DeliverRequest, asks), kind(engine.DeliverEnd, at(v.ends)), kind(engine.DeliverReceive, flushes)),
			Place: at(v.place), ID: id, Opcode: h.Opcode, Length: shown(end, flushes.Not()),
			Rule:  hdl.Mux(at(k.isFailure), at(k.cause), at(v.rule)),
			Queue: engine.QueuePlace{Waits: hdl.Zero(1), First: hdl.Zero(1), Releases: hdl.Zero(1)},
			Request: engine.InboundRequest{Stream: at(k.stream), Number: at(k.state.life), STag: h.RKey, Address: at(k.found.Address),
				Kind: hdl.Select(executor("read"), hdl.When{Cond: at(v.ends), Then: executors.End}, hdl.When{Cond: refuses, Then: executor("refusal")}, hdl.When{Cond: atomic, Then: executor("atomic")}),
				Tag: &Pull{CID: h.CID, RSN: h.RSN, SN: h.SN, Remote: at(set.remote), XRC: at(is.services[spec.XRC]), Verbs: at(set.completes).Not(), Atomic: at(is.atomic).And(at(k.set.pullOpcode)), Adds: at(is.adds),
					Length: h.Length, Data: hdl.Mux(at(is.data), h.VA, h.Data), Compare: h.Compare, SinkVA: shown(h.SinkVA, whole), LKey: shown(h.LKey, whole)}},
			Tag: &deliveryTag{Push: at(is.push).And(at(set.ud).Not()), Answer: Answer{CID: h.CID, RSN: h.RSN, Reply: reply, Code: code, Timeout: at(set.timeout)},
				Received: received{Status: hdl.Mux(flushes, hdl.Const(statusBits, statusFlushed), status), SourceQP: k.sourceQP(h.VA), Word: h.Word, Solicited: h.SE}},
		},
	}
}

// sourceQP is that of DETH, which lies where VA does.
func (k *check) sourceQP(va hdl.Value) hdl.Value {
	f := spec.DETH.Table(k.profile.Order).MustField("source_qp")
	return va.Slice(63-f.Offset, 64-f.Offset-f.Width)
}
