package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/wire"
)

// waitingStream is the reference of one stream of work_ring.
type waitingStream struct {
	works   []workBeat // that did not begin
	begun   int        // since the opening
	leftOut bool
	able    int         // clocks since which it has work and is not left out
	passed  map[int]int // turns of others since it is able
}

// workRingClock is what is done in one clock. A stream of -1 does nothing.
type workRingClock struct {
	Post        int
	Work        workBeat
	Open, Freed int
	Ready       bool
	Refused     bool
}

func idleWorkRing() workRingClock { return workRingClock{Post: -1, Open: -1, Freed: -1} }

// workRingBench is a work_ring beside the reference.
type workRingBench struct {
	*clocked
	depth   int
	streams []waitingStream
	stuck   *workBeat // it was taken and its ring is full
	freed   int       // stream that will be in the list again, -1: none
	looked  int       // stream of which an offer was announced, -1: none
	offer   *workBeat // that was there and not taken

	quiet                         int // clocks since an opening
	posts, begins, refusals, full int
}

func openWorkRing(t testing.TB, c engine.Config) *workRingBench {
	b := &workRingBench{clocked: openClocked(t, request.WorkRing(c)), depth: c.SendDepth}
	b.swept(c.Streams)
	return b
}

// swept waits until it is ready after a reset.
func (b *workRingBench) swept(streams int) {
	b.streams, b.stuck, b.freed, b.looked, b.offer, b.quiet = make([]waitingStream, streams), nil, -1, -1, nil, 0
	b.set("wqe_valid", 1)
	for range streams {
		require.Zero(b.t, b.get("wqe_ready")|b.get("offer_valid"), "ready before every ring is empty")
		b.sim.Step()
	}
}

// clock lets one clock pass and compares everything; it tells whether the post was taken, and the offer that was.
func (b *workRingBench) clock(c workRingClock) (posted bool, taken *workBeat) {
	b.t.Helper()
	w := c.Work
	for name, v := range map[string]uint64{
		"wqe_valid": bitOf(c.Post >= 0), "wqe_stream": uint64(max(c.Post, 0)), "wqe_id": w.ID, "wqe_signaled": bitOf(w.Signaled),
		"wqe_opcode": uint64(w.Opcode), "wqe_local_stag": uint64(w.Local.STag), "wqe_local_to": w.Local.TO, "wqe_length": uint64(w.Length),
		"wqe_remote_stag": uint64(w.Remote.STag), "wqe_remote_to": w.Remote.TO, "wqe_atomic_opcode": uint64(w.Atomic.Opcode), "wqe_atomic_data": w.Atomic.Data,
		"wqe_atomic_mask": w.Atomic.Mask, "wqe_atomic_compare": w.Atomic.Compare, "wqe_atomic_compare_mask": w.Atomic.CompareMask,
		"opened": bitOf(c.Open >= 0), "opened_stream": uint64(max(c.Open, 0)), "freed": bitOf(c.Freed >= 0), "freed_stream": uint64(max(c.Freed, 0)),
		"offer_ready": bitOf(c.Ready && c.Open < 0), "refused": bitOf(c.Refused),
	} {
		b.set(name, v)
	}
	posted = c.Post >= 0 && b.get("wqe_ready") == 1
	offer := b.offered()
	if offer != nil && c.Ready && c.Open < 0 {
		taken = offer
	}

	b.offer = offer
	if taken != nil {
		b.turn(taken.Stream, c.Refused)
		b.offer = nil
	}
	if c.Open >= 0 {
		if b.offer != nil && b.offer.Stream == c.Open {
			b.offer = nil
		}
		b.streams[c.Open], b.quiet = waitingStream{}, 0
	}
	require.False(b.t, posted && b.stuck != nil, "a post behind one that waits")
	switch {
	case taken != nil || c.Open >= 0: // go first
	case b.freed >= 0:
		b.streams[b.freed].leftOut = false
		b.freed = -1
	case b.stuck != nil:
		b.store(*b.stuck)
	}
	if c.Freed >= 0 {
		b.freed = c.Freed
	}
	if posted {
		b.posts++
		w.Stream = c.Post
		b.store(w)
	}
	b.quiet++
	for i := range b.streams {
		s := &b.streams[i]
		if s.able++; len(s.works) == 0 || s.leftOut {
			s.able, s.passed = 0, map[int]int{}
		}
	}
	b.looked = -1
	if b.get("look") == 1 {
		b.looked = int(b.get("look_stream"))
	}
	b.sim.Step()
	return posted, taken
}

// store puts a work request to its ring, or keeps it until there is room.
func (b *workRingBench) store(w workBeat) {
	s := &b.streams[w.Stream]
	if b.stuck = nil; len(s.works) == b.depth {
		b.stuck = &w
		b.full++
		return
	}
	s.works = append(s.works, w)
}

// offered looks at the offer: the oldest work request of a stream that is not left out.
func (b *workRingBench) offered() *workBeat {
	b.t.Helper()
	if b.get("offer_valid") == 0 {
		require.Nil(b.t, b.offer, "the offer is gone")
		return nil
	}
	n := int(b.get("offer_stream"))
	s := b.streams[n]
	require.False(b.t, s.leftOut, "stream %d is left out", n)
	require.NotEmpty(b.t, s.works, "stream %d has no work", n)
	w := s.works[0]
	require.Equal(b.t, n, b.looked, "the look before")
	for name, v := range map[string]uint64{
		"offer_id": w.ID, "offer_signaled": bitOf(w.Signaled), "offer_opcode": uint64(w.Opcode), "offer_local_stag": uint64(w.Local.STag), "offer_local_to": w.Local.TO,
		"offer_length": uint64(w.Length), "offer_remote_stag": uint64(w.Remote.STag), "offer_remote_to": w.Remote.TO, "offer_atomic_opcode": uint64(w.Atomic.Opcode),
		"offer_atomic_data": w.Atomic.Data, "offer_atomic_mask": w.Atomic.Mask, "offer_atomic_compare": w.Atomic.Compare, "offer_atomic_compare_mask": w.Atomic.CompareMask,
		"number": uint64(s.begun % (2 * b.depth)),
	} {
		if b.get(name) != v {
			require.Equal(b.t, v, b.get(name), "stream %d: %s", n, name)
		}
	}
	if b.offer != nil {
		require.Equal(b.t, *b.offer, w, "the offer has changed")
	}
	return &w
}

// turn notes that the offer of a stream is taken. Nobody who can go is passed over by one other more than once.
func (b *workRingBench) turn(stream int, refused bool) {
	s := &b.streams[stream]
	for i := range b.streams {
		if o := &b.streams[i]; i != stream && o.able > 4 {
			o.passed[stream]++
			require.LessOrEqual(b.t, o.passed[stream], 1, "stream %d passes %d over", stream, i)
		}
	}
	s.able, s.passed = 0, map[int]int{}
	if refused {
		s.leftOut = true
		b.refusals++
		return
	}
	s.works = s.works[1:]
	s.begun++
	b.begins++
}

// drain frees all streams and takes everything: nothing is forgotten.
func (b *workRingBench) drain() {
	b.t.Helper()
	for i := range b.streams {
		for range 4 {
			now := idleWorkRing()
			if now.Freed = -1; b.freed < 0 && b.streams[i].leftOut {
				now.Freed = i
			}
			b.clock(now)
		}
	}
	now := idleWorkRing()
	now.Ready = true
	for range 4*len(b.streams)*b.depth + 20 {
		b.clock(now)
	}
	for i, s := range b.streams {
		require.Empty(b.t, s.works, "stream %d is forgotten", i)
	}
	require.Nil(b.t, b.stuck)
}

func anyWork(r *rand.Rand) workBeat {
	w := workBeat{ID: r.Uint64(), Signaled: r.IntN(2) == 0, Opcode: wire.Opcode(r.IntN(16)), Local: bufferBeat{r.Uint32(), r.Uint64()},
		Length: r.Uint32(), Remote: bufferBeat{r.Uint32(), r.Uint64()}}
	w.Atomic.Opcode = wire.AOpCode(r.IntN(16))
	w.Atomic.Data, w.Atomic.Mask, w.Atomic.Compare, w.Atomic.CompareMask = r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()
	return w
}

// Random posts, refusals, openings and streams that are freed, from rings that are mostly empty to ones that are mostly full.
func TestWorkRingRandom(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2}, {Streams: 4, SendDepth: 4}, {Streams: 16, SendDepth: 8}} {
		for _, takes := range []int{2, 5, 12} {
			for _, refuses := range []int{0, 4, 9} {
				t.Run(fmt.Sprint(c.SendDepth, takes, refuses), func(t *testing.T) {
					b, r := openWorkRing(t, c.Engine()), random(uint64(takes))
					offer, frees, waited := idleWorkRing(), 0, false
					for range 12000 {
						now := idleWorkRing()
						if now.Post, now.Work = offer.Post, offer.Work; now.Post < 0 && r.IntN(3) > 0 {
							now.Post, now.Work = r.IntN(c.Streams), anyWork(r)
						}
						now.Ready, now.Refused = r.IntN(12) < takes, r.IntN(12) < refuses
						if frees++; b.quiet > 2 && frees >= 3 && r.IntN(4) == 0 {
							now.Freed, frees = r.IntN(c.Streams), 0
						} else if r.IntN(40) == 0 && b.stuck == nil && !waited { // a post may be stored a clock earlier or later
							now.Open = r.IntN(c.Streams)
						}
						waited = b.stuck != nil
						posted, _ := b.clock(now)
						if offer = now; posted {
							offer.Post = -1
						}
					}
					b.drain()
					assert.Greater(t, b.posts, 200)
					assert.Positive(t, b.begins)
					assert.Equal(t, refuses > 0, b.refusals > 0)
					assert.True(t, takes == 12 || b.full > 0)
				})
			}
		}
	}
}

// One stream's work requests are offered every 3 clocks, those of several every 2; the first 3 clocks after its post.
func TestWorkRingIsFast(t *testing.T) {
	for _, row := range []struct{ streams, apart int }{{1, 3}, {2, 2}, {4, 2}} {
		b, r := openWorkRing(t, gen.Config{Streams: 4, SendDepth: 16}.Engine()), random(1)
		var at []int
		first, posted := 0, 0
		for clock := range 400 {
			now := idleWorkRing()
			now.Post, now.Work, now.Ready = posted%row.streams, anyWork(r), true
			took, taken := b.clock(now)
			if took && posted == 0 {
				first = clock
			}
			if took {
				posted++
			}
			if taken != nil {
				at = append(at, clock)
			}
		}
		require.Equal(t, first+3, at[0])
		assert.Equal(t, 60*row.apart, at[100]-at[40], "%d streams", row.streams)
	}
}

// A full ring takes no more, and the port is shut behind what waits; room in another ring does not help, one that begins does.
func TestWorkRingFull(t *testing.T) {
	b, r := openWorkRing(t, gen.Config{Streams: 2, SendDepth: 4}.Engine()), random(2)
	post := func(stream, n int) (taken int) {
		for range n {
			now := idleWorkRing()
			now.Post, now.Work = stream, anyWork(r)
			if posted, _ := b.clock(now); posted {
				taken++
			}
		}
		return taken
	}
	require.Equal(t, 5, post(1, 30), "one waits behind the ring")
	require.Zero(t, post(0, 10))
	now := idleWorkRing()
	now.Ready = true
	_, taken := b.clock(now)
	require.NotNil(t, taken)
	require.Equal(t, 4, post(0, 5), "a clock for the room to be seen")
	b.drain()
	require.Equal(t, 9, b.begins)
}

// A stream that is freed when its offer is refused, or any time behind, is offered again; when it is freed before, it is not.
func TestWorkRingFreedAtAnyClock(t *testing.T) {
	const refusal = 12
	for freed := refusal - 6; freed <= refusal+6; freed++ {
		for _, others := range []bool{false, true} {
			b, r := openWorkRing(t, gen.Config{Streams: 4, SendDepth: 2}.Engine()), random(3)
			offers := 0
			for clock := range 60 {
				now := idleWorkRing()
				if clock == 2 || others && (clock == 1 || clock >= 4 && clock < 30) {
					now.Post, now.Work = 1, anyWork(r)
					if clock != 2 {
						now.Post = 2
					}
				}
				if clock == freed {
					now.Freed = 1
				}
				if now.Ready = clock > refusal; clock == refusal || others && clock == refusal-2 {
					now.Ready = true
				}
				now.Refused = b.looked == 1 && clock <= refusal
				_, taken := b.clock(now)
				if clock > refusal && taken != nil && taken.Stream == 1 {
					offers++
				}
			}
			require.Equal(t, 1, b.refusals)
			if freed >= refusal-1 {
				require.Equal(t, 1, offers, "freed %d clocks behind the refusal", freed-refusal)
			} else {
				require.Zero(t, offers, "freed %d clocks before the refusal", refusal-freed)
			}
			b.drain()
		}
	}
}

// A post in the clock in which the last work request of its stream begins, or any other, is offered.
func TestWorkRingPostAtAnyClock(t *testing.T) {
	for second := range 20 {
		b, r := openWorkRing(t, gen.Config{Streams: 4, SendDepth: 2}.Engine()), random(4)
		for clock := range 40 {
			now := idleWorkRing()
			if now.Ready = clock >= 10; clock == 0 || clock == second+1 {
				now.Post, now.Work = 3, anyWork(r)
			}
			posted, _ := b.clock(now)
			if clock == second+1 && !posted { // the turn goes first
				require.Equal(t, 10, clock)
				now.Ready = false
				posted, _ = b.clock(now)
				require.True(t, posted)
			}
		}
		require.Equal(t, 2, b.begins, "the second is posted in clock %d", second+1)
	}
}

// An opening at any clock leaves nothing of its stream, whether it is in the list, on offer or left out, and what is posted
// behind it is number 0. Of other streams it changes nothing.
func TestWorkRingOpenedAtAnyClock(t *testing.T) {
	for _, opened := range []int{1, 2} {
		for clock := range 26 {
			for _, refused := range []bool{false, true} {
				b, r := openWorkRing(t, gen.Config{Streams: 4, SendDepth: 4}.Engine()), random(5)
				for n := range 90 {
					now := idleWorkRing()
					switch {
					case n < 6:
						now.Post, now.Work = 1+n%2, anyWork(r)
					case n == clock+1 && n > 6:
						now.Open = opened
					case n >= clock+2 && n < clock+8:
						now.Post, now.Work = 1+n%2, anyWork(r)
					}
					now.Ready, now.Refused = n > 9, refused && n < 16
					if n == 40 || n == 44 {
						now.Freed = 1 + n/4%2
					}
					b.clock(now)
				}
				b.drain()
			}
		}
	}
}

// A stream that nobody frees holds up no other.
func TestWorkRingPassesOverStreams(t *testing.T) {
	b, r := openWorkRing(t, gen.Config{Streams: 4, SendDepth: 2}.Engine()), random(6)
	posted := 0
	for range 2000 {
		now := idleWorkRing()
		if now.Post, now.Work = 3, anyWork(r); posted > 1 {
			now.Post = posted % 3
		}
		now.Ready, now.Refused = true, b.looked == 3
		if took, _ := b.clock(now); took {
			posted++
		}
	}
	require.Equal(t, 1, b.refusals)
	require.Greater(t, b.begins, 990)
	require.Len(t, b.streams[3].works, 2)
	b.drain()
}

// A reset empties everything, also what is on offer, what waits for room and what is left out.
func TestWorkRingReset(t *testing.T) {
	c := gen.Config{Streams: 4, SendDepth: 2}.Engine()
	b, r := openWorkRing(t, c), random(7)
	for i := range 40 {
		now := idleWorkRing()
		now.Post, now.Work, now.Ready, now.Refused = i%4, anyWork(r), i < 30, true
		b.clock(now)
	}
	require.Positive(t, b.refusals)
	require.NotNil(t, b.stuck)
	b.sim.Reset(1)
	b.swept(c.Streams)
	for i := range 40 {
		now := idleWorkRing()
		now.Post, now.Work, now.Ready = i%4, anyWork(r), i%3 == 0
		b.clock(now)
	}
	b.drain()
}

func TestWorkRingIsCleanInEveryTool(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2}, {Streams: 64, SendDepth: 16}, {Streams: 1024, SendDepth: 4}, {Streams: 16384, SendDepth: 1024}} {
		d, err := hdl.Compile(request.WorkRing(c.Engine()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
