package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// A report that has the response of a Read is one update: one is taken, and one work request completes, in each cycle.
func TestReportsOfPullsInEachCycle(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig().engine()
	c.Streams, c.SendDepth, c.ORD = 4, 64, 64
	b := open(t, sendCompletionWithStore(c))
	b.step(8)
	for s := range c.Streams {
		push(b, "opening", struct {
			Stream int
			Open   bool
			Domain int
		}{s, true, 0})
		for i := range c.SendDepth {
			e := storedBeat{Stream: s, Slot: i}
			e.Entry.ID, e.Entry.Signaled, e.Entry.Asks = uint64(i), true, true
			push(b, "store", e)
		}
	}
	b.run()
	for i := range c.SendDepth {
		for s := range c.Streams {
			push(b, "sent", workReportBeat{Stream: s, Kind: int(engine.KindMessage), Final: true, Answers: true, Data: uint64(i)})
		}
	}
	b.run()
	reports, completions := b.cycles("sent"), b.cycles("completion")
	n := uint64(c.Streams * c.SendDepth)
	require.Len(t, reports, int(n))
	require.Len(t, completions, int(n))
	require.Equal(t, n-1, reports[n-1]-reports[0])
	require.LessOrEqual(t, completions[n-1]-completions[n/2], 11*n/20, "turns pass while others complete")
}
