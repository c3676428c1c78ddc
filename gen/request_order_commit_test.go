package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine/order"
)

// commitRequestBeat is a request with what the extension adds.
type commitRequestBeat struct {
	queuedBeat
	commitFields
}

// commitFields are what the extension adds to a request.
type commitFields struct {
	Control        uint16
	InvalidateSTag uint32
	Msn            uint32
	Type           int
	Algorithm      int
	Differs        bool
}

// overBeat is a request that is over.
type overBeat struct{ Stream int }

// Reads that wait for nothing start at one per cycle, 8 cycles after they arrive, and are reported as they start.
func TestRequestOrderOfCommitIsFast(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 128, 64
	for _, streams := range []int{1, 4} {
		b := openRig(t, order.RequestOrder(c.Engine()), 1)
		b.rest(20)
		var asked []commitRequestBeat
		for i := range 200 {
			var r commitRequestBeat
			r.Stream, r.Kind, r.ResponseMsn, r.Body = i%streams, int(c.Engine().Kinds().Request("read")), operand32(b), make([]byte, 52) // of 0 octets
			r.Msn, r.SegmentLength, r.Control = operand32(b), int(uint16(operand32(b))), uint16(operand32(b))
			asked = append(asked, r)
			send(b, "in", r)
		}
		b.rest(30)
		in, out := b.stream("in").at, b.stream("read").at
		require.Len(t, out, 200)
		gapless(t, in)
		gapless(t, out)
		assert.Equal(t, in[0]+8, out[0])
		begun := received[begunBeat](b, "begins")
		require.Len(t, begun, 200)
		for i, r := range begun {
			assert.False(t, r.Commits)
			q := asked[i]
			assert.Equal(t, []uint32{q.ResponseMsn, q.Msn, uint32(q.SegmentLength), uint32(q.Control)},
				[]uint32{r.ResponseMsn, r.Returned.Msn, uint32(r.Returned.Length), uint32(r.Returned.Control)})
		}
	}
}

// Stops and openings of a stream take the place of a choice, and no request of others is lost or starts twice.
func TestRequestOrderOfCommitStopsBesideRequests(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 128, 64
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, order.RequestOrder(c.Engine()), 1)
		b.rest(20)
		b.stall(idle, pressure)
		b.stream("begins").chance = 0
		var want [4][]uint32
		for i := range 300 {
			var r commitRequestBeat
			r.Stream, r.Kind, r.ResponseMsn, r.Body = 1+i%3, int(c.Engine().Kinds().Request("read")), uint32(i), make([]byte, 52) // of 0 octets
			send(b, "in", r)
			want[r.Stream] = append(want[r.Stream], r.ResponseMsn)
		}
		for range 60 {
			send(b, "stop", overBeat{})
			send(b, "opening", openingBeat{Open: true})
		}
		b.rest(300)
		var got [4][]uint32
		for _, r := range received[begunBeat](b, "begins") {
			got[r.Stream] = append(got[r.Stream], r.ResponseMsn)
		}
		require.Equal(t, want, got)
		assert.Len(t, b.stream("read").at, 300)
		assert.Len(t, b.stream("stop").at, 60)
		assert.Len(t, b.stream("opening").at, 60)
	})
}

// A stop of one stream beside an opening of another one, in any cycle: what was stopped starts nothing until it is opened, the other one goes on.
func TestRequestOrderOfCommitStopsBesideOpenings(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 8, 64
	b := openRig(t, order.RequestOrder(c.Engine()), 1)
	b.rest(20)
	var begun []int
	onBeat(b, "begins", func(r begunBeat) { begun = append(begun, r.Stream) })
	ask := func(stream int) {
		var r commitRequestBeat
		r.Stream, r.Kind, r.Body = stream, int(c.Engine().Kinds().Request("read")), make([]byte, 52) // of 0 octets
		send(b, "in", r)
		b.rest(20)
	}
	for apart := -4; apart <= 4; apart++ {
		for stopped := range c.Streams {
			opened := (stopped + 1) % c.Streams
			begun = nil
			ask(stopped)
			ask(opened)
			sendAt(b, "stop", b.cycle+10, overBeat{stopped})
			sendAt(b, "opening", b.cycle+10+apart, openingBeat{Stream: opened, Open: true})
			b.rest(40)
			ask(stopped)
			ask(opened)
			require.Equal(t, []int{stopped, opened, opened}, begun, "%d cycles apart", apart)
			send(b, "read_over", overBeat{opened}, overBeat{opened})
			send(b, "opening", openingBeat{Stream: stopped, Open: true})
			b.rest(40)
		}
	}
}

// An executor takes nothing while every stream has a request for it: turns wait in a list, and none is lost.
func TestRequestOrderOfCommitHeldExecutors(t *testing.T) {
	for _, executor := range []string{"flush", "verify", "atomic"} {
		for _, streams := range []int{16, 64, 128} {
			c := gen.Default()
			c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, streams, 4, 64
			b := openRig(t, order.RequestOrder(c.Engine()), 1)
			entry := b.signal("recheck_entry").Width
			words := make([]uint64, (entry+63)/64)
			words[(entry-1)/64] = 1 << ((entry - 1) % 64) // a valid row with key 0
			b.inputs["recheck_entry"].SetWords(words)
			b.rest(streams + 20)
			kind := executor
			if kind == "atomic" { // Atomic Writes are its guests
				kind = "atomic_write"
			}
			b.stream(executor).chance = 256
			for i := range streams {
				var r commitRequestBeat
				r.Stream, r.Kind, r.Body = i, int(c.Engine().Kinds().Request(kind)), make([]byte, 52)
				r.Msn = uint32(1000 + i)
				send(b, "in", r)
			}
			for range 4*streams + 200 {
				b.step()
			}
			b.stream(executor).chance = 0
			b.rest(60)
			started := map[int]int{}
			for _, r := range received[begunBeat](b, "begins") {
				started[r.Stream]++
			}
			require.Len(t, started, streams, "%s on %d streams", executor, streams)
			require.Len(t, b.stream("begins").at, streams)
			require.Len(t, b.stream(executor).at, streams)
		}
	}
}
