package flush

import "github.com/rnicgen/rnicgen/hdl"

// respond makes a response for each flush that is done, and frees its slot.
func (u *flushUnit) respond(done hdl.Sink[finished]) {
	m, p := u.Module, u.p
	m.Section("Responses")
	offers, vacant := m.Reg("response_valid_q", 1, hdl.ResetTo(0)), m.Reg("response_vacant_q", 1, hdl.ResetTo(1))
	failed := m.Reg("response_failed_q", 1, hdl.NoReset)
	m.Note("Whether a response can be loaded has many readers; what decides asks a register of its own.")
	loads, free := m.Let("response_loads", offers.Not().Or(p.Response.Ready)), m.Let("response_free", vacant.Or(p.Response.Ready))
	done.Accept(m, free)
	m.OnClock(hdl.If(free, offers.Set(done.Valid), vacant.Set(done.Valid.Not())), hdl.If(loads, failed.Set(done.Data.Failed)))
	m.Drive(u.freed.is.Out(), done.Valid.And(free))
	m.Drive(u.freed.slot.Out(), done.Data.Slot)
	a := hdl.Unpack(u.answer(), u.answers.Read("answer_q", loads, done.Data.Slot, hdl.ReadOld))
	p.Response.Drive(m, offers.Value, FlushResponse{Stream: a.Stream, Number: a.Number, Tag: a.Tag, Failed: failed.Value})
}
