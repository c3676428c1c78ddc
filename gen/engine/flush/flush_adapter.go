package flush

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// AdapterPorts are the memory port of the RNIC, its flushes, and memory. Identifiers have one bit more at memory: 0 in front of that of the
// RNIC.
type AdapterPorts struct {
	Read   block.AXIReaderPort     `hdl:"s_axi"`
	Write  block.AXIWriterPort     `hdl:"s_axi"`
	Flush  hdl.Sink[FlushBeat]     `hdl:"s_axis_flush" doc:"flushes"`
	Done   hdl.Source[FlushedBeat] `hdl:"m_axis_flush_done" doc:"flushes that are done, in the same order"`
	Memory MemoryPort              `hdl:"m_axi"`
}

// MemoryPort is a master of AXI4 memory.
type MemoryPort struct {
	Read  block.AXIReader `hdl:"-"`
	Write block.AXIWriter `hdl:"-"`
}

const flushAdapterDoc = `flush_adapter flushes to memory that keeps what has reached it, without help by software: it stands between the
memory port of the RNIC and memory behind AXI4.

A flush begins when memory has acknowledged all writes whose address was accepted before the flush, or in its
cycle; later ones do not delay it. An acknowledgement may be that of a buffer on the way, so the flush then reads
from memory: a read may not pass a write to the same place, nor leave a bridge before the writes that are posted
there, so it pushes them out. AXI4 lets no unit of less than 4 KiB belong to another subordinate. So one beat is
read in each 4 KiB that the range touches, the last one of the range there, and what was read is discarded. The
flush is done when all reads are back; it has failed if memory answered one with an error (rresp 2 or 3).
Persistence and visibility are the same here, and so are all types of regions: memory with a volatile cache
inside needs another adapter.

Flushes are done in order; the reads of one may leave while those before it are on their way, up to %[1]d in
all. Reads have an identifier of their own. Between reads of the RNIC and those of flushes addresses alternate
if both wait, so that a flush costs the RNIC one cycle at a time; everything else passes without a cycle and is
never held up. Paths from inputs to outputs are those of the channels of AXI4 that pass, both ways, and that of
m_axi_rid to m_axi_rready. Addresses wrap at 2^64; a flush of 0 octets reads where it begins. At most %[2]d
writes of each identifier of the RNIC may be in progress.`

// adapterReads is how many reads of flushes are on their way, besides one.
const adapterReads = 16

// Widths of identifiers: those of the RNIC's reads have one bit more than those of its writes, those at memory another one.
const (
	readIDBits   = block.AXIIDBits + 1
	memoryIDBits = readIDBits + 1
)

// writeBits is the width of the count of writes of an identifier.
const writeBits = 16

// FlushAdapter is for buses of 8 to 128 octets.
func FlushAdapter(busBytes int) hdl.Block[AdapterPorts] {
	wide := memoryIDBits
	aw, b, ar, r := block.AWBeatOf(), block.BBeatOf(), block.ARBeatOf(), block.RBeatOf(busBytes)
	ar.ID, r.ID = hdl.Bits(readIDBits), hdl.Bits(readIDBits)
	ports := AdapterPorts{
		Read:  block.AXIReaderPort{AR: hdl.NewSink(ar), R: hdl.NewSource(r)},
		Write: block.AXIWriterPort{AW: hdl.NewSink(aw), W: hdl.NewSink(block.WBeatOf(busBytes)), B: hdl.NewSource(b)},
		Flush: hdl.NewSink(FlushBeatOf()), Done: hdl.NewSource(FlushedBeatOf())}
	aw.ID, b.ID, ar.ID, r.ID = hdl.Bits(wide), hdl.Bits(wide), hdl.Bits(wide), hdl.Bits(wide)
	ports.Memory = MemoryPort{Read: block.AXIReader{AR: hdl.NewSource(ar), R: hdl.NewSink(r)},
		Write: block.AXIWriter{AW: hdl.NewSource(aw), W: hdl.NewSource(block.WBeatOf(busBytes)), B: hdl.NewSink(b)}}
	return hdl.Block[AdapterPorts]{
		Kind: "flush_adapter", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}},
		Doc: fmt.Sprintf(flushAdapterDoc, adapterReads+1, 1<<(writeBits-1)-1), Ports: ports,
		Build: func(m *hdl.Module, p AdapterPorts) {
			a := &flushAdapter{Module: m, p: p, place: block.IndexWidth(busBytes)}
			a.reads(a.waiting(a.writes()))
		},
	}
}

// flushAdapter is shared by the parts of the block.
type flushAdapter struct {
	*hdl.Module
	p     AdapterPorts
	place int // width of the index of an octet in a beat
}

// writeCount is how many writes of an identifier there have been, modulo 2^writeBits.
type writeCount struct {
	Asked    hdl.Value // with the one whose address is accepted in this cycle
	Answered hdl.Value
}

// writes passes writes, and counts them by identifier: the responses of one arrive in order, those of two need not.
func (a *flushAdapter) writes() (counts [1 << block.AXIIDBits]writeCount) {
	m, s, t := a.Module, a.p.Write, a.p.Memory.Write
	m.Section("Writes pass, and are counted")
	aw, b := s.AW.Data, t.B.Data
	isAccepted := m.Let("write_is_accepted", s.AW.Valid.And(t.AW.Ready))
	isAnswered := m.Let("write_is_answered", t.B.Valid.And(s.B.Ready))
	for id := range counts {
		reg := func(what string) hdl.Reg { return m.Reg(fmt.Sprintf("%s_%d_q", what, id), writeBits, hdl.ResetTo(0)) }
		asked, answered := reg("writes_asked"), reg("writes_answered")
		one := func(is, of hdl.Value) hdl.Value { return is.And(of.Is(uint64(id))).ZeroExtend(writeBits) }
		next := m.Let(fmt.Sprintf("writes_asked_%d", id), asked.Add(one(isAccepted, aw.ID)))
		m.OnClock(asked.Set(next), answered.Set(answered.Add(one(isAnswered, b.ID.Truncate(block.AXIIDBits)))))
		counts[id] = writeCount{next, answered.Value}
	}
	aw.ID, b.ID = aw.ID.ZeroExtend(memoryIDBits), b.ID.Truncate(block.AXIIDBits)
	m.Unused("writes are all of the RNIC", t.B.Data.ID.Slice(memoryIDBits-1, block.AXIIDBits))
	t.AW.Drive(m, s.AW.Valid, aw)
	s.AW.Accept(m, t.AW.Ready)
	t.W.Drive(m, s.W.Valid, s.W.Data)
	s.W.Accept(m, t.W.Ready)
	s.B.Drive(m, t.B.Valid, b)
	t.B.Accept(m, s.B.Ready)
	return counts
}
