package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// storedPart is a part of a weakly ordered QP that waits for lower SNs.
type storedPart struct {
	Slot hdl.Value // of the Atomic
	Part arrivedPart
}

// heldRequest is a request without its QP.
type heldRequest struct {
	Kind    hdl.Value
	Number  hdl.Value
	STag    hdl.Value
	Address hdl.Value
	Tag     any
}

func heldRequestOf(r engine.InboundRequest) heldRequest {
	return heldRequest{r.Kind, r.Number, r.STag, r.Address, r.Tag}
}

// partTaken is the part that takes effect.
type partTaken struct {
	some    *block.Signal
	part    *block.Signal // arrivedPart
	request *block.Signal // heldRequest
}

// parts fetches the part that takes effect.
func (u *scoreboard) parts(t turn) partTaken {
	m, c, pipe := u.Module, u.c, u.pipe
	m.Section("The part that takes effect: parts wait by SN, requests of Atomics by slot")
	window := block.IndexWidth(orderParts(c))
	sn := pipe.Holds("sn", 0, u.p.Arrival.Data.SN.Truncate(window))
	at := func(slot hdl.Value) hdl.Value { return hdl.Cat(u.stream.At(turnKnown), slot) }
	proto := storedPart{Slot: hdl.Bits(t.slot.At(turnKnown).Width()), Part: arrivedPartOf(c)}
	stores := m.Let("stores_part", u.counts.At(turnKnown).And(u.weak.At(turnKnown)))
	waiting := m.Memory("parts", hdl.PackedWidth(proto), c.Streams*orderParts(c))
	waiting.Write(stores, at(sn.At(turnKnown)), m.Let("stored_part", hdl.Cat(t.slot.At(turnKnown), u.own.At(turnKnown))))
	fetched := waiting.Read("fetched_part_q", pipe.Valid(turnKnown), at(t.next.Truncate(window)), hdl.ReadOld)
	stored := hdl.Unpack(proto, fetched)
	part := pipe.Signal("part", partKnown, hdl.Mux(t.stored.At(partKnown), hdl.Pack(stored.Part), u.own.At(partKnown)))

	some := pipe.Signal("takes_part", turnKnown, t.own.At(turnKnown).Or(t.stored.At(turnKnown)))
	ends := m.Let("ends_atomic", hdl.AllOf(pipe.Valid(partKnown), some.At(partKnown), hdl.Unpack(arrivedPartOf(c), part.At(partKnown)).Waits))
	slot := m.Let("ended_slot", hdl.Mux(t.stored.At(partKnown), stored.Slot, t.slot.At(partKnown)))
	m.Drive(t.released.Out(), hdl.Const(atomicSlots(c), 1).ShiftLeft(slot).And(ends.Replicate(atomicSlots(c))))
	atomics := m.Memory("atomics", hdl.PackedWidth(heldRequestOf(engine.InboundRequestOf(c))), c.Streams*atomicSlots(c))
	atomics.Write(u.waits.At(partKnown), hdl.Cat(u.stream.At(partKnown), t.slot.At(partKnown)), u.request.At(partKnown))
	leaves := m.Let("slot_of_atomic", hdl.Mux(t.refuses.At(partKnown), t.refused.At(partKnown), stored.Slot))
	atomic := atomics.Read("fetched_atomic_q", pipe.Valid(partKnown), hdl.Cat(u.stream.At(partKnown), leaves), hdl.ReadOld)
	released := pipe.Signal("releases_stored", partKnown, t.refuses.At(partKnown).Or(t.stored.At(partKnown).And(stored.Part.Waits)))
	request := pipe.Signal("released_request", messageKnown, hdl.Mux(released.At(messageKnown), atomic, u.request.At(messageKnown)))
	return partTaken{some: some, part: part, request: request}
}
