package memory

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// PlacementPorts write the payload of segments to memory. Placed counts the placements in memory, modulo 2^PlacementBits.
type PlacementPorts struct {
	Command hdl.Sink[engine.Placement]
	Payload hdl.Sink[block.Beat]
	Memory  block.AXIWriter `hdl:"m_axi"`
	Placed  hdl.Out         `doc:"placements in memory, modulo 2^9"`
	Failed  hdl.Source[engine.Failure]
	Retire  *PlacementRetire
}

// PlacementRetire reports each finished placement, in order, in a cycle in which Valid is 1.
type PlacementRetire struct {
	Valid  hdl.Out `doc:"a placement is in memory, or memory has refused it"`
	Stream hdl.Out `doc:"number of the stream"`
}

func PlacementRetireOf(streams int) *PlacementRetire {
	return &PlacementRetire{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(streams))}
}

const placementDoc = `placement writes to memory what each command says, in order: the next packet of the payload stream, 1 to 65535
octets, or the 8 octets of an inline command, at any address. A discard consumes its packet and writes nothing;
with inline there is no packet.

Octets are rotated to their place on the bus, one beat of memory per cycle, also across packets: an aligned packet
takes as many cycles as it has beats, an unaligned one a cycle more if it touches one more beat of memory. The
first beat leaves two cycles after command and payload arrive. Octets that are not written are 0 and masked. Bursts
have beats of full bus width and stay inside a block of 4 KiB, or of 2 KiB on a bus of 8 octets, where 256 beats
end. An address is offered no later than its first beat.

A placement is complete, and counted, when memory has answered the last of its bursts. If memory reports an error
for a burst, the placement makes one failure, which is accepted before the placement counts as complete. Up to 511
placements and 513 bursts can be in progress; the next one waits. Reset forgets them, and the count is 0.`

// PlacementWriter is for buses of 8 to 128 octets.
func PlacementWriter(c engine.Config) hdl.Block[PlacementPorts] {
	ports := PlacementPorts{Command: hdl.NewSink(engine.PlacementOf(c.Streams)), Payload: hdl.NewSink(block.BeatOf(c.BusBytes, c.Streams)),
		Memory: block.AXIWriterOf(c.BusBytes), Placed: hdl.NewOut(engine.PlacementBits), Failed: hdl.NewSource(engine.FailureOf(c.Streams))}
	if c.RetirePort {
		ports.Retire = PlacementRetireOf(c.Streams)
	}
	return hdl.Block[PlacementPorts]{
		Kind: "placement", Options: c.Retire(), Params: c.Params("bus_bytes", "streams"),
		Doc: placementDoc, Ports: ports,
		Build: func(m *hdl.Module, p PlacementPorts) { buildPlacement(m, p, c.BusBytes, c.Streams) },
	}
}

// blockBeats is the number of beats in an aligned block of memory that a burst does not cross.
func blockBeats(busBytes int) int { return min(256, 4096/busBytes) }

// placementJob is constant during a placement.
type placementJob struct {
	Stream, Discard, Inline, Data hdl.Value
	From, To                      hdl.Value // index of the first octet in the first beat of memory, and of the last octet in the last beat
	Spills                        hdl.Value // the last beat of memory consists of octets of an earlier payload beat
}

// burstUnderWay is a burst without a response. Last is set if it is the last of its placement.
type burstUnderWay struct{ Stream, Last hdl.Value }

func buildPlacement(m *hdl.Module, p PlacementPorts, busBytes, streams int) {
	octetBits, blockBits := block.IndexWidth(busBytes), block.IndexWidth(blockBeats(busBytes))
	countBits := 17 - octetBits // of the beats of a placement
	stream, command := hdl.Bits(block.IndexWidth(streams)), p.Command.Data
	underWay := hdl.NewStream(m, "new_burst", burstUnderWay{Stream: stream, Last: hdl.Bits(1)})
	answered := hdl.NewStream(m, "oldest_burst", burstUnderWay{Stream: stream, Last: hdl.Bits(1)})

	m.Section("Take a command when the previous one ends")
	job := hdl.NewRegOf(m, "job", placementJob{Stream: stream, Discard: hdl.Bits(1), Inline: hdl.Bits(1), Data: hdl.Bits(64),
		From: hdl.Bits(octetBits), To: hdl.Bits(octetBits), Spills: hdl.Bits(1)}, hdl.NoReset)
	jobValid := m.Reg("job_valid_q", 1, hdl.ResetTo(0))
	issued := m.Reg("issued_q", engine.PlacementBits, hdl.ResetTo(0))
	placed := m.Reg("placed_q", engine.PlacementBits, hdl.ResetTo(0))
	ending := m.Wire("job_ends", 1)
	crowded := m.Let("crowded", issued.Sub(placed.Value).All())
	free := m.Let("free", jobValid.Not().Or(ending.Value).And(crowded.Not()))
	take := m.Let("take", p.Command.Valid.And(free))
	p.Command.Accept(m, free)
	from := m.Let("from", command.Address.Truncate(octetBits))
	lastOctet := m.Let("last_octet", command.Length.Sub(hdl.Const(16, 1)))
	end := m.Let("end_octet", from.ZeroExtend(octetBits+1).Add(lastOctet.Truncate(octetBits).ZeroExtend(octetBits+1)))
	spills := end.Bit(octetBits)
	m.OnClock(
		hdl.If(take, jobValid.Set(hdl.Ones(1)),
			job.Set(placementJob{Stream: command.Stream, Discard: command.Discard, Inline: command.Inline, Data: command.Data,
				From: from, To: end.Truncate(octetBits), Spills: spills}),
		).ElseIf(ending.Value, jobValid.Set(hdl.Zero(1))),
		hdl.If(take.And(command.Discard.Not()), issued.Set(issued.Plus(1))))

	m.Section("Move a beat when it has arrived and its register is free; at the start of a burst, that of the address too")
	first := m.Reg("first_q", 1, hdl.NoReset)
	left := m.Reg("beats_left_q", countBits, hdl.NoReset)
	blockNumber := m.Reg("block_q", 64-octetBits-blockBits, hdl.NoReset)
	place := m.Reg("place_in_block_q", blockBits, hdl.NoReset)
	addressValid := m.Reg("address_valid_q", 1, hdl.ResetTo(0))
	beatValid := m.Reg("beat_valid_q", 1, hdl.ResetTo(0))
	last := m.Let("last", left.IsZero())
	starts := m.Let("burst_starts", first.Or(place.IsZero()))
	ends := m.Let("burst_ends", last.Or(place.All()))
	needs := m.Let("needs_payload", hdl.AllOf(job.Q.Inline.Not(), last.And(job.Q.Spills).Not()))
	ready := m.Let("beat_ready", hdl.AllOf(jobValid.Value, job.Q.Discard.Not(), needs.Not().Or(p.Payload.Valid),
		beatValid.Not().Or(p.Memory.W.Ready)))
	starting := m.Let("burst_ready", hdl.AllOf(ready, starts, addressValid.Not().Or(p.Memory.AW.Ready)))
	start := m.Let("start", starting.And(underWay.Source().Ready))
	move := m.Let("move", hdl.Mux(starts, start, ready))
	swallow := m.Let("swallow", hdl.AllOf(jobValid.Value, job.Q.Discard, job.Q.Inline.Not()))
	p.Payload.Accept(m, swallow.Or(move.And(needs)))
	m.Unused("the command has the length and the stream", p.Payload.Data.Keep, p.Payload.Data.User)
	swallowed := m.Let("swallowed", job.Q.Discard.And(job.Q.Inline.Or(p.Payload.Valid.And(p.Payload.Data.Last))))
	m.Drive(ending.Out(), jobValid.And(swallowed.Or(move.And(last))))
	m.OnClock(
		hdl.If(take, first.Set(hdl.Ones(1)),
			left.Set(lastOctet.Slice(15, octetBits).ZeroExtend(countBits).Add(spills.ZeroExtend(countBits))),
			blockNumber.Set(command.Address.Slice(63, octetBits+blockBits)),
			place.Set(command.Address.Slice(octetBits+blockBits-1, octetBits)),
		).ElseIf(move, first.Set(hdl.Zero(1)),
			left.Set(left.Sub(hdl.Const(countBits, 1))),
			place.Set(place.Plus(1)),
			hdl.If(place.All(), blockNumber.Set(blockNumber.Plus(1)))))

	m.Section("Align: octets are rotated to their place on the bus; those that do not fit go into the next beat")
	turned := m.Let("source", hdl.Mux(job.Q.Inline, job.Q.Data.ZeroExtend(8*busBytes), p.Payload.Data.Data))
	for b := range octetBits {
		n := 8 << b
		turned = m.Let(fmt.Sprintf("turned_%d", 1<<b), hdl.Mux(job.Q.From.Bit(b),
			hdl.Cat(turned.Truncate(8*busBytes-n), turned.Slice(8*busBytes-1, 8*busBytes-n)), turned))
	}
	carried := m.Reg("carried_q", 8*busBytes, hdl.NoReset)
	m.Note("Masks of the octets at or after the first octet, and at or before the last one.")
	behind := m.Let("behind_first", hdl.Ones(busBytes).ShiftLeft(job.Q.From))
	ahead := m.Let("ahead_of_last", hdl.Ones(busBytes).ShiftRight(job.Q.To.Not()))
	fresh := m.Let("fresh", behind.Replicate(8))
	octets := m.Let("octets", turned.And(fresh).Or(carried.And(fresh.Not())))
	strobe := m.Let("strobe", behind.Or(first.Not().Replicate(busBytes)).And(ahead.Or(last.Not().Replicate(busBytes))))
	beatOut := hdl.NewRegOf(m, "beat", block.WBeatOf(busBytes), hdl.NoReset)
	m.OnClock(
		hdl.If(move, beatValid.Set(hdl.Ones(1)), carried.Set(turned),
			beatOut.Set(block.WBeat{Data: octets.And(strobe.Replicate(8)), Strb: strobe, Last: ends}),
		).ElseIf(p.Memory.W.Ready, beatValid.Set(hdl.Zero(1))))
	p.Memory.W.Drive(m, beatValid.Value, beatOut.Q)

	m.Section("Address of a burst")
	address := m.Reg("address_q", 64-octetBits, hdl.NoReset)
	beats := m.Reg("burst_beats_q", blockBits, hdl.NoReset)
	room := m.Let("room_behind", place.Not())
	lastBurst := m.Let("last_burst", left.Le(room.ZeroExtend(countBits)))
	m.OnClock(hdl.If(start, addressValid.Set(hdl.Ones(1)), address.Set(hdl.Cat(blockNumber.Value, place.Value)),
		beats.Set(hdl.Mux(lastBurst, left.Truncate(blockBits), room)),
	).ElseIf(p.Memory.AW.Ready, addressValid.Set(hdl.Zero(1))))
	p.Memory.AW.Drive(m, addressValid.Value, block.AWBeat{ID: hdl.Const(block.AXIIDBits, block.AXIPayload),
		Addr: hdl.Cat(address.Value, hdl.Zero(octetBits)), Len: beats.ZeroExtend(8), Size: hdl.Const(3, uint64(octetBits)), Burst: hdl.Const(2, 1)})
	underWay.Source().Drive(m, starting, burstUnderWay{Stream: job.Q.Stream, Last: lastBurst})
	block.Fifo(m, "bursts", 1<<engine.PlacementBits, underWay.Sink(), answered.Source())

	m.Section("Responses arrive in the order of the bursts")
	failed := m.Reg("failed_q", 1, hdl.ResetTo(0))
	response, oldest := p.Memory.B, answered.Sink()
	m.Unused("used by the arbiter", response.Data.ID)
	fails := m.Let("fails", failed.Or(response.Data.Resp.Any()))
	reports := m.Let("reports", oldest.Data.Last.And(fails))
	takes := m.Let("response_ready", oldest.Valid.And(reports.Not().Or(p.Failed.Ready)))
	response.Accept(m, takes)
	p.Failed.Drive(m, hdl.AllOf(response.Valid, oldest.Valid, reports),
		engine.Failure{Stream: oldest.Data.Stream, Fault: engine.FaultOf(engine.FaultLocal)})
	done := m.Let("answered", response.Valid.And(takes))
	oldest.Accept(m, done)
	m.OnClock(hdl.If(done, failed.Set(fails.And(oldest.Data.Last.Not())),
		hdl.If(oldest.Data.Last, placed.Set(placed.Plus(1)))))
	m.Drive(p.Placed, placed.Value)
	if p.Retire != nil {
		m.Drive(p.Retire.Valid, done.And(oldest.Data.Last))
		m.Drive(p.Retire.Stream, oldest.Data.Stream)
	}
}
