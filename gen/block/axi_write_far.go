package block

import "github.com/rnicgen/rnicgen/hdl"

// AXIWriteFarPorts are the writers of payload, of atomics, and of atomics in far memory, and memory. Identifiers of payload and of memory
// have one more bit.
type AXIWriteFarPorts struct {
	Payload AXIWriterPort
	Atomic  AXIWriterPort
	Far     AXIWriterPort
	Memory  AXIWriter `hdl:"m_axi"`
}

const axiWriteFarDoc = `axi_write_far shares one AXI4 write channel between payload, atomics, and atomics in far memory, burst by burst: a
waiting burst is passed over at most twice. The top bit of an identifier is 1 for far memory, so that its responses need not be in
the order of others: payload sets it itself. Data follow in the order of the addresses; they may arrive before, with or after their address, and in that
case the other sides wait. One more burst may begin while the data of a burst are incomplete, so that what accepts an
address does not depend on data. Bursts of one beat pass one per cycle.

Every output to memory is registered: one cycle of latency each way, two for data that come with their address. Responses
are routed by bid: 0 and 2 to payload, 1 to atomics, 3 to atomics in far memory. A response that is not accepted holds up those
after it, of any side. After reset no burst is in progress.`

// AXIWriteFar is for buses of 8 to 128 octets.
func AXIWriteFar(busBytes int) hdl.Block[AXIWriteFarPorts] {
	return hdl.Block[AXIWriteFarPorts]{
		Kind: "axi_write_far", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: axiWriteFarDoc,
		Ports: AXIWriteFarPorts{Payload: WideAXIWriterPort(busBytes), Atomic: axiWriterPort(busBytes), Far: axiWriterPort(busBytes), Memory: WideAXIWriterOf(busBytes)},
		Build: func(m *hdl.Module, p AXIWriteFarPorts) { buildAXIWriteFar(m, p, busBytes) },
	}
}

// WideAXIWriterOf is a writer whose identifiers have one bit more.
func WideAXIWriterOf(busBytes int) AXIWriter {
	return AXIWriter{AW: hdl.NewSource(WideAWBeatOf()), W: hdl.NewSource(WBeatOf(busBytes)), B: hdl.NewSink(WideBBeatOf())}
}

// WideAXIWriterPort is the counterpart of [WideAXIWriterOf].
func WideAXIWriterPort(busBytes int) AXIWriterPort {
	return AXIWriterPort{AW: hdl.NewSink(WideAWBeatOf()), W: hdl.NewSink(WBeatOf(busBytes)), B: hdl.NewSource(WideBBeatOf())}
}

func WideAWBeatOf() AWBeat {
	aw := AWBeatOf()
	aw.ID = hdl.Bits(AXIIDBits + 1)
	return aw
}

func WideBBeatOf() BBeat {
	b := BBeatOf()
	b.ID = hdl.Bits(AXIIDBits + 1)
	return b
}

func buildAXIWriteFar(m *hdl.Module, p AXIWriteFarPorts, busBytes int) {
	sides := []AXIWriterPort{p.Payload, p.Atomic, p.Far}
	each := func(of func(AXIWriterPort) hdl.Value) hdl.Value { // 1 bit per side
		return hdl.Cat(of(p.Far), of(p.Atomic), of(p.Payload))
	}
	payload := hdl.Cat(p.Payload.AW.Data.ID.Bit(AXIIDBits), hdl.Const(AXIIDBits, AXIPayload))
	ids := []hdl.Value{payload, hdl.Const(AXIIDBits+1, AXIAtomic), hdl.Const(AXIIDBits+1, 1<<AXIIDBits|AXIAtomic)}

	m.Section("Data of the oldest burst that lacks some, from the cycle after its address on")
	data := hdl.NewRegOf(m, "data", WBeatOf(busBytes), hdl.NoReset)
	dataValid := m.Reg("data_valid_q", 1, hdl.ResetTo(0))
	m.Note("The side whose data are incomplete; none if no burst's are.")
	owner := m.Reg("owner_q", len(sides), hdl.ResetTo(0))
	m.Note("The data, which are wide, have registers of their own for whose they are.")
	far, atomic := m.Reg("far_data_q", 1, hdl.NoReset), m.Reg("atomic_data_q", 1, hdl.NoReset)
	free := m.Let("data_free", dataValid.Not().Or(p.Memory.W.Ready))
	for i, s := range sides {
		s.W.Accept(m, free.And(owner.Bit(i)))
	}
	octets := hdl.Unpack(WBeatOf(busBytes), m.Let("chosen_beat", hdl.Select(hdl.Pack(p.Payload.W.Data),
		hdl.When{Cond: far.Value, Then: hdl.Pack(p.Far.W.Data)}, hdl.When{Cond: atomic.Value, Then: hdl.Pack(p.Atomic.W.Data)})))
	move := m.Let("move", free.And(owner.And(each(func(s AXIWriterPort) hdl.Value { return s.W.Valid })).Any()))
	ends := m.Let("burst_ends", free.And(owner.And(each(func(s AXIWriterPort) hdl.Value { return s.W.Valid.And(s.W.Data.Last) })).Any()))
	p.Memory.W.Drive(m, dataValid.Value, data.Q)

	m.Section("Address: at most one burst that has begun waits until the data of the one before it are complete")
	next := m.Reg("next_q", len(sides), hdl.ResetTo(0))
	address := hdl.NewRegOf(m, "address", WideAWBeatOf(), hdl.NoReset)
	addressValid := m.Reg("address_valid_q", 1, hdl.ResetTo(0))
	turn := m.Reg("turn_q", len(sides), hdl.ResetTo(1))
	asks := m.Let("asks", each(func(s AXIWriterPort) hdl.Value { return s.AW.Valid }))
	m.Note("The turn is that of the first behind the latest one; those before it follow.")
	behind := m.Let("asks_behind", asks.And(turn.Or(Above(turn.Value))))
	choice := m.Let("choice", Lowest(m.Let("candidates", hdl.Mux(behind.Any(), behind, asks))))
	room := m.Let("address_free", next.IsZero().And(addressValid.Not().Or(p.Memory.AW.Ready)))
	begin := m.Let("begin_burst", room.And(asks.Any()))
	var bursts []hdl.When
	for i, s := range sides {
		s.AW.Accept(m, room.And(choice.Bit(i)))
		m.Unused("replaced by that of the side", s.AW.Data.ID.Truncate(AXIIDBits))
		burst := s.AW.Data
		burst.ID = ids[i]
		bursts = append(bursts, hdl.When{Cond: choice.Bit(i), Then: hdl.Pack(burst)})
	}
	chosen := hdl.Unpack(WideAWBeatOf(), m.Let("chosen_address", hdl.Select(bursts[0].Then, bursts[1:]...)))
	over := m.Let("data_over", owner.IsZero().Or(ends))
	begun := m.Let("begun", choice.And(begin.Replicate(len(sides))))
	owns := m.Let("next_owner", next.Or(begun))
	m.OnClock(
		hdl.If(begin, addressValid.Set(hdl.Ones(1)), address.Set(chosen), turn.Set(hdl.Cat(choice.Slice(1, 0), choice.Bit(2)))).
			ElseIf(p.Memory.AW.Ready, addressValid.Set(hdl.Zero(1))),
		hdl.If(move, dataValid.Set(hdl.Ones(1)), data.Set(octets)).ElseIf(p.Memory.W.Ready, dataValid.Set(hdl.Zero(1))),
		hdl.If(over, owner.Set(owns), far.Set(owns.Bit(2)), atomic.Set(owns.Bit(1)), next.Set(hdl.Zero(len(sides)))).
			Else(next.Set(owns)))
	p.Memory.AW.Drive(m, addressValid.Value, address.Q)

	m.Section("Responses")
	answer := hdl.NewRegOf(m, "answer", p.Memory.B.Data, hdl.NoReset)
	answerValid := m.Reg("answer_valid_q", 1, hdl.ResetTo(0))
	isWord, isFar := answer.Q.ID.Bit(0), answer.Q.ID.Bit(AXIIDBits)
	words := m.Let("word_ready", hdl.Mux(isFar, p.Far.B.Ready, p.Atomic.B.Ready))
	accept := m.Let("answer_ready", answerValid.Not().Or(hdl.Mux(isWord, words, p.Payload.B.Ready)))
	p.Memory.B.Accept(m, accept)
	m.OnClock(hdl.If(accept, answerValid.Set(p.Memory.B.Valid), answer.Set(p.Memory.B.Data)))
	beat := BBeat{ID: answer.Q.ID.Truncate(AXIIDBits), Resp: answer.Q.Resp}
	p.Payload.B.Drive(m, answerValid.And(isWord.Not()), answer.Q)
	p.Atomic.B.Drive(m, hdl.AllOf(answerValid.Value, isWord, isFar.Not()), beat)
	p.Far.B.Drive(m, hdl.AllOf(answerValid.Value, isWord, isFar), beat)
}
