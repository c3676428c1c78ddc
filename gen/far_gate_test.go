package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/order"
)

// farItem is an item in front of far_gate.
type farItem struct {
	deliveryBeat
	AwaitsFar bool
}

// heldFarItem is an item of the reference.
type heldFarItem struct {
	number int
	beat   deliveryBeat
	own    int // number of the latest placement of its stream in far memory that was issued before it
	all    int // that of all streams if it waits for those; else 0
}

// farGateBench compares far_gate with the reference. Items carry their number in ID. Placements finish in the order in which they were issued.
type farGateBench struct {
	*rig
	begun, finished []int // streams of placements
	latest          map[int]int
	waiting         map[int][]heldFarItem // by stream
	sent, left      int
}

func openFarGate(t testing.TB, seed uint64) *farGateBench {
	c := gateConfig()
	c.FarBit = 32
	b := &farGateBench{rig: openRig(t, order.FarGate(c), seed), latest: map[int]int{}, waiting: map[int][]heldFarItem{}}
	for range gateStreams + 1 {
		b.step()
	}
	onBeat(b.rig, "passed", func(d deliveryBeat) { b.leaves(d) })
	return b
}

// leaves checks an item: it is its stream's oldest, unchanged, and the placements that it waits for are finished.
func (b *farGateBench) leaves(d deliveryBeat) {
	items := b.waiting[d.Request.Stream]
	require.NotEmpty(b.t, items)
	require.Equal(b.t, items[0].beat, d)
	require.LessOrEqual(b.t, items[0].own, len(b.finished), "item %d left before its placement", items[0].number)
	require.LessOrEqual(b.t, items[0].all, len(b.finished), "item %d left before all placements", items[0].number)
	b.waiting[d.Request.Stream] = items[1:]
	b.left++
}

// deliver sends an item.
func (b *farGateBench) deliver(stream int, awaitsAll bool) {
	d := randomItem(b.rand, oneHot(b.rand.IntN(6)), stream)
	held := heldFarItem{number: b.sent, beat: d, own: b.latest[stream]}
	if awaitsAll {
		held.all = len(b.begun)
	}
	b.sent++
	b.waiting[stream] = append(b.waiting[stream], held)
	send(b.rig, "deliver", farItem{d, awaitsAll})
}

// cycle runs one cycle in which a placement of stream begins and the oldest one finishes; begins < 0 is none.
func (b *farGateBench) run(begins int, finishes bool) {
	b.inputs["begun_valid"].Set(0)
	b.inputs["finished_valid"].Set(0)
	if begins >= 0 {
		b.inputs["begun_valid"].Set(1)
		b.inputs["begun_stream"].Set(uint64(begins))
	}
	if finishes {
		b.inputs["finished_valid"].Set(1)
		b.inputs["finished_stream"].Set(uint64(b.begun[len(b.finished)]))
	}
	b.step()
	if finishes {
		b.finished = append(b.finished, b.begun[len(b.finished)])
	}
	if begins >= 0 {
		b.begun = append(b.begun, begins)
		b.latest[begins] = len(b.begun)
	}
	b.inputs["begun_valid"].Set(0)
	b.inputs["finished_valid"].Set(0)
}

// Random placements and items: each stream's items leave in order, none before the placements that it waits for, and all leave once these
// are finished.
func TestFarGateUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openFarGate(t, uint64(idle+3*pressure))
		b.stall(idle, pressure)
		for round := range 5 {
			under := []int{1, 4, 30, 200, 511}[round]
			for range 1500 {
				begins := -1
				if len(b.begun)-len(b.finished) < under && b.rand.IntN(2) == 0 {
					begins = b.rand.IntN(gateStreams)
				}
				b.run(begins, len(b.finished) < len(b.begun) && b.rand.IntN(under+2) > 0 && b.rand.IntN(3) > 0)
				if b.sent-b.left < 700 && len(b.rig.stream("deliver").queue) < 2 {
					b.deliver(b.rand.IntN(gateStreams), b.rand.IntN(40) == 0)
				}
			}
			for len(b.finished) < len(b.begun) {
				b.run(-1, true)
			}
			b.rest(40)
			require.Equal(t, b.sent, b.left)
		}
		assert.Greater(t, len(b.begun), 1024)
	})
}
