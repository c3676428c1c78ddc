package atomic

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// respond accepts write responses, which arrive in the order of the writes, and remembers for each whether memory refused it. It drives
// the write whose response arrives.
func (u *atomicUnit) respond(done hdl.Wire) {
	m, b := u.Module, u.p.Write.B
	m.Section("Write responses arrive in order")
	b.Accept(m, hdl.Ones(1))
	m.Unused("used by the arbiter", b.Data.ID)
	u.written = m.Reg("written_q", u.number, hdl.ResetTo(0))
	m.OnClock(hdl.If(b.Valid, u.written.Set(u.written.Plus(1))))
	m.Note("The write of the next response is read ahead.")
	next := m.Let("next_written", u.written.Truncate(u.index).Add(b.Valid.ZeroExtend(u.index)))
	m.Drive(done.Out(), u.writes.Read("write_q", hdl.Ones(1), next, hdl.ReadOld))
	m.Note("An atomic may be as many writes late as two times the atomics in progress.")
	u.refused = m.Memory("refused", 1, 2*u.c.AtomicDepth)
	u.refused.Write(b.Valid, u.written.Truncate(u.index+1), b.Data.Resp.Any())
}

// over reports, in order, the atomics that are in memory and answered, and those whose write memory refused.
func (u *atomicUnit) over(leaves hdl.Wire, covers hdl.Sink[coverOf]) {
	m, p := u.Module, u.p
	m.Section("An atomic is over when its write is in memory and its response has been accepted")
	write, valid := m.Reg("oldest_write_q", u.number, hdl.NoReset), m.Reg("oldest_valid_q", 1, hdl.ResetTo(0))
	over := m.Reg("over_q", u.number, hdl.ResetTo(0))
	reporting := m.Reg("reporting_q", 1, hdl.ResetTo(0))
	told := m.Wire("is_reported", 1)
	covers = relay(m, "next_cover", covers)
	written := m.Reg("oldest_is_written_q", 1, hdl.NoReset)
	isWritten := func(name string, write hdl.Value) hdl.Value {
		ahead := m.Let(name, write.Sub(u.written.Value))
		m.Unused("only whether it is one of the writes without response matters", ahead)
		return ahead.Slice(u.number-1, u.number-2).Any()
	}
	free := m.Let("report_free", reporting.Not().Or(told.Value))
	m.Drive(leaves.Out(), hdl.AllOf(valid.Value, written.Value, over.Ne(u.answered), free))
	leave := leaves.Value
	next := m.Let("takes_cover", valid.Not().Or(leave))
	covers.Accept(m, next)
	owner := hdl.Unpack(u.owner, u.streams.Read("over_stream_q", leave, over.Truncate(u.index), hdl.ReadOld))
	stream := owner.Stream
	refused := u.refused.Read("over_refused_q", leave, write.Truncate(u.index+1), hdl.ReadOld)
	m.OnClock(
		hdl.If(next, valid.Set(covers.Valid), write.Set(covers.Data.Write)),
		written.Set(hdl.Mux(next, isWritten("next_writes_ahead", covers.Data.Write), isWritten("writes_ahead", write.Value))),
		hdl.If(leave, over.Set(over.Plus(1))),
		hdl.If(free, reporting.Set(leave)))

	m.Section("Report: a refused write with each atomic that it covers")
	type streamNumber struct{ Stream hdl.Value }
	number := streamNumber{hdl.Bits(block.IndexWidth(u.c.Streams))}
	failed, failure := hdl.NewStream(m, "refusal", number), hdl.NewStream(m, "reported", number)
	m.Note("The room for a refusal stays until it is used.")
	offers := m.Let("offers_over", reporting.And(failed.Source().Ready))
	tells, fails := offers, hdl.AllOf(reporting.Value, p.Over.Ready, refused)
	ready := p.Over.Ready
	if late, is := owner.Late.(*engine.Late); is {
		m.Note("The block that sends the response to a late one reports it. Both outputs must be free, whichever is used, so that neither waits for a read of memory.")
		writes := block.NewSkid(m, "written", WrittenOf(), *p.Written)
		tells, ready = m.Let("offers_early", hdl.AllOf(offers, late.Is.Not(), writes.Room)), m.Let("report_ready", p.Over.Ready.And(writes.Room))
		fails = hdl.AllOf(reporting.Value, ready, refused, late.Is.Not())
		writes.Drive(m.Let("offers_late", hdl.AllOf(offers, late.Is, ready)), Written{Refused: refused})
	}
	p.Over.Drive(m, tells, engine.Over{Stream: stream})
	m.Drive(told.Out(), offers.And(ready))
	failed.Source().Drive(m, fails, streamNumber{stream})
	block.Fifo(m, "failures", failureDepth, failed.Sink(), failure.Source())
	failure.Sink().Accept(m, p.Failed.Ready)
	p.Failed.Drive(m, failure.Sink().Valid, engine.LocalFailure(u.c, failure.Sink().Data.Stream))
}

// failureDepth is how many failures wait before no more atomics are over.
const failureDepth = 2
