package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReportSplitPorts tells those concerned what became of a segment.
type ReportSplitPorts struct {
	Report   hdl.Sink[engine.TxReport]
	Sent     hdl.Source[engine.TxReport] `doc:"what the requester sent"`
	ReadDone hdl.Out                     `doc:"the last segment of a Read's answer"`
	Count    TxCount
}

// TxCount is 1 for one clock each time.
type TxCount struct {
	Segments hdl.Out `doc:"a segment left"`
	Messages hdl.Out `doc:"it was the last of its message"`
	Dropped  hdl.Out `doc:"a segment was dropped: its stream has ended"`
}

const reportSplitDoc = `report_split routes each report of the transmit side: to the requester, which completes its work, or to
request_order, which starts Atomics after a Read that is answered. It is combinational.`

// ReportSplit takes a report a clock.
func ReportSplit(streams int) hdl.Block[ReportSplitPorts] {
	return hdl.Block[ReportSplitPorts]{
		Kind: "report_split", Params: []hdl.Param{{Name: "streams", Value: streams}},
		Doc: reportSplitDoc,
		Ports: ReportSplitPorts{Report: hdl.NewSink(engine.TxReportOf(streams)), Sent: hdl.NewSource(engine.TxReportOf(streams)),
			ReadDone: hdl.NewOut(1), Count: TxCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p ReportSplitPorts) {
			r := p.Report.Data
			isRequest := m.Let("is_request", r.Kind.Is(engine.SendRequest))
			isRead := m.Let("is_read", r.Kind.Is(engine.SendReadResponse))
			taken := m.Let("taken", p.Report.Valid.And(isRequest.Not().Or(p.Sent.Ready)))
			p.Sent.Drive(m, p.Report.Valid.And(isRequest), r)
			m.Drive(p.ReadDone, hdl.AllOf(taken, r.Final, isRead))
			p.Report.Accept(m, taken)
			isSegment := m.Let("is_segment", hdl.AllOf(taken, r.Dropped.Not(), r.Kind.Ne(hdl.Const(3, engine.SendShut))))
			m.Drive(p.Count.Segments, isSegment)
			m.Drive(p.Count.Messages, isSegment.And(r.Final))
			m.Drive(p.Count.Dropped, taken.And(r.Dropped))
		},
	}
}
