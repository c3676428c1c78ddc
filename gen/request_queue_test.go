package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/order"
)

// queueBench is a request_queue beside the reference: what has to leave, in order.
type queueBench struct {
	*rig
	c       engine.Config
	streams []queueStream
	want    []inboundRequestBeat
}

// queueStream is what rx_check would know of a stream.
type queueStream struct {
	next    int // slot of the next request
	inside  int // requests that have not left, those that wait among them
	waiting []inboundRequestBeat
}

func openQueue(t testing.TB, streams, ird int, seed uint64) *queueBench {
	c := gen.Default().Engine()
	c.Streams, c.IRD = streams, ird
	b := &queueBench{rig: openRig(t, order.RequestQueue(c), seed), c: c, streams: make([]queueStream, streams)}
	b.look = func() {
		at := b.stream("out").at
		if len(at) > 0 && at[len(at)-1] == b.cycle {
			var q inboundRequestBeat
			peek(b.rig, "out", &q)
			if q.Kind < kindEnd {
				b.streams[q.Stream].inside--
			}
		}
	}
	return b
}

func (b *queueBench) item(stream, kind, slot int) queuedBeat {
	q := queuedBeat{Queue: queuePlaceBeat{Slot: slot & (2*b.c.IRD - 1)}, inboundRequestBeat: randomTerminate(b.rand, 18)}
	q.Stream, q.Kind = stream, kind
	return q
}

// request sends a request; waits keeps it until a release.
func (b *queueBench) request(stream int, waits bool) {
	s := &b.streams[stream]
	q := b.item(stream, b.rand.IntN(2), s.next)
	q.Queue.Waits = waits
	s.next++
	s.inside++
	if waits {
		s.waiting = append(s.waiting, q.inboundRequestBeat)
	} else {
		b.want = append(b.want, q.inboundRequestBeat)
	}
	send(b.rig, "in", q)
}

// release lets all requests of a stream go on.
func (b *queueBench) release(stream int) {
	s := &b.streams[stream]
	q := b.item(stream, b.rand.IntN(4), s.next-len(s.waiting))
	q.Queue.Released = len(s.waiting)
	b.want = append(b.want, s.waiting...)
	s.waiting = nil
	send(b.rig, "in", q)
}

// end sends the end of a stream, which drops what waits; the stream begins anew with MSN 1.
func (b *queueBench) end(stream int) {
	s := &b.streams[stream]
	q := b.item(stream, kindEnd+b.rand.IntN(2), s.next-len(s.waiting))
	b.want = append(b.want, q.inboundRequestBeat)
	send(b.rig, "in", q)
	s.inside -= len(s.waiting)
	s.waiting = nil
}

// check settles and compares all that has left since the last check.
func (b *queueBench) check() {
	b.t.Helper()
	b.rest(20)
	same(b.t, b.want, received[inboundRequestBeat](b.rig, "out"))
	b.want = nil
}

// Requests, releases and ends of all streams, in any order that IRD permits. The end of a stream is the last of it until
// everything has left.
func TestRequestQueueUnderStalls(t *testing.T) {
	for _, size := range [][2]int{{2, 1}, {4, 2}, {8, 8}} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openQueue(t, size[0], size[1], uint64(idle+2*pressure))
			b.stall(idle, pressure)
			for range 12 {
				ended := make([]bool, b.c.Streams)
				for range 60 {
					stream := b.rand.IntN(b.c.Streams)
					s := &b.streams[stream]
					switch n := b.rand.IntN(8); {
					case ended[stream]:
					case n < 5 && s.inside < b.c.IRD:
						b.request(stream, len(s.waiting) > 0 || b.rand.IntN(4) == 0)
					case n < 7 && len(s.waiting) > 0:
						b.release(stream)
					case n == 7 && b.rand.IntN(8) == 0:
						b.end(stream)
						ended[stream] = true
					}
					b.step()
				}
				for stream := range b.streams {
					if len(b.streams[stream].waiting) > 0 && !ended[stream] {
						b.release(stream)
					}
				}
				b.check()
				for stream := range b.streams {
					require.Zero(t, b.streams[stream].inside)
				}
			}
		})
	}
}

// With nobody at its output it takes IRD requests and the end of every stream, and gives all of them back.
func TestRequestQueueHoldsEverything(t *testing.T) {
	b := openQueue(t, 4, 2, 1)
	b.stream("out").chance = 256
	for range b.c.IRD {
		for s := range b.streams {
			b.request(s, s == 3)
		}
	}
	b.release(3)
	for s := range b.streams {
		b.end(s)
	}
	for range 60 {
		b.step()
	}
	assert.Len(t, b.stream("in").at, 4*3+1, "taken")
	b.stream("out").chance = 0
	b.check()
}

// A request that waits holds up nobody, and leaves one a cycle from its release on; others take 2 cycles.
func TestRequestQueueIsFast(t *testing.T) {
	b := openQueue(t, 4, 8, 2)
	for range 8 {
		b.request(1, true)
	}
	for range 8 {
		b.request(0, false)
	}
	b.rest(5)
	in, out := b.stream("in").at, b.stream("out").at
	gapless(t, in)
	require.Len(t, out, 8)
	for i, c := range out {
		require.Equal(t, in[8+i]+2, c)
	}
	b.release(1)
	b.request(2, false)
	b.rest(5)
	in, out = b.stream("in").at, b.stream("out").at
	require.Len(t, out, 17)
	gapless(t, out[8:])
	assert.Equal(t, in[16]+2, out[8])
	b.check()
}
