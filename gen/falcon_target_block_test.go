package gen_test

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
)

// falconTargetPorts are accepted pulls in, packets for Falcon out.
type falconTargetPorts struct {
	In      hdl.Sink[order.QueuedRequest]
	Opening hdl.Sink[engine.Opening]
	Row     hdl.Sink[memory.STagWrite]
	Read    block.AXIReader           `hdl:"m_axi"`
	Write   block.AXIWriter           `hdl:"m_axi"`
	Tx      hdl.Source[falcon.TxBeat] `hdl:"m_axis_tx"`
	Credit  hdl.Source[engine.Credit]
	Unread  hdl.Source[engine.Failure] `doc:"payload of a response"`
	Word    hdl.Source[engine.Failure] `doc:"word of an Atomic"`
	Gone    hdl.Source[engine.Failure] `doc:"region of a pull"`
}

// falconTarget is request_order with the executors of the profile, and the transmit side.
func falconTarget(c engine.Config) hdl.Block[falconTargetPorts] {
	o, tx, table := order.RequestOrder(c), transmit.TxEngine(c), memory.STagTable(c)
	return hdl.Block[falconTargetPorts]{Kind: "falcon_target", Doc: "falcon_target is for tests.",
		Ports: falconTargetPorts{In: o.Ports.In, Opening: o.Ports.Opening, Row: table.Ports.Write, Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes),
			Tx: falcon.Tx(c).Ports.Tx, Credit: tx.Ports.Credit, Unread: tx.Ports.Failed, Word: o.Ports.Failed, Gone: o.Ports.Failed},
		Build: func(m *hdl.Module, p falconTargetPorts) { buildFalconTarget(m, c, p) }}
}

func buildFalconTarget(m *hdl.Module, c engine.Config, p falconTargetPorts) {
	path := falconPathPorts{Tx: p.Tx, Credit: p.Credit, Failed: p.Unread}
	ordered := order.RequestOrderPorts{In: p.In, Opening: p.Opening, Failed: p.Gone}
	reports, overs := hdl.NewStream(m, "report", engine.TxReportOf(c)), map[string]hdl.Stream[engine.Over]{}
	path.Report = reports.Source()
	enders := map[string]bool{}
	for _, x := range engine.Enders(c) {
		enders[x.Name] = true
		overs[x.Name] = hdl.NewStream(m, x.Name+"_over", engine.OverOf(c.Streams))
		ordered.Over = append(ordered.Over, hdl.Name(x.Name+"_over", overs[x.Name].Sink()))
	}
	payload, words := axiReader(m, "payload", c.BusBytes), axiReader(m, "words", c.BusBytes)
	path.Memory = payload.user
	ready := m.Wire("atomics_ready", 1)
	m.Unused("requests wait for it anyway", ready.Value)
	for _, x := range c.Profile.Executors(c) {
		start, message := hdl.NewStream(m, x.Name, x.Request), hdl.NewStream(m, x.Name+"_message", engine.TxMessageOf(c))
		ordered.Start = append(ordered.Start, hdl.Name(x.Name, start.Source()))
		path.Responses = append(path.Responses, hdl.Name(x.Name, message.Sink()))
		site := engine.ExecutorSite{Start: start.Sink(), Message: message.Source()}
		if x.Words {
			site.Read, site.Write, site.Failed, site.Ready, site.Over = words.user, p.Write, p.Word, ready.Out(), overs[x.Name].Source()
		}
		x.Build(m, c, site)
	}
	requests, sent := hdl.NewStream(m, "work", engine.TxMessageOf(c)), hdl.NewStream(m, "sent", engine.TxReportOf(c))
	requests.Source().Drive(m, hdl.Zero(1), hdl.Unpack(engine.TxMessageOf(c), hdl.Zero(hdl.PackedWidth(engine.TxMessageOf(c)))))
	m.Unused("no requests are sent", requests.Source().Ready, sent.Sink().Valid, hdl.Pack(sent.Sink().Data))
	sent.Sink().Accept(m, hdl.Ones(1))
	path.Requests = requests.Sink()
	element := hdl.NewStream(m, "element", falcon.ElementOf(c))
	element.Source().Drive(m, hdl.Zero(1), hdl.Unpack(falcon.ElementOf(c), hdl.Zero(hdl.PackedWidth(falcon.ElementOf(c)))))
	m.Unused("nothing is gathered", element.Source().Ready)
	path.Element = element.Sink()
	counts := transmit.SplitReports(m, c, reports.Sink(), sent.Source(), overs["read"].Source(), nil)
	m.Unused("of no use here", counts.Segments, counts.Messages, counts.Dropped)
	buildFalconPath(m, c, path)
	hdl.Instance(m, "read_arbiter", block.AXIReadArbiter(c.BusBytes), block.AXIReadArbiterPorts{Payload: payload.port, Atomic: words.port, Memory: p.Read})

	end := hdl.NewStream(m, "qp_end", engine.InboundRequestOf(c))
	m.Unused("no QP ends here", end.Sink().Valid, hdl.Pack(end.Sink().Data))
	end.Sink().Accept(m, hdl.Ones(1))
	ordered.End = end.Source()
	width := hdl.PackedWidth(engine.STagEntryOf(c))
	enable, index, entry, tableReady := m.Wire("enable", 1), m.Wire("index", 24), m.Wire("entry", width), m.Wire("table_ready", 1)
	ordered.Recheck = engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()}
	m.Unused("rows are written when it is", tableReady.Value)
	idle := func(name string) engine.STagPort {
		w := m.Wire(name+"_entry", width)
		m.Unused("of no use here", w.Value)
		return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
	}
	hdl.Instance(m, "stags", memory.STagTable(c), memory.STagTablePorts{Main: idle("main"), Invalidated: idle("invalidated"), Local: idle("local"),
		Recheck:    engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()},
		Invalidate: hdl.Zero(1).In(), InvalidateIndex: hdl.Zero(24).In(), Write: p.Row, Ready: tableReady.Out()})
	hdl.Instance(m, "order", order.RequestOrder(c), ordered)
}

type axiReaderEnds struct {
	user block.AXIReader
	port block.AXIReaderPort
}

func axiReader(m *hdl.Module, name string, bus int) axiReaderEnds {
	ar, r := hdl.NewStream(m, name+"_axi", block.ARBeatOf()), hdl.NewStream(m, name+"_axi", block.RBeatOf(bus))
	return axiReaderEnds{block.AXIReader{AR: ar.Source(), R: r.Sink()}, block.AXIReaderPort{AR: ar.Sink(), R: r.Source()}}
}
