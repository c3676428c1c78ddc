package gen_test

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
)

// falconCheckBench is falcon_check with an STag table and a receive ring.
type falconCheckBench struct {
	Record      hdl.Sink[falcon.Record]
	Setup       hdl.Sink[falcon.Setup]
	Queue       hdl.Sink[falcon.SharedQueue]
	Opening     hdl.Sink[engine.Opening]
	Failure     hdl.Sink[engine.Failure]
	Credit      hdl.Sink[engine.Credit]
	Row         hdl.Sink[memory.STagWrite]
	Post        hdl.Sink[engine.ReceiveRequest]
	RingOpening hdl.Sink[engine.Opening]
	Refused     hdl.Source[engine.Event]
	Share       hdl.Sink[engine.ReceiveRequest] `doc:"to a shared queue"`
	Empty       hdl.Sink[engine.Opening]        `doc:"its ring"`
	NoRoom      hdl.Source[engine.Event]
	Asked       falcon.AskedLookup
	Place       hdl.Source[falcon.Placing]
	Part        hdl.Source[falcon.PayloadPart]
	Release     hdl.Sink[engine.ReleasedList] `doc:"of a shared queue"`
	Placed      hdl.In
	Issued      hdl.Out
	Arrival     hdl.Source[falcon.Arrival]
	Count       falcon.CheckCount
	Over        falcon.OverCount
	Flush       falcon.FlushLookup
}

func falconCheckWithTables(c engine.Config) hdl.Block[falconCheckBench] {
	check, table, ring, shares := falcon.Check(c), memory.STagTable(c), host.ListedReceiveRing(c), host.SharedReceiveRing(c)
	p, r := check.Ports, ring.Ports
	return hdl.Block[falconCheckBench]{
		Kind: "falcon_check_bench", Doc: "falcon_check_bench is for tests.",
		Ports: falconCheckBench{Record: p.Record, Setup: p.Setup, Queue: p.Queue, Opening: p.Opening, Failure: p.Failure, Credit: p.Credit,
			Row: table.Ports.Write, Post: r.Post, RingOpening: r.Opening, Refused: r.Refused, Share: r.Post, Empty: r.Opening, NoRoom: r.Refused, Over: p.Over, Flush: p.Flush, Asked: p.Asked, Place: p.Place, Part: p.Part, Release: *shares.Ports.Release,
			Placed: p.Placed, Issued: p.Issued, Arrival: p.Arrival, Count: p.Count},
		Build: func(m *hdl.Module, b falconCheckBench) {
			width := p.Region.Entry.Width()
			rows := func(name string) (engine.STagLookup, engine.STagPort) {
				enable, index, entry := m.Wire(name+"_enable", 1), m.Wire(name+"_index", 24), m.Wire(name+"_entry", width)
				return engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()}, engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()}
			}
			idle := func(name string) engine.STagPort {
				w := m.Wire(name+"_entry", width)
				m.Unused("of no use here", w.Value)
				return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
			}
			region, regionTable := rows("region")
			invalidated, invalidatedTable := rows("invalidated")
			invalidate, invalidateIndex, ready := m.Wire("invalidating", 1), m.Wire("invalidating_index", 24), m.Wire("table_ready", 1)
			m.Unused("of no use here", ready.Value)
			hdl.Instance(m, "stags", table, memory.STagTablePorts{Main: regionTable, Invalidated: invalidatedTable, Local: idle("local"), Recheck: idle("recheck"),
				Invalidate: invalidate.In(), InvalidateIndex: invalidateIndex.In(), Write: b.Row, Ready: ready.Out()})
			elements := func(name string) (engine.ElementLookup, *host.ReceiveElements) {
				e := p.Elements
				w := func(of string, width int) hdl.Wire { return m.Wire(name+"_element_"+of, width) }
				enable, stream, place, entry := w("enable", 1), w("stream", r.Stream.Width()), w("place", r.Slot.Width()), w("entry", e.Entry.Width())
				return engine.ElementLookup{Enable: enable.Out(), Stream: stream.Out(), Place: place.Out(), Entry: entry.In()},
					&host.ReceiveElements{Enable: enable.In(), Stream: stream.In(), Place: place.In(), Entry: entry.Out()}
			}
			ownElements, elementsPort := elements("ring")
			sharedElements, sharedElementsPort := elements("shared")
			lookup := func(name string) (engine.RingLookup, engine.RingCount, engine.RingConsumed, host.ReceiveRingPorts) {
				w := func(of string, width int) hdl.Wire { return m.Wire(name+"_"+of, width) }
				enable, stream, slot, entry, posted := w("enable", 1), w("stream", r.Stream.Width()), w("slot", r.Slot.Width()), w("entry", p.Ring.Entry.Width()), w("posted", p.Ring.Posted.Width())
				asks, of, total := w("count_enable", 1), w("count_stream", r.Stream.Width()), w("count_posted", 32)
				used, usedStream, usedCount := w("consumed", 1), w("consumed_stream", r.Stream.Width()), w("consumed_count", p.Ring.Posted.Width())
				return engine.RingLookup{Enable: enable.Out(), Stream: stream.Out(), Slot: slot.Out(), Entry: entry.In(), Posted: posted.In()},
					engine.RingCount{Enable: asks.Out(), Stream: of.Out(), Posted: total.In()},
					engine.RingConsumed{Valid: used.Out(), Stream: usedStream.Out(), Count: usedCount.Out()},
					host.ReceiveRingPorts{Enable: enable.In(), Stream: stream.In(), Slot: slot.In(), Entry: entry.Out(), Posted: posted.Out(),
						Consumed: used.In(), ConsumedStream: usedStream.In(), ConsumedCount: usedCount.In(),
						Count: &host.ReceiveCount{Enable: asks.In(), Stream: of.In(), Posted: total.Out()}}
			}
			ownRing, ownCount, ownConsumed, own := lookup("ring")
			own.Post, own.Opening, own.Refused, own.Elements = b.Post, b.RingOpening, b.Refused, elementsPort
			hdl.Instance(m, "receives", ring, own)
			sharedRing, sharedCount, sharedConsumed, shared := lookup("shared")
			shared.Post, shared.Opening, shared.Refused, shared.Release, shared.Elements = b.Share, b.Empty, b.NoRoom, &b.Release, sharedElementsPort
			hdl.Instance(m, "shared_receives", shares, shared)
			hdl.Instance(m, "check", check, falcon.CheckPorts{Record: b.Record, Setup: b.Setup, Queue: b.Queue, SharedRing: sharedRing, SharedCount: sharedCount, SharedConsumed: sharedConsumed, Over: b.Over, Opening: b.Opening, Failure: b.Failure, Credit: b.Credit,
				Region: region, Invalidated: invalidated, Invalidate: invalidate.Out(), InvalidateIndex: invalidateIndex.Out(),
				Ring: ownRing, RingCount: ownCount, Consumed: ownConsumed, Elements: ownElements, SharedElements: sharedElements, Part: b.Part,
				Flush: b.Flush, Asked: b.Asked, Place: b.Place, Placed: b.Placed, Issued: b.Issued, Arrival: b.Arrival, Count: b.Count})
		},
	}
}
