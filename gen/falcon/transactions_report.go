package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// told is what is reported of an event to other blocks.
type told struct {
	answers, advances, drops hdl.Value // a pull is complete; its message is reported; it is dropped
	live, fatal, status      hdl.Value // a transaction is over; it ends the QP; of its message
}

// tell reports what an event has done, in the next cycle.
func (u *transactions) tell(f found, t told) {
	m, c, pipe := u.Module, u.c, u.pipe
	m.Section("What it tells")
	over := func(name string, v hdl.Value) hdl.Value { return pipe.Signal(name, decided, v).At(eventOver) }
	isOver, valid, of := pipe.Valid(eventOver), pipe.Valid(decided), f.stream.At(eventOver)
	toReport, dropped, known := over("report_goes", t.advances), over("report_drops", t.drops), over("report_status", t.status)
	wakes, fails := over("wake_goes", t.live), over("fails", t.fatal)
	answers := over("answer_goes", t.answers)
	u.originals.Write(hdl.AllOf(valid, t.live, f.responds.At(decided)), f.slot.At(decided), f.data.At(decided))
	original := u.originals.Read("original_q", valid, f.slot.At(decided), hdl.ReadNew)
	enters := m.Let("enters_now", pipe.Valid(0))
	u.reports.Drive(enters, isOver.And(toReport.Not()), isOver.And(toReport), engine.TxReport{Stream: of, Kind: hdl.Const(c.Kinds().SendBits(), engine.KindMessage), Final: hdl.Ones(1), Dropped: dropped,
		Outcome: &outcome{Status: known, SourceQP: hdl.Zero(24)}, Answer: &engine.WorkAnswer{Answers: answers, Data: original.And(known.IsZero().Replicate(64))}})
	u.wakes.Drive(enters, isOver.And(wakes.Not()), isOver.And(wakes), token{of})
	failure := hdl.NewStream(m, "failure", engine.FailureOf(c))
	failure.Source().Drive(m, isOver.And(fails), engine.LocalFailure(c, of))
	m.Unused("a QP fails once: there is room for all", failure.Source().Ready)
	block.Fifo(m, "failures", max(2, c.Streams), failure.Sink(), u.p.Failed)

	ofLeft := hdl.Unpack(fateOf(c), u.fates.Latest("fate_of_left", u.leaves.is, u.leaves.stream))
	m.Unused("only whether it is in Error matters", ofLeft.Pulls)
	m.Drive(u.leaves.failed.Out(), ofLeft.Failed)
}
