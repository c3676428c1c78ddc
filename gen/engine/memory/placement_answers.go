package memory

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// placementAnswers counts the placements that memory has answered, and reports its errors.
func placementAnswers(m *hdl.Module, p PlacementPorts, c engine.Config, oldest hdl.Sink[burstUnderWay], finished hdl.Wire) {
	m.Section("Responses arrive in the order of the bursts")
	failing, failed := m.Reg("failing_q", 1, hdl.ResetTo(0)), m.Reg("failed_q", 1, hdl.ResetTo(0))
	stream := m.Reg("failed_stream_q", oldest.Data.Stream.Width(), hdl.NoReset)
	response := p.Memory.B
	m.Unused("used by the arbiter", response.Data.ID)
	m.Note("The placement of a failure that is not accepted is not finished.")
	ready := m.Let("response_ready", oldest.Valid.And(failing.Not()))
	response.Accept(m, ready)
	done := m.Let("answered", response.Valid.And(ready))
	oldest.Accept(m, done)
	fails := m.Let("fails", failed.Or(response.Data.Resp.Any()))
	ends := m.Let("ends", done.And(oldest.Data.Last))
	told := m.Let("told", failing.And(p.Failed.Ready))
	p.Failed.Drive(m, failing.Value, engine.LocalFailure(c, stream.Value))
	isFinished := m.Let("is_finished", told.Or(ends.And(fails.Not())))
	m.Drive(finished.Out(), isFinished)

	placed := m.Reg("placed_q", engine.PlacementBits, hdl.ResetTo(0))
	m.OnClock(
		hdl.If(done, failed.Set(fails.And(oldest.Data.Last.Not())), stream.Set(oldest.Data.Stream)),
		failing.Set(ends.And(fails).Or(failing.And(told.Not()))),
		hdl.If(isFinished, placed.Set(placed.Plus(1))))
	m.Drive(p.Placed, placed.Value)
	if p.Retire != nil {
		m.Drive(p.Retire.Valid, isFinished)
		m.Drive(p.Retire.Stream, hdl.Mux(failing.Value, stream.Value, oldest.Data.Stream))
	}
}
