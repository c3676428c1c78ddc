package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxPayload is one beat of a segment without its header, in a cycle in which Valid is 1: payload octets are at their place in the
// segment, all others are zero. Failed is valid in the last beat: memory reported an error for one of the beats.
type TxPayload struct {
	Valid  hdl.Out       `doc:"a beat of payload"`
	Data   hdl.Out       `doc:"octets at their place in the segment, others 0"`
	Last   hdl.Out       `doc:"last beat of the segment"`
	Failed hdl.Out       `doc:"in the last beat: memory reported an error for the payload"`
	End    *TxPayloadEnd // nil if a segment has one piece
}

// TxRealignPorts are beats from memory in, beats of payload out.
type TxRealignPorts struct {
	Coming  hdl.Sink[TxComing]
	R       hdl.Sink[block.RBeat] `hdl:"m_axi"`
	Payload TxPayload
}

const txRealignDoc = `tx_realign moves octets from their place in beats of memory to their place in beats of the segment, and clears what
is not payload. It accepts and produces a beat per cycle; a segment takes as many cycles as it has beats of memory
or of its own, whichever is more, also back to back: a complete beat may wait, so that the next segment enters
while the rest of the previous one leaves. A beat leaves three cycles after that with its last octet.

Payload is never stalled: its room has been reserved. So the cycles in which beats of the segment leave are known
when a beat of memory arrives, and m_axi_rready comes from registers.`

// TxRealign is for segments of at most MaxPayload octets of payload.
func TxRealign(c engine.Config) hdl.Block[TxRealignPorts] {
	return hdl.Block[TxRealignPorts]{
		Kind: "tx_realign", Params: c.Params("bus_bytes", "max_payload"),
		Doc: txRealignDoc,
		Ports: TxRealignPorts{Coming: hdl.NewSink(txComing(c)), R: hdl.NewSink(block.RBeatOf(c.BusBytes)),
			Payload: txPayload(c)},
		Build: func(m *hdl.Module, p TxRealignPorts) { buildTxRealign(m, p, c) },
	}
}

func txPayload(c engine.Config) TxPayload {
	p := TxPayload{Valid: hdl.NewOut(1), Data: hdl.NewOut(8 * c.BusBytes), Last: hdl.NewOut(1), Failed: hdl.NewOut(1)}
	if engine.Lists(c) {
		p.End = &TxPayloadEnd{hdl.NewOut(1), hdl.NewOut(1)}
	}
	return p
}

// realignJob stays the same for all beats of a segment. Turn is the code of the rotation; the counts are of octets of a beat of the segment: those that a beat of memory
// leaves for the next one, those of a first beat that are header, and those of a last beat up to the end of the payload.
type realignJob struct {
	Turn, Spill      hdl.Value
	Below, Lead, End block.OctetCount
	Piece            any `hdl:"-"` // *pieceEnd; nil if a segment has one
}

func buildTxRealign(m *hdl.Module, p TxRealignPorts, c engine.Config) {
	m.Section("The segment whose beats arrive, and what the next of them is")
	coming := p.Coming.Data
	octets := block.OctetCountOf(c.BusBytes)
	job := hdl.NewRegOf(m, "job", realignJob{coming.Turn, coming.Spill, octets, octets, octets, coming.End}, hdl.NoReset)
	jobValid := m.Reg("job_valid_q", 1, hdl.ResetTo(0))
	left := m.Reg("beats_left_q", coming.Behind.Width(), hdl.NoReset)
	first, last := m.Reg("first_q", 1, hdl.NoReset), m.Reg("last_q", 1, hdl.NoReset)
	spills, closes := m.Reg("spills_q", 1, hdl.NoReset), m.Reg("closes_q", 1, hdl.NoReset)
	late := m.Reg("late_q", 1, hdl.NoReset)
	begins := m.Reg("begins_q", 1, hdl.NoReset)
	waits := m.Reg("waits_next_q", 1, hdl.ResetTo(0))
	joins := m.Let("joins", late.Not())
	m.Note("A beat that completes two of the segment is not accepted while a complete beat will wait.")
	ready := m.Let("ready", jobValid.And(hdl.AllOf(waits.Value, spills.Value, joins).Not()))
	take := m.Let("take", p.R.Valid.And(ready))
	next := m.Let("next_segment", jobValid.Not().Or(take.And(last.Value)))
	p.R.Accept(m, ready)
	p.Coming.Accept(m, next)
	turnAt, leadAt := block.DecodeOctets(coming.Turn), block.DecodeOctets(coming.Lead)
	endAt := block.DecodeEnd(coming.Ends)
	ends, endsNext := m.Let("comes_in_one", coming.Behind.IsZero()), m.Let("ends_next", left.Is(1))
	m.OnClock(
		hdl.If(next,
			jobValid.Set(p.Coming.Valid), job.Set(realignJob{block.TurnCode(coming.Turn), coming.Spill,
				turnAt, leadAt, endAt, coming.End}),
			left.Set(coming.Behind), last.Set(ends),
			spills.Set(ends.And(coming.Spill)), closes.Set(ends.And(coming.Spill.Not())),
			first.Set(hdl.Ones(1)), late.Set(coming.Late), begins.Set(hdl.Ones(1)),
		).ElseIf(take,
			left.Set(left.Minus(1)), last.Set(endsNext),
			spills.Set(endsNext.And(job.Q.Spill)), closes.Set(endsNext.And(job.Q.Spill.Not())),
			first.Set(hdl.Zero(1)), late.Set(hdl.Zero(1)), begins.Set(begins.And(late.Value))),
		waits.Set(take.And(spills.Or(waits.And(joins)))))

	m.Section("The beats taken, rotated in steps, and what each completes")
	r, end := p.R.Data, block.TurnSteps
	m.Unused("used by the arbiter", r.ID)
	m.Unused("the fetcher has announced the number of beats", r.Last)
	m.Unused("SLVERR and DECERR alike are errors", r.Resp.Bit(0))
	pipe := block.NewPipeline(m, take, end)
	leaves := block.NewNamedPipeline(m, "leaves_", m.Let("leaves", waits.Or(take.And(joins))), end)
	at := func(name string, v hdl.Value) hdl.Value { return pipe.Holds(name, 0, v).At(end) }
	turned := block.Turn(pipe, 0, r.Data, job.Q.Turn).At(end)
	carry := m.Reg("carry_q", 8*c.BusBytes, hdl.NoReset)
	failed := m.Reg("failed_q", 1, hdl.NoReset)
	m.Note("Bit 1 of rresp is set in SLVERR and DECERR.")
	isError := m.Let("is_error", r.Resp.Bit(1))
	m.OnClock(
		hdl.If(pipe.Valid(end), carry.Set(turned)),
		hdl.If(take, failed.Set(isError.Or(failed.And(first.Not())))))
	fails := pipe.Holds("failed", 1, failed.Value).At(end)

	m.Section("Octets of the segment: those below turn belong to the next beat, and outside the payload they are zero")
	masks := end - 1
	counts := func(name string, n block.OctetCount) hdl.Value {
		return hdl.Unpack(n, pipe.Signal(name, 0, hdl.Pack(n)).At(masks)).Below()
	}
	every := func(name string, v hdl.Value) hdl.Value {
		return pipe.Signal(name, 0, v).At(masks).Replicate(c.BusBytes)
	}
	below, begin, limit := m.Let("below_turn", counts("turn", job.Q.Below)), m.Let("before_payload", counts("lead", job.Q.Lead)).Not(), m.Let("before_end", counts("up_to_end", job.Q.End))
	from := m.Let("from_begin", begin.Or(every("goes_on", begins.Not())))
	to := m.Let("to_end", limit.Or(every("continues", closes.Not())))
	begun := every("has_begun", begins.And(late.Value).Not())
	joined := octetMasks{Old: below.And(from).And(to), Fresh: below.Not().And(from).And(to)}
	rest, spilled := m.Let("rest", below.And(begin.Or(begun)).And(limit)), every("spilled", spills.Value)
	keeps := octetMasks{Old: joined.Old.And(spilled.Not()), Fresh: hdl.Mux(spilled.Bit(0), rest, joined.Fresh)}
	now, later := joined.at(pipe, "joined", masks), keeps.at(pipe, "waits", masks)

	m.Section("A complete beat waits for one cycle after another: a joined beat, or the rest of the last beat of a segment")
	isWaiting := at("is_waiting", waits.Value)
	waiting := m.Reg("waiting_q", 8*c.BusBytes, hdl.NoReset)
	waitingLast, waitingFailed := m.Reg("waiting_last_q", 1, hdl.NoReset), m.Reg("waiting_failed_q", 1, hdl.NoReset)
	whole := m.Let("joined", now.of(carry.Value, turned))
	m.OnClock(waiting.Set(later.of(carry.Value, turned)), waitingLast.Set(at("ended", last.Value)), waitingFailed.Set(fails))
	m.Drive(p.Payload.Valid, leaves.Valid(end))
	m.Drive(p.Payload.Data, hdl.Mux(isWaiting, waiting.Value, whole))
	m.Drive(p.Payload.Last, hdl.Mux(isWaiting, waitingLast.Value, at("closed", closes.Value)))
	m.Drive(p.Payload.Failed, hdl.Mux(isWaiting, waitingFailed.Value, fails))
	if piece, is := job.Q.Piece.(*pieceEnd); is {
		now := pieceEnd{at("piece_goes_on", piece.More), at("piece_shares", piece.Shares)}
		later := hdl.NewRegOf(m, "waiting_piece", now, hdl.NoReset)
		m.OnClock(later.Set(now))
		m.Drive(p.Payload.End.More, hdl.Mux(isWaiting, later.Q.More, now.More))
		m.Drive(p.Payload.End.Shares, hdl.Mux(isWaiting, later.Q.Shares, now.Shares))
	}
	pipe.Close()
	leaves.Close()
}

// octetMasks are the octets of a beat of the segment that come from the beat of memory before and from the present one.
type octetMasks struct{ Old, Fresh hdl.Value }

// at are the masks of the next stage.
func (o octetMasks) at(p *block.Pipeline, name string, stage int) octetMasks {
	return octetMasks{p.Signal(name+"_old", stage, o.Old).At(stage + 1), p.Signal(name+"_fresh", stage, o.Fresh).At(stage + 1)}
}

func (o octetMasks) of(before, present hdl.Value) hdl.Value {
	return before.And(o.Old.Replicate(8)).Or(present.And(o.Fresh.Replicate(8)))
}
