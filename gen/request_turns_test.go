package gen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/order"
)

type (
	arrivalBeat struct {
		Stream, Kind int
		Waits, First bool
		Releases     bool
	}
	turnBeat struct {
		Stream, Slot int
		Only         bool
		More         int
	}
)

// turnRequest is a request, or an end, that has a slot.
type turnRequest struct {
	kind, slot int
	fence      bool // its turn comes when all earlier ones are over
}

// turnStream is the reference of one stream.
type turnStream struct {
	queued   []*turnRequest // may be granted a turn
	waiting  []*turnRequest // not released yet
	latest   int            // kind of the latest stored request, -1: none
	running  int            // granted a turn, not over
	finished int            // of these, those whose end is sent
	sent     int            // items sent, not accepted yet
	waits    bool           // the latest sent item waits for a release
	ends     bool           // the end of the stream was sent and not granted yet
}

// turnsBench compares request_turns with the reference.
type turnsBench struct {
	*rig
	c        engine.Config
	streams  []turnStream
	stored   *turnRequest // the request that arrived in the previous cycle
	inStream int
	released bool // the item of the previous cycle was a release
	lag      int  // out of 256: a running request does not end in a cycle
	turns    []string
	had      int // requests granted a turn
}

func turnsConfig(streams, ird, atomics int) engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.IRD, c.AtomicDepth = streams, ird, atomics
	return c
}

func openTurns(t testing.TB, c engine.Config, seed uint64) *turnsBench {
	b := &turnsBench{rig: openRig(t, order.RequestTurns(c), seed), c: c}
	b.rig.look = b.look
	b.restart()
	return b
}

// restart clears the reference after a reset.
func (b *turnsBench) restart() {
	*b = turnsBench{rig: b.rig, c: b.c, streams: make([]turnStream, b.c.Streams), lag: 256}
	for i := range b.streams {
		b.streams[i].latest = -1
	}
}

var turnKinds = map[string][]int{"read": {kindRead}, "atomic": {kindAtomic}, "end": {kindEnd, kindClose}}

// look compares the outputs of this cycle with the reference.
func (b *turnsBench) look() {
	require.Equal(b.t, bitOf(b.stored != nil), b.signal("store").Get(), "cycle %d", b.cycle)
	if b.stored != nil {
		b.stored.slot = int(b.signal("slot").Get())
		s := b.streams[b.inStream]
		for _, q := range append(append([]*turnRequest{}, s.queued...), s.waiting...) {
			require.True(b.t, q == b.stored || q.slot != b.stored.slot, "slot %d of stream %d is in use", q.slot, b.inStream)
		}
	}
	for _, name := range []string{"read", "atomic", "end"} {
		s := b.rig.stream(name)
		if s.valid.Get() == 1 {
			var q turnBeat
			peek(b.rig, name, &q)
			b.shows(name, q)
			if s.ready.Get() == 1 {
				b.starts(q)
			}
		}
	}
	b.stored = nil
	if in := b.rig.stream("arrive"); in.valid.Get() == 1 && in.ready.Get() == 1 {
		var q arrivalBeat
		peek(b.rig, "arrive", &q)
		b.arrives(q)
	}
	if o := b.rig.stream("over"); o.valid.Get() == 1 && o.ready.Get() == 1 {
		var q endedBeat
		peek(b.rig, "over", &q)
		b.streams[q.Stream].running--
		b.streams[q.Stream].finished--
	}
}

// shows checks an offered turn: it is for the oldest requests of its stream, and no request that they must wait for is in progress.
func (b *turnsBench) shows(name string, q turnBeat) {
	s := &b.streams[q.Stream]
	require.Greater(b.t, len(s.queued), q.More, "%s of stream %d", name, q.Stream)
	require.Equal(b.t, q.More == 0, q.Only)
	if s.queued[0].fence {
		require.Zero(b.t, s.running, "%s of stream %d starts too early", name, q.Stream)
	}
	for i, r := range s.queued[:q.More+1] {
		require.Contains(b.t, turnKinds[name], r.kind, "turn of %d of stream %d", q.More+1, q.Stream)
		require.Equal(b.t, (q.Slot+i)%engine.QueueSlots(b.c), r.slot)
	}
}

func (b *turnsBench) starts(q turnBeat) {
	s := &b.streams[q.Stream]
	for range q.More + 1 {
		b.turns = append(b.turns, fmt.Sprint(map[int]string{kindRead: "r", kindAtomic: "a", kindEnd: "t", kindClose: "s"}[s.queued[0].kind], q.Stream))
		s.ends = s.ends && !endsStream(s.queued[0].kind)
		s.queued = s.queued[1:]
		s.running++
		b.had++
	}
}

func (b *turnsBench) arrives(q arrivalBeat) {
	s := &b.streams[q.Stream]
	s.sent--
	if q.Releases {
		s.queued, s.waiting = append(s.queued, s.waiting...), nil
		return
	}
	drops := (!q.Waits || q.First) && len(s.waiting) > 0
	r := &turnRequest{kind: q.Kind, fence: q.Kind != s.latest || endsStream(q.Kind) || drops}
	s.latest, b.stored, b.inStream = q.Kind, r, q.Stream
	if drops {
		s.waiting = nil
	}
	if q.Waits {
		s.waiting = append(s.waiting, r)
	} else {
		s.queued = append(s.queued, r)
	}
}

// over ends one running request of each of the streams.
func (b *turnsBench) over(streams ...int) {
	for _, s := range streams {
		b.streams[s].finished++
		send(b.rig, "over", endedBeat{s})
	}
}

// pass runs some cycles, in which requests end at random.
func (b *turnsBench) pass(cycles int) {
	for range cycles {
		if b.lag < 256 {
			for s := range b.streams {
				if b.streams[s].running > b.streams[s].finished && b.rand.IntN(256) >= b.lag {
					b.over(s)
				}
			}
		}
		b.step()
		if b.t.Failed() {
			b.t.FailNow()
		}
	}
}

// settle runs until the block is idle; every request that may be granted a turn must have been granted one.
func (b *turnsBench) settle() {
	b.t.Helper()
	for b.quiet = 0; b.quiet < 40 || b.pending() != ""; {
		b.pass(1)
		require.Less(b.t, b.quiet, 4000)
	}
	for i, s := range b.streams {
		require.True(b.t, len(s.queued) == 0 || s.queued[0].fence && s.running > 0, "stream %d has a request that is not granted its turn", i)
	}
}

// asks sends items, each a letter for the kind, then the stream: a, r requests; A, R requests that wait for a release; N the first
// such request after the stream was reopened; f the release; t, s the end.
func (b *turnsBench) asks(list ...string) {
	for _, item := range list {
		q := arrivalBeat{Stream: int(item[1] - '0'), Waits: strings.Contains("ARN", item[:1]), Releases: item[0] == 'f'}
		s := &b.streams[q.Stream]
		q.First, s.waits = q.Waits && (!s.waits || item[0] == 'N'), q.Waits
		q.Kind = map[byte]int{'r': kindRead, 'R': kindRead, 'a': kindAtomic, 'A': kindAtomic, 'N': kindAtomic, 't': kindEnd, 's': kindClose}[item[0]]
		b.streams[q.Stream].sent++
		send(b.rig, "arrive", q)
	}
}

// gives checks that exactly these were granted turns since the last call, in this order within each stream.
func (b *turnsBench) gives(want ...string) {
	b.t.Helper()
	b.settle()
	byStream := func(list []string) []string {
		return slices.SortedStableFunc(slices.Values(list), func(a, b string) int { return int(a[1]) - int(b[1]) })
	}
	require.Equal(b.t, byStream(want), byStream(b.turns))
	b.turns = nil
}

// random sends an item that a peer within IRD could cause.
func (b *turnsBench) random() {
	stream := b.rand.IntN(b.c.Streams)
	s := &b.streams[stream]
	if s.sent > 0 || s.ends {
		return
	}
	name := fmt.Sprint(stream)
	unstarted := len(s.queued) + len(s.waiting)
	switch n := b.rand.IntN(32); {
	case n < 24 && unstarted < b.c.IRD && s.running-s.finished < b.c.AtomicDepth && s.running < b.c.IRD+b.c.AtomicDepth:
		kind := "ra"[b.rand.IntN(2):][:1]
		if b.rand.IntN(3) > 0 && s.latest >= 0 && !endsStream(s.latest) { // longer runs
			kind = map[int]string{kindRead: "r", kindAtomic: "a"}[s.latest]
		}
		if len(s.waiting) > 0 || b.rand.IntN(4) == 0 {
			kind = map[string]string{"r": "R", "a": "A"}[kind]
		}
		b.asks(kind + name)
	case n < 30 && len(s.waiting) > 0:
		b.asks("f" + name)
	case n == 30 && b.rand.IntN(4) == 0:
		b.asks("ts"[b.rand.IntN(2):][:1] + name)
		s.ends = true
	}
}

// A stream is reopened while requests wait for a release: its next waiting request drops them, and a release applies only to new ones.
func TestRequestTurnsReopened(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 9)
	b.asks("R1", "A1", "N1", "R2", "R2", "r2")
	b.gives("r2")
	b.asks("f1")
	b.gives("a1")
}

// A request that drops waiting requests starts a turn of its own, even if it has the same kind as the request before the dropped ones.
func TestRequestTurnsDroppedRuns(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 9)
	b.asks("a1", "r1", "R1", "R1", "A1", "N1", "f1")
	b.gives("a1")
	b.over(1)
	b.gives("r1")
	b.over(1)
	b.gives("a1")
	b.over(1)
	b.asks("r1", "A1", "a1")
	b.gives("r1")
	b.over(1)
	b.gives("a1")
}

// Random items, ends in any order, slow and fast executors; at the end nothing is left.
func TestRequestTurnsUnderStalls(t *testing.T) {
	for _, c := range []engine.Config{turnsConfig(2, 1, 4), turnsConfig(4, 4, 16), turnsConfig(8, 8, 16)} {
		for _, lag := range []int{0, 160, 250} {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openTurns(t, c, uint64(lag+idle+2*pressure))
				for range 2 {
					b.stall(idle, pressure)
					b.lag = lag
					for all := b.had + 300; b.had < all; {
						for range 1 + c.Streams/2 {
							b.random()
						}
						b.pass(1)
					}
					b.stall(0, 0)
					b.settle()
					for i := range b.streams {
						if len(b.streams[i].waiting) > 0 && !b.streams[i].ends {
							b.asks(fmt.Sprint("f", i))
						}
					}
					b.lag = 0
					b.settle()
					for i, s := range b.streams {
						require.Zero(t, s.running+len(s.queued)+len(s.waiting), "stream %d", i)
					}
				}
			})
		}
	}
}

// Which requests wait for which: each pair of kinds, on one stream and on two; releases, and ends that drop unreleased requests.
func TestRequestTurnsFences(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 1)
	for range 40 { // past the wraps of all counts
		b.asks("r1", "a1", "a1", "r1", "r2", "t2")
		b.gives("r1", "r2")
		b.over(1)
		b.gives("a1", "a1")
		b.over(1)
		b.gives()
		b.over(1)
		b.gives("r1")
		b.over(2)
		b.gives("t2")

		b.asks("t1", "r2", "s3", "s3", "a3")
		b.gives("s3")
		b.over(1)
		b.gives("t1")
		b.over(2, 3)
		b.gives("r2", "s3")
		b.over(1, 3, 2)
		b.gives("a3")
		b.over(3)

		b.asks("a1", "A1", "R1", "R1", "r2")
		b.gives("a1", "r2")
		b.asks("f1")
		b.gives("a1")
		b.asks("r1")
		b.over(1, 1, 2)
		b.gives("r1", "r1", "r1")
		b.asks("R1", "A1", "t1", "a1", "R2", "s2", "R2", "f2")
		b.gives("s2")
		b.over(1, 1, 1)
		b.gives("t1")
		b.over(1, 2)
		b.gives("a1", "r2")
		b.over(1, 2)
	}
}

// A turn that need not wait is offered 2 cycles after its request arrives, at one per cycle, on one stream and on several.
func TestRequestTurnsIsFast(t *testing.T) {
	for _, kind := range []string{"r", "a"} {
		for _, streams := range []int{1, 4} {
			b := openTurns(t, turnsConfig(4, 8, 512), 2)
			b.lag = 0
			for i := range 200 {
				b.asks(fmt.Sprint(kind, i%streams))
			}
			b.settle()
			in, out := b.rig.stream("arrive").at, b.rig.stream(map[string]string{"r": "read", "a": "atomic"}[kind]).at
			require.Len(t, out, 200)
			gapless(t, in)
			gapless(t, out)
			require.Equal(t, in[0]+2, out[0])
		}
	}
}

// Waiting requests of one kind are granted together in one turn: when the last earlier request is over, and when they are released.
// Requests that keep arriving after them are granted turns without delay.
func TestRequestTurnsTogether(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 3)
	b.asks("a1", "r1", "r1", "r1", "r1", "r1", "r1", "r1")
	b.gives("a1")
	b.over(1)
	b.gives("r1", "r1", "r1", "r1", "r1", "r1", "r1")
	require.Len(t, b.rig.stream("read").at, 1)
	b.over(1, 1, 1, 1, 1, 1, 1)
	b.asks("R2", "R2", "R2", "R2", "A1", "A1", "A1", "A1")
	b.gives()
	b.asks("f2", "f1")
	b.gives("r2", "r2", "r2", "r2", "a1", "a1", "a1", "a1")
	require.Len(t, b.rig.stream("read").at, 2)
	require.Len(t, b.rig.stream("atomic").at, 2)
	b.over(1, 1, 1, 1, 2, 2, 2, 2)

	b = openTurns(t, turnsConfig(4, 8, 512), 8)
	b.asks("r3", "a3")
	b.gives("r3")
	b.lag, b.had = 0, 0
	begin := 0
	for b.had < 500 {
		if b.had < 100 {
			begin = b.cycle
		}
		if s := b.streams[3]; s.sent+len(s.queued) < 15 {
			b.asks("a3")
		}
		b.pass(1)
	}
	require.Less(t, b.cycle, begin+410)
	b.settle()
}

// A request ends in each cycle around the arrival of one of another kind on its stream, also if it was released or granted a turn
// just before: none is left waiting.
func TestRequestTurnsWakeInTime(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 4)
	at := func(cycle int, streams ...int) {
		for _, s := range streams {
			b.streams[s].finished++
			sendAt(b.rig, "over", cycle, endedBeat{s})
		}
	}
	arrive := func(cycle, stream, kind int, releases bool) {
		b.streams[stream].sent++
		sendAt(b.rig, "arrive", cycle, arrivalBeat{Stream: stream, Kind: kind, Releases: releases})
	}
	for _, load := range []bool{false, true} { // traffic of other streams, so that tokens meet in lists and FIFOs
		for d := -6; d <= 24; d++ {
			for gap := range 8 {
				b.asks("r1", "r2", "r3", "R3")
				b.settle()
				now := b.cycle + 10
				arrive(now, 1, kindAtomic, false)
				if load {
					arrive(now, 3, 0, true)
					arrive(now, 2, kindAtomic, false)
					arrive(now+gap, 3, kindAtomic, false)
				}
				arrive(now+gap, 1, kindRead, false)
				at(now+d, 1)
				b.settle()
				require.Contains(t, b.turns, "a1", "over %d cycles after it arrives, another %d", d, gap)
				if !load {
					b.asks("f3")
				}
				b.lag = 0
				b.settle()
				b.lag = 256
				for i, s := range b.streams {
					require.Zero(t, s.running+len(s.queued), "stream %d, over %d cycles after it arrives, another %d", i, d, gap)
				}
				b.turns = nil
			}
		}
	}
}

// All streams wait at once, and the requests that they wait for end back to back, in several rounds; every stream continues.
func TestRequestTurnsManyAtOnce(t *testing.T) {
	for _, streams := range []int{2, 8, 64} {
		b := openTurns(t, turnsConfig(streams, 2, 64), 5)
		for round := range 4 {
			for _, kind := range []int{kindRead, kindAtomic} {
				for s := range streams {
					b.streams[s].sent++
					send(b.rig, "arrive", arrivalBeat{Stream: s, Kind: kind ^ round&1})
				}
			}
			b.settle()
			require.Len(t, b.turns, streams, "round %d", round)
			for s := range streams {
				b.over(s)
			}
			b.settle()
			require.Len(t, b.turns, 2*streams, "round %d", round)
			for s := range streams {
				b.over((7*s + 3) % streams)
			}
			b.settle()
			b.turns = nil
		}
	}
}

// With all turns blocked, the block still accepts every request that has a slot, and loses none.
func TestRequestTurnsHoldsEverything(t *testing.T) {
	for _, ird := range []int{1, 4} {
		b := openTurns(t, turnsConfig(4, ird, 16), 6)
		for s := range 4 {
			for range ird { // before the end of the stream
				b.asks(fmt.Sprint("r", s))
			}
		}
		b.stall(0, 256)
		for range 100 {
			b.step()
		}
		b.stall(0, 0)
		b.settle()
		require.Len(t, b.turns, 4*ird)
		b.stall(0, 256)
		for s := range 4 {
			for range ird { // they are in progress; their responses are sent
				b.over(s)
			}
			b.asks(fmt.Sprint("s", s))
			for range 2*ird - 1 {
				b.asks(fmt.Sprint("a", s))
			}
		}
		for range 200 {
			b.step()
		}
		require.Empty(t, b.rig.stream("end").at)
		b.stall(0, 0)
		b.lag = 0
		b.settle()
		require.Len(t, b.turns, 4*3*ird)
	}
}

// After a reset nothing is accepted for one cycle per stream, and no stream has requests.
func TestRequestTurnsReset(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 7)
	for cycles := range 24 {
		b.reset()
		b.restart()
		b.asks("r1", "a1", "a1", "r2", "A3", "R3", "f3", "t2", "a0", "a0", "r0")
		for range cycles {
			b.step()
		}
		for range 2 {
			b.reset()
			b.restart()
			for range cycles % 5 {
				b.step()
			}
		}
		b.reset()
		b.asks("a3", "a1", "r1", "r2", "A2", "t0")
		b.gives("a3", "a1", "r2", "t0")
		require.Equal(t, 4, b.rig.stream("arrive").at[0])
		b.over(1)
		b.gives("r1")
	}
}

// Requests of different kinds are not granted in one turn, even if the requests that wait after them are all of one kind.
func TestRequestTurnsOfSeveralKinds(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 1)
	b.asks("r1", "a1", "r1", "R1", "A1", "A1", "R1")
	b.gives("r1")
	b.over(1)
	b.gives("a1")
	b.over(1)
	b.gives("r1")
	b.asks("f1")
	b.gives("r1")
	b.over(1, 1)
	b.gives("a1", "a1")
	b.over(1, 1)
	b.gives("r1")
}
