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

// sendSplit is [send] of a wide delivery: its head is offered by registers, its body by a memory that reads the body of the next head in every cycle.
func sendSplit(m *hdl.Module, depth int, enters hdl.Value, d engine.Delivery, to hdl.Source[engine.Delivery]) (left hdl.Value) {
	head, body := splitDelivery(d)
	delayed, valid := hdl.NewRegOf(m, "delivery_head", head, hdl.NoReset), m.Reg("delivery_head_valid_q", 1, hdl.ResetTo(0))
	m.Note("A head comes a cycle later than its body, which is read until then.")
	m.OnClock(valid.Set(enters), delayed.Set(head))
	heads, queued := hdl.NewStream(m, "delivery_heads_in", head), hdl.NewStream(m, "delivery_heads_out", head)
	heads.Source().Drive(m, valid.Value, delayed.Q)
	m.Unused("room was reserved when the segment was accepted", heads.Source().Ready)
	block.Queue(m, "delivery_heads_ahead", depth, heads.Sink(), queued.Source())
	h := queued.Sink()
	h.Accept(m, to.Ready)
	leaves := m.Let("delivery_leaves", h.Valid.And(to.Ready))

	places := 2 * depth // one more than depth may be inside
	index := block.IndexWidth(places)
	tail, first := m.Reg("delivery_tail_q", index, hdl.ResetTo(0)), m.Reg("first_delivery_q", index, hdl.ResetTo(0))
	next := m.Let("next_delivery", hdl.Mux(leaves, first.Plus(1), first.Value))
	gone := m.Reg("deliveries_left_q", 1, hdl.ResetTo(0))
	m.OnClock(hdl.If(enters, tail.Set(tail.Plus(1))), first.Set(next), gone.Set(leaves))
	bodies := m.Memory("delivery_bodies", hdl.PackedWidth(body), places)
	bodies.Write(enters, tail.Value, m.Let("delivery_body", hdl.Pack(body)))
	to.Drive(m, h.Valid, joinDelivery(h.Data, hdl.Unpack(body, bodies.Read("delivery_body_q", hdl.Ones(1), next, hdl.ReadOld))))
	return gone.Value
}
