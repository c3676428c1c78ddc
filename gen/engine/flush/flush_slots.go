package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// requestBuffer is how many requests wait for a slot, so that ready comes from a register.
const requestBuffer = 4

// freeSlot is a slot that is free again.
type freeSlot struct{ Slot hdl.Value }

// accept gives each request a slot, and asks the platform. In the next cycle the flush gets its position in its stream.
func (u *flushUnit) accept() {
	m, p := u.Module, u.p
	proto := FlushRequestOf(u.c, u.tag)
	waiting, offered := hdl.NewStream(m, "waiting", proto), hdl.NewStream(m, "offered", platformFlushOf(u.index))
	m.Section("Requests wait for a slot")
	block.Buffer(m, "requests", requestBuffer, p.Req, waiting.Source())
	commands := block.NewOffer(m, "flush", platformFlushOf(u.index), offered.Source())
	request := waiting.Sink()
	r := request.Data

	m.Section("Slots: those never used, then those that are free again")
	freed, unused := hdl.NewStream(m, "freed", freeSlot{hdl.Bits(u.index)}), m.Reg("unused_q", u.index, hdl.ResetTo(0))
	block.Roomy(m, "free", 1<<u.index, u.frees.Value, freeSlot{u.over.slot.Value}, freed.Source())
	allUsed := m.Reg("all_used_q", 1, hdl.ResetTo(0))
	hasSlot := m.Let("has_slot", allUsed.Not().Or(freed.Sink().Valid))
	mayTake := m.Let("may_take", hdl.AllOf(commands.Free, hasSlot, u.running.Value, u.isHurried().Not()))
	takes := m.Let("takes", request.Valid.And(mayTake))
	request.Accept(m, mayTake)
	freed.Sink().Accept(m, takes.And(allUsed.Value))
	slot := m.Let("slot", hdl.Mux(allUsed.Value, freed.Sink().Data.Slot, unused.Value))

	m.Section("Ask the platform")
	isNone := m.Let("has_no_octets", r.Length.IsZero())
	commands.Drive(takes.And(isNone.Not()), PlatformFlush{Address: r.Address, Length: r.Length, Type: r.Type, Persistent: r.Persistent,
		Visible: r.Visible, ID: slot})
	out := offered.Sink()
	out.Accept(m, p.Flush.Ready)
	p.Flush.Drive(m, out.Valid, out.Data.beat())
	u.offer.is, u.offer.id = out.Valid, out.Data.ID
	u.answers.Write(takes, slot, hdl.Pack(answer{Number: r.Number, Tag: r.Tag}))

	m.Section("Position in the stream; a link leads there from the flush before it, unless that is over")
	placing, isPlacingNone := m.Reg("placing_q", 1, hdl.ResetTo(0)), m.Reg("placing_none_q", 1, hdl.ResetTo(0))
	stream, placed := m.Reg("placing_stream_q", r.Stream.Width(), hdl.NoReset), m.Reg("placing_slot_q", u.index, hdl.NoReset)
	m.OnClock(
		hdl.If(takes, unused.Set(unused.Plus(1)), hdl.If(unused.All(), allUsed.Set(hdl.Ones(1)))),
		placing.Set(takes), isPlacingNone.Set(takes.And(isNone)), stream.Set(r.Stream), placed.Set(slot),
		u.none.is.Set(isPlacingNone.Value), u.none.slot.Set(placed.Value))
	before := hdl.Unpack(u.arrivals(), u.arrived.Read("arrived", takes, r.Stream))
	retired := u.retired.ReadBefore("retired_before", takes, r.Stream)
	wasAnswered, wasBehind := u.answered.ReadBefore("was_answered", takes, slot), u.behind.ReadBefore("was_behind", takes, slot)
	change := func(of block.Context, row, word hdl.Value) {
		of.Write(block.Change{When: placing.Value, Stream: row, Word: word})
	}
	change(u.arrived, stream.Value, hdl.Pack(arrivals{Count: before.Count.Plus(1), Last: placed.Value}))
	change(u.asked, placed.Value, wasAnswered.Not())
	change(u.begun, placed.Value, wasBehind)
	u.places.Write(placing.Value, placed.Value, hdl.Pack(place{position{stream.Value, before.Count}, before.Last}))
	m.Note("A link from a flush that has just got its response is not followed, and overwritten when its slot is used again.")
	u.links.Write(m.Let("links_to_it", placing.And(before.Count.Ne(retired))), before.Last, placed.Value)
}
