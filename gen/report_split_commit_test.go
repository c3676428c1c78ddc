package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

// A response that fails stops its stream instead of being over; nothing is lost while a receiver is not ready.
func TestReportSplitOfCommit(t *testing.T) {
	c := commitEngine(8, 16)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, transmit.ReportSplit(c), 1)
		b.stall(idle, pressure)
		kinds := []int{kindMessage, int(engine.KindEnd), int(engine.KindClose)}
		stops := map[int]bool{}
		for _, name := range []string{"read", "atomic", "flush", "verify", "atomic_write"} {
			kind := int(c.Kinds().Response(name))
			kinds, stops[kind] = append(kinds, kind), name != "read" && name != "atomic"
		}
		var wantSent []txReportBeat
		var wantOver, wantStop []endedBeat
		for range 600 {
			q := txReportBeat{b.rand.IntN(8), kinds[b.rand.IntN(len(kinds))], b.rand.IntN(2) == 0, b.rand.IntN(2) == 0, b.rand.IntN(2) == 0}
			send(b, "report", q)
			switch {
			case q.Kind == kindMessage:
				wantSent = append(wantSent, q)
			case !q.Final:
			case stops[q.Kind] && q.Dropped:
				wantStop = append(wantStop, endedBeat{q.Stream})
			case stops[q.Kind] || q.Kind == int(c.Kinds().Response("read")):
				wantOver = append(wantOver, endedBeat{q.Stream})
			}
		}
		b.rest(60)
		same(t, wantSent, received[txReportBeat](b, "sent"))
		same(t, wantOver, received[endedBeat](b, "read_over"))
		same(t, wantStop, received[endedBeat](b, "stop"))
	})
}
