package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/hdl"
)

// Each report goes to whom it concerns in the clock in which it comes, and is counted once, when it is taken.
func TestReportSplitUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, transmit.ReportSplit(streamsOf(8)), 1)
		b.stall(idle, pressure)
		pins, counted := []string{"read_done", "count_segments", "count_messages", "count_dropped"}, [4]int{}
		b.look = func() {
			for i, pin := range pins {
				counted[i] += int(b.signal(pin).Get())
			}
		}
		var wantSent []txReportBeat
		var want [4]int
		for range 600 {
			q := txReportBeat{b.rand.IntN(8), b.rand.IntN(5), b.rand.IntN(2) == 0, b.rand.IntN(4) == 0}
			send(b, "report", q)
			if q.Kind == kindMessage {
				wantSent = append(wantSent, q)
			}
			segment := !q.Dropped && q.Kind != kindClose
			for i, is := range []bool{q.Kind == kindRead && q.Final, segment, segment && q.Final, q.Dropped} {
				want[i] += int(bitOf(is))
			}
		}
		b.rest(60)
		same(t, wantSent, received[txReportBeat](b, "sent"))
		require.Equal(t, want, counted, "%v", pins)
		if idle == 0 && pressure == 0 {
			gapless(t, b.stream("report").at)
		}
	})
}

// Who does not take its reports holds up those only that come behind one of them.
func TestReportSplitIsHeldUp(t *testing.T) {
	request, answer := txReportBeat{Kind: kindMessage}, txReportBeat{Kind: kindRead, Final: true}
	b := openRig(t, transmit.ReportSplit(streamsOf(8)), 2)
	b.stream("sent").chance = 256
	done := 0
	b.look = func() { done += int(b.signal("read_done").Get()) }
	send(b, "report", answer, answer, txReportBeat{Kind: kindEnd, Final: true}, request, answer)
	for range 20 {
		b.step()
	}
	assert.Len(t, b.stream("report").at, 3)
	assert.Equal(t, 2, done, "a Read is done when its last report is taken")
	b.stream("sent").chance = 0
	b.rest(5)
	assert.Len(t, b.stream("report").at, 5)
}

func TestReportSplitIsClean(t *testing.T) {
	clean(t, transmit.ReportSplit(streamsOf(2)))
	clean(t, transmit.ReportSplit(streamsOf(64)))
}

// A bypass_fifo takes depth + 1 beats that nobody takes from it, gives them in order, and is empty after a reset.
func TestBypassFifoHolds(t *testing.T) {
	b := openRig(t, block.BypassOf(hdl.Fixed(64), hdl.Fixed(4)), 1)
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
		require.Equal(t, b.stream("in").at, b.stream("out").at, "past the empty buffer, in the same clock")
		b.reset()
		b.stall(0, 256) // what comes behind a beat that waits does not pass it
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
