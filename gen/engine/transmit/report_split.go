package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReportSplitPorts route the reports of the transmit side.
type ReportSplitPorts struct {
	Report hdl.Sink[engine.TxReport]
	Sent   hdl.Source[engine.TxReport] `doc:"reports on commands of the requester"`
	Done   []hdl.Named[hdl.Out]        `hdl:"-"`
	Count  TxCount
}

// TxCount has one pulse per event, one cycle long.
type TxCount struct {
	Segments hdl.Out `doc:"a segment was sent"`
	Messages hdl.Out `doc:"it was the last of its message"`
	Dropped  hdl.Out `doc:"a segment was dropped: its stream has ended"`
}

const reportSplitDoc = `report_split routes each report of the transmit side: to the requester, which completes its work, or to
request_order, which starts Atomics after a Read that is answered. It is combinational.`

// ReportSplit accepts a report per cycle.
func ReportSplit(c engine.Config) hdl.Block[ReportSplitPorts] {
	report := engine.TxReportOf(c)
	kinds := c.Kinds()
	return hdl.Block[ReportSplitPorts]{
		Kind: "report_split", Params: c.Params("streams"),
		Doc: reportSplitDoc,
		Ports: ReportSplitPorts{Report: hdl.NewSink(report), Sent: hdl.NewSource(report), Done: engine.SentOuts(c),
			Count: TxCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p ReportSplitPorts) {
			r := p.Report.Data
			isRequest := m.Let("is_request", r.Kind.Is(kinds.Message))
			taken := m.Let("taken", p.Report.Valid.And(isRequest.Not().Or(p.Sent.Ready)))
			p.Sent.Drive(m, p.Report.Valid.And(isRequest), r)
			for i, x := range engine.SentExecutors(c) {
				is := m.Let("is_"+x.Name, r.Kind.Is(kinds.Of(x.Name)))
				m.Drive(p.Done[i].Of, hdl.AllOf(taken, r.Final, is))
			}
			p.Report.Accept(m, taken)
			isSegment := m.Let("is_segment", hdl.AllOf(taken, r.Dropped.Not(), r.Kind.Is(kinds.Close).Not()))
			m.Drive(p.Count.Segments, isSegment)
			m.Drive(p.Count.Messages, isSegment.And(r.Final))
			m.Drive(p.Count.Dropped, taken.And(r.Dropped))
		},
	}
}
