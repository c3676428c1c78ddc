package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AXIStaged is the identifier with which tx_engine reads the buffer of tx_staging.
const AXIStaged = 1

// TxStagingPorts fetch payload of far memory before its segment is sent.
type TxStagingPorts struct {
	Command     hdl.Sink[engine.TxCommand]   `doc:"segments"`
	Segment     hdl.Source[engine.TxCommand] `doc:"the same; far ones with the address in the buffer"`
	NearStreams hdl.In                       `doc:"streams that wait with a segment that is not far"`
	FarStreams  hdl.In                       `doc:"streams that wait with a far one"`
	Left        hdl.Out                      `doc:"a far segment leaves"`
	Freed       hdl.Out                      `doc:"one has been read: there is room for one more"`
	Reader      block.AXIReaderPort          `doc:"of tx_engine"`
	Near        block.AXIReader              `doc:"for memory that is not far"`
	Far         block.AXIReader              `doc:"for far memory"`
}

const txStagingDoc = `tx_staging fetches the payload of segments from far memory, in order, into a buffer of %d segments, and passes each
on when its payload is there. tx_engine then reads it from the buffer, so that it never waits for far memory. A far
segment is accepted at once: who offers it knows that there is room. What memory reports as an error is
reported again when the buffer is read. Other segments pass. While some wait, the next far one leaves when they
have had their share: for each stream that waits as many beats as the far one before, divided by the streams that wait with a far one.

Reads of tx_engine are for the buffer if arid is 1, otherwise they go to other memory. Their data return in the order
of the reads: data of memory wait while the buffer is read, one beat per cycle.`

// stagingBeats is the room of a segment in beats, a power of two: its payload may begin anywhere in a beat.
func stagingBeats(c engine.Config) int { return 1 << block.IndexWidth(c.MaxPayload/c.BusBytes+1) }

// stagingReads is the number of bursts of tx_engine in progress, a power of two: each has a beat in its payload buffer.
func stagingReads(c engine.Config) int { return txPayloadDepth(c) }

// TxStaging stands between tx_turns and tx_engine, and between tx_engine and memory.
func TxStaging(c engine.Config) hdl.Block[TxStagingPorts] {
	command, count := engine.TxCommandOf(c), StreamCountBits(c)
	reader := block.AXIReaderOf(c.BusBytes)
	return hdl.Block[TxStagingPorts]{
		Kind: "tx_staging", Params: c.Params("bus_bytes", "max_payload", "streams", "ird", "far_memory_bit"), Doc: fmt.Sprintf(txStagingDoc, TxStagingSlots),
		Ports: TxStagingPorts{Command: hdl.NewSink(command), Segment: hdl.NewSource(command), NearStreams: hdl.NewIn(count), FarStreams: hdl.NewIn(count), Left: hdl.NewOut(1), Freed: hdl.NewOut(1),
			Reader: block.AXIReaderPortOf(c.BusBytes), Near: reader, Far: reader},
		Build: func(m *hdl.Module, p TxStagingPorts) { buildTxStaging(m, p, c) },
	}
}

// staging is what the parts of the block share.
type staging struct {
	*hdl.Module
	p      TxStagingPorts
	c      engine.Config
	buffer *hdl.Memory // by place and beat: {error, octets}
	left   hdl.Sink[stagedBeats]
}

// stagedBeats is the size of a segment's payload in memory.
type stagedBeats struct{ Behind hdl.Value } // beats after the first one

// stagedPayload is a segment's payload in memory.
type stagedPayload struct {
	Beat  hdl.Value   // address of the first beat, without the bits inside it
	Beats stagedBeats `hdl:"-"`
}

// stagedSegment is a segment that waits for its payload.
type stagedSegment struct {
	Command engine.TxCommand `hdl:"-"`
	Beats   stagedBeats      `hdl:"-"`
}

// stagedBurst is a burst that tx_engine reads.
type stagedBurst struct {
	Staged hdl.Value // from the buffer, not from memory
	Word   hdl.Value // of the buffer
	Behind hdl.Value // beats after the first one
}

func (s *staging) slotBits() int      { return block.IndexWidth(TxStagingSlots) }
func (s *staging) beatBits() int      { return block.IndexWidth(stagingBeats(s.c)) }
func (s *staging) wordBits() int      { return s.slotBits() + s.beatBits() }
func (s *staging) beats() stagedBeats { return stagedBeats{hdl.Bits(s.beatBits())} }

func buildTxStaging(m *hdl.Module, p TxStagingPorts, c engine.Config) {
	s := &staging{Module: m, p: p, c: c, buffer: m.Memory("staged", 1+8*c.BusBytes, TxStagingSlots*stagingBeats(c))}
	near, far := s.divide()
	waiting, ends := s.fetch(far)
	s.pass(near, waiting, ends)
	s.read()
}

// divide separates far segments from others.
func (s *staging) divide() (near, far hdl.Sink[engine.TxCommand]) {
	m, in := s.Module, s.p.Command
	m.Section("Far segments, and others")
	others, fars := hdl.NewStream(m, "near_segment", in.Data), hdl.NewStream(m, "far_segment", in.Data)
	isFar := engine.IsFar(in.Data.Far)
	others.Source().Drive(m, in.Valid.And(isFar.Not()), in.Data)
	fars.Source().Drive(m, in.Valid.And(isFar), in.Data)
	in.Accept(m, hdl.Mux(isFar, fars.Source().Ready, others.Source().Ready))
	return others.Sink(), fars.Sink()
}

// fetch reads payload into the buffer. ends is 1 in the last beat of a segment.
func (s *staging) fetch(in hdl.Sink[engine.TxCommand]) (waiting hdl.Sink[stagedSegment], ends hdl.Value) {
	m, c := s.Module, s.c
	place := block.IndexWidth(c.BusBytes)
	m.Section("Fetch the payload of a segment")
	width := place + s.beatBits()
	m.Note("The last octet is in the beat in which the one before its end is.")
	length, offset := in.Data.PayloadLength.Truncate(width), in.Data.Address.Truncate(place)
	last := m.Let("last_octet", m.Let("payload_end", length.Add(offset.ZeroExtend(width))).Minus(1))
	m.Unused("whole beats", last.Truncate(place))
	in.Accept(m, hdl.Ones(1))
	segment := stagedSegment{in.Data, stagedBeats{last.Slice(width-1, place)}}
	payload := stagedPayload{in.Data.Address.Slice(63, place), segment.Beats}
	segments, requests, coming := hdl.NewStream(m, "fetched_segment", segment), hdl.NewStream(m, "request", payload), hdl.NewStream(m, "coming", segment.Beats)
	block.Roomy(m, "segments", TxStagingSlots, in.Valid, segment, segments.Source())
	block.Roomy(m, "requests", TxStagingSlots, in.Valid, payload, requests.Source())
	block.Roomy(m, "outstanding", TxStagingSlots, in.Valid, segment.Beats, coming.Source())

	bursts := hdl.NewStream(m, "burst", block.ARBeatOf())
	block.Between(m, "read", bursts.Sink(), s.p.Far.AR)
	valid, isLast := m.Reg("valid_q", 1, hdl.ResetTo(0)), m.Reg("last_q", 1, hdl.NoReset)
	over := m.Let("burst_is_over", valid.Not().Or(isLast.And(bursts.Source().Ready)))
	next := requests.Sink()
	next.Accept(m, over)
	buildBursts(m, bursts.Source(), burstsOf{txRead{Beat: next.Data.Beat, Coming: TxComing{Behind: next.Data.Beats.Behind}}, next.Valid.And(over), over, valid, isLast}, c)

	m.Section("Its data")
	data, size := s.p.Far.R, coming.Sink()
	data.Accept(m, hdl.Ones(1))
	slot, beat := m.Reg("slot_q", s.slotBits(), hdl.ResetTo(0)), m.Reg("beat_q", s.beatBits(), hdl.ResetTo(0))
	ends = m.Let("payload_ends", data.Valid.And(beat.Eq(size.Data.Behind)))
	m.Unused("memory answers later", size.Valid)
	m.Unused("beats are counted", data.Data.Last, data.Data.ID)
	size.Accept(m, ends)
	s.buffer.Write(data.Valid, hdl.Cat(slot.Value, beat.Value), hdl.Cat(data.Data.Resp.Any(), data.Data.Data))
	m.OnClock(hdl.If(ends, beat.Set(hdl.Zero(s.beatBits())), slot.Set(slot.Plus(1))).ElseIf(data.Valid, beat.Set(beat.Plus(1))))
	return segments.Sink(), ends
}

// pass lets a far segment leave when its payload is in the buffer, between others.
func (s *staging) pass(near hdl.Sink[engine.TxCommand], waiting hdl.Sink[stagedSegment], ends hdl.Value) {
	m := s.Module
	m.Section("A far segment leaves when its payload is there, and others have had their share")
	out := block.NewSkid(m, "leaving", near.Data, s.p.Segment)
	complete := m.Reg("complete_q", s.slotBits()+1, hdl.ResetTo(0))
	slot := m.Reg("leaving_slot_q", s.slotBits(), hdl.ResetTo(0))
	owes := m.Reg("far_owes_q", 1, hdl.ResetTo(0))
	there := m.Let("is_there", waiting.Valid.And(complete.Any()))
	farGoes := m.Let("far_goes", there.And(owes.And(near.Valid).Not()))
	leaves := m.Let("leaves", farGoes.And(out.Room))
	passes := m.Let("near_passes", hdl.AllOf(near.Valid, farGoes.Not(), out.Room))
	waiting.Accept(m, leaves)
	near.Accept(m, farGoes.Not().And(out.Room))
	count := func(is hdl.Value) hdl.Value { return is.ZeroExtend(complete.Width()) }
	m.OnClock(complete.Set(complete.Add(count(ends)).Sub(count(leaves))), hdl.If(leaves, slot.Set(slot.Plus(1))))
	s.owe(owes, leaves, waiting.Data.Command.Beats, passes, near.Data.Beats)
	place := block.IndexWidth(s.c.BusBytes)
	command := waiting.Data.Command
	m.Unused("its payload is in the buffer", command.Address.Slice(63, place))
	command.Address = hdl.Cat(slot.Value, hdl.Zero(s.beatBits()), command.Address.Truncate(place)).ZeroExtend(64)
	out.Drive(leaves.Or(passes), hdl.Unpack(command, hdl.Mux(farGoes, hdl.Pack(command), hdl.Pack(near.Data))))
	m.Drive(s.p.Left, leaves)
	reading := hdl.NewStream(m, "reading", s.beats())
	block.Roomy(m, "segments_left", TxStagingSlots, leaves, waiting.Data.Beats, reading.Source())
	s.left = reading.Sink()
}

// owe counts what a far segment owes the others: as many beats as it has for each stream that waits, of all that wait with a far one. Only
// the latest one counts: if another one may leave before that is paid, no stream has waited.
func (s *staging) owe(owes hdl.Reg, farLeaves, farBeats, nearLeaves, nearBeats hdl.Value) {
	m, streams := s.Module, s.p.NearStreams.Value.Width()
	width := farBeats.Width() + streams
	one := hdl.Cat(hdl.Zero(streams-1), hdl.Ones(1))
	fars := m.Let("far_streams_or_1", hdl.Mux(s.p.FarStreams.Value.IsZero(), one, s.p.FarStreams.Value))
	costs, cost, share := m.Reg("costs_q", 1, hdl.ResetTo(0)), m.Reg("cost_q", width, hdl.NoReset), m.Reg("share_q", width, hdl.ResetTo(0))
	debt := m.Reg("debt_q", width, hdl.ResetTo(0))
	m.Note("The cost is there one cycle after its segment has left, a share two.")
	passed := m.Reg("near_beats_passed_q", nearBeats.Width(), hdl.ResetTo(0))
	m.OnClock(costs.Set(farLeaves), cost.Set(product(m, "cost", s.p.NearStreams.Value, farBeats)),
		passed.Set(nearBeats.And(nearLeaves.Replicate(nearBeats.Width()))), share.Set(product(m, "share", fars, passed.Value)))
	owed := m.Let("owed", hdl.Mux(costs.Value, cost.Value, debt.Value))
	paid := m.Let("is_paid", owed.Le(share.Value))
	m.OnClock(debt.Set(owed.Sub(share.Value).And(paid.Not().Replicate(width))), owes.Set(farLeaves.Or(paid.Not())))
}

// product multiplies two numbers.
func product(m *hdl.Module, name string, a, b hdl.Value) (sum hdl.Value) {
	width := a.Width() + b.Width()
	sum = hdl.Zero(width)
	for i := range b.Width() {
		part := m.Let(fmt.Sprintf("%s_part_%d", name, i), a.And(b.Bit(i).Replicate(a.Width())))
		shifted := part
		if i > 0 {
			shifted = hdl.Cat(part, hdl.Zero(i))
		}
		if i == 0 {
			sum = shifted.ZeroExtend(width)
			continue
		}
		sum = m.Let(fmt.Sprintf("%s_up_to_%d", name, i), sum.Add(shifted.ZeroExtend(width)))
	}
	return sum
}

// read answers the reads of tx_engine in their order.
func (s *staging) read() {
	m, place := s.Module, block.IndexWidth(s.c.BusBytes)
	m.Section("Reads of tx_engine")
	asked, near, toMemory := s.p.Reader.AR, s.p.Near, hdl.NewStream(m, "near_read", block.ARBeatOf())
	block.Between(m, "near_address", toMemory.Sink(), near.AR)
	staged := m.Let("asks_for_staged", asked.Data.ID.Is(AXIStaged))
	bursts := hdl.NewStream(m, "order", stagedBurst{hdl.Bits(1), hdl.Bits(s.wordBits()), asked.Data.Len})
	room := bursts.Source().Ready
	goes := m.Let("may_go", staged.Or(toMemory.Source().Ready))
	to := asked.Data
	to.ID = hdl.Const(block.AXIIDBits, block.AXIPayload)
	toMemory.Source().Drive(m, hdl.AllOf(asked.Valid, room, staged.Not()), to)
	asked.Accept(m, room.And(goes))
	bursts.Source().Drive(m, asked.Valid.And(goes), stagedBurst{staged, asked.Data.Addr.Slice(place+s.wordBits()-1, place), asked.Data.Len})
	kept, order := hdl.NewStream(m, "kept_order", bursts.Sink().Data), hdl.NewStream(m, "next", bursts.Sink().Data)
	block.Buffer(m, "orders", stagingReads(s.c), bursts.Sink(), kept.Source())
	block.Between(m, "next_order", kept.Sink(), order.Source())

	m.Section("The oldest of them: from the buffer, or from memory when nothing of the buffer is on offer")
	arrived := hdl.NewStream(m, "near_data", near.R.Data)
	block.Buffer(m, "near_beats", readDepth, near.R, arrived.Source())
	next, back, beats := order.Sink(), s.p.Reader.R, arrived.Sink()
	beat := m.Reg("burst_beat_q", next.Data.Behind.Width(), hdl.ResetTo(0))
	valid, isLast := m.Reg("staged_valid_q", 1, hdl.ResetTo(0)), m.Reg("staged_last_q", 1, hdl.NoReset)
	step := m.Let("steps", valid.Not().Or(back.Ready))
	reads := m.Let("reads_buffer", hdl.AllOf(next.Valid, next.Data.Staged, step))
	last := m.Let("is_last_beat", beat.Eq(next.Data.Behind))
	word := s.buffer.Read("staged_q", reads, m.Let("word", next.Data.Word.Add(beat.ZeroExtend(max(beat.Width(), s.wordBits())).Truncate(s.wordBits()))), hdl.ReadOld)
	fromMemory := m.Let("from_memory", hdl.AllOf(next.Valid, next.Data.Staged.Not(), valid.Not()))
	passes := m.Let("passes", hdl.AllOf(fromMemory, beats.Valid, back.Ready))
	next.Accept(m, hdl.Mux(next.Data.Staged, reads.And(last), passes.And(beats.Data.Last)))
	m.OnClock(
		hdl.If(step, valid.Set(reads), isLast.Set(last)),
		hdl.If(reads, beat.Set(hdl.Mux(last, hdl.Zero(beat.Width()), beat.Plus(1)))))
	octets := 8 * s.c.BusBytes
	fromBuffer := block.RBeat{ID: hdl.Const(block.AXIIDBits, block.AXIPayload), Data: word.Truncate(octets), Resp: hdl.Cat(word.Bit(octets), hdl.Zero(1)), Last: isLast.Value}
	beats.Accept(m, fromMemory.And(back.Ready))
	back.Drive(m, valid.Or(fromMemory.And(beats.Valid)), hdl.Unpack(fromBuffer, hdl.Mux(valid.Value, hdl.Pack(fromBuffer), hdl.Pack(beats.Data))))

	m.Section("A segment that has been read makes room")
	read := m.Reg("read_beats_q", s.beatBits(), hdl.ResetTo(0))
	ends := m.Let("segment_is_read", reads.And(read.Eq(s.left.Data.Behind)))
	m.Unused("it has left", s.left.Valid)
	s.left.Accept(m, ends)
	freed := m.Reg("freed_q", 1, hdl.ResetTo(0))
	m.OnClock(freed.Set(ends), hdl.If(ends, read.Set(hdl.Zero(s.beatBits()))).ElseIf(reads, read.Set(read.Plus(1))))
	m.Drive(s.p.Freed, freed.Value)
}
