package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// digestRange is a range of memory to read.
type digestRange struct {
	Algorithm hdl.Value
	Address   hdl.Value `doc:"of the first octet"`
	Length    hdl.Value `doc:"octets, may be 0"`
}

// digestJob says what the beats of a range are.
type digestJob struct {
	Range  rangeOf   `hdl:"-"`
	Behind hdl.Value `doc:"beats behind the first"`
}

// rangeOf is a range in its beats. An empty one is described as a beat whose octets are all outside it, but has none.
type rangeOf struct {
	Algorithm hdl.Value
	Empty     hdl.Value `doc:"1: the range has no octet and no beat"`
	Offset    hdl.Value `doc:"octets of the first beat before the range"`
	End       hdl.Value `doc:"octets of the last beat up to the end of the range; 0: all"`
	Length    hdl.Value `doc:"octets of the range"`
}

func digestJobOf(busBytes int) digestJob {
	place := hdl.Bits(block.IndexWidth(busBytes))
	return digestJob{Behind: hdl.Bits(behindBits(busBytes)),
		Range: rangeOf{Algorithm: hdl.Bits(algorithmBits), Empty: hdl.Bits(1), Offset: place, End: place, Length: hdl.Bits(32)}}
}

// behindBits is the width of a count of beats behind the first one of a range of up to 2^32 - 1 octets at any address.
func behindBits(busBytes int) int { return 33 - block.IndexWidth(busBytes) }

// mostBeats is how many beats a burst has at most: room is reserved for a whole burst, and other reads may have to wait for it.
const mostBeats = 16

// FetchPorts are ranges in, bursts and what their beats are out.
type FetchPorts struct {
	Range hdl.Sink[digestRange]
	AR    hdl.Source[block.ARBeat] `hdl:"m_axi"`
	Job   hdl.Source[digestJob]
	Freed hdl.In `doc:"one beat has left the buffer"`
}

const fetchDoc = `digest_fetch reads ranges of memory, in order: beats of full bus width, in bursts of at most 16 beats that do not cross a 4 KiB
boundary. A burst is offered when the buffer of its beats has room for all of them, so that what memory delivers is accepted at
once. A range takes two cycles and three more per burst, while bursts are accepted at once. Addresses are modulo 2^64.`

// Fetch serves a buffer of bufferBeats.
func Fetch(busBytes int) hdl.Block[FetchPorts] {
	return hdl.Block[FetchPorts]{
		Kind: "digest_fetch", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: fetchDoc,
		Ports: FetchPorts{Range: hdl.NewSink(digestRange{hdl.Bits(algorithmBits), hdl.Bits(64), hdl.Bits(32)}), AR: hdl.NewSource(block.ARBeatOf()),
			Job: hdl.NewSource(digestJobOf(busBytes)), Freed: hdl.NewIn(1)},
		Build: func(m *hdl.Module, p FetchPorts) { buildFetch(m, p, busBytes) },
	}
}

// fetchState is what happens to a range.
type fetchState int

const (
	waiting   fetchState = iota // for a range
	measuring                   // its beats, until the job is taken
	cutting                     // the next burst
	reserving                   // room for the burst
	offering                    // the burst
)

func (s fetchState) String() string {
	return [...]string{"waiting", "measuring", "cutting", "reserving", "offering"}[s]
}

func buildFetch(m *hdl.Module, p FetchPorts, busBytes int) {
	place, count := block.IndexWidth(busBytes), behindBits(busBytes)
	span := block.IndexWidth(min(mostBeats, 4096/busBytes))
	m.Section("The range, and what its beats are")
	state := hdl.NewFSM(m, "state", waiting, measuring, cutting, reserving, offering)
	r := hdl.NewRegOf(m, "range", digestRange{hdl.Bits(algorithmBits), hdl.Bits(64), hdl.Bits(32)}, hdl.NoReset)
	p.Range.Accept(m, m.Let("is_waiting", state.Is(waiting)))
	offset := m.Let("offset", r.Q.Address.Truncate(place))
	past := m.Let("past", r.Q.Length.ZeroExtend(33).Add(offset.ZeroExtend(33)))
	final := m.Let("last_octet", past.Minus(1))
	m.Unused("whole beats", final.Truncate(place))
	empty := m.Let("is_empty", r.Q.Length.IsZero())
	m.Note("No octet is at place 1 or behind it and before place 1.")
	none := hdl.Const(place, 1)
	p.Job.Drive(m, m.Let("is_measuring", state.Is(measuring)), digestJob{Behind: final.Slice(32, place).And(empty.Not().Replicate(count)),
		Range: rangeOf{Algorithm: r.Q.Algorithm, Empty: empty, Offset: hdl.Mux(empty, none, offset),
			End: hdl.Mux(empty, none, past.Truncate(place)), Length: r.Q.Length}})

	m.Section("The next burst; counts are those of beats behind a first one")
	beat, left := m.Reg("beat_address_q", 64-place, hdl.NoReset), m.Reg("left_q", count, hdl.NoReset)
	length, last := m.Reg("length_q", span, hdl.NoReset), m.Reg("last_q", 1, hdl.NoReset)
	toBoundary := m.Let("to_boundary", beat.Truncate(span).Not())
	fits := m.Let("fits", left.Le(toBoundary.ZeroExtend(count)))
	beats := m.Let("beats", length.ZeroExtend(span+1).Plus(1))

	m.Section("Room in the buffer")
	width := block.IndexWidth(bufferBeats) + 1
	room := m.Reg("room_q", width, hdl.ResetTo(bufferBeats))
	enough := m.Let("enough", length.ZeroExtend(width).Lt(room.Value))
	reserve := m.Let("reserve", state.Is(reserving).And(enough))
	reserved := m.Let("reserved", beats.ZeroExtend(width).And(reserve.Replicate(width)))
	m.OnClock(room.Set(room.Sub(reserved).Add(p.Freed.Value.ZeroExtend(width))))

	m.Section("State")
	m.OnClock(state.Switch(
		state.In(waiting, r.Set(p.Range.Data), hdl.If(p.Range.Valid, state.Go(measuring))),
		state.In(measuring, beat.Set(r.Q.Address.Slice(63, place)), left.Set(final.Slice(32, place)),
			hdl.If(p.Job.Ready, state.Go(cutting), hdl.If(empty, state.Go(waiting)))),
		state.In(cutting, length.Set(hdl.Mux(fits, left.Truncate(span), toBoundary)), last.Set(fits), state.Go(reserving)),
		state.In(reserving, hdl.If(enough, state.Go(offering))),
		state.In(offering, hdl.If(p.AR.Ready,
			beat.Set(beat.Add(beats.ZeroExtend(64-place))), left.Set(left.Sub(beats.ZeroExtend(count))),
			state.Go(cutting), hdl.If(last.Value, state.Go(waiting))))))
	p.AR.Drive(m, m.Let("is_offering", state.Is(offering)), block.ARBeat{ID: hdl.Const(block.AXIIDBits, axiID),
		Addr: hdl.Cat(beat.Value, hdl.Zero(place)), Len: length.ZeroExtend(8), Size: hdl.Const(3, uint64(place)), Burst: hdl.Const(2, 1)})
}
