package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// report hands over what a turn causes.
func (u *scoreboard) report(t turn, of partTaken, e effect) {
	m, c, pipe := u.Module, u.c, u.pipe
	at := func(s *block.Signal) hdl.Value { return s.At(messageDone) }
	hold := func(name string, v hdl.Value) hdl.Value { return at(pipe.Holds(name, 0, v)) }
	d, packet, valid := u.p.Arrival.Data.Delivery, u.packet.At(0), pipe.Valid(messageDone)
	tag := *d.Tag.(*deliveryTag)
	q := hdl.Unpack(receiptOf(arrivedPartOf(c)), at(e.part))
	m.Section("What leaves")
	m.Unused("the receive is that of the part", d.ID)
	kinds := engine.NameDeliveries(m)
	also := func(kind int, when hdl.Value) hdl.Value { return kinds[kind].And(when.Replicate(engine.DeliveryKinds)) }
	flushes := at(e.flushed.some)
	own := at(pipe.Signal("kind", 0, d.Kind.And(packet.Replicate(engine.DeliveryKinds))))
	kind := m.Let("delivers", hdl.AnyOf(own, also(engine.DeliverReceive, at(e.completes)), also(engine.DeliverRequest, at(e.releases))))
	tag.Answer.Reply = tag.Answer.Reply.And(packet.Replicate(tag.Answer.Reply.Width()))
	tag.Answer, tag.Push = hdl.Unpack(tag.Answer, hold("answer", hdl.Pack(tag.Answer))), hold("answers_push", tag.Push)
	says := func(v, when hdl.Value) hdl.Value { return v.And(when.Replicate(v.Width())) }
	succeeds := at(e.succeeds)
	m.Note("With a response no receive completes.")
	status := m.Let("reported_status", hdl.Mux(at(e.completes), at(e.status), at(u.response)))
	tag.Received = received{Status: status, SourceQP: hold("source_qp", tag.Received.SourceQP), Word: says(q.Word, succeeds), Solicited: says(q.Solicited, succeeds)}
	m.Note("The receive of the open message completes with the end of the QP.")
	ends := at(u.ends)
	receive, opcode := m.Let("receive", hdl.Select(q.Receive, hdl.When{Cond: flushes, Then: e.flushed.id}, hdl.When{Cond: ends, Then: e.open})), m.Let("opcode", says(q.Opcode, ends.Or(flushes).Not()))
	use := hdl.Unpack(listUseOf(c), receive.Slice(receive.Width()-1, 64))
	length := m.Let("length", hdl.Mux(at(e.completes), says(at(e.octets), succeeds.And(q.Send)), hold("own_length", d.Length)))
	queue := at(pipe.Signal("queue_place", 0, says(hdl.Pack(d.Queue), packet)))
	r := hdl.Unpack(heldRequestOf(d.Request), at(of.request))
	refusal := m.Constant("REFUSAL", r.Kind.Width(), c.Kinds().Request(executorRefusal))
	r.Kind = m.Let("kind_of_request", hdl.Mux(at(e.refuses), refusal, r.Kind))
	leaves := m.Let("leaves", valid.And(kind.Any().Or(tag.Answer.Reply.Any())))
	u.delivered.Drive(pipe.Valid(0), m.Let("delivers_nothing", valid.And(leaves.Not())), leaves, engine.Delivery{Kind: kind, Place: at(e.place), ID: receive.Truncate(64), Opcode: opcode,
		Length: length, Rule: hold("rule", d.Rule), Queue: hdl.Unpack(d.Queue, queue), Tag: &tag,
		Request: engine.InboundRequest{Stream: at(u.stream), Kind: r.Kind, Number: r.Number, STag: r.STag, Address: r.Address, Tag: r.Tag}})
	releases := m.Let("releases_list", hdl.AllOf(valid, kind.Bit(engine.DeliverReceive), use.Is))
	u.released.Drive(pipe.Valid(0), m.Let("releases_nothing", valid.And(releases.Not())), releases, engine.ReleasedList{Stream: use.Queue, First: use.First})
	fails := m.Let("reports_failure", valid.And(at(e.fails)))
	u.failed.Drive(pipe.Valid(0), m.Let("fails_not", valid.And(fails.Not())), fails, engine.Failure{Stream: at(u.stream), Fault: hdl.Select(
		engine.FaultOf(c, FaultIncomplete), hdl.When{Cond: at(e.beyond), Then: engine.FaultOf(c, FaultWindow)}, hdl.When{Cond: at(e.misplaced), Then: engine.FaultOf(c, FaultPlace)}, hdl.When{Cond: at(e.skips), Then: engine.FaultOf(c, FaultRMSN)})})

	m.Section("Messages that are over, and R-Keys that are no longer valid")
	stream, count := m.Reg("over_stream_q", at(u.stream).Width(), hdl.NoReset), m.Reg("over_count_q", overBits(c), hdl.NoReset)
	over, life := m.Reg("over_q", 1, hdl.ResetTo(0)), m.Reg("over_life_q", engine.NumberBits(c), hdl.NoReset)
	revokes := m.Let("revokes", hdl.AllOf(valid, at(e.completes), succeeds, q.Revokes))
	u.revoked.Drive(pipe.Valid(0), valid.And(revokes.Not()), revokes, Revocation{q.Word.Slice(31, 8)})
	m.Note("An opening begins to count anew.")
	opened := at(u.opens)
	m.OnClock(over.Set(valid.And(hdl.AnyOf(at(t.over), at(e.uses), opened))), stream.Set(at(u.stream)), life.Set(at(e.life)),
		count.Set(hdl.Select(at(e.used), hdl.When{Cond: opened, Then: hdl.Zero(overBits(c))}, hdl.When{Cond: at(t.over), Then: at(t.count)})))
	m.Drive(u.p.Over.Valid, over.Value)
	m.Drive(u.p.Over.Stream, stream.Value)
	m.Drive(u.p.Over.Life, life.Value)
	m.Drive(u.p.Over.Count, count.Value)
}
