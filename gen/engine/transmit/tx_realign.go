package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxPayload is one beat of a segment without its header, in a cycle in which Valid is 1: payload octets are at their place in the
// segment, all others are zero. Failed is valid in the last beat: memory reported an error for one of the beats.
type TxPayload struct {
	Valid  hdl.Out `doc:"a beat of payload"`
	Data   hdl.Out `doc:"octets at their place in the segment, others 0"`
	Last   hdl.Out `doc:"last beat of the segment"`
	Failed hdl.Out `doc:"in the last beat: memory reported an error for the payload"`
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
while the rest of the previous one leaves.

Payload is never stalled: its room has been reserved. So the cycles in which beats of the segment leave are known
when a beat of memory arrives, and m_axi_rready comes from registers.`

// TxRealign is for segments of at most MaxPayload octets of payload.
func TxRealign(c engine.Config) hdl.Block[TxRealignPorts] {
	return hdl.Block[TxRealignPorts]{
		Kind: "tx_realign", Params: c.Params("bus_bytes", "max_payload"),
		Doc: txRealignDoc,
		Ports: TxRealignPorts{Coming: hdl.NewSink(txComing(c)), R: hdl.NewSink(block.RBeatOf(c.BusBytes)),
			Payload: TxPayload{hdl.NewOut(1), hdl.NewOut(8 * c.BusBytes), hdl.NewOut(1), hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p TxRealignPorts) { buildTxRealign(m, p, c) },
	}
}

// realignJob stays the same for all beats of a segment. The counts are of octets of a beat of the segment: those that a beat of memory
// leaves for the next one, those of a first beat that are header, and those of a last beat up to the end of the payload.
type realignJob struct {
	Turn, Spill      hdl.Value
	Below, Lead, End block.OctetCount
}

func buildTxRealign(m *hdl.Module, p TxRealignPorts, c engine.Config) {
	m.Section("The segment whose beats arrive, and what the next of them is")
	coming := p.Coming.Data
	octets := block.OctetCountOf(c.BusBytes)
	job := hdl.NewRegOf(m, "job", realignJob{coming.Turn, coming.Spill, octets, octets, octets}, hdl.NoReset)
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
			jobValid.Set(p.Coming.Valid), job.Set(realignJob{coming.Turn, coming.Spill,
				turnAt, leadAt, endAt}),
			left.Set(coming.Behind), last.Set(ends),
			spills.Set(ends.And(coming.Spill)), closes.Set(ends.And(coming.Spill.Not())),
			first.Set(hdl.Ones(1)), late.Set(coming.Late), begins.Set(hdl.Ones(1)),
		).ElseIf(take,
			left.Set(left.Minus(1)), last.Set(endsNext),
			spills.Set(endsNext.And(job.Q.Spill)), closes.Set(endsNext.And(job.Q.Spill.Not())),
			first.Set(hdl.Zero(1)), late.Set(hdl.Zero(1)), begins.Set(begins.And(late.Value))),
		waits.Set(take.And(spills.Or(waits.And(joins)))))

	m.Section("The beat taken last, rotated, with the one before it, and what it completes")
	held := m.Reg("turned_valid_q", 1, hdl.ResetTo(0))
	turned := m.Reg("turned_q", 8*c.BusBytes, hdl.NoReset)
	carry := m.Reg("carry_q", 8*c.BusBytes, hdl.NoReset)
	spilled := m.Reg("spilled_q", 1, hdl.NoReset)
	ended, closed := m.Reg("ended_q", 1, hdl.NoReset), m.Reg("closed_q", 1, hdl.NoReset)
	leaves := m.Reg("leaves_q", 1, hdl.ResetTo(0))
	failed := m.Reg("failed_q", 1, hdl.NoReset)
	r := p.R.Data
	m.Unused("used by the arbiter", r.ID)
	m.Unused("the fetcher has announced the number of beats", r.Last)
	m.Unused("SLVERR and DECERR alike are errors", r.Resp.Bit(0))
	m.Note("Bit 1 of rresp is set in SLVERR and DECERR.")
	isError := m.Let("is_error", r.Resp.Bit(1))
	m.OnClock(
		held.Set(take), spilled.Set(spills.Value), ended.Set(last.Value), closed.Set(closes.Value),
		leaves.Set(waits.Or(take.And(joins))),
		turned.Set(turn(m, r.Data, job.Q.Turn)),
		hdl.If(held.Value, carry.Set(turned.Value)),
		hdl.If(take, failed.Set(isError.Or(failed.And(first.Not())))))

	m.Section("Octets of the segment: those below turn belong to the next beat, and outside the payload they are zero")
	below, begin, end := m.Let("below_turn", job.Q.Below.Below()), m.Let("behind_header", job.Q.Lead.Below().Not()), m.Let("before_end", job.Q.End.Below())
	from := m.Let("from_begin", begin.Or(begins.Not().Replicate(c.BusBytes)))
	to := m.Let("to_end", end.Or(closes.Not().Replicate(c.BusBytes)))
	old, fresh, rest := m.Reg("carried_q", c.BusBytes, hdl.NoReset), m.Reg("fresh_q", c.BusBytes, hdl.NoReset), m.Reg("rest_q", c.BusBytes, hdl.NoReset)
	begun := m.Let("has_begun", begins.And(late.Value).Not())
	m.OnClock(
		old.Set(below.And(from).And(to)),
		fresh.Set(below.Not().And(from).And(to)),
		rest.Set(below.And(begin.Or(begun.Replicate(c.BusBytes))).And(end)))

	m.Section("A complete beat waits for one cycle behind another: a joined beat, or the rest of the last beat of a segment")
	isWaiting := m.Reg("waits_q", 1, hdl.ResetTo(0))
	waiting := m.Reg("waiting_q", 8*c.BusBytes, hdl.NoReset)
	waitingLast, waitingFailed := m.Reg("waiting_last_q", 1, hdl.NoReset), m.Reg("waiting_failed_q", 1, hdl.NoReset)
	whole := m.Let("joined", carry.And(old.Replicate(8)).Or(turned.And(fresh.Replicate(8))))
	m.OnClock(
		isWaiting.Set(waits.Value),
		waiting.Set(hdl.Mux(spilled.Value, turned.And(rest.Replicate(8)), whole)),
		waitingLast.Set(ended.Value), waitingFailed.Set(failed.Value))
	m.Drive(p.Payload.Valid, leaves.Value)
	m.Drive(p.Payload.Data, hdl.Mux(isWaiting.Value, waiting.Value, whole))
	m.Drive(p.Payload.Last, hdl.Mux(isWaiting.Value, waitingLast.Value, closed.Value))
	m.Drive(p.Payload.Failed, hdl.Mux(isWaiting.Value, waitingFailed.Value, failed.Value))
}

// turn rotates octet i to index i + by, modulo the width.
func turn(m *hdl.Module, v, by hdl.Value) hdl.Value {
	for i := range by.Width() {
		n := 8 << i
		moved := hdl.Cat(v.Truncate(v.Width()-n), v.Slice(v.Width()-1, v.Width()-n))
		v = m.Let(fmt.Sprintf("turned_by_%d", 1<<i), hdl.Mux(by.Bit(i), moved, v))
	}
	return v
}
