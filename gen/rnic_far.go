package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
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
