package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// placementSteps takes a task beat by beat. What the next beat is comes from the task if it is the first one, else from registers, set
// with the beat before.
type placementSteps struct {
	*hdl.Module
	busBytes int
	from     hdl.Sink[placementTask]
	task     placementTask

	first       hdl.Reg   // the next beat is the first one
	blockNumber hdl.Value // of the next beat
	place       hdl.Value // of the next beat, in its block
	left        hdl.Value // beats behind it
	last        hdl.Value // the next beat is the last one
	needs       hdl.Value // it needs payload
	starts      hdl.Value // it starts a burst
	ends        hdl.Value // it ends a burst

	move   hdl.Wire  // a beat
	writes hdl.Value // the beat goes to memory
	source hdl.Value // octets of payload

	beatRoom, burstRoom hdl.Value // there is room for one
}

// blockBeats is the number of beats in an aligned block of memory that a burst does not cross.
func blockBeats(busBytes int) int { return min(256, 4096/busBytes) }

func newPlacementSteps(m *hdl.Module, p PlacementPorts, from hdl.Sink[placementTask], busBytes int) *placementSteps {
	m.Section("The next beat of a task")
	place, inBlock := block.IndexWidth(busBytes), block.IndexWidth(blockBeats(busBytes))
	task, upper := from.Data, 64-place-inBlock
	reg := func(name string, width int) hdl.Reg { return m.Reg(name+"_q", width, hdl.NoReset) }
	s := &placementSteps{Module: m, busBytes: busBytes, from: from, task: task, first: m.Reg("first_q", 1, hdl.ResetTo(1)), move: m.Wire("move", 1)}
	other := func(first hdl.Value, later hdl.Reg) hdl.Value { return hdl.Mux(s.first.Value, first, later.Value) }
	blockNumber, inside, left := reg("block", upper), reg("place_in_block", inBlock), reg("beats_left", task.Behind.Width())
	last, some, starts := m.Reg("last_q", 1, hdl.ResetTo(0)), m.Reg("some_q", 1, hdl.ResetTo(1)), m.Reg("burst_starts_q", 1, hdl.ResetTo(1))
	s.blockNumber = m.Let("block", other(task.Beat.Slice(upper+inBlock-1, inBlock), blockNumber))
	s.place = m.Let("place_in_block", other(task.Beat.Truncate(inBlock), inside))
	s.left, s.last = m.Let("beats_left", other(task.Behind, left)), m.Let("last", last.Or(task.Behind.IsZero()))
	s.needs, s.starts = m.Let("needs_payload", some.And(task.Pays)), starts.Value
	s.ends = m.Let("burst_ends", s.last.Or(s.place.All()))
	s.writes = m.Let("writes", s.move.And(task.Discard.Not()))
	m.Note("Behind inline octets is what happens to be there: it is not written.")
	s.source = hdl.Mux(task.Inline, task.Data, p.Payload.Data.Data.Truncate(64))
	if busBytes > 8 {
		s.source = hdl.Cat(p.Payload.Data.Data.Slice(8*busBytes-1, 64), s.source)
	}
	s.source = m.Let("source", s.source)

	full := m.Let("place_is_last", s.place.All())
	isLast := m.Let("last_is_next", s.left.Is(1))
	m.OnClock(hdl.If(s.move.Value,
		blockNumber.Set(s.blockNumber.Add(full.ZeroExtend(upper))), inside.Set(s.place.Plus(1)), left.Set(s.left.Minus(1)),
		s.first.Set(s.last), last.Set(isLast), some.Set(isLast.And(task.Spills).Not()), starts.Set(full.Or(s.last))))
	return s
}

// advance moves a beat when it is there and has room.
func (s *placementSteps) advance(payload hdl.Sink[block.Beat]) {
	m := s.Module
	m.Section("Move a beat when it is there and has room; at the start of a burst, its address too")
	has := m.Let("has_beat", s.from.Valid.And(s.needs.Not().Or(payload.Valid)))
	m.Drive(s.move.Out(), hdl.AllOf(has, s.beatRoom, s.starts.Not().Or(s.burstRoom)))
	s.from.Accept(m, s.move.And(s.last))
	payload.Accept(m, s.move.And(s.needs))
	m.Unused("the command has the length and the stream", payload.Data.Keep, payload.Data.Last, payload.Data.User)
}

// placementBuffer is how many beats are on the way to memory at most: enough for one in every cycle.
const placementBuffer = 16

// placementBursts is how many bursts are without an answer at most.
const placementBursts = 512

// counts is 1 for the last burst of a placement, or of the last piece of a packet.
func (s *placementSteps) counts(last hdl.Value) hdl.Value {
	if piece, is := s.task.Piece.(*taskPiece); is {
		return s.Let("counts", last.And(piece.More.Not()))
	}
	return last
}

// send brings beats and addresses to memory. What moves has a place there, so that nothing on the way has to wait.
// With far memory, clear is 1 if none is without a response.
func (s *placementSteps) send(to block.AXIWriter, sides []*placementSide, clear hdl.Wire) {
	m, octetBits := s.Module, block.IndexWidth(s.busBytes)
	m.Section("Address of a burst")
	burst := block.AWBeatOf()
	if s.task.Side != nil {
		burst = block.WideAWBeatOf()
	}
	addresses := block.NewWideReserved(m, "address", placementBuffer, burst, to.AW)
	beats := block.NewWideReserved(m, "beat", placementBuffer, block.WBeatOf(s.busBytes), to.W)
	room := []hdl.Value{addresses.Room}
	var bursts []block.Reserved[burstUnderWay]
	for _, side := range sides {
		of := block.NewWideReserved(m, side.prefix+"bursts", placementBursts, burstUnderWayOf(s.task.Stream.Width()), side.bursts.Source())
		bursts, room = append(bursts, of), append(room, of.Room)
	}
	s.beatRoom, s.burstRoom = beats.Room, m.Let("burst_room", hdl.AllOf(room...))
	start := m.Let("start", hdl.AllOf(s.move.Value, s.starts, s.task.Discard.Not()))
	behind := m.Let("room_behind", s.place.Not())
	isLast := m.Let("last_burst", s.left.Le(behind.ZeroExtend(s.left.Width())))
	count := m.Let("burst_beats", hdl.Mux(isLast, s.left.Truncate(behind.Width()), behind))

	m.Section("Octets are rotated to their place on the bus; those that do not fit go into the next beat")
	pipe := block.NewPipeline(m, s.writes, block.TurnSteps)
	end := block.TurnSteps
	octets := block.Turn(pipe, 0, s.source, s.task.Turn).At(end)
	counts := func(name string, c block.OctetCount) block.OctetCount {
		return hdl.Unpack(c, pipe.Signal(name, 0, hdl.Pack(hdl.LetOf(m, name, c))).At(end-1))
	}
	flag := func(v hdl.Value, name string) hdl.Value {
		return pipe.Holds(name, 0, v).At(end - 1).Replicate(s.busBytes)
	}
	below, before := m.Let("below_first", counts("up_to_first", block.DecodeOctets(s.task.From)).Below()), counts("up_to_end", block.DecodeEnd(s.task.Ends)).Below()
	within := m.Let("to_end", before.Or(flag(s.last, "last").Not()))
	fresh := pipe.Signal("fresh", end-1, below.Not().And(within)).At(end)
	old := pipe.Signal("old", end-1, hdl.AllOf(below, within, flag(s.first.Value, "first").Not())).At(end)
	carried := m.Reg("carried_q", 8*s.busBytes, hdl.NoReset)
	m.OnClock(hdl.If(pipe.Valid(end), carried.Set(octets)))
	beat := m.Let("octets", octets.And(fresh.Replicate(8)).Or(carried.And(old.Replicate(8))))
	beats.Drive(s.move.Value, s.move.And(s.task.Discard), pipe.Valid(end), block.WBeat{Data: beat, Strb: fresh.Or(old), Last: pipe.Holds("ends", 0, s.ends).At(end)})

	m.Note("The address of a burst goes with its first beat.")
	address := pipe.Signal("address", 0, hdl.Cat(s.blockNumber, s.place)).At(end)
	starts := pipe.Holds("starts", 0, s.starts)
	id := hdl.Const(block.AXIIDBits, block.AXIPayload)
	stream, ends := pipe.Holds("stream", 0, s.task.Stream), pipe.Holds("last_burst", 0, s.counts(isLast))
	side, hasFar := s.task.Side.(*taskSide)
	var far *block.Signal
	if hasFar {
		far = pipe.Holds("is_far", 0, side.Far)
		id = hdl.Cat(far.At(end), id)
		m.Drive(clear.Out(), bursts[0].Used.Any().Or(bursts[1].Used.Any()).Not())
	}
	for i, to := range sides {
		reserves, enters := start, pipe.Valid(1).And(starts.At(1))
		if hasFar {
			reserves, enters = to.only(start, far.At(0)), to.only(enters, far.At(1))
		}
		bursts[i].Drive(reserves, hdl.Value{}, enters, burstUnderWay{Stream: stream.At(1), Last: ends.At(1)})
	}
	addresses.Drive(start, hdl.Value{}, pipe.Valid(end).And(starts.At(end)), block.AWBeat{ID: id,
		Addr: hdl.Cat(address, hdl.Zero(octetBits)), Len: pipe.Holds("burst_beats", 0, count).At(end).ZeroExtend(8), Size: hdl.Const(3, uint64(octetBits)), Burst: hdl.Const(2, 1)})
	pipe.Close()
}
