package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/wire"
)

// postedWork is what the reference knows of a work request.
type postedWork struct {
	workBeat
	msn     uint32
	message []messageBeat // that a stream which stays open sends, if it does not fail
	fails   bool

	told     bool // the receive side knows
	left     int  // messages sent: 0 or 1
	out      bool // its last segment is reported as sent
	lost     bool // one was dropped
	answered bool
	data     uint64
}

func (w *postedWork) done() bool { return w.out && !w.lost && (!isRequest(w.Opcode) || w.answered) }

// postedStream is what the reference knows of a stream.
type postedStream struct {
	works     []*postedWork
	next      int // the work request whose message comes next
	announced int // work requests up to the latest one that the receive side knows of
	complete  int // work requests that are complete
	answers   int // work requests up to the latest one that has an answer
	msn       [4]uint32
	waiting   int // Reads and Atomics without an answer

	failed bool // the requester has said so
	ending int  // clocks until it ends, 0: it does not
	ended  bool // the requester was told
	dead   bool // the transmit side drops its messages
	lost   bool // a work request was not completed with success
}

// requesterWorld is what is around a requester: a transmit side, a peer, a receive side, and the reference.
type requesterWorld struct {
	*bench
	r       *rand.Rand
	c       engine.Config
	rows    map[uint32]rowBeat
	streams []*postedStream
	tx      []messageBeat // messages that are not reported
	ends    int           // of 4096 clocks, in how many the peer ends a stream
	mute    int           // stream whose Reads and Atomics have no answer, -1: none

	success, flushed, failures int // completions
}

// post gives the requester a work request.
func (w *requesterWorld) post(bad int) {
	s := w.r.IntN(w.c.Streams)
	if s == w.mute && len(w.streams[s].works) >= w.c.SendDepth+2 {
		return // two begin: one more would wait at the port
	}
	p := &postedWork{workBeat: randomWork(w.r, w.rows, s, w.c.MaxPayload, bad)}
	stream := w.streams[s]
	q := queueOf(p.Opcode)
	stream.msn[q]++
	p.msn = stream.msn[q]
	p.message, p.fails = messagesOf(p.workBeat, p.msn, w.rows)
	stream.works = append(stream.works, p)
	push(w.bench, "wqe", p.workBeat)
}

// clock lets one clock pass and does what the others do in it.
func (w *requesterWorld) clock() {
	w.step(1)
	for _, e := range take[expectingBeat](w.bench, "expecting") {
		w.expect(e)
	}
	for _, c := range take[messageBeat](w.bench, "message") {
		w.message(c)
	}
	for _, f := range take[failureBeat](w.bench, "failed") {
		s := w.streams[f.Stream]
		require.Equal(w.t, failed(f.Stream, 0), f)
		require.False(w.t, s.failed, "stream %d fails twice", f.Stream)
		s.failed = true
		w.end(s)
	}
	for _, c := range take[completionBeat](w.bench, "completion") {
		w.completion(c)
	}
	w.transmit()
	for i, s := range w.streams {
		w.answer(i, s)
		if w.r.IntN(4096) < w.ends {
			w.end(s)
		}
		if s.ending > 0 && !s.ended {
			if s.ending--; s.ending == 0 {
				push(w.bench, "ended", endedBeat{i})
				s.ended = true
			}
		}
		if s.ended && w.r.IntN(8) == 0 {
			s.dead = true
		}
	}
}

func (w *requesterWorld) end(s *postedStream) {
	if s.ending == 0 && !s.ended {
		s.ending = 1 + w.r.IntN(12)
	}
}

// upTo moves on to the work request that a command or an announcement belongs to.
func (s *postedStream) upTo() *postedWork {
	for s.next < len(s.works) && s.works[s.next].left == len(s.works[s.next].message) && !s.works[s.next].fails {
		s.next++
	}
	return s.works[s.next]
}

func (w *requesterWorld) expect(e expectingBeat) {
	s := w.streams[e.Stream]
	for s.announced < len(s.works) && !isRequest(s.works[s.announced].Opcode) {
		require.False(w.t, s.works[s.announced].fails)
		s.announced++
	}
	require.Less(w.t, s.announced, len(s.works))
	p := s.works[s.announced]
	s.announced++
	require.False(w.t, p.told || p.fails, "stream %d expects an answer to %v", e.Stream, p.workBeat)
	require.Equal(w.t, expectedOf(p.workBeat, p.msn), e)
	p.told = true
	s.waiting++
	require.LessOrEqual(w.t, s.waiting, w.c.ORD)
}

func (w *requesterWorld) message(c messageBeat) {
	s := w.streams[c.Stream]
	p := s.upTo()
	require.Less(w.t, p.left, len(p.message), "a message too many of %v", p.workBeat)
	sameMessages(w.t, []messageBeat{p.message[p.left]}, []messageBeat{c})
	require.Equal(w.t, isRequest(p.Opcode), p.told)
	oldest := s.complete
	for oldest < s.next && s.works[oldest].done() {
		oldest++
	}
	require.Less(w.t, s.next-oldest, w.c.SendDepth)
	p.left++
	w.tx = append(w.tx, c)
}

// transmit reports messages: in order, or out of order between streams when one is dropped.
func (w *requesterWorld) transmit() {
	if len(w.tx) == 0 || w.r.IntN(3) == 0 {
		return
	}
	at := 0
	for i, c := range w.tx {
		if w.streams[c.Stream].dead && w.r.IntN(2) == 0 {
			at = i
			break
		}
	}
	c := w.tx[at]
	for _, earlier := range w.tx[:at] {
		if earlier.Stream == c.Stream {
			return
		}
	}
	w.tx = append(w.tx[:at:at], w.tx[at+1:]...)
	s := w.streams[c.Stream]
	report := sent(c)
	if !s.dead && w.r.IntN(2048) < w.ends { // its payload cannot be fetched
		s.dead = true
		w.end(s)
	}
	report.Dropped = s.dead
	for _, p := range s.works {
		if p.left > 0 && !p.out {
			p.lost = p.lost || s.dead
			p.out = true
			break
		}
	}
	push(w.bench, "sent", report)
}

// answer is the peer's, or that of the receive side.
func (w *requesterWorld) answer(i int, s *postedStream) {
	if s.waiting == 0 || s.ended || i == w.mute || w.r.IntN(8) > 0 {
		return
	}
	for ; s.answers < len(s.works); s.answers++ {
		if p := s.works[s.answers]; p.told && !p.answered {
			if p.left == 0 {
				return
			}
			p.answered = true
			s.waiting--
			if p.Opcode == wire.OpAtomicRequest {
				p.data = w.r.Uint64()
			}
			push(w.bench, "answered", answeredBeat{i, p.data})
			return
		}
	}
}

func (w *requesterWorld) completion(c completionBeat) {
	s := w.streams[c.Stream]
	for ; !s.lost && s.complete < len(s.works) && s.works[s.complete].ID != c.ID; s.complete++ {
		p := s.works[s.complete]
		require.True(w.t, p.done() && !p.Signaled, "stream %d passes over %v", c.Stream, p.workBeat)
	}
	require.Less(w.t, s.complete, len(s.works), "stream %d: a completion that belongs to nothing: %v", c.Stream, c)
	p := s.works[s.complete]
	s.complete++
	want := completed(p.workBeat, c.Status)
	switch c.Status {
	case engine.StatusSuccess:
		w.success++
		require.True(w.t, p.done() && p.Signaled && !s.lost, "stream %d: %v succeeds", c.Stream, p.workBeat)
		want.Data = p.data
	case engine.StatusFlushed:
		w.flushed++
		require.True(w.t, s.ended, "stream %d flushes", c.Stream)
		require.False(w.t, s.failed && p.fails && !s.broken(p), "stream %d: %v has failed", c.Stream, p.workBeat)
	case engine.StatusProtection:
		w.failures++
		require.True(w.t, s.ended && s.failed && p.fails && !s.broken(p), "stream %d: %v fails", c.Stream, p.workBeat)
	}
	require.Equal(w.t, want, c)
	s.lost = s.lost || c.Status != engine.StatusSuccess
	if s.lost && s.complete == len(s.works) {
		for _, left := range w.tx {
			require.NotEqual(w.t, c.Stream, left.Stream, "stream %d is through with a command in the transmit side", c.Stream)
		}
	}
}

// waits is true when its latest work request did not begin.
func (s *postedStream) waits() bool {
	last := s.works[len(s.works)-1]
	return last.left == 0 && !last.told
}

// broken is true when a work request before p has failed.
func (s *postedStream) broken(p *postedWork) bool {
	for _, before := range s.works {
		if before == p {
			return false
		}
		if before.fails {
			return true
		}
	}
	return false
}

// settle goes on until nothing happens for some clocks.
func (w *requesterWorld) settle() {
	for quiet, clocks := 0, 0; quiet < 64; clocks++ {
		require.Less(w.t, clocks, 100000, "it does not come to rest")
		before := w.success + w.flushed + w.failures
		w.clock()
		quiet++
		busy := len(w.tx) > 0 || before != w.success+w.flushed+w.failures
		for _, l := range w.sinks {
			busy = busy || w.stats(l.stream.Name).Queued > 0
		}
		for i, s := range w.streams {
			busy = busy || s.waiting > 0 && !s.ended && i != w.mute || s.ending > 0 && !s.ended
		}
		if busy {
			quiet = 0
		}
	}
}

// rest lets everything come to an end: what is posted is complete, or done and not signaled, but for the mute stream.
func (w *requesterWorld) rest(idle, pressure simulator.Stall) {
	w.settle()
	w.stall(simulator.Stall{}, simulator.Stall{})
	w.settle()
	w.stall(idle, pressure)
	for i, s := range w.streams {
		if i == w.mute {
			continue
		}
		require.False(w.t, s.lost && s.complete < len(s.works), "stream %d: %d of %d complete", i, s.complete, len(s.works))
		for _, p := range s.works[s.complete:] {
			require.True(w.t, p.done() && !p.Signaled, "stream %d: %v is not complete", i, p.workBeat)
		}
	}
}

// reopen begins anew: streams that have ended, and now and then one that has not, or is shut. What is posted later comes behind.
func (w *requesterWorld) reopen() {
	for i, s := range w.streams {
		if s.ended || w.r.IntN(3) == 0 {
			open := w.r.IntN(6) > 0
			push(w.bench, "opening", openingBeat{i, open, domainOf(i)})
			w.streams[i] = &postedStream{ended: !open}
		}
	}
	for w.step(1); w.stats("opening").Queued > 0; {
		w.step(1)
	}
}

// randomRequester gives random work to all streams, with failures, ends of streams and dropped messages: what leaves is what the
// reference wants, and each work request completes once, in order. One stream has its answers when all else is complete, or ends then.
// The result is how many times the mute stream waits.
func randomRequester(t *testing.T, c engine.Config, idle, pressure simulator.Stall) (waits int) {
	w := &requesterWorld{bench: openRequester(t, c), r: random(uint64(c.SendDepth)), c: c, rows: requesterTable(), mute: -1}
	for range c.Streams {
		w.streams = append(w.streams, &postedStream{ended: true})
	}
	w.stall(idle, pressure)
	for round := range 6 {
		w.reopen()
		w.mute = round % c.Streams
		w.ends = []int{0, 2, 10}[round%3]
		for range 120 {
			w.post([]int{0, 8}[round/3])
		}
		w.rest(idle, pressure)
		if s := w.streams[w.mute]; !s.ended && s.waits() {
			if waits++; round%2 == 0 {
				w.end(s)
			}
		}
		w.mute = -1
		w.rest(idle, pressure)
	}
	require.Greater(t, w.success, 50)
	require.Greater(t, w.flushed, 50)
	require.Positive(t, w.failures)
	return waits
}

func TestRequesterRandomUnderStalls(t *testing.T) {
	waits := 0
	for _, depth := range []int{2, 4} {
		everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
			c := requesterConfig()
			c.SendDepth = depth
			waits += randomRequester(t, c, idle, pressure)
		})
	}
	require.Greater(t, waits, 9, "streams that wait for an answer while others go on")
}

func TestRequesterRandomSizes(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2, ORD: 4, MaxPayload: 256}, {Streams: 4, SendDepth: 16, ORD: 4, MaxPayload: 512}, {Streams: 4, SendDepth: 64, ORD: 2, MaxPayload: 1024}} {
		t.Run(fmt.Sprint(c.SendDepth), func(t *testing.T) {
			some := simulator.Stall{Mode: simulator.StallRandom, Chance: 64}
			randomRequester(t, c.Engine(), some, some)
		})
	}
}
