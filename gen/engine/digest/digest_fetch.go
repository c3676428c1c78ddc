package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// fetchRange is a range of memory to read.
type fetchRange struct {
	Hashed  hdl.Value `doc:"1: for SHA-256, 0: for a CRC"`
	Of      partOf    `hdl:"-"`
	Address hdl.Value `doc:"of the first octet"`
	Length  hdl.Value `doc:"octets, may be 0"`
}

// digestJob says what the beats of a range are.
type digestJob struct {
	Hashed hdl.Value `doc:"1: for SHA-256, 0: for a CRC"`
	Of     partOf    `hdl:"-"`
	Range  rangeOf   `hdl:"-"`
	Behind hdl.Value `doc:"beats after the first"`
}

// rangeOf is a range in its beats. An empty one is described as a beat whose octets are all outside it, but has none.
type rangeOf struct {
	Empty  hdl.Value `doc:"1: the range has no octet and no beat"`
	Offset hdl.Value `doc:"octets of the first beat before the range"`
	End    hdl.Value `doc:"octets of the last beat up to the end of the range; 0: all"`
	Length hdl.Value `doc:"octets of the range"`
}

func (f Fetcher) rangeOf() fetchRange {
	return fetchRange{Hashed: hdl.Bits(1), Of: f.Part, Address: hdl.Bits(64), Length: hdl.Bits(f.LengthBits)}
}

func (f Fetcher) jobOf() digestJob {
	place := hdl.Bits(block.IndexWidth(f.BusBytes))
	return digestJob{Hashed: hdl.Bits(1), Of: f.Part, Behind: hdl.Bits(f.behindBits()),
		Range: rangeOf{Empty: hdl.Bits(1), Offset: place, End: place, Length: hdl.Bits(f.LengthBits)}}
}

// behindBits is the width of a count of beats after the first one of a range at any address.
func (f Fetcher) behindBits() int { return f.LengthBits + 1 - block.IndexWidth(f.BusBytes) }

// mostBeats is how many beats a burst has at most: room is reserved for a whole burst, and other reads may have to wait for it.
const mostBeats = 8

// While short ranges arrive, long ones are read only a few beats ahead: what has been read goes first.
const (
	aheadBits      = 5 // the logarithm of these beats
	shortCycleBits = 8 // the logarithm of these cycles
)

// FetchPorts are ranges in, bursts and what their beats are out.
type FetchPorts struct {
	Range hdl.Sink[fetchRange]
	AR    hdl.Source[block.ARBeat] `hdl:"m_axi"`
	Job   hdl.Source[digestJob]
	Freed hdl.In `doc:"one beat for a CRC has left the buffer"`
}

const fetchDoc = `digest_fetch reads ranges of memory, in order: beats of full bus width, in bursts of at most 8 beats that do not cross a 4 KiB
boundary. Identifier 0 is for the CRCs, 1 for SHA-256. A burst for a CRC is offered when the buffer of its beats has room for all of them,
so that what memory delivers is accepted at once; room for SHA-256 is reserved by whoever asks. A range takes two cycles
and four more per burst, while bursts are accepted at once. Addresses are modulo 2^64.

A range that is the only part of its own is short. In the 256 cycles after one, parts of long ranges wait until less than 32 beats
are under way or in the buffer, so that the next short one finds few ahead of it.`

// Fetcher is a generator of digest_fetch, which serves a buffer of bufferBeats.
type Fetcher struct {
	BusBytes   int
	LengthBits int    // of a range
	Part       partOf // prototype of what is handed on
}

// Block is the block.
func (f Fetcher) Block() hdl.Block[FetchPorts] {
	return hdl.Block[FetchPorts]{
		Kind: "digest_fetch", Params: []hdl.Param{{Name: "bus_bytes", Value: f.BusBytes}, {Name: "length_bits", Value: f.LengthBits}}, Doc: fetchDoc,
		Ports: FetchPorts{Range: hdl.NewSink(f.rangeOf()), AR: hdl.NewSource(block.ARBeatOf()), Job: hdl.NewSource(f.jobOf()), Freed: hdl.NewIn(1)},
		Build: f.build,
	}
}

// fetchState is what happens to a range.
type fetchState int

const (
	waiting   fetchState = iota // for a range
	measuring                   // its beats, until the job is taken
	bursting                    // the next burst is cut off
	reserving                   // room for the burst
	asking                      // for the burst
)

func (s fetchState) String() string {
	return [...]string{"waiting", "measuring", "bursting", "reserving", "asking"}[s]
}

func (f Fetcher) build(m *hdl.Module, p FetchPorts) {
	place, count := block.IndexWidth(f.BusBytes), f.behindBits()
	span := block.IndexWidth(min(mostBeats, 4096/f.BusBytes))
	m.Section("The range, and what its beats are")
	state := hdl.NewFSM(m, "state", waiting, measuring, bursting, reserving, asking)
	r := hdl.NewRegOf(m, "range", f.rangeOf(), hdl.NoReset)
	p.Range.Accept(m, m.Let("is_waiting", state.Is(waiting)))
	offset := m.Let("offset", r.Q.Address.Truncate(place))
	past := m.Let("past", r.Q.Length.ZeroExtend(f.LengthBits+1).Add(offset.ZeroExtend(f.LengthBits+1)))
	final := m.Let("last_octet", past.Minus(1))
	m.Unused("whole beats", final.Truncate(place))
	behind := final.Slice(f.LengthBits, place)
	empty := m.Let("is_empty", r.Q.Length.IsZero())
	m.Note("An empty range is from place 1 to place 1: it contains no octet.")
	none := hdl.Const(place, 1)
	p.Job.Drive(m, m.Let("is_measuring", state.Is(measuring)), digestJob{Hashed: r.Q.Hashed, Of: r.Q.Of, Behind: behind.And(empty.Not().Replicate(count)),
		Range: rangeOf{Empty: empty, Offset: hdl.Mux(empty, none, offset), End: hdl.Mux(empty, none, past.Truncate(place)), Length: r.Q.Length}})

	m.Section("The next burst; counts are those of beats after a first one")
	beat, left := m.Reg("beat_address_q", 64-place, hdl.NoReset), m.Reg("left_q", count, hdl.NoReset)
	length, last := m.Reg("length_q", span, hdl.NoReset), m.Reg("last_q", 1, hdl.NoReset)
	toBoundary := m.Let("to_boundary", beat.Truncate(span).Not())
	fits := m.Let("fits", left.Le(toBoundary.ZeroExtend(count)))
	beats := m.Let("beats", length.ZeroExtend(span+1).Plus(1))

	m.Section("Room in the buffer; a part of a long range leaves most of it while short ones arrive")
	width := block.IndexWidth(bufferBeats) + 1
	held, enough := m.Reg("held_q", width, hdl.ResetTo(0)), m.Reg("enough_q", 1, hdl.ResetTo(0))
	came := m.Reg("short_came_q", 1, hdl.ResetTo(0))
	since := m.Reg("since_short_q", shortCycleBits+1, hdl.ResetTo(1<<shortCycleBits)) // cycles, until its top bit is 1
	short := m.Let("is_short", r.Q.Of.Begins.And(r.Q.Of.Ends))
	few := m.Let("holds_few", held.Slice(width-1, aheadBits).IsZero())
	fills := m.Let("would_hold", held.Add(length.ZeroExtend(width)))
	m.Unused("only whether there is room", fills.Truncate(width-1))
	ahead := m.Let("may_hold", hdl.AnyOf(short, few, since.Bit(shortCycleBits)))
	reserves := m.Let("reserves", state.Is(reserving).And(enough.Value))
	reserved := m.Let("reserved", beats.ZeroExtend(width).And(reserves.And(r.Q.Hashed.Not()).Replicate(width)))
	m.Note("Once there is room for a burst it does not become less.")
	m.OnClock(
		held.Set(held.Add(reserved).Sub(p.Freed.Value.ZeroExtend(width))),
		enough.Set(hdl.AllOf(state.Is(reserving), reserves.Not(), r.Q.Hashed.Or(fills.Bit(width-1).Not().And(ahead)))),
		came.Set(reserves.And(short)),
		hdl.If(came.Value, since.Set(hdl.Zero(shortCycleBits+1))).ElseIf(since.Bit(shortCycleBits).Not(), since.Set(since.Plus(1))))

	m.Section("State")
	m.OnClock(state.Switch(
		state.In(waiting, r.Set(p.Range.Data), hdl.If(p.Range.Valid, state.Go(measuring))),
		state.In(measuring, beat.Set(r.Q.Address.Slice(63, place)), left.Set(behind),
			hdl.If(p.Job.Ready, state.Go(bursting), hdl.If(empty, state.Go(waiting)))),
		state.In(bursting, length.Set(hdl.Mux(fits, left.Truncate(span), toBoundary)), last.Set(fits), state.Go(reserving)),
		state.In(reserving, hdl.If(reserves, state.Go(asking))),
		state.In(asking, hdl.If(p.AR.Ready,
			beat.Set(beat.Add(beats.ZeroExtend(64-place))), left.Set(left.Sub(beats.ZeroExtend(count))),
			state.Go(bursting), hdl.If(last.Value, state.Go(waiting))))))
	m.Note("What is decided outside needs this early.")
	asks := m.Reg("asks_q", 1, hdl.ResetTo(0))
	m.OnClock(asks.Set(reserves.Or(asks.And(p.AR.Ready.Not()))))
	p.AR.Drive(m, asks.Value, block.ARBeat{ID: r.Q.Hashed,
		Addr: hdl.Cat(beat.Value, hdl.Zero(place)), Len: length.ZeroExtend(8), Size: hdl.Const(3, uint64(place)), Burst: hdl.Const(2, 1)})
}
