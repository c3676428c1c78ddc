package request

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// updateTurn says of each kind of update whether one waits, or whether it is taken; then whose turn is next.
type updateTurn struct {
	report, response, end, abandoned hdl.Value

	next []hdl.Stmt
}

// any is 1 if an update is taken, or an opening is tried.
func (t updateTurn) any(tries hdl.Value) hdl.Value {
	if t.response.Width() == 0 {
		return hdl.AnyOf(tries, t.end, t.report, t.abandoned)
	}
	return hdl.AnyOf(tries, t.response, t.end, t.report, t.abandoned)
}

// AnsweredSink is the input of responses, nil of a profile whose reports have them.
func AnsweredSink(c engine.Config) *hdl.Sink[engine.Answered] {
	if engine.WorkReportOf(c).Answer != nil {
		return nil
	}
	s := hdl.NewSink(engine.AnsweredOf(c.Streams))
	return &s
}

// answered is the stream of responses, nil if reports have them.
func (u *sendCompletion) answered() *hdl.Stream[engine.Answered] {
	if u.p.Answered == nil {
		return nil
	}
	s := hdl.NewStream(u.Module, "response", u.p.Answered.Data)
	return &s
}

// listens is 1 once updates are taken, unless an opening is tried.
func (u *sendCompletion) listens(tries hdl.Value) hdl.Value {
	m := u.Module
	begins := m.Reg("begins_q", 1, hdl.ResetTo(0))
	m.OnClock(begins.Set(u.sweep.Done))
	return m.Let("listens", begins.And(tries.Not()))
}

// fourTurns takes an update: responses come by themselves.
func (u *sendCompletion) fourTurns(has updateTurn, tries hdl.Value) (takes updateTurn) {
	m := u.Module
	afterReport := m.Reg("after_report_q", 1, hdl.ResetTo(0))
	m.Note("An opening is tried first; an end is taken after earlier responses; reports and responses take turns.")
	listens := u.listens(tries)
	takes.response = m.Let("takes_response", hdl.AllOf(listens, has.response, hdl.AnyOf(has.end, afterReport.Value, has.report.Not())))
	takes.end = m.Let("takes_end", hdl.AllOf(listens, has.end, has.response.Not()))
	takes.report = m.Let("takes_report", hdl.AllOf(listens, has.report, has.end.Not(), has.response.And(afterReport.Value).Not()))
	takes.abandoned = m.Let("takes_abandoned", hdl.AllOf(listens, has.abandoned, has.report.Not(), has.end.Not(), has.response.Not()))
	takes.next = append(takes.next, hdl.If(takes.report, afterReport.Set(hdl.Ones(1))).ElseIf(takes.response, afterReport.Set(hdl.Zero(1))))
	return takes
}

// threeTurns takes an update: reports have the responses.
func (u *sendCompletion) threeTurns(has updateTurn, tries hdl.Value) (takes updateTurn) {
	m := u.Module
	m.Note("An opening is tried first, then ends, reports and abandoned work requests are taken.")
	listens := u.listens(tries)
	takes.end = m.Let("takes_end", listens.And(has.end))
	takes.report = m.Let("takes_report", hdl.AllOf(listens, has.report, has.end.Not()))
	takes.abandoned = m.Let("takes_abandoned", hdl.AllOf(listens, has.abandoned, has.report.Not(), has.end.Not()))
	return takes
}
