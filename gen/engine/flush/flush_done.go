package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// done takes the answers of the platform, and those for flushes of 0 octets, which need none.
func (u *flushUnit) done() hdl.Sink[finished] {
	m, p := u.Module, u.p
	m.Section("Answers of the platform; a flush of 0 octets is done without")
	fields := p.Done.Data.fields()
	m.Unused("not defined", p.Done.Data.Data.Slice(23, IDBits+1))
	accepts := m.Let("accepts_answer", u.running.And(u.none.Not()))
	p.Done.Accept(m, accepts)
	answered := m.Let("answered_slot", hdl.Mux(u.none.Value, u.taken.Value, fields.ID.Truncate(u.index)))
	m.Note("An answer for a flush that the platform has not accepted yet is ignored, and so is one for a slot that does not wait.")
	isEarly := m.Let("is_early", u.offer.is.And(u.offer.id.Eq(fields.ID.Truncate(u.index))))
	isSlot := m.Let("is_slot", fields.ID.Slice(IDBits-1, u.index).IsZero())
	comes := m.Let("answer_comes", hdl.AllOf(p.Done.Valid, accepts, isSlot, isEarly.Not()))
	valid, looked := m.Reg("answer_valid_q", 1, hdl.ResetTo(0)), m.Reg("answer_slot_q", u.index, hdl.NoReset)
	isNone, failed := m.Reg("answer_is_none_q", 1, hdl.NoReset), m.Reg("answer_failed_q", 1, hdl.NoReset)
	m.OnClock(valid.Set(u.none.Or(comes)), looked.Set(answered), isNone.Set(u.none.Value), failed.Set(fields.Status.And(u.none.Not())))
	always := hdl.Ones(1)
	asked, before := u.asked.ReadBefore("asked_phase", always, answered), u.answered.Read("answered_phase", always, answered)
	isWaiting := m.Let("is_waiting", valid.And(isNone.Or(asked.Ne(before))))
	u.answered.Write(block.Change{When: isWaiting, Stream: looked.Value, Word: asked})
	out := hdl.NewStream(m, "first", finished{hdl.Bits(u.index), hdl.Bits(1)})
	block.Direct(m, "finished", Slots(u.c), isWaiting, finished{looked.Value, failed.Value}, out.Source())
	return out.Sink()
}
