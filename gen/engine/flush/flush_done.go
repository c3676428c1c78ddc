package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// done takes the answers of the platform, and those for flushes of 0 octets, which need none. The result are the flushes that are the oldest
// ones of their streams.
func (u *flushUnit) done() hdl.Sink[oldest] {
	m, p := u.Module, u.p
	m.Section("Answers of the platform; a flush of 0 octets is done without")
	fields := p.Done.Data.fields()
	m.Unused("not defined", p.Done.Data.Data.Slice(23, IDBits+1))
	accepts := m.Let("accepts_answer", u.running.And(u.none.is.Or(u.isHurried()).Not()))
	p.Done.Accept(m, accepts)
	slot := m.Let("answered_slot", hdl.Mux(u.none.is.Value, u.none.slot.Value, fields.ID.Truncate(u.index)))
	m.Note("An answer for a flush that the platform has not accepted yet is ignored, and so is one for a slot that does not wait.")
	isEarly := m.Let("is_early", u.offer.is.And(u.offer.id.Eq(fields.ID.Truncate(u.index))))
	isSlot := m.Let("is_slot", fields.ID.Slice(IDBits-1, u.index).IsZero())
	comes := m.Let("answer_comes", hdl.AllOf(p.Done.Valid, accepts, isSlot, isEarly.Not()))
	valid, answered := m.Reg("answer_valid_q", 1, hdl.ResetTo(0)), m.Reg("answer_slot_q", u.index, hdl.NoReset)
	failed := m.Reg("answer_failed_q", 1, hdl.NoReset)
	always := hdl.Ones(1)
	found := hdl.Unpack(u.place(), u.places.Read("place_q", always, slot, hdl.ReadOld))
	asked, before := u.asked.ReadBefore("asked_phase", always, slot), u.answered.Read("answered_phase", always, slot)
	isWaiting := m.Let("is_waiting", valid.And(asked.Ne(before)))
	u.answered.Write(block.Change{When: isWaiting, Stream: answered.Value, Word: asked})
	u.failures.Write(isWaiting, answered.Value, failed.Value)

	m.Section("A flush that is the oldest one of its stream has its response; of another one, the flush before it is told")
	decides, decided := m.Reg("decides_q", 1, hdl.ResetTo(0)), m.Reg("deciding_slot_q", u.index, hdl.NoReset)
	at := hdl.NewRegOf(m, "deciding", u.place(), hdl.NoReset)
	retired := u.retired.Read("retired_now", always, found.Position.Stream)
	begun := u.begun.ReadBefore("begun_before", always, found.Before)
	m.OnClock(
		valid.Set(u.none.is.Or(comes)), answered.Set(slot), failed.Set(fields.Status.And(u.none.is.Not())),
		decides.Set(isWaiting), decided.Set(answered.Value), at.Set(found))
	position, after := at.Q.Position, u.over.after.Q
	m.Note("The response to the flush before it may have been made in the cycle before.")
	isNext := m.Let("is_next", hdl.AllOf(u.over.is.Value, after.Stream.Eq(position.Stream), after.Count.Eq(position.Count)))
	isFirst := m.Let("is_first", retired.Eq(position.Count).Or(isNext))
	u.behind.Write(block.Change{When: m.Let("tells", decides.And(isFirst.Not())), Stream: at.Q.Before, Word: begun.Not()})
	out := hdl.NewStream(m, "first", u.oldest())
	block.Direct(m, "first_done", Slots(u.c), decides.And(isFirst), oldest{Slot: decided.Value, Position: position}, out.Source())
	return out.Sink()
}
