package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxCount is 1 for one clock each time.
type TxCount struct {
	Segments hdl.Value // a segment left
	Messages hdl.Value // it was the last of its message
	Dropped  hdl.Value // a segment was dropped: its stream has ended
}

// SplitReports routes each report of the transmit side in the cycle in which it arrives: to the requester, which completes its work, or to
// request_order, which starts other requests after a response that was sent. over takes the reports for all executors. A response that
// is dropped goes to stop, if later ones must not start; stop is nil if there is no such executor.
func SplitReports(m *hdl.Module, c engine.Config, reports hdl.Sink[engine.TxReport], sent hdl.Source[engine.TxReport],
	over hdl.Source[engine.Over], stop *hdl.Source[engine.Over]) TxCount {
	r := reports.Data
	isRequest := m.Let("report_is_request", r.Kind.Is(engine.KindMessage))
	sent.Drive(m, reports.Valid.And(isRequest), r)
	var ending, stopping []hdl.Value
	for _, x := range engine.SentExecutors(c) {
		ends := m.Let("report_ends_"+x.Name, r.Final.And(r.Kind.Is(c.Kinds().Response(x.Name))))
		if x.Stops {
			stopping, ends = append(stopping, ends.And(r.Dropped)), ends.And(r.Dropped.Not())
		}
		ending = append(ending, ends)
	}
	ends := hdl.AnyOf(ending...)
	if len(ending) > 1 {
		ends = m.Let("report_ends_response", ends)
	}
	over.Drive(m, reports.Valid.And(ends), engine.Over{Stream: r.Stream})
	ready := []hdl.Value{isRequest.Not().Or(sent.Ready), ends.Not().Or(over.Ready)}
	if stop != nil {
		stops := m.Let("report_stops", hdl.AnyOf(stopping...))
		stop.Drive(m, reports.Valid.And(stops), engine.Over{Stream: r.Stream})
		ready = append(ready, stops.Not().Or(stop.Ready))
	}
	taken := m.Let("report_taken", reports.Valid.And(hdl.AllOf(ready...)))
	reports.Accept(m, taken)
	isSegment := m.Let("report_is_segment", hdl.AllOf(taken, r.Dropped.Not(), r.Kind.Is(engine.KindClose).Not()))
	return TxCount{Segments: isSegment, Messages: isSegment.And(r.Final), Dropped: taken.And(r.Dropped)}
}

// ReportSplitPorts are those of [ReportSplit].
type ReportSplitPorts struct {
	Report hdl.Sink[engine.TxReport]
	Sent   hdl.Source[engine.TxReport]
	Over   []hdl.Named[hdl.Source[engine.Over]] `hdl:"-"` // one
	Stop   *hdl.Source[engine.Over]
	Count  struct{ Segments, Messages, Dropped hdl.Out }
}

// ReportSplit is a block with nothing but [SplitReports], for tests and proofs.
func ReportSplit(c engine.Config) hdl.Block[ReportSplitPorts] {
	report := engine.TxReportOf(c)
	ports := ReportSplitPorts{Report: hdl.NewSink(report), Sent: hdl.NewSource(report)}
	ports.Over = append(ports.Over, hdl.Name(engine.SentExecutors(c)[0].Name+"_over", hdl.NewSource(engine.OverOf(c.Streams))))
	if engine.Stops(c) {
		stop := hdl.NewSource(engine.OverOf(c.Streams))
		ports.Stop = &stop
	}
	ports.Count.Segments, ports.Count.Messages, ports.Count.Dropped = hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)
	return hdl.Block[ReportSplitPorts]{
		Kind: "report_split", Params: c.Params("streams"), Doc: "report_split routes each report of the transmit side, and counts.", Ports: ports,
		Build: func(m *hdl.Module, p ReportSplitPorts) {
			n := SplitReports(m, c, p.Report, p.Sent, p.Over[0].Of, p.Stop)
			m.Drive(p.Count.Segments, n.Segments)
			m.Drive(p.Count.Messages, n.Messages)
			m.Drive(p.Count.Dropped, n.Dropped)
		},
	}
}
