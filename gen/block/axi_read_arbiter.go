package block

import (
	"github.com/rnicgen/rnicgen/hdl"
)

// AXIReaderPort is the counterpart of an AXIReader.
type AXIReaderPort struct {
	AR hdl.Sink[ARBeat]  `hdl:"-"`
	R  hdl.Source[RBeat] `hdl:"-"`
}

func axiReaderPort(busBytes int) AXIReaderPort {
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
		Ports: AXIReadArbiterPorts{Payload: axiReaderPort(busBytes), Atomic: axiReaderPort(busBytes),
			Memory: AXIReaderOf(busBytes)},
		Build: buildAXIReadArbiter,
	}
}

func buildAXIReadArbiter(m *hdl.Module, p AXIReadArbiterPorts) {
	m.Section("Addresses")
	turn := m.Reg("atomic_turn_q", 1, hdl.ResetTo(0))
	waiting := m.Reg("waiting_q", 1, hdl.ResetTo(0))
	chosen := m.Reg("chosen_q", 1, hdl.NoReset)
	m.Note("A side that was offered but not accepted stays chosen, so that the offer is stable.")
	choice := m.Let("choice", p.Atomic.AR.Valid.And(turn.Or(p.Payload.AR.Valid.Not())))
	atomic := m.Let("atomic", hdl.Mux(waiting.Value, chosen.Value, choice))
	valid := m.Let("valid", p.Payload.AR.Valid.Or(p.Atomic.AR.Valid))
	ready := p.Memory.AR.Ready
	m.OnClock(
		waiting.Set(valid.And(ready.Not())),
		chosen.Set(atomic),
		hdl.If(valid.And(ready), turn.Set(atomic.Not())))
	m.Note("Whether a side is accepted does not depend on whether it is valid.")
	p.Payload.AR.Accept(m, ready.And(hdl.Mux(waiting.Value, chosen.Not(), p.Atomic.AR.Valid.And(turn.Value).Not())))
	p.Atomic.AR.Accept(m, ready.And(hdl.Mux(waiting.Value, chosen.Value, turn.Or(p.Payload.AR.Valid.Not()))))
	a, b := p.Atomic.AR.Data, p.Payload.AR.Data
	m.Unused("replaced by the number of the side", a.ID, b.ID)
	id := m.Constant("ID_ATOMIC", AXIIDBits, AXIAtomic)
	p.Memory.AR.Drive(m, valid, ARBeat{ID: hdl.Mux(atomic, id, m.Constant("ID_PAYLOAD", AXIIDBits, AXIPayload)),
		Addr: hdl.Mux(atomic, a.Addr, b.Addr), Len: hdl.Mux(atomic, a.Len, b.Len),
		Size: hdl.Mux(atomic, a.Size, b.Size), Burst: hdl.Mux(atomic, a.Burst, b.Burst)})

	m.Section("Data")
	r := p.Memory.R
	forAtomic := m.Let("for_atomic", r.Data.ID.Eq(id))
	m.Note("Memory sees no path from whose beat it is to whether it is accepted.")
	m.Unused("the unit has room for all that it reads", p.Atomic.R.Ready)
	p.Payload.R.Drive(m, r.Valid.And(forAtomic.Not()), r.Data)
	p.Atomic.R.Drive(m, hdl.AllOf(r.Valid, forAtomic, p.Payload.R.Ready), r.Data)
	r.Accept(m, p.Payload.R.Ready)
}
