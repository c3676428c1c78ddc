package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxPayload is one beat of a segment without its header: payload octets are at their place in the segment, all others are zero. Failed
// is valid in the last beat: memory reported an error for one of the beats.
type TxPayload struct {
	Data   hdl.Value `doc:"octets at their place in the segment, others 0"`
	Last   hdl.Value `doc:"last beat of the segment"`
	Failed hdl.Value `doc:"in the last beat: memory reported an error for the payload"`
}

func txPayload(busBytes int) TxPayload {
	return TxPayload{Data: hdl.Bits(8 * busBytes), Last: hdl.Bits(1), Failed: hdl.Bits(1)}
}

// TxRealignPorts are beats from memory in, beats of payload out.
type TxRealignPorts struct {
	Coming  hdl.Sink[TxComing]
	R       hdl.Sink[block.RBeat] `hdl:"m_axi"`
	Payload hdl.Source[TxPayload]
}

const txRealignDoc = `tx_realign moves octets from their place in beats of memory to their place in beats of the segment, and clears what
is not payload. It accepts and produces a beat per cycle; a segment takes as many cycles as it has beats of memory
or of its own, whichever is more, also back to back: a complete beat may wait, so that the next segment enters
while the rest of the previous one leaves.`

// TxRealign is for segments of at most MaxPayload octets of payload.
func TxRealign(c engine.Config) hdl.Block[TxRealignPorts] {
	return hdl.Block[TxRealignPorts]{
		Kind: "tx_realign", Params: c.Params("bus_bytes", "max_payload"),
		Doc: txRealignDoc,
		Ports: TxRealignPorts{Coming: hdl.NewSink(txComing(c)), R: hdl.NewSink(block.RBeatOf(c.BusBytes)),
			Payload: hdl.NewSource(txPayload(c.BusBytes))},
		Build: func(m *hdl.Module, p TxRealignPorts) { buildTxRealign(m, p, c) },
	}
}

func buildTxRealign(m *hdl.Module, p TxRealignPorts, c engine.Config) {
	octets, width := c.BusBytes, 8*c.BusBytes
	coming, r := p.Coming.Data, p.R.Data
	advance := m.Wire("advance", 1)

	m.Section("Clear what is not payload, and rotate the beat")
	m.Unused("used by the arbiter", r.ID)
	m.Unused("the fetcher has announced the number of beats", r.Last)
	m.Unused("SLVERR and DECERR alike are errors", r.Resp.Bit(0))
	m.Note("SLVERR and DECERR.")
	isError := m.Let("is_error", r.Resp.Bit(1))
	first := m.Reg("first_q", 1, hdl.ResetTo(1))
	number := m.Reg("number_q", coming.Beats.Width(), hdl.ResetTo(1))
	last := m.Let("last", number.Eq(coming.Beats))
	all := hdl.Ones(octets)
	begin := m.Let("from_begin", hdl.Mux(first.Value, all.ShiftLeft(coming.Offset), all))
	end := m.Let("to_end", hdl.Mux(last, firstOctets(octets, coming.Ends), all))
	meant := m.Let("meant", r.Data.And(begin.And(end).Replicate(8)))
	turnedData := turn(m, meant, coming.Turn)

	m.Section("The rotated beat: octets in below belong to the next beat of the segment, the others to this one")
	valid := m.Reg("turned_valid_q", 1, hdl.ResetTo(0))
	turned := m.Reg("turned_q", width, hdl.NoReset)
	below := m.Reg("below_q", octets, hdl.NoReset)
	late := m.Reg("late_q", 1, hdl.NoReset)
	ends := m.Reg("last_q", 1, hdl.NoReset)
	spills := m.Reg("spills_q", 1, hdl.NoReset)
	failed := m.Reg("failed_q", 1, hdl.NoReset)
	free := m.Let("free", valid.Not().Or(advance.Value))
	take := m.Let("take", hdl.AllOf(p.R.Valid, p.Coming.Valid, free))
	p.R.Accept(m, p.Coming.Valid.And(free))
	p.Coming.Accept(m, take.And(last))
	m.OnClock(
		hdl.If(take,
			valid.Set(hdl.Ones(1)), turned.Set(turnedData), below.Set(all.ShiftLeft(coming.Turn).Not()),
			late.Set(coming.Late.And(first.Value)), ends.Set(last), spills.Set(last.And(coming.Spill)),
			failed.Set(isError.Or(failed.And(first.Not()))),
			first.Set(last), number.Set(hdl.Mux(last, hdl.Const(number.Width(), 1), number.Plus(1))),
		).ElseIf(advance.Value, valid.Set(hdl.Zero(1))))

	m.Section("Join the rest of the previous beat with the octets of this one")
	carry := m.Reg("carry_q", width, hdl.ResetTo(0))
	joins := m.Let("joins", late.Not())
	left := m.Let("left", turned.And(below.Replicate(8)))
	joined := m.Let("joined", carry.Or(turned.And(below.Not().Replicate(8))))
	m.OnClock(hdl.If(advance.Value, carry.Set(left.And(ends.Not().Replicate(width)))))

	m.Section("A complete beat waits while the previous one leaves: a joined beat, or the rest of the last beat of a segment")
	waits := m.Reg("waits_q", 1, hdl.ResetTo(0))
	waiting := hdl.NewRegOf(m, "waiting", txPayload(octets), hdl.NoReset)
	w := waiting.Q
	ready := p.Payload.Ready
	two := m.Let("completes_two", joins.And(spills.Value))
	p.Payload.Drive(m, waits.Or(valid.And(joins)), TxPayload{
		Data:   hdl.Mux(waits.Value, w.Data, joined),
		Last:   hdl.Mux(waits.Value, w.Last, ends.And(spills.Not())),
		Failed: hdl.Mux(waits.Value, w.Failed, failed.Value)})
	m.Drive(advance.Out(), valid.And(hdl.Mux(waits.Value, two.Not().And(ready), joins.Not().Or(ready))))
	m.OnClock(
		hdl.If(advance.And(spills.Or(waits.And(joins))),
			waits.Set(hdl.Ones(1)),
			waiting.Set(TxPayload{Data: hdl.Mux(spills.Value, left, joined), Last: ends.Value, Failed: failed.Value}),
		).ElseIf(ready, waits.Set(hdl.Zero(1))))
}

// firstOctets marks the first n octets of a beat, all of them when n is 0.
func firstOctets(busBytes int, n hdl.Value) hdl.Value {
	return hdl.Ones(busBytes).ShiftRight(hdl.Zero(n.Width()).Sub(n))
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
