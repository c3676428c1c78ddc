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
	accepts := m.Let("accepts_answer", u.none.is.Or(u.isHurried()).Not())
	p.Done.Accept(m, accepts)
	slot := m.Let("answered_slot", hdl.Mux(u.none.is.Value, u.none.slot.Value, fields.ID.Truncate(u.index)))
	m.Note("An answer for a flush that the platform has not accepted yet is ignored, and so is one for a slot that does not wait.")
	isEarly := m.Let("is_early", u.asked.is.And(u.asked.id.Eq(fields.ID.Truncate(u.index))))
	isSlot := m.Let("is_slot", fields.ID.Slice(IDBits-1, u.index).IsZero())
	comes := m.Let("answer_comes", hdl.AllOf(p.Done.Valid, accepts, isSlot, isEarly.Not()))
	answers := m.Let("is_answered", u.none.is.Or(comes))
	m.OnClock(u.waits.Set(u.waits.And(u.only("done_slot", answers, slot).Not()).Or(u.only("taken_slot", u.takes.is, u.takes.slot))))

	m.Section("A flush that is the oldest one of its stream has its response; another one waits for those before it")
	valid, answered := m.Reg("answer_valid_q", 1, hdl.ResetTo(0)), m.Reg("answer_slot_q", u.index, hdl.NoReset)
	failed := m.Reg("answer_failed_q", 1, hdl.NoReset)
	decides, decided := m.Reg("decides_q", 1, hdl.ResetTo(0)), m.Reg("deciding_slot_q", u.index, hdl.NoReset)
	place := hdl.NewRegOf(m, "deciding", u.position(), hdl.NoReset)
	found := hdl.Unpack(u.position(), u.places.Read("place_q", hdl.Ones(1), slot, hdl.ReadOld))
	u.failures.Write(valid.Value, answered.Value, failed.Value)
	retired := u.retired.ReadBefore("retired_now", hdl.Ones(1), found.Stream)
	m.OnClock(
		valid.Set(answers.And(u.waiting("answered_waits", slot))), answered.Set(slot), failed.Set(fields.Status.And(u.none.is.Not())),
		decides.Set(valid.Value), decided.Set(answered.Value), place.Set(found))
	isOldest := m.Let("is_oldest", decides.And(retired.Eq(place.Q.Count)))
	out := hdl.NewStream(m, "oldest", u.oldest())
	in := hdl.NewStream(m, "found", u.oldest())
	in.Source().Drive(m, isOldest, oldest{Slot: decided.Value, Position: place.Q})
	m.Unused("there is a place for each slot", in.Source().Ready)
	block.Fifo(m, "oldest_done", 1<<u.index, in.Sink(), out.Source())
	return out.Sink()
}
