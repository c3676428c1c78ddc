package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReportSplitPorts tells those concerned what became of a segment.
type ReportSplitPorts struct {
	Report hdl.Sink[engine.TxReport]
	Sent   hdl.Source[engine.TxReport]          `doc:"what the requester sent"`
	Over   []hdl.Named[hdl.Source[engine.Over]] `hdl:"-"`
	Count  TxCount
}

// TxCount is 1 for one clock each time.
type TxCount struct {
	Segments hdl.Out `doc:"a segment left"`
	Messages hdl.Out `doc:"it was the last of its message"`
	Dropped  hdl.Out `doc:"a segment was dropped: its stream has ended"`
}

const reportSplitDoc = `report_split routes each report of the transmit side: to the requester, which completes its work, or to
request_order, which starts other requests after a Read that is answered. It is combinational.`

// ReportSplit takes a report a clock.
func ReportSplit(c engine.Config) hdl.Block[ReportSplitPorts] {
	report := engine.TxReportOf(c)
	kinds := c.Kinds()
	var over []hdl.Named[hdl.Source[engine.Over]]
	for _, x := range engine.SentExecutors(c) {
		over = append(over, hdl.Name(x.Name+"_over", hdl.NewSource(engine.OverOf(c.Streams))))
	}
	return hdl.Block[ReportSplitPorts]{
		Kind: "report_split", Params: c.Params("streams"),
		Doc: reportSplitDoc,
		Ports: ReportSplitPorts{Report: hdl.NewSink(report), Sent: hdl.NewSource(report), Over: over,
			Count: TxCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p ReportSplitPorts) {
			r := p.Report.Data
			isRequest := m.Let("is_request", r.Kind.Is(engine.KindMessage))
			ready := []hdl.Value{isRequest.Not().Or(p.Sent.Ready)}
			var ends []hdl.Value
			for i, x := range engine.SentExecutors(c) {
				is := m.Let("ends_"+x.Name, r.Final.And(r.Kind.Is(kinds.Response(x.Name))))
				ends, ready = append(ends, is), append(ready, is.Not().Or(p.Over[i].Of.Ready))
			}
			taken := m.Let("taken", p.Report.Valid.And(hdl.AllOf(ready...)))
			p.Sent.Drive(m, p.Report.Valid.And(isRequest), r)
			for i, is := range ends {
				p.Over[i].Of.Drive(m, p.Report.Valid.And(is), engine.Over{Stream: r.Stream})
			}
			p.Report.Accept(m, taken)
			isSegment := m.Let("is_segment", hdl.AllOf(taken, r.Dropped.Not(), r.Kind.Is(engine.KindClose).Not()))
			m.Drive(p.Count.Segments, isSegment)
			m.Drive(p.Count.Messages, isSegment.And(r.Final))
			m.Drive(p.Count.Dropped, taken.And(r.Dropped))
		},
	}
}
