package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
)

// What the top has for far memory: tx_staging beside the transmit side, and its identifiers of reads.

// farMemory is tx_staging with its connections.
type farMemory struct {
	ports    *transmit.TxFarPorts
	commands hdl.Stream[engine.TxCommand] // behind it, near and far
	reader   block.AXIReader              // for tx_engine
	far      block.AXIReaderPort
}

// newFarMemory stands between the commands of tx_turns, the payload reader of tx_engine, and memory.
func newFarMemory(m *hdl.Module, c engine.Config, commands hdl.Sink[engine.TxCommand], near block.AXIReader) (f farMemory) {
	m.Section("Far memory")
	segments := hdl.NewStream(m, "fetched_segment", engine.TxCommandOf(c))
	left, freed := m.Wire("staged_left", 1), m.Wire("staged_freed", 1)
	nearStreams, farStreams := m.Wire("near_streams", transmit.StreamCountBits(c)), m.Wire("far_streams", transmit.StreamCountBits(c))
	reader, port := readerWires(m, "fetched", c.BusBytes)
	farReader, farPort := readerWires(m, "far", c.BusBytes)
	hdl.Instance(m, "tx_staging", transmit.TxStaging(c), transmit.TxStagingPorts{Command: commands, Segment: segments.Source(), NearStreams: nearStreams.In(),
		FarStreams: farStreams.In(), Left: left.Out(), Freed: freed.Out(), Reader: port, Near: near, Far: farReader})
	return farMemory{&transmit.TxFarPorts{Left: left.In(), Freed: freed.In(), NearStreams: nearStreams.Out(), FarStreams: farStreams.Out()}, segments, reader, farPort}
}

// joinFar puts the readers of far memory beside all others, whose reader it returns.
func joinFar(m *hdl.Module, p RNICPorts, bus int, payload, words block.AXIReaderPort) block.AXIReader {
	reader, port := bufferedReader(m, "near", "read_address", bus)
	far, farPort := bufferedReader(m, "far_memory", "far_address", bus)
	hdl.Instance(m, "far_read_arbiter", block.AXIReadArbiter(bus), block.AXIReadArbiterPorts{Payload: payload, Atomic: words, Memory: far})
	hdl.Instance(m, "read_far", block.AXIReadFar(bus), block.AXIReadFarPorts{Near: port, Far: farPort, Memory: p.Read})
	return reader
}

// newFarGate stands between the deliveries of rx_check and delivery_gate. far are the steps of placements in far memory.
func newFarGate(m *hdl.Module, c engine.Config, checked hdl.Sink[engine.Delivery], far farPlacements) (passed hdl.Stream[engine.Delivery]) {
	passed = hdl.NewStream(m, "passed_item", engine.DeliveryOf(c))
	hdl.Instance(m, "far_gate", order.FarGate(c), order.FarGatePorts{Deliver: checked, Passed: passed.Source(), Crowded: far.crowded.Out(),
		Begun:    order.FarPlacement{Valid: far.begun.In(), Stream: far.begunStream.In()},
		Finished: order.FarPlacement{Valid: far.finished.In(), Stream: far.finishedStream.In()}})
	return passed
}

// farPlacements are the steps of placements in far memory.
type farPlacements struct {
	begun, begunStream, finished, finishedStream, crowded hdl.Wire
}

func newFarPlacements(m *hdl.Module, c engine.Config) (f farPlacements) {
	if !c.HasFar() {
		return f
	}
	sw := block.IndexWidth(c.Streams)
	f.begun, f.begunStream = m.Wire("far_placement_begun", 1), m.Wire("far_begun_stream", sw)
	f.finished, f.finishedStream = m.Wire("far_placement_finished", 1), m.Wire("far_finished_stream", sw)
	f.crowded = m.Wire("far_placements_crowded", 1)
	return f
}

// checks are the ports of rx_check, nil if no memory is far; writes those of placement.
func (f farPlacements) checks(c engine.Config) *rdmap.RxFar {
	if !c.HasFar() {
		return nil
	}
	return &rdmap.RxFar{Begun: f.begun.Out(), Stream: f.begunStream.Out(), Crowded: f.crowded.In()}
}

func (f farPlacements) writes(c engine.Config, retire *memory.PlacementBegins) *memory.PlacementFar {
	if !c.HasFar() {
		return nil
	}
	return &memory.PlacementFar{Ended: f.finished.Out(), Stream: f.finishedStream.Out(), Placing: retire}
}

// report drives the retire port, if there is one.
func (f farPlacements) report(m *hdl.Module, retire *memory.PlacementRetire) {
	if retire != nil {
		m.Drive(retire.Valid, f.finished.Value)
		m.Drive(retire.Stream, f.finishedStream.Value)
	}
}

// placeWires is [writerWires] for placement.
func placeWires(m *hdl.Module, c engine.Config) (block.AXIWriter, block.AXIWriterPort) {
	if !c.HasFar() {
		return writerWires(m, "place", c.BusBytes)
	}
	aw, w, b := hdl.NewStream(m, "place_axi", block.WideAWBeatOf()), hdl.NewStream(m, "place_axi", block.WBeatOf(c.BusBytes)), hdl.NewStream(m, "place_axi", block.WideBBeatOf())
	return block.AXIWriter{AW: aw.Source(), W: w.Source(), B: b.Sink()}, block.AXIWriterPort{AW: aw.Sink(), W: w.Sink(), B: b.Source()}
}

// joinWriters lets placement and atomics share the write channel.
func joinWriters(m *hdl.Module, c engine.Config, payload block.AXIWriterPort, x executors, memory block.AXIWriter) {
	if !c.HasFar() {
		hdl.Instance(m, "write_arbiter", block.AXIWriteArbiter(c.BusBytes), block.AXIWriteArbiterPorts{Payload: payload, Atomic: x.words.writer, Memory: memory})
		return
	}
	hdl.Instance(m, "write_far", block.AXIWriteFar(c.BusBytes), block.AXIWriteFarPorts{Payload: payload, Atomic: x.words.writer, Far: x.farWords.writer, Memory: memory})
}

// failures are those of atomics.
func (x executors) failures(m *hdl.Module, c engine.Config) hdl.Sink[engine.Failure] {
	if !c.HasFar() {
		return x.words.failed.Sink()
	}
	all := hdl.NewStream(m, "word_failed", engine.FailureOf(c))
	block.Merge(m, "word_failures", x.words.failed.Sink(), x.farWords.failed.Sink(), all.Source())
	return all.Sink()
}

// isReady is 1 when all executors of atomics accept requests.
func (x executors) isReady(c engine.Config) hdl.Value {
	if !c.HasFar() {
		return x.words.ready.Value
	}
	return x.words.ready.And(x.farWords.ready.Value)
}
