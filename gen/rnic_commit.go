package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// What the top has for RDMA Flush, RDMA Verify and Atomic Write.

// extend adds the ports of the platform, and widens the identifiers of reads.
func (p *RNICPorts) extend(c engine.Config) {
	if c.HasFar() {
		p.Read, p.Write = block.WideAXIReaderOf(c.BusBytes), block.WideAXIWriterOf(c.BusBytes)
	}
	if c.Profile.(rdmap.Profile).Extensions&spec.Commit == 0 {
		return
	}
	p.Read = block.WideAXIReaderOf(c.BusBytes)
	flushes, done := hdl.NewSource(flush.FlushBeatOf()), hdl.NewSink(flush.FlushedBeatOf())
	p.Flush, p.FlushDone = &flushes, &done
}

// platform are the ports of executors, by name.
func (p RNICPorts) platform() map[string]any {
	if p.Flush == nil {
		return nil
	}
	return map[string]any{"flush": rdmap.FlushPlatform{Flush: *p.Flush, Done: *p.FlushDone}}
}

// withdrawals are the parts of the STag table that invalidations by requests use.
type withdrawals struct {
	changes                    hdl.Stream[memory.STagWrite]
	revoke                     *engine.STagLookup
	revokeTable, withdrawTable *engine.STagPort
	lookup                     engine.STagLookup
}

func newWithdrawals(m *hdl.Module, c engine.Config) (w withdrawals) {
	w.changes = hdl.NewStream(m, "row_change", memory.STagWriteOf(c))
	revoke, revokeTable := stagWires(m, c, "revoke")
	lookup, withdrawTable := stagWires(m, c, "withdraw")
	w.revoke, w.revokeTable, w.lookup, w.withdrawTable = &revoke, &revokeTable, lookup, &withdrawTable
	return w
}

// count adds the block that withdraws STags, and returns the pulse of an invalidation, by a Send or by a request.
func (w withdrawals) count(m *hdl.Module, c engine.Config, rows hdl.Sink[memory.STagWrite], from hdl.Sink[engine.Withdrawal], bySend hdl.Value) hdl.Value {
	m.Section("STags that requests invalidate")
	gone := m.Wire("stag_withdrawn", 1)
	hdl.Instance(m, "withdraw", memory.STagWithdraw(c), memory.STagWithdrawPorts{Host: rows, Withdraw: from, Lookup: w.lookup, Write: w.changes.Source(), Others: bySend.In(), Gone: gone.Out()})
	return m.Let("invalidation", bySend.Or(gone.Value))
}

// joinRanges puts the reader of ranges beside all others, whose reader it returns.
func joinRanges(m *hdl.Module, p RNICPorts, bus int, ranges block.AXIReaderPort) block.AXIReader {
	reader, port := bufferedReader(m, "words_and_payload", "read_address", bus)
	hdl.Instance(m, "read_join", block.AXIReadJoin(bus), block.AXIReadJoinPorts{First: port, Second: ranges, Memory: p.Read})
	return reader
}

// stops are the reports of requests that failed, from the transmit side to request_order; nil if none stops a stream.
type stops struct{ *hdl.Stream[engine.Over] }

func newStops(m *hdl.Module, c engine.Config) stops {
	if !engine.Stops(c) {
		return stops{}
	}
	s := hdl.NewStream(m, "stop", engine.OverOf(c.Streams))
	return stops{&s}
}

func (s stops) source() *hdl.Source[engine.Over] {
	if s.Stream == nil {
		return nil
	}
	to := s.Source()
	return &to
}

func (s stops) sink() *hdl.Sink[engine.Over] {
	if s.Stream == nil {
		return nil
	}
	from := s.Sink()
	return &from
}

// beginnings are the reports of requests that start, from request_order to those who need them later; nil if no executor stops a stream.
type beginnings struct{ from, failures *hdl.Stream[engine.Begun] }

func newBeginnings(m *hdl.Module, c engine.Config, x executors) (b beginnings) {
	if x.begun == nil {
		return b
	}
	from, failures := hdl.NewStream(m, "begins", engine.BegunOf(c)), hdl.NewStream(m, "begun_before_failure", engine.BegunOf(c))
	in := from.Sink()
	in.Accept(m, hdl.Ones(1))
	for _, to := range []hdl.Source[engine.Begun]{*x.begun, failures.Source()} {
		to.Drive(m, in.Valid, in.Data)
		m.Unused("it is always accepted", to.Ready)
	}
	return beginnings{&from, &failures}
}

func (b beginnings) in() *hdl.Source[engine.Begun] {
	if b.from == nil {
		return nil
	}
	to := b.from.Source()
	return &to
}

func (b beginnings) failing() *hdl.Sink[engine.Begun] {
	if b.failures == nil {
		return nil
	}
	from := b.failures.Sink()
	return &from
}

// keptCommands are segments to be sent; with so many senders they wait in front of the transmit side, whose room would be known late.
func keptCommands(m *hdl.Module, c engine.Config, from hdl.Sink[engine.TxCommand]) hdl.Sink[engine.TxCommand] {
	if !engine.Stops(c) {
		return from
	}
	kept := hdl.NewStream(m, "kept_segment", engine.TxCommandOf(c))
	block.Buffer(m, "segments_kept", 2, from, kept.Source())
	return kept.Sink()
}
