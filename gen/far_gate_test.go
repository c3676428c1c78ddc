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

func (b *farGateBench) steps(n int) {
	for range n {
		b.run(-1, false)
	}
}

// Random placements and items: each stream's items leave in order, none before the placements that it waits for, and all leave once these
// are finished.
func TestFarGateUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openFarGate(t, uint64(idle+3*pressure))
		b.deliver(3, false)
		b.steps(gateStreams + 1) // no placement begins before all streams are swept
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

// While items of a stream wait for far memory, those of others pass, one per cycle, until the queue is full. All are in order afterwards.
func TestFarGateOthersPass(t *testing.T) {
	b := openFarGate(t, 5)
	b.steps(gateStreams + 1)
	b.run(0, false)
	for range 200 {
		b.deliver(0, false)
	}
	for i := range 300 {
		b.deliver(1+i%3, false)
	}
	b.steps(520)
	require.Equal(t, 300, b.left)
	for range 400 {
		b.deliver(0, false)
	}
	b.deliver(1, false)
	b.steps(1000)
	require.Equal(t, 300, b.left, "the queue is full")
	require.Equal(t, 300+farQueued, len(b.rig.stream("deliver").at))
	b.run(-1, true)
	b.rest(40)
	require.Equal(t, b.sent, b.left)
}

// farQueued is how many items wait: in the queue, and the oldest.
const farQueued = 512 + 1

// A full queue of one stream, whose last item is followed by one that need not wait: it does, for the others.
func TestFarGateQueueOfOneStream(t *testing.T) {
	for _, n := range []int{1, 2, 511, 512, 513} {
		b := openFarGate(t, 6)
		b.steps(gateStreams + 1)
		b.run(2, false)
		for range n {
			b.deliver(2, false)
		}
		b.steps(n + 10)
		b.stall(0, 256)
		b.run(-1, true)
		b.steps(10)
		b.deliver(2, false)
		b.steps(10)
		b.stall(0, 0)
		b.rest(40)
		require.Equal(t, n+1, b.left)
	}
}

// Placements are crowded from 480 in progress on.
func TestFarGateCrowded(t *testing.T) {
	b := openFarGate(t, 7)
	b.steps(gateStreams + 1)
	for range 700 { // so that the numbers wrap
		b.run(1, false)
		b.run(-1, true)
	}
	for n := range 511 {
		b.run(n%gateStreams, false)
		b.steps(2)
		require.Equal(t, n+1 >= 480, b.signal("crowded").Get() == 1, "%d", n+1)
	}
	for n := 511; n > 0; n-- {
		b.run(-1, true)
		b.steps(2)
		require.Equal(t, n-1 >= 480, b.signal("crowded").Get() == 1, "%d", n-1)
	}
}

// An item that waits for the placements of all streams does so also if its own stream has none in progress, and so do later ones of its stream.
func TestFarGateAwaitsAll(t *testing.T) {
	b := openFarGate(t, 8)
	b.steps(gateStreams + 1)
	b.deliver(1, true)
	b.steps(12)
	require.Equal(t, 1, b.left, "nothing to wait for")
	b.run(0, false)
	b.run(3, false)
	b.deliver(1, true)
	b.deliver(1, false)
	b.deliver(2, false)
	b.steps(20)
	require.Equal(t, 2, b.left)
	b.run(3, true)
	b.steps(20)
	require.Equal(t, 2, b.left)
	b.run(3, true)
	b.steps(20)
	require.Equal(t, 4, b.left)
}

// An item that passes takes six cycles; one of the queue that has nothing to wait for any more takes eight.
func TestFarGateLatency(t *testing.T) {
	b := openFarGate(t, 9)
	b.steps(gateStreams + 1)
	latency := func() int {
		b.rest(20)
		in, out := b.rig.stream("deliver").at, b.rig.stream("passed").at
		return out[len(out)-1] - in[len(in)-1]
	}
	b.deliver(0, false)
	assert.Equal(t, 6, latency())
	b.run(1, false)
	b.deliver(1, false)
	b.steps(2)
	b.run(-1, true)
	assert.Equal(t, 8, latency())
}

// An item waits whatever the number of placements of its stream in progress, and one that awaits all whatever their number.
func TestFarGateCounts(t *testing.T) {
	b := openFarGate(t, 9)
	b.steps(gateStreams + 1)
	for _, n := range []int{1, 2, 3, 4, 7, 8, 16, 32, 64, 128, 255, 256, 257, 480, 510, 511} {
		for range n {
			b.run(1, false)
		}
		b.steps(2)
		left := b.left
		b.deliver(1, false)
		b.deliver(2, true)
		b.steps(30)
		require.Equal(t, left, b.left, "%d", n)
		for range n {
			require.Equal(t, left, b.left, "%d", n)
			b.run(-1, true)
		}
		b.rest(40)
		require.Equal(t, b.sent, b.left)
	}
}
