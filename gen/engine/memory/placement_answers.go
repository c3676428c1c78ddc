package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// placementAnswers counts the placements that memory has answered, and reports its errors.
func placementAnswers(m *hdl.Module, p PlacementPorts, c engine.Config, sides []*placementSide) {
	failed := []hdl.Source[engine.Failure]{p.Failed}
	if p.Far != nil {
		near, far := hdl.NewStream(m, "near_failed", engine.FailureOf(c)), hdl.NewStream(m, "far_failed", engine.FailureOf(c))
		failed = []hdl.Source[engine.Failure]{near.Source(), far.Source()}
		joinFailures(m, near.Sink(), far.Sink(), p.Failed)
	}
	m.Section("Responses arrive in the order of the bursts")
	response := p.Memory.B
	m.Unused("used by the arbiter", response.Data.ID.Truncate(block.AXIIDBits))
	var ready []hdl.Value
	for i, s := range sides {
		ready = append(ready, s.answers(m, p, c, failed[i]))
	}
	if p.Far != nil {
		response.Accept(m, hdl.Mux(response.Data.ID.Bit(block.AXIIDBits), ready[1], ready[0]))
	}
}

// answers follows the responses to the bursts of one side. The result is 1 while one is accepted.
func (s *placementSide) answers(m *hdl.Module, p PlacementPorts, c engine.Config, to hdl.Source[engine.Failure]) (ready hdl.Value) {
	oldest, response := s.bursts.Sink(), p.Memory.B
	failing, failed := m.Reg(s.prefix+"failing_q", 1, hdl.ResetTo(0)), m.Reg(s.prefix+"failed_q", 1, hdl.ResetTo(0))
	stream := m.Reg(s.prefix+"failed_stream_q", oldest.Data.Stream.Width(), hdl.NoReset)
	m.Note("The placement of a failure that is not accepted is not finished.")
	ready = m.Let(s.prefix+"response_ready", oldest.Valid.And(failing.Not()))
	done := response.Valid.And(ready)
	if p.Far == nil {
		response.Accept(m, ready)
	} else {
		done = s.only(done, response.Data.ID.Bit(block.AXIIDBits))
	}
	done = m.Let(s.prefix+"answered", done)
	oldest.Accept(m, done)
	fails := m.Let(s.prefix+"fails", failed.Or(response.Data.Resp.Any()))
	ends := m.Let(s.prefix+"ends", done.And(oldest.Data.Last))
	told := m.Let(s.prefix+"told", failing.And(to.Ready))
	to.Drive(m, failing.Value, engine.LocalFailure(c, stream.Value))
	isFinished := m.Let(s.prefix+"is_finished", told.Or(ends.And(fails.Not())))
	m.Drive(s.finished.Out(), isFinished)
	after := hdl.Stmts{hdl.If(done, failed.Set(fails.And(oldest.Data.Last.Not())), stream.Set(oldest.Data.Stream)),
		failing.Set(ends.And(fails).Or(failing.And(told.Not())))}
	of := hdl.Mux(failing.Value, stream.Value, oldest.Data.Stream)
	if s.isFar() {
		m.OnClock(after)
		m.Drive(p.Far.Ended, isFinished)
		m.Drive(p.Far.Stream, of)
		return ready
	}

	placed := m.Reg("placed_q", engine.PlacementBits, hdl.ResetTo(0))
	m.OnClock(after, hdl.If(isFinished, placed.Set(placed.Plus(1))))
	m.Drive(p.Placed, placed.Value)
	if p.Retire != nil {
		m.Drive(p.Retire.Valid, isFinished)
		m.Drive(p.Retire.Stream, of)
	}
	return ready
}

// joinFailures offers the failures of both sides without a register, so that each is accepted where it is reported. One on offer stays.
func joinFailures(m *hdl.Module, near, far hdl.Sink[engine.Failure], out hdl.Source[engine.Failure]) {
	turn := m.Reg("far_fails_q", 1, hdl.ResetTo(0))
	isFar := m.Let("far_fails_first", far.Valid.And(turn.Or(near.Valid.Not())))
	m.OnClock(turn.Set(isFar))
	out.Drive(m, near.Valid.Or(far.Valid), hdl.Unpack(near.Data, hdl.Mux(isFar, hdl.Pack(far.Data), hdl.Pack(near.Data))))
	near.Accept(m, out.Ready.And(isFar.Not()))
	far.Accept(m, out.Ready.And(isFar))
}
