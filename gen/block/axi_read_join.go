package block

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// AXIReadJoinPorts are two readers of memory, and memory, whose identifiers have one more bit.
type AXIReadJoinPorts struct {
	First  AXIReaderPort
	Second AXIReaderPort
	Memory AXIReader `hdl:"m_axi"`
}

const axiReadJoinDoc = `axi_read_join adds a second reader to an AXI4 read channel, with little delay for the first one: the second one may
begin a burst only while less than %d beats of it are in progress, and in the third cycle after a burst of its own, until
the first one has asked for nothing in %d cycles. It waits a cycle before each burst. When both wait, the second one has a burst once the first one has been
granted 32 times the longest burst, and then 32 times the beats of each: 3 %% of what both want. The top bit of an identifier
is 1 for the second one, and routes the data back, as long as the first one has room for a beat: the second one always has.`

// joinShift is the logarithm of the beats of the first reader per beat of the second.
const joinShift = 5

// Widths of the cycles in which the first reader is quiet, and of the beats of the second in progress: few, and at most.
const (
	joinQuietBits = 7
	joinFewBits   = 5
	joinBeatsBits = 12
)

// AXIReadJoin favours the first reader without starving the second.
func AXIReadJoin(busBytes int) hdl.Block[AXIReadJoinPorts] {
	return hdl.Block[AXIReadJoinPorts]{
		Kind: "axi_read_join", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: fmt.Sprintf(axiReadJoinDoc, 1<<joinFewBits, 1<<joinQuietBits),
		Ports: AXIReadJoinPorts{First: AXIReaderPortOf(busBytes), Second: AXIReaderPortOf(busBytes), Memory: WideAXIReaderOf(busBytes)},
		Build: buildAXIReadJoin,
	}
}

// WideAXIReaderOf is a reader whose identifiers have one bit more.
func WideAXIReaderOf(busBytes int) AXIReader {
	ar, r := ARBeatOf(), RBeatOf(busBytes)
	ar.ID, r.ID = hdl.Bits(AXIIDBits+1), hdl.Bits(AXIIDBits+1)
	return AXIReader{AR: hdl.NewSource(ar), R: hdl.NewSink(r)}
}

func buildAXIReadJoin(m *hdl.Module, p AXIReadJoinPorts) {
	m.Section("Addresses")
	first, second := p.First.AR, p.Second.AR
	width := 8 + joinShift + 1
	credit := m.Reg("credit_q", width, hdl.ResetTo(0))
	waiting, chosen := m.Reg("waiting_q", 1, hdl.ResetTo(0)), m.Reg("chosen_q", 1, hdl.NoReset)
	m.Note("A side that was offered but not accepted stays chosen, so that the offer is stable.")
	isQuiet, hasFew := m.Reg("first_is_quiet_q", 1, hdl.ResetTo(1)), m.Reg("second_has_few_q", 1, hdl.ResetTo(1))
	took, tookBeats := m.Reg("second_took_q", 1, hdl.ResetTo(0)), m.Reg("second_took_beats_q", 9, hdl.NoReset)
	m.Note("Whether the second side may begin what it offers is decided a cycle ahead. Beats count from the second cycle after a burst on.")
	may := m.Reg("second_may_q", 1, hdl.ResetTo(0))
	choice := m.Let("choice", may.And(first.Valid.Not().Or(credit.Bit(width-1))))
	isSecond := m.Let("is_second", hdl.Mux(waiting.Value, chosen.Value, choice))
	valid := m.Let("valid", first.Valid.Or(may.Value))
	ready := p.Memory.AR.Ready
	m.Note("The credit grows by the beats of the first one until it pays for the longest burst, and falls by what a burst of the second costs.")
	beats := m.Let("more_credit", credit.Add(first.Data.Len.ZeroExtend(width)).Plus(1))
	cost := m.Let("cost", hdl.Cat(second.Data.Len.ZeroExtend(width-joinShift).Plus(1), hdl.Zero(joinShift)))
	takesFirst, takesSecond := m.Let("takes_first", hdl.AllOf(first.Valid, ready, isSecond.Not())), m.Let("takes_second", hdl.AllOf(valid, ready, isSecond))
	m.OnClock(waiting.Set(valid.And(ready.Not())), chosen.Set(isSecond),
		hdl.If(takesSecond.And(credit.Bit(width-1)), credit.Set(credit.Sub(cost))).ElseIf(takesFirst.And(credit.Bit(width-1).Not()), credit.Set(beats)))
	quiet := m.Reg("quiet_q", joinQuietBits, hdl.NoReset)
	m.OnClock(may.Set(hdl.AllOf(second.Valid, takesSecond.Not(), isQuiet.And(takesFirst.Not()).Or(hasFew.And(took.Not())))))
	m.OnClock(quiet.Set(quiet.Plus(1)), hdl.If(quiet.Not().IsZero(), isQuiet.Set(hdl.Const(1, 1))), hdl.If(takesFirst, quiet.Set(hdl.Zero(joinQuietBits)), isQuiet.Set(hdl.Zero(1))))
	first.Accept(m, ready.And(isSecond.Not()))
	second.Accept(m, hdl.AllOf(may.Value, ready, isSecond))
	a, b := first.Data, second.Data
	p.Memory.AR.Drive(m, valid, ARBeat{ID: hdl.Cat(isSecond, hdl.Mux(isSecond, b.ID, a.ID)), Addr: hdl.Mux(isSecond, b.Addr, a.Addr),
		Len: hdl.Mux(isSecond, b.Len, a.Len), Size: hdl.Mux(isSecond, b.Size, a.Size), Burst: hdl.Mux(isSecond, b.Burst, a.Burst)})

	m.Section("Data")
	r := p.Memory.R
	forSecond := m.Let("for_second", r.Data.ID.Bit(AXIIDBits))
	m.Unused("the second one has room for all that it reads", p.Second.R.Ready)
	beat := r.Data
	beat.ID = r.Data.ID.Truncate(AXIIDBits)
	p.First.R.Drive(m, r.Valid.And(forSecond.Not()), beat)
	p.Second.R.Drive(m, hdl.AllOf(r.Valid, forSecond, p.First.R.Ready), beat)
	r.Accept(m, p.First.R.Ready)

	m.Section("Beats of the second in progress")
	beatsOfSecond := m.Reg("second_beats_q", joinBeatsBits, hdl.ResetTo(0))
	returns := m.Let("second_returns", hdl.AllOf(r.Valid, forSecond, p.First.R.Ready))
	asked := m.Let("second_asked", tookBeats.ZeroExtend(joinBeatsBits).And(took.Replicate(joinBeatsBits)))
	next := m.Let("second_beats", beatsOfSecond.Add(asked).Sub(returns.ZeroExtend(joinBeatsBits)))
	m.OnClock(took.Set(takesSecond), tookBeats.Set(second.Data.Len.ZeroExtend(9).Plus(1)), beatsOfSecond.Set(next), hasFew.Set(next.Slice(joinBeatsBits-1, joinFewBits).IsZero()))
}
