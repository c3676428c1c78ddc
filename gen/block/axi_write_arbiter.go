package block

import (
	"github.com/rnicgen/rnicgen/hdl"
)

// AXIWriterPort is the counterpart of an AXIWriter.
type AXIWriterPort struct {
	AW hdl.Sink[AWBeat]  `hdl:"-"`
	W  hdl.Sink[WBeat]   `hdl:"-"`
	B  hdl.Source[BBeat] `hdl:"-"`
}

func axiWriterPort(busBytes int) AXIWriterPort {
	return AXIWriterPort{AW: hdl.NewSink(AWBeatOf()), W: hdl.NewSink(WBeatOf(busBytes)), B: hdl.NewSource(BBeatOf())}
}

// AXIWriteArbiterPorts are the writers of payload, with ID AXIPayload, and of atomics, with ID AXIAtomic, and memory.
type AXIWriteArbiterPorts struct {
	Payload AXIWriterPort
	Atomic  AXIWriterPort
	Memory  AXIWriter `hdl:"m_axi"`
}

const axiWriteArbiterDoc = `axi_write_arbiter shares one AXI4 write channel between payload and atomics, burst by burst: a waiting burst is
passed over at most once. Data follow in the order of the addresses; they may arrive before, with or after their
address, and in that case the other side waits. One more burst may begin while the data of a burst are incomplete, so
that what accepts an address does not depend on data. Bursts of one beat pass one per cycle.

Every output to memory is registered: one cycle of latency each way, two for data that come with their address. Responses
are routed by bid: 0 to payload, 1 to atomics. A response that is not accepted holds up those after it, of either side.
After reset no burst is in progress.`

// AXIWriteArbiter is for buses of 8 to 128 octets.
func AXIWriteArbiter(busBytes int) hdl.Block[AXIWriteArbiterPorts] {
	return hdl.Block[AXIWriteArbiterPorts]{
		Kind: "axi_write_arbiter", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}},
		Doc:   axiWriteArbiterDoc,
		Ports: AXIWriteArbiterPorts{Payload: axiWriterPort(busBytes), Atomic: axiWriterPort(busBytes), Memory: AXIWriterOf(busBytes)},
		Build: func(m *hdl.Module, p AXIWriteArbiterPorts) { buildAXIWriteArbiter(m, p, busBytes) },
	}
}

func buildAXIWriteArbiter(m *hdl.Module, p AXIWriteArbiterPorts, busBytes int) {
	m.Section("Data of the oldest burst that lacks some, from the cycle after its address on")
	data := hdl.NewRegOf(m, "data", WBeatOf(busBytes), hdl.NoReset)
	dataValid := m.Reg("data_valid_q", 1, hdl.ResetTo(0))
	open := m.Reg("open_q", 1, hdl.ResetTo(0)) // the data of a burst are incomplete
	owner := m.Reg("atomic_owner_q", 1, hdl.NoReset)
	m.Note("The data, which are wide, have a register of their own for whose they are.")
	payload := m.Reg("payload_data_q", 1, hdl.NoReset)
	room := m.Let("data_ready", open.And(dataValid.Not().Or(p.Memory.W.Ready)))
	p.Payload.W.Accept(m, room.And(owner.Not()))
	p.Atomic.W.Accept(m, room.And(owner.Value))
	beat := hdl.Unpack(WBeatOf(busBytes), m.Let("chosen_beat", hdl.Mux(payload.Value, hdl.Pack(p.Payload.W.Data), hdl.Pack(p.Atomic.W.Data))))
	moves := func(w hdl.Sink[WBeat]) hdl.Value { return room.And(w.Valid) }
	move := m.Let("move", hdl.Mux(owner.Value, moves(p.Atomic.W), moves(p.Payload.W)))
	lasts := func(w hdl.Sink[WBeat]) hdl.Value { return w.Valid.And(w.Data.Last) }
	isLast := m.Let("is_last", hdl.Mux(owner.Value, lasts(p.Atomic.W), lasts(p.Payload.W)))
	ends := m.Let("burst_ends", room.And(isLast))
	p.Memory.W.Drive(m, dataValid.Value, data.Q)

	m.Section("Address: at most one burst that has begun waits until the data of the one before it are complete")
	next, nextOwner := m.Reg("next_q", 1, hdl.ResetTo(0)), m.Reg("next_atomic_q", 1, hdl.NoReset)
	address := hdl.NewRegOf(m, "address", AWBeatOf(), hdl.NoReset)
	addressValid := m.Reg("address_valid_q", 1, hdl.ResetTo(0))
	turn := m.Reg("atomic_turn_q", 1, hdl.ResetTo(0))
	choice := m.Let("atomic_choice", p.Atomic.AW.Valid.And(turn.Or(p.Payload.AW.Valid.Not())))
	free := m.Let("address_free", next.Not().And(addressValid.Not().Or(p.Memory.AW.Ready)))
	begin := m.Let("begin_burst", free.And(p.Payload.AW.Valid.Or(p.Atomic.AW.Valid)))
	p.Payload.AW.Accept(m, free.And(choice.Not()))
	p.Atomic.AW.Accept(m, free.And(choice))
	chosen := hdl.Unpack(AWBeatOf(), m.Let("chosen_address", hdl.Mux(choice, hdl.Pack(p.Atomic.AW.Data), hdl.Pack(p.Payload.AW.Data))))
	over := m.Let("data_over", open.Not().Or(ends))
	owns := m.Let("next_owner", hdl.Mux(next.Value, nextOwner.Value, choice))
	m.OnClock(
		hdl.If(begin, addressValid.Set(hdl.Ones(1)), address.Set(chosen), turn.Set(choice.Not()), nextOwner.Set(choice)).
			ElseIf(p.Memory.AW.Ready, addressValid.Set(hdl.Zero(1))),
		hdl.If(move, dataValid.Set(hdl.Ones(1)), data.Set(beat)).ElseIf(p.Memory.W.Ready, dataValid.Set(hdl.Zero(1))),
		hdl.If(over, open.Set(next.Or(begin)), owner.Set(owns), payload.Set(owns.Not())),
		next.Set(over.Not().And(next.Or(begin))))
	p.Memory.AW.Drive(m, addressValid.Value, address.Q)

	m.Section("Responses")
	answer := hdl.NewRegOf(m, "answer", BBeatOf(), hdl.NoReset)
	answerValid := m.Reg("answer_valid_q", 1, hdl.ResetTo(0))
	isAtomic := m.Let("answer_is_atomic", answer.Q.ID.Is(AXIAtomic))
	ready := m.Let("answer_ready", answerValid.Not().Or(hdl.Mux(isAtomic, p.Atomic.B.Ready, p.Payload.B.Ready)))
	p.Memory.B.Accept(m, ready)
	m.OnClock(hdl.If(ready, answerValid.Set(p.Memory.B.Valid), answer.Set(p.Memory.B.Data)))
	p.Payload.B.Drive(m, answerValid.And(isAtomic.Not()), answer.Q)
	p.Atomic.B.Drive(m, answerValid.And(isAtomic), answer.Q)
}
