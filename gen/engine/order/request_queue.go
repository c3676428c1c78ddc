package order

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// QueuedRequest is an item with its slot in request_queue.
type QueuedRequest struct {
	Queue   engine.QueuePlace
	Request engine.InboundRequest `hdl:"-"`
}

func QueuedRequestOf(c engine.Config) QueuedRequest {
	return QueuedRequest{Queue: engine.QueuePlaceOf(c), Request: engine.InboundRequestOf(c)}
}

// RequestQueuePorts are items for the responder, in and out.
type RequestQueuePorts struct {
	In  hdl.Sink[QueuedRequest]
	Out hdl.Source[engine.InboundRequest]
}

const requestQueueDoc = `request_queue holds the requests of every stream, and its end, until the responder takes them. It has %d slots per
stream: %d requests (IRD) and the end, so a peer that accepts no responses blocks no receive side.

Requests leave in order of arrival, 2 cycles later at the earliest. A request that arrived inside an incomplete
message of its stream (RFC 7306 section 5.4) stays in its slot and stalls no other stream. A release lets all
waiting requests of its stream leave, in order, one per cycle; the next item is accepted when all of them have
their turn. A request that is never released is overwritten when its slot is used again.`

// queueTurn is an item that may leave.
type queueTurn struct{ Stream, Slot hdl.Value }

// RequestQueue has a memory of slots and a queue of those that may leave.
func RequestQueue(c engine.Config) hdl.Block[RequestQueuePorts] {
	return hdl.Block[RequestQueuePorts]{
		Kind: "request_queue", Params: c.Params("streams", "ird"),
		Doc:   fmt.Sprintf(requestQueueDoc, engine.QueueSlots(c), c.IRD),
		Ports: RequestQueuePorts{In: hdl.NewSink(QueuedRequestOf(c)), Out: hdl.NewSource(engine.InboundRequestOf(c))},
		Build: func(m *hdl.Module, p RequestQueuePorts) { buildRequestQueue(m, p, c) },
	}
}

func buildRequestQueue(m *hdl.Module, p RequestQueuePorts, c engine.Config) {
	proto := queueTurn{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Slot: hdl.Bits(engine.QueueSlotBits(c))}
	turns, next := hdl.NewStream(m, "turn", proto), hdl.NewStream(m, "next", proto)
	block.Fifo(m, "turns", c.Streams*engine.QueueSlots(c), turns.Sink(), next.Source())

	m.Section("Store the item, and queue the slots that may leave")
	in := p.In.Data
	more := m.Reg("more_q", engine.WaitingBits(c), hdl.ResetTo(0)) // released requests that are not queued yet
	releasedStream, releasedSlot := m.Reg("released_stream_q", proto.Stream.Width(), hdl.NoReset), m.Reg("released_slot_q", proto.Slot.Width(), hdl.NoReset)
	releasing := m.Let("releasing", more.Any())
	isRelease := m.Let("is_release", in.Queue.Released.Any())
	free := turns.Source().Ready
	take := m.Let("take", hdl.AllOf(p.In.Valid, releasing.Not(), free))
	p.In.Accept(m, releasing.Not().And(free))
	slots := m.Memory("slots", hdl.PackedWidth(in.Request), c.Streams*engine.QueueSlots(c))
	slots.Write(take.And(isRelease.Not()), hdl.Cat(in.Request.Stream, in.Queue.Slot), hdl.Pack(in.Request))
	turns.Source().Drive(m, releasing.Or(p.In.Valid.And(in.Queue.Waits.Not())), queueTurn{
		Stream: hdl.Mux(releasing, releasedStream.Value, in.Request.Stream), Slot: hdl.Mux(releasing, releasedSlot.Value, in.Queue.Slot)})
	one := hdl.Const(engine.WaitingBits(c), 1)
	m.OnClock(
		hdl.If(take.And(isRelease), more.Set(in.Queue.Released.Sub(one)), releasedStream.Set(in.Request.Stream), releasedSlot.Set(in.Queue.Slot.Plus(1))).
			ElseIf(releasing.And(free), more.Set(more.Sub(one)), releasedSlot.Set(releasedSlot.Plus(1))))

	m.Section("Leave")
	valid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
	fetch := m.Let("fetch", next.Sink().Valid.And(valid.Not().Or(p.Out.Ready)))
	next.Sink().Accept(m, valid.Not().Or(p.Out.Ready))
	m.Note("An item is stored at least one cycle before its turn.")
	out := slots.Read("out_q", fetch, hdl.Cat(next.Sink().Data.Stream, next.Sink().Data.Slot), hdl.ReadOld)
	m.OnClock(hdl.If(fetch, valid.Set(hdl.Ones(1))).ElseIf(p.Out.Ready, valid.Set(hdl.Zero(1))))
	p.Out.Drive(m, valid.Value, hdl.Unpack(engine.InboundRequestOf(c), out))
}
