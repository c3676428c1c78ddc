package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

// Each report goes to its receiver in the cycle in which it arrives, and is counted once, when it is accepted.
func TestReportSplitUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, transmit.ReportSplit(streamsOf(8)), 1)
		b.stall(idle, pressure)
		pins, counted := []string{"count_segments", "count_messages", "count_dropped"}, [3]int{}
		b.look = func() {
			for i, pin := range pins {
				counted[i] += int(b.signal(pin).Get())
			}
		}
		var wantSent []txReportBeat
		var wantOver []endedBeat
		var want [3]int
		for range 600 {
			q := txReportBeat{b.rand.IntN(8), b.rand.IntN(5), b.rand.IntN(2) == 0, b.rand.IntN(4) == 0, b.rand.IntN(2) == 0}
			send(b, "report", q)
			switch {
			case q.Kind == kindMessage:
				wantSent = append(wantSent, q)
			case q.Kind == sentRead && q.Final:
				wantOver = append(wantOver, endedBeat{q.Stream})
			}
			segment := !q.Dropped && q.Kind != kindClose
			for i, is := range []bool{segment, segment && q.Final, q.Dropped} {
				want[i] += int(bitOf(is))
			}
		}
		b.rest(60)
		same(t, wantSent, received[txReportBeat](b, "sent"))
		same(t, wantOver, received[endedBeat](b, "read_over"))
		require.Equal(t, want, counted, "%v", pins)
		if idle == 0 && pressure == 0 {
			gapless(t, b.stream("report").at)
		}
	})
}

// A receiver that is not ready blocks its own reports and all later ones.
func TestReportSplitBlocks(t *testing.T) {
	request, response, end := txReportBeat{Kind: kindMessage}, txReportBeat{Kind: sentRead, Final: true}, txReportBeat{Kind: kindEnd, Final: true}
	for full, reports := range map[string][]txReportBeat{
		"sent":      {response, response, end, request, response},
		"read_over": {request, {Kind: sentRead}, end, response, request},
	} {
		b := openRig(t, transmit.ReportSplit(streamsOf(8)), 2)
		b.stream(full).chance = 256
		send(b, "report", reports...)
		for range 20 {
			b.step()
		}
		assert.Len(t, b.stream("report").at, 3, full)
		assert.Empty(t, b.stream(full).at)
		b.stream(full).chance = 0
		b.rest(5)
		assert.Len(t, b.stream("report").at, 5, full)
		assert.Equal(t, b.stream("report").at[3], b.stream(full).at[0], "in the cycle in which its report is accepted")
	}
}

func TestReportSplitIsClean(t *testing.T) {
	clean(t, transmit.ReportSplit(streamsOf(2)))
	clean(t, transmit.ReportSplit(streamsOf(64)))
}

// A blocked bypass accepts depth + 1 beats and outputs them in order; after a reset it is empty.
func TestBypassHolds(t *testing.T) {
	b := openRig(t, block.BypassOf(64, 4), 1)
	for range 5 {
		b.stall(0, 256)
		send(b, "in", numbers(9)...)
		for range 20 {
			b.step()
		}
		require.Len(t, b.stream("in").at, 5)
		b.reset()
		b.stall(0, 0)
		send(b, "in", number{77})
		b.rest(5)
		same(t, []number{{77}}, received[number](b, "out"))
		require.Equal(t, b.stream("in").at, b.stream("out").at, "past the empty buffer, in the same cycle")
		b.reset()
		b.stall(0, 256) // later beats do not pass a waiting one
		send(b, "in", numbers(3)...)
		for range 5 {
			b.step()
		}
		b.stall(0, 0)
		send(b, "in", numbers(30)[3:]...)
		b.rest(5)
		same(t, numbers(30), received[number](b, "out"))
		gapless(t, b.stream("out").at)
		b.reset()
	}
}
