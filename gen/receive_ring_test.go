package gen_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// ringEntry is a receive request in its ring.
type ringEntry struct {
	ID     uint64
	STag   uint32
	TO     uint64
	Length uint32
}

// ringStream is the reference of one stream: all requests since the opening, and the number used.
type ringStream struct {
	stored []ringEntry
	used   int
}

// ringCycle is the stimulus of one cycle. A stream of -1 does nothing.
type ringCycle struct {
	Post           int
	Entry          ringEntry
	Open           int
	Read, Slot     int
	Consume, Count int
	Ready          bool // the refusal is accepted
}

func idleRing() ringCycle { return ringCycle{Post: -1, Open: -1, Read: -1, Consume: -1, Ready: true} }

// ringBench compares a receive_ring with the reference. A request accepted in one cycle takes effect in the next.
type ringBench struct {
	*clocked
	depth   int
	streams []ringStream
	held    int // stream of the accepted request, -1: none
	entry   ringEntry
	refused []int // streams of the waiting refusals, the first is offered

	refusals, posts int
}

func openRing(t testing.TB, c engine.Config) *ringBench {
	b := &ringBench{clocked: openClocked(t, host.ReceiveRing(c)), depth: c.ReceiveDepth, held: -1, streams: make([]ringStream, c.Streams)}
	b.set("rqe_valid", 1)
	b.set("opening_valid", 1)
	for range c.Streams {
		require.Zero(t, b.get("rqe_ready")|b.get("opening_ready"), "ready before every ring is empty")
		b.sim.Step()
	}
	return b
}

// clock runs one cycle and compares everything; it reports which inputs were accepted.
func (b *ringBench) clock(c ringCycle) (posted, opened bool) {
	b.t.Helper()
	stream := func(name string, s int) {
		b.set(name, uint64(max(s, 0)))
	}
	b.set("rqe_valid", bitOf(c.Post >= 0))
	stream("rqe_stream", c.Post)
	b.set("rqe_id", c.Entry.ID)
	b.set("rqe_stag", uint64(c.Entry.STag))
	b.set("rqe_to", c.Entry.TO)
	b.set("rqe_length", uint64(c.Entry.Length))
	b.set("opening_valid", bitOf(c.Open >= 0))
	stream("opening_stream", c.Open)
	b.set("enable", bitOf(c.Read >= 0))
	stream("stream", c.Read)
	b.set("slot", uint64(c.Slot))
	b.set("consumed", bitOf(c.Consume >= 0))
	stream("consumed_stream", c.Consume)
	b.set("consumed_count", uint64(c.Count%(2*b.depth)))
	b.set("refused_ready", bitOf(c.Ready))

	full := b.held >= 0 && len(b.streams[b.held].stored)-b.streams[b.held].used == b.depth
	posted, opened = c.Post >= 0 && c.Open < 0 && len(b.refused) == 0, c.Open >= 0 && b.held < 0 && c.Consume < 0
	require.Equal(b.t, posted, c.Post >= 0 && b.get("rqe_ready") == 1, "ready for a request")
	require.Equal(b.t, opened, c.Open >= 0 && b.get("opening_ready") == 1, "ready for an opening")
	require.Equal(b.t, len(b.refused) > 0, b.get("refused_valid") == 1, "a refusal")
	if len(b.refused) > 0 {
		require.Equal(b.t, uint64(b.refused[0]), b.get("refused_stream"))
		require.Equal(b.t, uint64(engine.EventReceiveRefused), b.get("refused_kind"))
		if c.Ready {
			b.refused = b.refused[1:]
		}
	}
	if b.held >= 0 {
		if s := &b.streams[b.held]; full {
			b.refused = append(b.refused, b.held)
			b.refusals++
		} else {
			s.stored = append(s.stored, b.entry)
		}
		b.held = -1
	}
	if posted {
		b.held, b.entry = c.Post, c.Entry
		b.posts++
	}
	if opened {
		b.streams[c.Open] = ringStream{}
	}
	if c.Consume >= 0 {
		b.streams[c.Consume].used = c.Count
	}
	b.sim.Step()
	if c.Read >= 0 {
		b.look(c)
	}
	return posted, opened
}

func (b *ringBench) look(c ringCycle) {
	b.t.Helper()
	stored := b.streams[c.Read].stored
	require.Equal(b.t, uint64(len(stored)%(2*b.depth)), b.get("posted"), "stream %d", c.Read)
	for i := len(stored) - 1; i >= max(0, len(stored)-b.depth); i-- {
		if e := stored[i]; i%b.depth == c.Slot {
			want := new(big.Int).SetUint64(e.ID)
			for _, part := range []struct {
				v    uint64
				bits uint
			}{{uint64(e.STag), 32}, {e.TO, 64}, {uint64(e.Length), 32}} {
				want.Or(want.Lsh(want, part.bits), new(big.Int).SetUint64(part.v))
			}
			require.Equal(b.t, want.Text(16), b.getBig("entry").Text(16), "stream %d, request %d", c.Read, i)
		}
	}
}

func randomEntry(r *rand.Rand) ringEntry {
	return ringEntry{r.Uint64(), r.Uint32(), r.Uint64(), r.Uint32()}
}

// Random posts, reads, uses, openings and back-pressure on refusals, with rings from mostly empty to mostly full.
func TestReceiveRingRandom(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, ReceiveDepth: 2}, {Streams: 4, ReceiveDepth: 4}, {Streams: 16, ReceiveDepth: 16}} {
		for _, uses := range []int{1, 4, 12} {
			t.Run(fmt.Sprint(c.ReceiveDepth, uses), func(t *testing.T) {
				b, r := openRing(t, c.Engine()), random(uint64(uses))
				offer, open := idleRing(), -1
				for range 20000 {
					now := idleRing()
					if now.Post, now.Entry = offer.Post, offer.Entry; now.Post < 0 && r.IntN(4) > 0 {
						now.Post, now.Entry = r.IntN(c.Streams), randomEntry(r)
					}
					if now.Open = open; open < 0 && r.IntN(100) == 0 {
						now.Open = r.IntN(c.Streams)
					}
					if r.IntN(4) > 0 {
						now.Read, now.Slot = r.IntN(c.Streams), r.IntN(c.ReceiveDepth)
						if b.held >= 0 && r.IntN(2) == 0 {
							now.Read = b.held
						}
					}
					if s := r.IntN(c.Streams); r.IntN(12) < uses && b.streams[s].used < len(b.streams[s].stored) {
						now.Consume, now.Count = s, b.streams[s].used+1
					}
					now.Ready = r.IntN(3) == 0
					posted, opened := b.clock(now)
					if offer = now; posted {
						offer.Post = -1
					}
					if open = now.Open; opened {
						open = -1
					}
				}
				assert.Greater(t, b.posts, 3000)
				assert.Positive(t, b.refusals)
			})
		}
	}
}

// One request per cycle is accepted, for one stream and for many; it can be read from the next cycle on.
func TestReceiveRingIsFast(t *testing.T) {
	c := gen.Config{Streams: 8, ReceiveDepth: 64}.Engine()
	b, r := openRing(t, c), random(1)
	for i := range 256 {
		now := idleRing()
		now.Post, now.Entry = i%4, randomEntry(r)
		if i >= 128 {
			now.Post = 4 + i/64 - 2
		}
		if i > 0 {
			now.Read = b.held
			now.Slot = len(b.streams[b.held].stored) % 64
		}
		posted, _ := b.clock(now)
		require.True(t, posted)
	}
	require.Zero(t, b.refusals)
}

// A full ring refuses requests, reports each refusal, and accepts more once some are used; an opening empties it.
func TestReceiveRingRefuses(t *testing.T) {
	c := gen.Config{Streams: 2, ReceiveDepth: 4}.Engine()
	b, r := openRing(t, c), random(2)
	post := func(n int) {
		for range n {
			now := idleRing()
			now.Post, now.Entry = 1, randomEntry(r)
			for posted := false; !posted; {
				posted, _ = b.clock(now)
			}
		}
		b.clock(idleRing())
	}
	post(7)
	require.Equal(t, 3, b.refusals)
	now := idleRing()
	now.Consume, now.Count = 1, 2
	b.clock(now)
	post(4)
	require.Equal(t, 5, b.refusals)
	now = idleRing()
	now.Open = 1
	_, opened := b.clock(now)
	require.True(t, opened)
	post(5)
	require.Equal(t, 6, b.refusals)
}

// A reset drops everything, including a pending refusal.
func TestReceiveRingReset(t *testing.T) {
	c := gen.Config{Streams: 4, ReceiveDepth: 2}.Engine()
	b, r := openRing(t, c), random(3)
	for range 6 {
		now := idleRing()
		now.Post, now.Entry, now.Ready = 3, randomEntry(r), false
		b.clock(now)
	}
	require.Equal(t, []int{3, 3}, b.refused, "and no more are accepted")
	b.sim.Reset(1)
	b.held, b.refused, b.refusals, b.posts, b.streams = -1, nil, 0, 0, make([]ringStream, c.Streams)
	for range c.Streams {
		require.Zero(t, b.get("rqe_ready")|b.get("refused_valid"))
		b.sim.Step()
	}
	for i := range 40 {
		now := idleRing()
		now.Post, now.Entry, now.Read, now.Slot = i%4, randomEntry(r), i/3%4, i%2
		b.clock(now)
	}
	b.clock(idleRing())
	require.Equal(t, b.posts-8, b.refusals)
	require.Greater(t, b.refusals, 8)
}

func TestReceiveRingIsCleanInEveryTool(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, ReceiveDepth: 2}, {Streams: 64, ReceiveDepth: 16}, {Streams: 16384, ReceiveDepth: 1024}} {
		d, err := hdl.Compile(host.ReceiveRing(c.Engine()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
