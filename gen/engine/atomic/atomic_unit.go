package atomic

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicUnitPorts execute atomics on memory behind AXI4, in order of arrival. Each transfer is one beat with identifier AXIAtomic.
type AtomicUnitPorts struct {
	Req      hdl.Sink[engine.AtomicRequest]
	Response hdl.Source[AtomicResponse]
	Failed   hdl.Source[engine.Failure] `doc:"memory refused to write the word of an atomic that has already been answered"`
	Over     hdl.Source[engine.Over]    `doc:"an atomic is in memory and its response has been accepted, in the order of the atomics"`
	Read     block.AXIReader            `hdl:"m_axi"`
	Write    block.AXIWriter            `hdl:"m_axi"`
	Ready    hdl.Out                    `doc:"the table is cleared: requests are accepted"`
	Written  *hdl.Source[Written]       `doc:"an atomic that is answered late is over, in their order"`
	Retire   *engine.AtomicRetire
}

// Written is the fate of a late atomic.
type Written struct {
	Refused hdl.Value `doc:"1: memory refused to write the word"`
}

// WrittenOf is the prototype.
func WrittenOf() Written { return Written{hdl.Bits(1)} }

// AtomicResponse is the result of an atomic: the word before it. If Failed, memory did not deliver the word; Original is then 0, and
// memory is unchanged.
type AtomicResponse struct {
	Stream   hdl.Value `doc:"number of the stream"`
	Number   hdl.Value `doc:"number of the request"`
	Tag      any       `hdl:"-"` // of the request
	Original hdl.Value `doc:"word before the Atomic; 0 if it failed"`
	Failed   hdl.Value `doc:"1: memory did not deliver the word"`
}

func AtomicResponseOf(c engine.Config) AtomicResponse {
	return AtomicResponse{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Tag: c.Profile.AtomicTag(),
		Original: hdl.Bits(64), Failed: hdl.Bits(1)}
}

const atomicUnitDoc = `atomic_unit executes the Atomic Operations of RFC 7306 section 5.1 on 64-bit words of memory behind AXI4: one per
cycle, even when all hit one word, at any memory latency. Responses leave in request order. The octet at the lowest
address is the least significant one of a word.

A word that no atomic uses is read from memory in one bus-wide beat. While an atomic that uses it is in progress,
that is until the response to its write arrives, later atomics take the word from this unit. So no other atomic
happens between the read and the write of a word (section 5.3), and no read passes a write.

Words are written back in one beat with 8 strobed octets. A write carries its word as it is when the write is posted,
and so covers every atomic on the word that has been executed by then: an atomic whose write would follow posts none.
So one word takes one atomic per cycle, however few writes memory takes. Responses do not wait for writes; over
reports each atomic, in order, when a write that covers it is in memory and its response has been taken.

A request is accepted while fewer atomics are in progress than the unit holds, from acceptance until they are over. It
waits inside while its word is in no row and every row that it could use is in use. After reset the table is cleared,
in as many cycles as the unit holds atomics; no request is accepted meanwhile. The read appears on the bus three cycles
after its request is accepted, the response two cycles after the read data, from registers. Data and responses from memory are
accepted at once, whatever stalls elsewhere. No path leads from an input to an output.

If memory does not deliver a word (rresp not OKAY), its atomic fails, and so do those that would have taken the
word from this unit: original is 0, and the write has no strobes. The next atomic that finds the word unused reads
it again. A write that memory refuses (bresp not OKAY) counts as one that is in memory: each atomic that it covers is
over, and is reported on failed one cycle later.`

// AtomicUnit holds up to c.AtomicDepth atomics in progress.
func AtomicUnit(c engine.Config) hdl.Block[AtomicUnitPorts] {
	ports := AtomicUnitPorts{
		Req: hdl.NewSink(engine.AtomicRequestOf(c)), Response: hdl.NewSource(AtomicResponseOf(c)),
		Failed: hdl.NewSource(engine.FailureOf(c)), Over: hdl.NewSource(engine.OverOf(c.Streams)), Ready: hdl.NewOut(1),
		Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes),
	}
	if engine.AtomicRequestOf(c).Late != nil {
		written := hdl.NewSource(WrittenOf())
		ports.Written = &written
	}
	if c.RetirePort {
		ports.Retire = engine.AtomicRetireOf(c.Streams)
	}
	return hdl.Block[AtomicUnitPorts]{
		Kind: "atomic_unit", Options: append(c.Profile.Options(), c.Retire()...), Params: c.Params("bus_bytes", "atomic_depth", "streams", "ird"),
		Doc: atomicUnitDoc, Ports: ports,
		Build: func(m *hdl.Module, p AtomicUnitPorts) { buildAtomicUnit(m, p, c) },
	}
}

// atomicTask is an atomic that waits for its word.
type atomicTask struct {
	Stream   hdl.Value
	Number   hdl.Value
	Tag      any                   `hdl:"-"`
	Operands engine.AtomicOperands `hdl:"-"`
}

// atomicOwner is the stream to which the end of an atomic is reported.
type atomicOwner struct {
	Stream hdl.Value
	Late   any
}

// atomicWord is a word of memory, or the failure to read it.
type atomicWord struct {
	Failed hdl.Value
	Word   hdl.Value
}

func newAtomicWord() atomicWord { return atomicWord{Failed: hdl.Bits(1), Word: hdl.Bits(64)} }

// atomicResult is what an executed atomic leaves in a row.
type atomicResult struct {
	Row  hdl.Value
	Word atomicWord `hdl:"-"`
}

// atomicUnit is shared by the parts of the block. Atomics are numbered as they are accepted, and writes as they are posted, modulo
// four times as many as can be in progress, so that the sign of a difference tells which is earlier.
type atomicUnit struct {
	*hdl.Module
	p AtomicUnitPorts
	c engine.Config

	index  int // width of an index of atomics in progress
	number int // width of the number of an atomic, or of a write
	lane   int // width of the index of a word in a beat, 0 if there is one
	row    int // width of the number of a row

	running   hdl.Value // the table is cleared
	sweep     hdl.Value // set that is cleared before
	leaves    hdl.Value // the oldest atomic is over in this cycle
	take      hdl.Value // a request is accepted in this cycle
	freshWord hdl.Value // its word
	taskOf    atomicTask
	tasks     *hdl.Memory // by atomic
	streams   *hdl.Memory // by atomic: its owner
	owner     atomicOwner // of the request that is accepted

	decides   hdl.Value // an atomic is issued in this cycle, or missed
	issue     hdl.Value // an atomic is issued in this cycle
	fetch     hdl.Value // its word has to be read
	reads     hdl.Value // how many words have been read
	word      hdl.Value // address / 8
	rowNumber hdl.Value
	period    hdl.Value // of the row

	values   *hdl.Memory // words in use, by row
	writes   *hdl.Memory // by write
	refused  *hdl.Memory // by write: whether memory refused it
	answered hdl.Value   // how many responses have been accepted

	accepted, issued, executed hdl.Reg // numbers of the next atomic to go through
	written                    hdl.Reg // number of the next write to have its response
	released                   hdl.Value
}

func buildAtomicUnit(m *hdl.Module, p AtomicUnitPorts, c engine.Config) {
	index := block.IndexWidth(c.AtomicDepth)
	u := &atomicUnit{Module: m, p: p, c: c, index: index, number: index + 2, lane: bits.Len(uint(c.BusBytes/8 - 1)), row: index + atomicWayBits}
	writeOf := atomicWrite{Row: hdl.Bits(u.row), Done: u.doneOf()}
	leaves, write := m.Wire("leaves", 1), m.Wire("oldest_write", hdl.PackedWidth(writeOf))
	u.leaves, u.released = leaves.Value, p.Write.B.Valid

	fresh := u.accept()
	u.lookUp(fresh, hdl.Unpack(writeOf, write.Value))
	step, fetched := u.steps(), u.fetched()
	u.execute(step, fetched)
	covers := u.post()
	u.respond(write)
	u.over(leaves, covers)
}
