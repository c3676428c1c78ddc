package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// respond makes a response for each flush that is done and the oldest one of its stream: those that were the oldest ones when the platform
// answered, and those that follow one of these.
func (u *flushUnit) respond(ready hdl.Sink[oldest], over hdl.Reg) {
	m, p := u.Module, u.p
	valid, at := m.Reg("responds_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "responded", u.position(), hdl.NoReset)
	offers, stream := m.Reg("response_valid_q", 1, hdl.ResetTo(0)), m.Reg("response_stream_q", at.Q.Stream.Width(), hdl.NoReset)
	looks, isSame := m.Reg("looks_q", 1, hdl.ResetTo(0)), m.Reg("is_same_stream_q", 1, hdl.NoReset)
	leaves := m.Let("response_leaves", offers.Not().Or(p.Response.Ready))
	room := m.Let("response_room", valid.Not().Or(leaves))
	counts := m.Reg("counts_q", 1, hdl.ResetTo(0))
	first := ready.Data

	m.Section("The flush behind the one that had its response in the cycle before; both that could have had it have been looked up")
	next := m.Wire("next", u.index)
	behindNext := u.links.Read("behind_next_q", room, next.Value, hdl.ReadOld)
	behindFirst := u.links.Read("behind_first_q", room, first.Slot, hdl.ReadOld)
	m.Drive(next.Out(), hdl.Mux(isSame.Value, behindNext, behindFirst))
	ofNext, ofFirst := u.arrived.ReadBefore("arrived_of_next", room, at.Q.Stream), u.arrived.ReadBefore("arrived_of_first", room, first.Position.Stream)
	has := m.Let("has_next", looks.And(hdl.Mux(isSame.Value, ofNext, ofFirst).Ne(at.Q.Count)))
	m.Note("Which of both it is comes last.")
	waits := hdl.Mux(isSame.Value, u.waiting("behind_next_waits", behindNext), u.waiting("behind_first_waits", behindFirst))
	follows := m.Let("next_is_done", has.And(waits.Not()))

	m.Section("Responses: that flush, or another one that is the oldest of its stream")
	ready.Accept(m, m.Let("takes_first", room.And(follows.Not())))
	any := m.Let("has_response", follows.Or(ready.Valid))
	slot := m.Let("responding_slot", hdl.Mux(follows, next.Value, first.Slot))
	count := m.Let("responding_count", hdl.Mux(follows, at.Q.Count, first.Position.Count))
	to := position{Stream: hdl.Mux(follows, at.Q.Stream, first.Position.Stream), Count: count.Plus(1)}
	isPassed := m.Let("is_passed", follows.And(ready.Valid))
	m.Note("A flush that is not done when it is looked at first is left to its answer, also while there is no room.")
	m.Note("While another stream has waited for as many responses as there are slots, nothing new is taken.")
	m.OnClock(
		looks.Set(hdl.Mux(room, any, follows)),
		hdl.If(room, valid.Set(any), isSame.Set(follows), at.Set(to)),
		hdl.If(leaves, offers.Set(valid.Value), stream.Set(at.Q.Stream)),
		counts.Set(room.And(any)), hdl.If(room, over.Set(slot)),
		hdl.If(isPassed.Not(), u.passed.Set(hdl.Zero(u.count))).
			ElseIf(room.And(u.isHurried().Not()), u.passed.Set(u.passed.Plus(1))))
	u.retired.Write(block.Change{When: counts.Value, Stream: at.Q.Stream, Word: at.Q.Count})
	m.Drive(u.freed.is.Out(), valid.And(leaves))
	a := hdl.Unpack(u.answer(), u.answers.Read("answer_q", leaves, over.Value, hdl.ReadOld))
	failed := u.failures.Read("failed_q", leaves, over.Value, hdl.ReadOld)
	p.Response.Drive(m, offers.Value, FlushResponse{Stream: stream.Value, Number: a.Number, Tag: a.Tag, Failed: failed})
}
