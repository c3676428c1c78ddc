package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// respond makes a response for each flush that is done and the oldest one of its stream: those that were the oldest ones when the platform
// answered, and those that follow one of these.
func (u *flushUnit) respond(ready hdl.Sink[oldest]) {
	m, p := u.Module, u.p
	valid, isSame := m.Reg("responds_q", 1, hdl.ResetTo(0)), m.Reg("is_same_stream_q", 1, hdl.NoReset)
	offers, stream := m.Reg("response_valid_q", 1, hdl.ResetTo(0)), m.Reg("response_stream_q", ready.Data.Position.Stream.Width(), hdl.NoReset)
	vacant := m.Reg("response_vacant_q", 1, hdl.ResetTo(1))
	m.Note("Whether a response can be loaded has many readers; what decides asks a register of its own.")
	loads, leaves := m.Let("response_loads", offers.Not().Or(p.Response.Ready)), m.Let("response_leaves", vacant.Or(p.Response.Ready))
	room := m.Let("response_room", valid.Not().Or(leaves))
	first, after := ready.Data, u.over.after.Q

	m.Section("The flush behind the one that had its response in the cycle before; both that could have had it have been looked up")
	next := m.Wire("next", u.index)
	isDone := func(behind string, slot hdl.Value) hdl.Value {
		return u.behind.Read("told_"+behind, room, slot).Ne(u.begun.ReadBefore("begun_"+behind, room, slot))
	}
	behindNext := u.links.Read("behind_next_q", room, next.Value, hdl.ReadOld)
	behindFirst := u.links.Read("behind_first_q", room, first.Slot, hdl.ReadOld)
	m.Drive(next.Out(), hdl.Mux(isSame.Value, behindNext, behindFirst))
	doneNext, doneFirst := isDone("next", next.Value), isDone("first", first.Slot)
	follows := m.Let("next_is_done", valid.And(hdl.Mux(isSame.Value, doneNext, doneFirst)))

	m.Section("Responses: that flush, or another one that is the oldest of its stream")
	ready.Accept(m, m.Let("takes_first", room.And(follows.Not())))
	any := m.Let("has_response", follows.Or(ready.Valid))
	slot := m.Let("responding_slot", hdl.Mux(follows, next.Value, first.Slot))
	count := m.Let("responding_count", hdl.Mux(follows, after.Count, first.Position.Count))
	to := position{Stream: hdl.Mux(follows, after.Stream, first.Position.Stream), Count: count.Plus(1)}
	isPassed := m.Let("is_passed", follows.And(ready.Valid))
	m.Note("While another stream has waited for as many responses as there are slots, nothing new is taken.")
	m.OnClock(
		hdl.If(room, valid.Set(any), isSame.Set(follows), u.over.slot.Set(slot), u.over.after.Set(to)),
		u.over.is.Set(room.And(any)),
		hdl.If(leaves, offers.Set(valid.Value), vacant.Set(valid.Not())), hdl.If(loads, stream.Set(after.Stream)),
		hdl.If(isPassed.Not(), u.passed.Set(hdl.Zero(u.count))).
			ElseIf(room.And(u.isHurried().Not()), u.passed.Set(u.passed.Plus(1))))
	u.retired.Write(block.Change{When: u.over.is.Value, Stream: after.Stream, Word: after.Count})
	m.Drive(u.frees.Out(), valid.And(leaves))
	a := hdl.Unpack(u.answer(), u.answers.Read("answer_q", loads, u.over.slot.Value, hdl.ReadOld))
	failed := u.failures.Read("failed_q", loads, u.over.slot.Value, hdl.ReadOld)
	p.Response.Drive(m, offers.Value, FlushResponse{Stream: stream.Value, Number: a.Number, Tag: a.Tag, Failed: failed})
}
