package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// random sends an item that a peer within IRD could cause.
func (b *turnsBench) random() {
	stream := b.rand.IntN(b.c.Streams)
	s := &b.streams[stream]
	if s.sent > 0 || s.ends {
		return
	}
	q := arrivalBeat{Stream: stream}
	unstarted := len(s.queued) + len(s.waiting)
	room := unstarted < engine.QueueSlots(b.c) && s.running-s.finished < b.c.AtomicDepth && s.running < b.c.IRD+b.c.AtomicDepth
	switch n := b.rand.IntN(32); {
	case n < 24 && room && unstarted-s.old < b.c.IRD:
		q.Kind = b.kinds.executors[b.rand.IntN(len(b.kinds.executors))]
		if b.rand.IntN(3) > 0 && s.latest >= 0 && !endsStream(s.latest) { // longer runs
			q.Kind = s.latest
		}
		q.Waits = len(s.waiting) > 0 || b.rand.IntN(4) == 0
		b.ask(q)
	case n < 30 && len(s.waiting) > 0:
		q.Releases = true
		b.ask(q)
	case n == 30 && room && b.rand.IntN(4) == 0:
		q.Kind = []int{kindEnd, kindClose}[b.rand.IntN(2)]
		b.ask(q)
		s.ends = true
	case n == 31 && len(s.queued) <= b.c.IRD && s.old == 0 && b.rand.IntN(2) == 0: // it is reopened: what waits is dropped
		s.old = len(s.queued)
		q.Kind = b.kinds.executors[b.rand.IntN(len(b.kinds.executors))]
		q.Waits = b.rand.IntN(2) == 0
		q.First = q.Waits
		if room {
			b.ask(q)
		}
	}
}

// turnsUnderStalls sends random items, of requests that end in any order, to slow and fast executors. Whenever no request ends for a while, all that
// need not wait have had their turn; at the end nothing is left.
func turnsUnderStalls(t *testing.T, c engine.Config, lag, rounds int) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openTurns(t, c, uint64(lag+idle+2*pressure))
		for range rounds {
			b.stall(idle, pressure)
			b.lag = lag
			for all := b.had + 50; b.had < all; {
				for range 1 + c.Streams/2 {
					b.random()
				}
				b.pass(1)
				require.Less(t, b.quiet, 1000)
			}
			b.stall(0, 0)
			b.lag = 256
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

func TestRequestTurnsUnderStalls(t *testing.T) {
	for _, c := range []engine.Config{turnsConfig(2, 1, 4), turnsConfig(4, 4, 16), turnsConfig(8, 8, 16)} {
		for _, lag := range []int{0, 160, 250} {
			turnsUnderStalls(t, c, lag, 8)
		}
	}
}

// With the extension commit nothing is in progress beside a Flush, Verify or Atomic Write of its stream.
func TestRequestTurnsOfCommitUnderStalls(t *testing.T) {
	for _, c := range []engine.Config{turnsOfCommit(2, 1, 4), turnsOfCommit(4, 4, 16), turnsOfCommit(8, 8, 16)} {
		for _, lag := range []int{0, 160, 250} {
			turnsUnderStalls(t, c, lag, 8)
		}
	}
}
