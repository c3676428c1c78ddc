package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// deliveryHead is what decides when a delivery may leave, and where to.
type deliveryHead struct {
	Kind    hdl.Value
	Place   hdl.Value
	Opcode  hdl.Value
	Queue   engine.QueuePlace
	Stream  hdl.Value
	Request hdl.Value // its kind
}

// deliveryBody is the rest of a delivery, which is wide with the extension Commit.
type deliveryBody struct {
	ID      hdl.Value `hdl:"id"`
	Length  hdl.Value
	Rule    hdl.Value
	Number  hdl.Value
	STag    hdl.Value `hdl:"stag"`
	Address hdl.Value
	Tag     any `hdl:"-"`
}

func splitDelivery(d engine.Delivery) (deliveryHead, deliveryBody) {
	r := d.Request
	return deliveryHead{Kind: d.Kind, Place: d.Place, Opcode: d.Opcode, Queue: d.Queue, Stream: r.Stream, Request: r.Kind},
		deliveryBody{ID: d.ID, Length: d.Length, Rule: d.Rule, Number: r.Number, STag: r.STag, Address: r.Address, Tag: r.Tag}
}

func joinDelivery(h deliveryHead, b deliveryBody) engine.Delivery {
	return engine.Delivery{Kind: h.Kind, Place: h.Place, ID: b.ID, Opcode: h.Opcode, Length: b.Length, Rule: b.Rule, Queue: h.Queue,
		Request: engine.InboundRequest{Stream: h.Stream, Kind: h.Request, Number: b.Number, STag: b.STag, Address: b.Address, Tag: b.Tag}}
}

// sendRoomy is [send] without a choice for each bit: all goes through the memory, which takes a cycle more.
func sendRoomy[T any](m *hdl.Module, name string, depth int, enters hdl.Value, data T, to hdl.Source[T]) (left hdl.Value) {
	out := hdl.NewStream(m, name+"_out", data)
	block.Roomy(m, name+"_ahead", depth, enters, data, out.Source())
	to.Drive(m, out.Sink().Valid, out.Sink().Data)
	out.Sink().Accept(m, to.Ready)
	gone := m.Reg(name+"_left_q", 1, hdl.ResetTo(0))
	m.OnClock(gone.Set(out.Sink().Valid.And(to.Ready)))
	return gone.Value
}

// sendSplit is [send] of a wide delivery: its body is offered by a memory, which takes a cycle more than the registers of its head.
func sendSplit(m *hdl.Module, depth int, enters hdl.Value, d engine.Delivery, to hdl.Source[engine.Delivery]) (left hdl.Value) {
	head, body := splitDelivery(d)
	delayed, valid := hdl.NewRegOf(m, "delivery_head", head, hdl.NoReset), m.Reg("delivery_head_valid_q", 1, hdl.ResetTo(0))
	m.OnClock(valid.Set(enters), delayed.Set(head))
	heads, queued := hdl.NewStream(m, "delivery_heads_in", head), hdl.NewStream(m, "delivery_heads_out", head)
	heads.Source().Drive(m, valid.Value, delayed.Q)
	m.Unused("room was reserved when the segment was accepted", heads.Source().Ready)
	block.Queue(m, "delivery_heads_ahead", depth, heads.Sink(), queued.Source())
	h := queued.Sink()
	h.Accept(m, to.Ready)
	leaves := m.Let("delivery_leaves", h.Valid.And(to.Ready))
	to.Drive(m, h.Valid, joinDelivery(h.Data, bodiesOf(m, depth, enters, leaves, body)))
	gone := m.Reg("deliveries_left_q", 1, hdl.ResetTo(0))
	m.OnClock(gone.Set(leaves))
	return gone.Value
}

// bodiesOf are bodies in order: one that enters is there from the second cycle on, when those before have left.
func bodiesOf(m *hdl.Module, depth int, enters, leaves hdl.Value, body deliveryBody) deliveryBody {
	index := block.IndexWidth(depth)
	here, empty := m.Reg("body_is_here_q", 1, hdl.ResetTo(0)), m.Reg("no_body_waits_q", 1, hdl.ResetTo(1))
	fetched, head := m.Reg("body_was_fetched_q", 1, hdl.ResetTo(0)), m.Reg("body_head_q", index, hdl.ResetTo(0))
	tail, latest := m.Reg("body_tail_q", index, hdl.ResetTo(0)), m.Reg("body_before_tail_q", index, hdl.ResetTo(0))
	memory := m.Memory("delivery_bodies", hdl.PackedWidth(body), depth)
	memory.Write(enters, tail.Value, m.Let("delivery_body", hdl.Pack(body)))
	fetch := m.Let("fetches_body", empty.Not().And(here.Not().Or(leaves)))
	m.Note("A fetch is known late: it moves head a cycle later. With one body left, some wait until it is fetched. The place before tail is complemented.")
	next := m.Let("next_body", head.Add(fetched.ZeroExtend(index)))
	last := m.Let("is_last_body", next.Eq(latest.Not()))
	m.OnClock(
		here.Set(fetch.Or(here.And(leaves.Not()))),
		fetched.Set(fetch), head.Set(next),
		hdl.If(enters, tail.Set(tail.Plus(1)), latest.Set(tail.Not())),
		empty.Set(enters.Not().And(empty.Or(fetch.And(last)))))
	return hdl.Unpack(body, memory.Read("delivery_body_q", fetch, next, hdl.ReadOld))
}
