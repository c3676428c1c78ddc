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
	Written  hdl.Out                    `doc:"atomics whose write is in memory, modulo 2^(IndexWidth(AtomicDepth)+1)"`
	Read     block.AXIReader            `hdl:"m_axi"`
	Write    block.AXIWriter            `hdl:"m_axi"`
	Ready    hdl.Out                    `doc:"the table is cleared: requests are accepted"`
	Retire   *engine.AtomicRetire
}

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
	return AtomicResponse{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(32), Tag: c.Profile.AtomicTag(),
		Original: hdl.Bits(64), Failed: hdl.Bits(1)}
}

const atomicUnitDoc = `atomic_unit executes the Atomic Operations of RFC 7306 section 5.1 on 64-bit words of memory behind AXI4: one per
cycle, even when all hit one word, at any memory latency. Responses leave in request order. The octet at the lowest
address is the least significant one of a word.

A word that no atomic uses is read from memory in one bus-wide beat. While an atomic that uses it is in progress,
that is until the response to its write arrives, later atomics take the word from this unit. So no other atomic
comes between the read and the write of a word (section 5.3), and no read passes a write. Every atomic writes its
word back, in one beat with 8 strobed octets. Its response does not wait for the write; written counts the writes
that are in memory, modulo 2^width: the write of the n-th response is in memory when written is n.

A request waits while the unit is full, or when its word is in no row and every row that it could use is in use.
After reset the table is cleared, in as many cycles as the unit holds atomics; no request is accepted meanwhile.
The read appears on the bus two cycles after its request is accepted, the response one cycle after the read data.
Data and responses from memory are accepted at once, whatever stalls elsewhere; but a write response waits while
failed holds as many reports as atomics can be in progress.

If memory does not deliver a word (rresp not OKAY), its atomic fails, and so do those that would have taken the
word from this unit: original is 0, and the write has no strobes. The next atomic that finds the word unused reads
it again. A write that memory refuses (bresp not OKAY) counts as written and is reported on failed.`

// AtomicUnit holds up to c.AtomicDepth atomics in progress.
func AtomicUnit(c engine.Config) hdl.Block[AtomicUnitPorts] {
	ports := AtomicUnitPorts{
		Req: hdl.NewSink(engine.AtomicRequestOf(c)), Response: hdl.NewSource(AtomicResponseOf(c)),
		Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Written: hdl.NewOut(AtomicNumberWidth(c)), Ready: hdl.NewOut(1),
		Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes),
	}
	if c.RetirePort {
		ports.Retire = engine.AtomicRetireOf(c.Streams)
	}
	return hdl.Block[AtomicUnitPorts]{
		Kind: "atomic_unit", Options: append(c.Profile.Options(), c.Retire()...), Params: c.Params("bus_bytes", "atomic_depth", "streams"),
		Doc: atomicUnitDoc, Ports: ports,
		Build: func(m *hdl.Module, p AtomicUnitPorts) { buildAtomicUnit(m, p, c) },
	}
}

// AtomicNumberWidth is the width of atomic numbers. One bit more than an index distinguishes none from all in progress.
func AtomicNumberWidth(c engine.Config) int { return block.IndexWidth(c.AtomicDepth) + 1 }

// atomicTask is an atomic waiting for its word.
type atomicTask struct {
	Stream   hdl.Value
	Number   hdl.Value
	Tag      any                   `hdl:"-"`
	Word     hdl.Value             // address / 8
	Operands engine.AtomicOperands `hdl:"-"`
}

func newAtomicTask(r engine.AtomicRequest) atomicTask {
	return atomicTask{Stream: r.Stream, Number: r.Number, Tag: r.Tag,
		Word: r.Address.Slice(63, 3), Operands: r.Operands}
}

// atomicRelease is pending until the write of an atomic is in memory: then use number Use of Row is finished.
type atomicRelease struct {
	Stream hdl.Value
	Row    hdl.Value
	Use    hdl.Value
}

// atomicWord is a word of memory, or the failure to read it.
type atomicWord struct {
	Failed hdl.Value
	Word   hdl.Value
}

func newAtomicWord() atomicWord { return atomicWord{Failed: hdl.Bits(1), Word: hdl.Bits(64)} }

// atomicUnit is shared by the parts of the block.
type atomicUnit struct {
	*hdl.Module
	p AtomicUnitPorts
	c engine.Config

	index  int // width of an index of atomics in progress
	number int // width of the number of an atomic
	lane   int // width of the index of a word in a beat, 0 if there is one

	issued   hdl.Reg    // number of atomics issued
	issue    hdl.Wire   // one is issued in this cycle
	task     atomicTask // which
	fetch    hdl.Value  // its word has to be read
	read     hdl.Value  // it is issued and its word is read
	row      hdl.Value  // of its word
	released hdl.Wire   // the oldest retires in this cycle: the response to its write has arrived
	oldest   hdl.Wire   // its atomicRelease
}

func buildAtomicUnit(m *hdl.Module, p AtomicUnitPorts, c engine.Config) {
	u := &atomicUnit{Module: m, p: p, c: c, index: block.IndexWidth(c.AtomicDepth), number: AtomicNumberWidth(c),
		lane: bits.Len(uint(c.BusBytes/8 - 1))}
	row := u.index + atomicWayBits
	released := atomicRelease{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Row: hdl.Bits(row), Use: hdl.Bits(u.number)}
	u.issue, u.released = m.Wire("issue", 1), m.Wire("released", 1)
	u.oldest = m.Wire("oldest_release", hdl.PackedWidth(released))

	m.Section("Atomics in progress: from issue to the response to the write")
	u.issued = m.Reg("issued_q", u.number, hdl.ResetTo(0))
	written := m.Reg("written_q", u.number, hdl.ResetTo(0))
	m.OnClock(
		hdl.If(u.issue.Value, u.issued.Set(u.issued.Plus(1))),
		hdl.If(u.released.Value, written.Set(written.Plus(1))))
	underWay := m.Let("under_way", u.issued.Sub(written.Value))
	room := m.Let("room", underWay.Bit(u.index).Not())
	m.Unused("only whether the unit is full matters", underWay)
	m.Drive(p.Written, written.Value)

	use := u.lookUp(room, hdl.Unpack(released, u.oldest.Value))
	word := u.fetched()
	u.execute(word)

	m.Section("Write responses arrive in order: the oldest atomic releases its row")
	memory := m.Memory("releases", hdl.PackedWidth(released), c.AtomicDepth)
	memory.Write(u.issue.Value, u.issued.Truncate(u.index), hdl.Pack(atomicRelease{Stream: u.task.Stream, Row: u.row, Use: use}))
	m.Note("The release of the next response is read ahead.")
	oldest := m.Let("next_written", written.Truncate(u.index).Add(u.released.ZeroExtend(u.index)))
	m.Drive(u.oldest.Out(), memory.Read("release_q", hdl.Ones(1), oldest, hdl.ReadOld))
	u.respond(hdl.Unpack(released, u.oldest.Value).Stream)
}

// respond accepts write responses and reports those with an error.
func (u *atomicUnit) respond(stream hdl.Value) {
	type streamNumber struct{ Stream hdl.Value }
	number := streamNumber{hdl.Bits(block.IndexWidth(u.c.Streams))}
	refused, reported := hdl.NewStream(u.Module, "refused", number), hdl.NewStream(u.Module, "reported", number)
	b := u.p.Write.B
	b.Accept(u.Module, refused.Source().Ready)
	u.Unused("used by the arbiter", b.Data.ID)
	u.Drive(u.released.Out(), b.Valid.And(refused.Source().Ready))
	refused.Source().Drive(u.Module, b.Valid.And(b.Data.Resp.Any()), streamNumber{stream})
	block.Fifo(u.Module, "failures", u.c.AtomicDepth, refused.Sink(), reported.Source())
	reported.Sink().Accept(u.Module, u.p.Failed.Ready)
	u.p.Failed.Drive(u.Module, reported.Sink().Valid, engine.Failure{Stream: reported.Sink().Data.Stream, Fault: engine.FaultOf(engine.FaultLocal)})
}
