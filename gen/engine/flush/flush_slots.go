package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// requestBuffer is how many requests wait for a slot, so that ready comes from a register.
const requestBuffer = 4

// accept gives each request a slot, and asks the platform.
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
	freed, unused := hdl.NewStream(m, "freed", slot{hdl.Bits(u.index)}), m.Reg("unused_q", u.index, hdl.ResetTo(0))
	block.Roomy(m, "free", 1<<u.index, u.freed.is.Value, slot{u.freed.slot.Value}, freed.Source())
	allUsed := m.Reg("all_used_q", 1, hdl.ResetTo(0))
	hasSlot := m.Let("has_slot", allUsed.Not().Or(freed.Sink().Valid))
	mayTake := m.Let("may_take", hdl.AllOf(commands.Free, hasSlot, u.running.Value))
	takes := m.Let("takes", request.Valid.And(mayTake))
	request.Accept(m, mayTake)
	freed.Sink().Accept(m, takes.And(allUsed.Value))
	taken := m.Let("slot", hdl.Mux(allUsed.Value, freed.Sink().Data.Slot, unused.Value))

	m.Section("Ask the platform")
	isNone := m.Let("has_no_octets", r.Length.IsZero())
	commands.Drive(takes.And(isNone.Not()), PlatformFlush{Address: r.Address, Length: r.Length, Type: r.Type, Persistent: r.Persistent,
		Visible: r.Visible, ID: taken})
	out := offered.Sink()
	out.Accept(m, p.Flush.Ready)
	p.Flush.Drive(m, out.Valid, out.Data.beat())
	u.offer.is, u.offer.id = out.Valid, out.Data.ID
	u.answers.Write(takes, taken, hdl.Pack(answer{Stream: r.Stream, Number: r.Number, Tag: r.Tag}))

	m.Section("The slot waits for the platform, unless there are no octets")
	asks := m.Reg("asks_q", 1, hdl.ResetTo(0))
	m.OnClock(
		hdl.If(takes, unused.Set(unused.Plus(1)), hdl.If(unused.All(), allUsed.Set(hdl.Ones(1)))),
		asks.Set(takes.And(isNone.Not())), u.none.Set(takes.And(isNone)), u.taken.Set(taken))
	before := u.answered.ReadBefore("was_answered", takes, taken)
	u.asked.Write(block.Change{When: asks.Value, Stream: u.taken.Value, Word: before.Not()})
}
