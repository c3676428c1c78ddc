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
	fence      bool // it has its turn when all earlier ones are over
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
	old      int            // queued requests from before the stream was reopened
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
	kinds    turnKinds
}

// turnKinds are the kinds of requests of a configuration.
type turnKinds struct {
	turns     []string         // ports
	of        map[string][]int // kinds that have their turn at a port
	letters   map[int]string   // of kinds
	executors []int            // kinds for executors
	alone     map[int]bool     // kinds beside which nothing is in progress
}

func turnKindsOf(c engine.Config) turnKinds {
	k := turnKinds{of: map[string][]int{"end": {kindEnd, kindClose}}, letters: map[int]string{kindEnd: "t", kindClose: "s"}, alone: map[int]bool{kindEnd: true, kindClose: true}}
	for i, x := range c.Profile.Executors(c) {
		kind := int(c.Kinds().Request(x.Name))
		k.turns, k.of[x.Name], k.letters[kind] = append(k.turns, x.Name), []int{kind}, "rapvw"[i:i+1]
		k.executors, k.alone[kind] = append(k.executors, kind), x.Stops
	}
	k.turns = append(k.turns, "end")
	return k
}

// kindOf is the kind with a letter.
func (k turnKinds) kindOf(letter string) int {
	for kind, of := range k.letters {
		if of == letter {
			return kind
		}
	}
	return 0
}

func turnsConfig(streams, ird, atomics int) engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.IRD, c.AtomicDepth = streams, ird, atomics
	return c
}

// turnsOfCommit is a configuration with the extension commit.
func turnsOfCommit(streams, ird, atomics int) engine.Config {
	c := commitEngine(streams, 16)
	c.IRD, c.AtomicDepth = ird, atomics
	return c
}

func openTurns(t testing.TB, c engine.Config, seed uint64) *turnsBench {
	b := &turnsBench{rig: openRig(t, order.RequestTurns(c), seed), c: c, kinds: turnKindsOf(c)}
	b.rig.look = b.look
	b.restart()
	return b
}

// restart clears the reference after a reset.
func (b *turnsBench) restart() {
	*b = turnsBench{rig: b.rig, c: b.c, kinds: b.kinds, streams: make([]turnStream, b.c.Streams), lag: 256}
	for i := range b.streams {
		b.streams[i].latest = -1
	}
}

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
	for _, name := range b.kinds.turns {
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
		require.Contains(b.t, b.kinds.of[name], r.kind, "turn of %d of stream %d", q.More+1, q.Stream)
		require.Equal(b.t, (q.Slot+i)%engine.QueueSlots(b.c), r.slot)
	}
}

func (b *turnsBench) starts(q turnBeat) {
	s := &b.streams[q.Stream]
	for range q.More + 1 {
		b.turns = append(b.turns, fmt.Sprint(b.kinds.letters[s.queued[0].kind], q.Stream))
		s.ends = s.ends && !endsStream(s.queued[0].kind)
		s.queued, s.old = s.queued[1:], max(0, s.old-1)
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
	r := &turnRequest{kind: q.Kind, fence: q.Kind != s.latest || b.kinds.alone[q.Kind] || drops}
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

// asks sends items, each a letter for the kind, then the stream: a, r, p, v, w requests, of an Atomic, a Read, a Flush, a Verify, an Atomic
// Write; the capitals are requests that wait for a release; N the first such request after the stream was reopened; f the release; t, s the
// end.
func (b *turnsBench) asks(list ...string) {
	for _, item := range list {
		letter, q := item[:1], arrivalBeat{Stream: int(item[1] - '0'), Releases: item[0] == 'f'}
		q.Waits, q.First = strings.Contains("ARNPVW", letter), letter == "N"
		if letter == "N" {
			letter = "a"
		}
		q.Kind = b.kinds.kindOf(strings.ToLower(letter))
		b.ask(q)
	}
}

// ask sends an item; a request that waits is the first to do so if the item before did not.
func (b *turnsBench) ask(q arrivalBeat) {
	s := &b.streams[q.Stream]
	q.First, s.waits = q.Waits && (q.First || !s.waits), q.Waits
	s.sent++
	send(b.rig, "arrive", q)
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
