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

// postedWork is the reference of one work request.
type postedWork struct {
	workBeat
	msn     uint32
	message []messageBeat // sent if the stream stays open and the work request does not fail
	fails   bool

	announced bool // announced to the receive side
	left      int  // messages sent: 0 or 1
	out       bool // its last segment is reported as sent
	lost      bool // its message was dropped
	responded bool
	data      uint64
}

func (w *postedWork) done() bool { return w.out && !w.lost && (!isRequest(w.Opcode) || w.responded) }

// postedStream is the reference of one stream.
type postedStream struct {
	works     []*postedWork
	next      int // the work request whose message arrives next
	announced int // work requests up to the latest one announced to the receive side
	complete  int // completed work requests
	responses int // work requests up to the latest one with a response
	msn       [4]uint32
	waiting   int // Reads and Atomics without a response

	failed bool // the requester has reported a failure
	ending int  // cycles until its end, 0: no end is scheduled
	ended  bool // its end was passed to the requester
	dead   bool // the transmit side drops its messages
	lost   bool // a work request has completed without success
}

// requesterWorld is the environment of a requester: transmit side, peer and receive side, and the reference.
type requesterWorld struct {
	*bench
	r       *rand.Rand
	c       engine.Config
	rows    map[uint32]rowBeat
	streams []*postedStream
	tx      []messageBeat // messages not yet reported
	ends    int           // of 4096 cycles, the number in which the peer ends a stream
	mute    int           // stream whose Reads and Atomics get no response, -1: none

	success, flushed, failures int // completions
}

// post posts a random work request.
func (w *requesterWorld) post(bad int) {
	s := w.r.IntN(w.c.Streams)
	if s == w.mute && len(w.streams[s].works) >= w.c.SendDepth+2 {
		return // two are issued: one more would block the port
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

// clock runs one cycle, and the actions of the environment in it.
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
		require.False(w.t, s.failed, "stream %d failed twice", f.Stream)
		s.failed = true
		w.end(s)
	}
	for _, c := range take[completionBeat](w.bench, "completion") {
		w.completion(c)
	}
	w.transmit()
	for i, s := range w.streams {
		w.respond(i, s)
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

// upTo advances to the work request that the next message belongs to.
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
	require.False(w.t, p.announced || p.fails, "stream %d expects a response to %v", e.Stream, p.workBeat)
	require.Equal(w.t, expectedOf(p.workBeat, p.msn), e)
	p.announced = true
	s.waiting++
	require.LessOrEqual(w.t, s.waiting, w.c.ORD)
}

func (w *requesterWorld) message(c messageBeat) {
	s := w.streams[c.Stream]
	p := s.upTo()
	require.Less(w.t, p.left, len(p.message), "one message too many for %v", p.workBeat)
	sameMessages(w.t, []messageBeat{p.message[p.left]}, []messageBeat{c})
	require.Equal(w.t, isRequest(p.Opcode), p.announced)
	oldest := s.complete
	for oldest < s.next && s.works[oldest].done() {
		oldest++
	}
	require.Less(w.t, s.next-oldest, w.c.SendDepth)
	p.left++
	w.tx = append(w.tx, c)
}

// transmit reports messages in order; dropped ones of a dead stream may be reported earlier than those of other streams.
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
	if !s.dead && w.r.IntN(2048) < w.ends { // fetching its payload fails
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

// respond sends the response to a Read or Atomic, now and then.
func (w *requesterWorld) respond(i int, s *postedStream) {
	if s.waiting == 0 || s.ended || i == w.mute || w.r.IntN(8) > 0 {
		return
	}
	for ; s.responses < len(s.works); s.responses++ {
		if p := s.works[s.responses]; p.announced && !p.responded {
			if p.left == 0 {
				return
			}
			p.responded = true
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
		require.True(w.t, p.done() && !p.Signaled, "stream %d skips %v", c.Stream, p.workBeat)
	}
	require.Less(w.t, s.complete, len(s.works), "stream %d: a completion without a work request: %v", c.Stream, c)
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
			require.NotEqual(w.t, c.Stream, left.Stream, "stream %d has completed everything while a message is in the transmit side", c.Stream)
		}
	}
}

// waits reports whether the latest work request of the stream has not been issued.
func (s *postedStream) waits() bool {
	last := s.works[len(s.works)-1]
	return last.left == 0 && !last.announced
}

// broken reports whether a work request before p has failed.
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

// settle runs until nothing has happened for 64 cycles.
func (w *requesterWorld) settle() {
	for quiet, cycles := 0, 0; quiet < 64; cycles++ {
		require.Less(w.t, cycles, 100000, "the requester does not become idle")
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

// rest runs until everything has ended: each work request is complete, or done and unsignaled, except those of the mute stream.
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

// reopen opens streams that have ended, and some others; some it closes. Work requests posted later take effect after that.
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

// randomRequester posts random work on all streams, with failures, ends of streams and dropped messages: the output equals the
// reference, and each work request completes once, in order. One stream, the mute one, gets its responses, or ends, only after all
// others are complete. The result is the number of rounds in which it had to wait.
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
	require.Greater(t, waits, 9, "streams that wait for a response while others continue")
}

func TestRequesterRandomSizes(t *testing.T) {
	for _, c := range []gen.Config{{Streams: 2, SendDepth: 2, ORD: 4, MaxPayload: 256}, {Streams: 4, SendDepth: 16, ORD: 4, MaxPayload: 512}, {Streams: 4, SendDepth: 64, ORD: 2, MaxPayload: 1024}} {
		t.Run(fmt.Sprint(c.SendDepth), func(t *testing.T) {
			some := simulator.Stall{Mode: simulator.StallRandom, Chance: 64}
			randomRequester(t, c.Engine(), some, some)
		})
	}
}
