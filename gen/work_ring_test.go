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
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// workRingStream is the reference of one stream of work_ring.
type workRingStream struct {
	posted           []workBeat
	issued, fetched  int // work requests
	oldest, finished int // completed work requests, and Reads and Atomics of these
	requests         int // Reads and Atomics issued
}

// workRingCycle is the stimulus of one cycle. A stream of -1 does nothing.
type workRingCycle struct {
	Post, Freed, Open int
	Work              workBeat
	Ready             bool
}

func idleWorkRing() workRingCycle { return workRingCycle{Post: -1, Freed: -1, Open: -1} }

// workRingBench compares a work_ring with the reference.
type workRingBench struct {
	*clocked
	c        engine.Config
	streams  []workRingStream
	look     int          // stream whose progress is read
	fetching [2]*workBeat // fetched in the last cycle, and in the one before
	opens    int
	opening  int // stream of the opening that is offered, or -1
	messages int
}

func openWorkRing(t testing.TB, c engine.Config) *workRingBench {
	b := &workRingBench{clocked: openClocked(t, request.WorkRing(c)), c: c, streams: make([]workRingStream, c.Streams), look: -1, opens: -1, opening: -1}
	b.set("wqe_valid", 1)
	for range c.Streams {
		require.Zero(t, b.get("wqe_ready")|b.get("message_valid"), "ready before every stream is cleared")
		b.sim.Step()
	}
	return b
}

// progress returns the packed progress of a stream.
func (b *workRingBench) progress(s int) uint64 {
	x := b.streams[s]
	ord := 2 * b.c.ORD
	width := 0
	for 1<<width < ord {
		width++
	}
	return uint64(x.oldest%(2*b.c.SendDepth))<<width | uint64(x.finished%ord)
}

// cycle runs one cycle and compares everything; it reports whether the post and the opening were accepted.
func (b *workRingBench) cycle(c workRingCycle) (posted, opened bool) {
	b.t.Helper()
	w := c.Work
	if b.look >= 0 {
		b.set("progress", b.progress(b.look))
	}
	if b.c.Revokes() {
		b.set("wqe_invalidate_stag", uint64(revokedBy(w)))
	}
	for name, v := range map[string]uint64{
		"wqe_valid": bitOf(c.Post >= 0), "wqe_stream": uint64(max(c.Post, 0)), "wqe_id": w.ID, "wqe_signaled": bitOf(w.Signaled), "wqe_opcode": uint64(w.Opcode),
		"wqe_local_stag": uint64(w.Local.STag), "wqe_local_to": w.Local.TO, "wqe_length": uint64(w.Length), "wqe_remote_stag": uint64(w.Remote.STag),
		"wqe_remote_to": w.Remote.TO, "wqe_atomic_data": w.Atomic.Data, "message_ready": bitOf(c.Ready),
		"freed": bitOf(c.Freed >= 0), "freed_stream": uint64(max(c.Freed, 0)), "opened_valid": bitOf(c.Open >= 0), "opened_stream": uint64(max(c.Open, 0)),
	} {
		b.set(name, v)
	}
	if c.Open >= 0 {
		s := b.streams[c.Open]
		b.set("opened_oldest", uint64(s.oldest%(2*b.c.SendDepth)))
		b.set("opened_finished", uint64(s.finished%(2*b.c.ORD)))
	}
	posted, opened = c.Post >= 0 && b.get("wqe_ready") == 1, c.Open >= 0 && b.get("opened_ready") == 1
	require.Equal(b.t, b.opens >= 0, b.get("opens") == 1)
	b.opens, b.opening = -1, c.Open
	var fetched *workBeat
	b.set("fetch", 0)
	if b.get("message_valid") == 1 && c.Ready {
		fetched = b.message()
	}
	if b.fetching[1] != nil {
		b.compare(*b.fetching[1])
	}
	if b.look = -1; b.get("look") == 1 {
		b.look = int(b.get("look_stream"))
	}
	if posted {
		w.Stream = c.Post
		s := &b.streams[c.Post]
		s.posted = append(s.posted, w)
		require.LessOrEqual(b.t, len(s.posted)-s.fetched, b.c.SendDepth+1, "the ring of stream %d is full", c.Post)
	}
	if opened {
		s := &b.streams[c.Open]
		*s = workRingStream{posted: make([]workBeat, s.oldest), issued: s.oldest, fetched: s.oldest, oldest: s.oldest, finished: s.finished, requests: s.finished}
		b.opens = c.Open
	}
	b.sim.Step()
	b.fetching = [2]*workBeat{fetched, b.fetching[0]}
	return posted, opened
}

// message returns the offered message: the next one of its stream, within the limits. It is fetched in this cycle.
func (b *workRingBench) message() *workBeat {
	b.t.Helper()
	n := int(b.get("message_stream"))
	s := &b.streams[n]
	require.Less(b.t, s.issued, len(s.posted), "stream %d has no more", n)
	require.EqualValues(b.t, s.issued%(2*b.c.SendDepth), b.get("message_number"))
	w := s.posted[s.issued]
	s.issued++
	s.fetched++
	b.messages++
	require.LessOrEqual(b.t, s.issued-s.oldest, b.c.SendDepth, "stream %d: in progress", n)
	if b.asks(w.Opcode) {
		s.requests++
		require.LessOrEqual(b.t, s.requests-s.finished, b.c.ORD, "stream %d: without a response", n)
	}
	b.set("fetch", 1)
	b.set("fetch_stream", uint64(n))
	b.set("fetch_number", b.get("message_number"))
	return &w
}

// compare compares the work request fetched 2 cycles before with the posted one.
func (b *workRingBench) compare(w workBeat) {
	b.t.Helper()
	v := b.getBig("fetched")
	var below uint // what the extension commit adds
	if b.c.Revokes() {
		below = 32
		require.EqualValues(b.t, revokedBy(w), new(big.Int).And(v, big.NewInt(1<<32-1)).Uint64())
	}
	opcodeBits := uint(b.c.Profile.OpcodeBits())
	field := func(low, width uint) uint64 {
		var out uint64
		low += below
		for i := range width {
			out |= uint64(v.Bit(int(low+i))) << i
		}
		return out
	}
	// from bit 0 on: compare mask, compare, mask, data, opcode; remote TO, STag; length; local TO, STag; opcode, signaled, ID
	require.Equal(b.t, w.Atomic.Data, field(192, 64))
	require.Equal(b.t, w.Remote.TO, field(260, 64))
	require.EqualValues(b.t, w.Remote.STag, field(324, 32))
	require.EqualValues(b.t, w.Length, field(356, 32))
	require.Equal(b.t, w.Local.TO, field(388, 64))
	require.EqualValues(b.t, w.Opcode, field(484, opcodeBits))
	require.Equal(b.t, w.ID, field(485+opcodeBits, 64))
}

// asks reports whether a work request is one of the peer's responder.
func (b *workRingBench) asks(o wire.Opcode) bool {
	if b.c.Revokes() {
		return spec.Commit.Is(o, spec.Requests)
	}
	return isRequest(o)
}

// revokedBy is the Invalidate STag of a work request, with the extension commit.
func revokedBy(w workBeat) uint32 { return uint32(w.ID>>16) ^ 0x5A5A }

// complete completes one work request of a stream with any in progress; the stream is freed in a later cycle.
func (b *workRingBench) complete(r *rand.Rand) int {
	s := r.IntN(len(b.streams))
	x := &b.streams[s]
	if x.oldest == x.fetched || s == b.opening {
		return -1
	}
	if b.asks(x.posted[x.oldest].Opcode) {
		x.finished++
	}
	x.oldest++
	return s
}

// reopens returns a random stream that may be opened, or -1: one of which nothing is on its way, as it has no work, or has to wait.
func (b *workRingBench) reopens(r *rand.Rand) int {
	n := r.IntN(len(b.streams))
	s := b.streams[n]
	if len(s.posted)-s.fetched > b.c.SendDepth {
		return -1 // the last one waits for a slot
	}
	if s.issued < len(s.posted) && s.issued-s.oldest < b.c.SendDepth && (!b.asks(s.posted[s.issued].Opcode) || s.requests-s.finished < b.c.ORD) {
		return -1
	}
	return n
}

// Random posts, openings, back-pressure and completions: each work request is issued exactly once, in order, within the limits, and as
// posted, except those that an opening forgets. Then every ring has room.
func TestWorkRingRandom(t *testing.T) {
	commit := []string{"commit"}
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2, ORD: 2, MaxPayload: 256}, {Streams: 4, SendDepth: 4, ORD: 2, MaxPayload: 256}, {Streams: 16, SendDepth: 16, ORD: 4, MaxPayload: 1024},
		{Streams: 2, SendDepth: 2, ORD: 2, MaxPayload: 256, Extensions: commit}, {Streams: 4, SendDepth: 4, ORD: 2, MaxPayload: 256, Extensions: commit}, {Streams: 16, SendDepth: 16, ORD: 4, MaxPayload: 1024, Extensions: commit}} {
		for _, ready := range []int{1, 6, 12} {
			for _, completes := range []int{2, 12} {
				t.Run(fmt.Sprint(c.SendDepth, ready, completes, c.Extensions), func(t *testing.T) {
					b, r := openWorkRing(t, c.Engine()), random(uint64(ready))
					offer, freed, openings, full := idleWorkRing(), -1, 0, 0
					step := func(now workRingCycle, posts bool) {
						if now.Post, now.Work = offer.Post, offer.Work; now.Post < 0 && posts && r.IntN(3) > 0 {
							now.Post, now.Work = r.IntN(c.Streams), anyWork(r)
							now.Work.Atomic.Opcode, now.Work.Atomic.Mask = 0, 0
							now.Work.Atomic.Compare, now.Work.Atomic.CompareMask = 0, 0
							if now.Work.Length >>= r.IntN(32); r.IntN(2) == 0 {
								now.Work.Opcode = 1
							}
						}
						now.Freed, freed = freed, -1
						if b.opening = offer.Open; r.IntN(12) < completes {
							freed = b.complete(r)
						}
						if now.Open = offer.Open; now.Open < 0 && posts && r.IntN(8) == 0 {
							now.Open = b.reopens(r)
						}
						posted, opened := b.cycle(now)
						if offer = now; posted {
							offer.Post = -1
						} else if now.Post >= 0 {
							full++
						}
						if opened {
							offer.Open, openings = -1, openings+1
						}
					}
					for range 6000 {
						now := idleWorkRing()
						now.Ready = r.IntN(12) < ready
						step(now, true)
					}
					drain := func() {
						for range 40 * c.Streams * c.SendDepth {
							now := idleWorkRing()
							now.Ready = true
							step(now, false)
						}
						for i, s := range b.streams {
							require.Equal(t, len(s.posted), s.issued, "stream %d is starved", i)
						}
					}
					drain()
					for i := range c.Streams * c.SendDepth { // while no message is taken, each ring has room for as many as it has slots
						offer.Post, offer.Work = i%c.Streams, anyWork(r)
						offer.Work.Opcode = 0
						for range 8 {
							step(idleWorkRing(), false)
						}
						require.Equal(t, -1, offer.Post, "work request %d", i)
					}
					drain()
					for i := range b.streams { // nothing is in progress: each is opened at once
						now := idleWorkRing()
						offer.Open = i
						for range 40 {
							step(now, false)
						}
						require.Equal(t, -1, offer.Open)
					}
					assert.Greater(t, openings, c.Streams+2)
					assert.Greater(t, b.messages, 200)
					assert.True(t, ready == 12 || full > 0)
				})
			}
		}
	}
}

// A waiting stream blocks no other: the others issue one work request per cycle.
func TestWorkRingPassesOverStreams(t *testing.T) {
	c := gen.Config{Streams: 16, SendDepth: 16, ORD: 2, MaxPayload: 256}.Engine()
	b, r := openWorkRing(t, c), random(6)
	for range c.ORD + 3 {
		now := idleWorkRing()
		now.Post, now.Work, now.Ready = 15, workBeat{Opcode: wire.OpReadRequest}, true
		b.cycle(now)
	}
	before := 0
	for i := range 2000 {
		now := idleWorkRing()
		now.Post, now.Work, now.Ready = i%15, workBeat{Opcode: wire.OpWrite}, true
		for s := range b.streams[:15] {
			if x := &b.streams[s]; x.oldest < x.fetched && now.Freed < 0 && r.IntN(2) == 0 {
				x.oldest = x.fetched
				now.Freed = s
			}
		}
		if b.cycle(now); i == 1000 {
			before = b.messages
		}
	}
	require.Greater(t, b.messages-before, 940)
	require.Equal(t, c.ORD, b.streams[15].issued)
}

// Turns are short while others wait to be issued, and long otherwise.
func TestWorkRingTurns(t *testing.T) {
	c := gen.Config{Streams: 16, SendDepth: 16, ORD: 2, MaxPayload: 256}.Engine()
	for streams, most := range map[int]int{1: 16, 16: 1} {
		b := openWorkRing(t, c)
		longest, run, last, before := 0, 0, -1, 0
		for i := range 2000 {
			now := idleWorkRing()
			now.Ready = i > 400
			if i < streams*c.SendDepth {
				now.Post, now.Work = i%streams, workBeat{Opcode: wire.OpWrite}
			}
			issued := make([]int, streams)
			for n := range streams {
				issued[n] = b.streams[n].issued
			}
			b.cycle(now)
			for n := range streams {
				if b.streams[n].issued == issued[n] {
					continue
				}
				if run++; n != last {
					run = 1
				}
				if last = n; before > 20 { // turns given before rings were full
					longest = max(longest, run)
				}
				before++
			}
			if before > 200 { // few streams are left
				break
			}
		}
		if streams == 1 {
			longest = run
		}
		require.Equal(t, most, longest, "%d streams", streams)
	}
}

func TestWorkRingIsCleanInEveryTool(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2, ORD: 2, MaxPayload: 256}, {Streams: 64, SendDepth: 16, ORD: 8, MaxPayload: 1024}, {Streams: 16384, SendDepth: 1024, ORD: 1024, MaxPayload: 16384}} {
		d, err := hdl.Compile(request.WorkRing(c.Engine()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
