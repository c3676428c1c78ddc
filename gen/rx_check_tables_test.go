package gen_test

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
)

// rxCheckBench is rx_check with an STag table and a receive ring.
type rxCheckBench struct {
	Record          hdl.Sink[rdmap.Record]
	Opening         hdl.Sink[engine.Opening]
	Failure         hdl.Sink[engine.Failure]
	Expecting       hdl.Sink[engine.Expecting]
	Credit          hdl.Sink[engine.Credit]
	Row             hdl.Sink[memory.STagWrite]
	Post            hdl.Sink[engine.ReceiveRequest]
	RingOpening     hdl.Sink[engine.Opening]
	Refused         hdl.Source[engine.Event]
	Place           hdl.Source[engine.Placement]
	Placed          hdl.In
	Issued          hdl.Out
	Deliver         hdl.Source[engine.Delivery]
	Invalidate      hdl.Out
	InvalidateIndex hdl.Out
	Count           rdmap.RxCount
	Far             *rdmap.RxFar
}

func rxCheckWithTables(c engine.Config) hdl.Block[rxCheckBench] {
	check, table, ring := rdmap.RxCheck(c), memory.STagTable(c), host.ReceiveRing(c)
	p := check.Ports
	return hdl.Block[rxCheckBench]{
		Kind: "rx_check_bench", Doc: "rx_check_bench is for tests.",
		Ports: rxCheckBench{Record: p.Record, Opening: p.Opening, Failure: p.Failure, Expecting: p.Expecting, Credit: p.Credit,
			Row: table.Ports.Write, Post: ring.Ports.Post, RingOpening: ring.Ports.Opening, Refused: ring.Ports.Refused, Place: p.Place,
			Placed: p.Placed, Issued: p.Issued, Deliver: p.Deliver, Invalidate: p.Invalidate, InvalidateIndex: p.InvalidateIndex, Count: p.Count, Far: p.Far},
		Build: func(m *hdl.Module, p rxCheckBench) {
			width := check.Ports.Region.Entry.Width()
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
			m.Drive(p.Invalidate, invalidate.Value)
			m.Drive(p.InvalidateIndex, invalidateIndex.Value)
			tables := memory.STagTablePorts{Main: regionTable, Invalidated: invalidatedTable, Local: idle("local"), Recheck: idle("recheck"),
				Invalidate: invalidate.In(), InvalidateIndex: invalidateIndex.In(), Write: p.Row, Ready: ready.Out()}
			if c.Revokes() {
				revoke, withdraw := idle("revoke"), idle("withdraw")
				tables.Revoke, tables.Withdraw = &revoke, &withdraw
			}
			hdl.Instance(m, "stags", table, tables)
			r := ring.Ports
			enable, stream, slot := m.Wire("ring_enable", 1), m.Wire("ring_stream", r.Stream.Width()), m.Wire("ring_slot", r.Slot.Width())
			entry, posted := m.Wire("ring_entry", check.Ports.Ring.Entry.Width()), m.Wire("ring_posted", check.Ports.Ring.Posted.Width())
			consumed, by, count := m.Wire("consumed", 1), m.Wire("consumed_stream", r.Stream.Width()), m.Wire("consumed_count", r.ConsumedCount.Width())
			hdl.Instance(m, "receives", ring, host.ReceiveRingPorts{Post: p.Post, Opening: p.RingOpening, Enable: enable.In(), Stream: stream.In(), Slot: slot.In(),
				Entry: entry.Out(), Posted: posted.Out(), Consumed: consumed.In(), ConsumedStream: by.In(), ConsumedCount: count.In(), Refused: p.Refused})
			hdl.Instance(m, "check", check, rdmap.RxCheckPorts{Record: p.Record, Opening: p.Opening, Failure: p.Failure, Expecting: p.Expecting, Credit: p.Credit,
				Region: region, Invalidated: invalidated, Invalidate: invalidate.Out(), InvalidateIndex: invalidateIndex.Out(),
				Ring:     engine.RingLookup{Enable: enable.Out(), Stream: stream.Out(), Slot: slot.Out(), Entry: entry.In(), Posted: posted.In()},
				Consumed: engine.RingConsumed{Valid: consumed.Out(), Stream: by.Out(), Count: count.Out()},
				Place:    p.Place, Placed: p.Placed, Issued: p.Issued, Deliver: p.Deliver, Count: p.Count, Far: p.Far})
		},
	}
}
