package block

import (
	"github.com/rnicgen/rnicgen/hdl"
)

// AXIReaderPort is the counterpart of an AXIReader.
type AXIReaderPort struct {
	AR hdl.Sink[ARBeat]  `hdl:"-"`
	R  hdl.Source[RBeat] `hdl:"-"`
}

// AXIReaderPortOf is the prototype.
func AXIReaderPortOf(busBytes int) AXIReaderPort {
	return AXIReaderPort{AR: hdl.NewSink(ARBeatOf()), R: hdl.NewSource(RBeatOf(busBytes))}
}

// AXIReadArbiterPorts are the two readers of memory, and memory.
type AXIReadArbiterPorts struct {
	Payload AXIReaderPort
	Atomic  AXIReaderPort
	Memory  AXIReader `hdl:"m_axi"`
}

const axiReadArbiterDoc = `axi_read_arbiter shares one AXI4 read channel between the reader of payload and the reader of the atomic unit. When
both wait they take turns, one burst per cycle; neither waits for an idle one. The identifier names the owner of a
burst, 0 payload, 1 atomics, and routes the data back, as long as payload has room for a beat: the atomic unit always has.
Only the turn is registered; the paths are combinational.`

// AXIReadArbiter is fair: a waiting side is passed over at most once.
func AXIReadArbiter(busBytes int) hdl.Block[AXIReadArbiterPorts] {
	return hdl.Block[AXIReadArbiterPorts]{
		Kind: "axi_read_arbiter", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}},
		Doc: axiReadArbiterDoc,
		Ports: AXIReadArbiterPorts{Payload: AXIReaderPortOf(busBytes), Atomic: AXIReaderPortOf(busBytes),
			Memory: AXIReaderOf(busBytes)},
		Build: buildAXIReadArbiter,
	}
}

func buildAXIReadArbiter(m *hdl.Module, p AXIReadArbiterPorts) {
	m.Section("Addresses")
	atomic, valid := readTurns(m, "atomic", p.Payload.AR, p.Atomic.AR, p.Memory.AR.Ready)
	a, b := p.Atomic.AR.Data, p.Payload.AR.Data
	m.Unused("replaced by the number of the side", a.ID, b.ID)
	id := m.Constant("ID_ATOMIC", AXIIDBits, AXIAtomic)
	chosen := hdl.Unpack(b, hdl.Mux(atomic, hdl.Pack(a), hdl.Pack(b)))
	chosen.ID = hdl.Mux(atomic, id, m.Constant("ID_PAYLOAD", AXIIDBits, AXIPayload))
	p.Memory.AR.Drive(m, valid, chosen)
	readData(m, "atomic", p.Payload.R, p.Atomic.R, p.Memory.R, func(r RBeat) (hdl.Value, RBeat) { return r.ID.Eq(id), r })
}

// readTurns lets two readers take turns, burst by burst: isSecond is 1 if the burst on offer is of the second one, whose name is given.
func readTurns(m *hdl.Module, name string, first, second hdl.Sink[ARBeat], ready hdl.Value) (isSecond, valid hdl.Value) {
	turn := m.Reg(name+"_turn_q", 1, hdl.ResetTo(0))
	waiting := m.Reg("waiting_q", 1, hdl.ResetTo(0))
	chosen := m.Reg("chosen_q", 1, hdl.NoReset)
	m.Note("A side that was offered but not accepted stays chosen, so that the offer is stable.")
	choice := m.Let("choice", second.Valid.And(turn.Or(first.Valid.Not())))
	isSecond = m.Let(name, hdl.Mux(waiting.Value, chosen.Value, choice))
	valid = m.Let("valid", first.Valid.Or(second.Valid))
	m.OnClock(
		waiting.Set(valid.And(ready.Not())),
		chosen.Set(isSecond),
		hdl.If(valid.And(ready), turn.Set(isSecond.Not())))
	m.Note("Whether a side is accepted does not depend on whether it is valid.")
	first.Accept(m, ready.And(hdl.Mux(waiting.Value, chosen.Not(), second.Valid.And(turn.Value).Not())))
	second.Accept(m, ready.And(hdl.Mux(waiting.Value, chosen.Value, turn.Or(first.Valid.Not()))))
	return isSecond, valid
}

// readData routes data to two readers. of is whether a beat is for the second one, which has room for all that it reads, and the beat.
func readData(m *hdl.Module, name string, first, second hdl.Source[RBeat], r hdl.Sink[RBeat], of func(RBeat) (isSecond hdl.Value, beat RBeat)) {
	m.Section("Data")
	is, beat := of(r.Data)
	forSecond := m.Let("for_"+name, is)
	m.Note("Memory sees no path from whose beat it is to whether it is accepted.")
	m.Unused("the unit has room for all that it reads", second.Ready)
	first.Drive(m, r.Valid.And(forSecond.Not()), beat)
	second.Drive(m, hdl.AllOf(r.Valid, forSecond, first.Ready), beat)
	r.Accept(m, first.Ready)
}
