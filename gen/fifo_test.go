package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
)

type number struct{ Data uint64 }

func numbers(n int) (list []number) {
	for i := range n {
		list = append(list, number{uint64(i)<<32 | 0xA5})
	}
	return list
}

func fifo(depth int) hdl.Block[block.FifoPorts] {
	return block.FifoOf(hdl.Fixed(64), hdl.Fixed(depth))
}

func TestFifoUnderStalls(t *testing.T) {
	for _, depth := range []int{2, 16} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				b := open(t, fifo(depth))
				b.stall(idle, pressure)
				push(b, "in", numbers(2000)...)
				b.run()
				same(t, numbers(2000), take[number](b, "out"))
			})
		})
	}
}

// One beat per cycle, with a latency of one cycle.
func TestFifoIsFast(t *testing.T) {
	b := open(t, fifo(2))
	push(b, "in", numbers(100)...)
	b.run()
	same(t, numbers(100), take[number](b, "out"))
	gapless(t, b.cycles("in"))
	gapless(t, b.cycles("out"))
	assert.Equal(t, b.cycles("in")[0]+1, b.cycles("out")[0])
}

// A blocked FIFO accepts depth + 1 beats and keeps them; after a reset it is empty.
func TestFifoHolds(t *testing.T) {
	b := open(t, fifo(4))
	b.stall(simulator.Stall{}, simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
	push(b, "in", numbers(9)...)
	b.step(50)
	assert.Equal(t, uint64(5), b.stats("in").Beats)
	b.reset()
	b.stall(simulator.Stall{}, simulator.Stall{})
	push(b, "in", number{77})
	b.run()
	same(t, []number{{77}}, take[number](b, "out"))
}

func queue(depth int) hdl.Block[block.FifoPorts] {
	return block.QueueOf(hdl.Fixed(64), hdl.Fixed(depth))
}

func TestQueueUnderStalls(t *testing.T) {
	for _, depth := range []int{2, 16} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				b := open(t, queue(depth))
				b.stall(idle, pressure)
				push(b, "in", numbers(2000)...)
				b.run()
				same(t, numbers(2000), take[number](b, "out"))
			})
		})
	}
}

// The first beat leaves an empty queue in the next cycle, the following ones one per cycle after two more; so do those of a full queue.
func TestQueueIsFast(t *testing.T) {
	b := open(t, queue(4))
	push(b, "in", numbers(100)...)
	b.run()
	same(t, numbers(100), take[number](b, "out"))
	gapless(t, b.cycles("in"))
	out := b.cycles("out")
	gapless(t, out[1:])
	assert.Equal(t, b.cycles("in")[0]+1, out[0])
	assert.Equal(t, out[0]+3, out[1])
	r := openRig(t, queue(4), 1)
	r.stream("out").chance = 256
	send(r, "in", numbers(100)...)
	for range 20 {
		r.step()
	}
	r.stream("out").chance = 0
	r.rest(10)
	same(t, numbers(100), received[number](r, "out"))
	gapless(t, r.stream("out").at)
}

// Buffers of every depth have their full capacity (a queue two beats more), whether or not their pointers have wrapped, and reuse freed
// slots.
func TestBuffersHoldFullCapacity(t *testing.T) {
	for depth := 2; depth <= 512; depth *= 2 {
		for name, block := range map[string]hdl.Block[block.FifoPorts]{"fifo": fifo(depth), "bypass": block.BypassOf(64, depth), "queue": queue(depth)} {
			b, holds := openRig(t, block, 1), depth+1
			if name == "queue" {
				holds += 2
			}
			for before := range 3 { // beats that passed before
				b.stream("out").chance = 256
				in := len(b.stream("in").at)
				all := numbers(holds + 4)
				send(b, "in", all...)
				for range depth + 20 {
					b.step()
				}
				require.Len(t, b.stream("in").at, in+holds, "%s of %d, round %d", name, depth, before)
				require.Empty(t, received[number](b, "out"))
				b.stream("out").chance = 0
				b.step()
				b.stream("out").chance = 256
				for range 20 {
					b.step()
				}
				require.Len(t, b.stream("in").at, in+holds+1, "a slot is free")
				b.stream("out").chance = 0
				b.rest(4)
				same(t, all, received[number](b, "out"))
			}
		}
	}
}

func TestBypassUnderStalls(t *testing.T) {
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b := open(t, block.BypassOf(64, 4))
		b.stall(idle, pressure)
		push(b, "in", numbers(2000)...)
		b.run()
		same(t, numbers(2000), take[number](b, "out"))
		if pressure == (simulator.Stall{}) {
			assert.Equal(t, b.cycles("in"), b.cycles("out"), "each beat passes in the cycle in which it arrives")
		}
	})
}

func TestMergeUnderStalls(t *testing.T) { mergesUnderStalls(t, block.MergeOf(hdl.Fixed(64))) }

func TestJoinUnderStalls(t *testing.T) { mergesUnderStalls(t, block.JoinOf(64)) }

// mergesUnderStalls checks a block that merges two streams.
func mergesUnderStalls(t *testing.T, merge hdl.Block[block.MergePorts]) {
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b := open(t, merge)
		b.stall(idle, pressure)
		worst := passedOver(b, "a", "b")
		var fromA, fromB []number
		for i := range 1000 {
			fromA, fromB = append(fromA, number{uint64(i)}), append(fromB, number{1<<63 | uint64(i)})
		}
		push(b, "a", fromA...)
		push(b, "b", fromB...)
		b.run()
		var gotA, gotB []number
		for _, n := range take[number](b, "out") {
			if n.Data>>63 == 0 {
				gotA = append(gotA, n)
			} else {
				gotB = append(gotB, n)
			}
		}
		same(t, fromA, gotA)
		same(t, fromB, gotB)
		assert.LessOrEqual(t, worst(), 1, "times a waiting side was passed over")
		if idle == (simulator.Stall{}) && pressure == (simulator.Stall{}) {
			gapless(t, b.cycles("out"))
		}
	})
}

type openingBeat struct {
	Stream int
	Open   bool
	Domain int
}

func TestOpeningForkUnderStalls(t *testing.T) {
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b := open(t, host.OpeningFork(8))
		b.stall(idle, pressure)
		var want []openingBeat
		for i := range 300 {
			want = append(want, openingBeat{i % 8, i%3 == 0, 7 * i})
		}
		push(b, "in", want...)
		b.run()
		for _, out := range []string{"check", "delivery", "order", "tx", "work", "ring", "failures"} {
			same(t, want, take[openingBeat](b, out))
		}
		for i, at := range b.cycles("in")[1:] {
			require.GreaterOrEqual(t, at, b.cycles("in")[i]+32, "opening %d", i+1)
		}
	})
}

type failureBeat struct{ Stream, Fault int }

// failed returns a failure with one of the two faults.
func failed(stream, fault int) failureBeat { return failureBeat{stream, fault % 2} }

// Only the first failure of a stream since its opening leaves, whatever its source.
func TestFailureGather(t *testing.T) {
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b := open(t, host.FailureGather(streamsOf(4)))
		b.stall(idle, pressure)
		blocks := []string{"placement", "atomic", "order", "tx", "work"}
		for round := range 3 {
			for i, block := range blocks {
				for s := range 3 {
					push(b, block, failed(s, 10*i+s))
				}
			}
			b.run()
			seen := map[int]bool{}
			for _, f := range take[failureBeat](b, "out") {
				require.False(t, seen[f.Stream], "stream %d failed twice in round %d", f.Stream, round)
				require.Equal(t, f.Stream%2, f.Fault)
				seen[f.Stream] = true
			}
			require.Len(t, seen, 3)
			push(b, "opening", openingBeat{0, true, 1}, openingBeat{1, true, 1}, openingBeat{2, false, 1})
			b.run()
		}
	})
}

// With its output blocked it still accepts everything: one failure per stream is stored, the others are dropped.
func TestFailureGatherNeverStalls(t *testing.T) {
	b := open(t, host.FailureGather(streamsOf(4)))
	b.stall(simulator.Stall{}, simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
	for i := range 400 {
		push(b, "tx", failed(i%4, 0))
		push(b, "work", failed(3-i%4, 0))
	}
	b.step(4000)
	assert.Equal(t, uint64(400), b.stats("tx").Beats)
	assert.Equal(t, uint64(400), b.stats("work").Beats)
}

// One failure of every stream is stored; all leave in order of arrival once the output is ready.
func TestFailureGatherHoldsOneOfEach(t *testing.T) {
	for _, streams := range []int{2, 4, 64} {
		b := openRig(t, host.FailureGather(streamsOf(streams)), 1)
		b.stream("out").chance = 256
		var want []failureBeat
		for i := range streams {
			s := (5*i + 1) % streams
			want = append(want, failed(s, i))
			send(b, "tx", failed(s, i), failed(s, 200))
			send(b, "order", failed(s, 201))
			for range 20 {
				b.step()
			}
		}
		require.Len(t, b.stream("tx").at, 2*streams)
		require.Len(t, b.stream("order").at, streams)
		b.stream("out").chance = 0
		b.rest(20)
		same(t, want, received[failureBeat](b, "out"))
	}
}

func TestSmallBlocksAreCleanInEveryTool(t *testing.T) {
	t.Parallel()
	clean(t, fifo(2))
	clean(t, fifo(16))
	clean(t, queue(2))
	clean(t, queue(16))
	clean(t, block.BypassOf(64, 4))
	clean(t, block.MergeOf(hdl.Fixed(64)))
	clean(t, block.JoinOf(64))
	for _, streams := range []int{2, 64} {
		clean(t, host.OpeningFork(streams))
		clean(t, host.FailureGather(streamsOf(streams)))
	}
}

// clean checks that no tool has a warning for a block.
func clean[P any](t *testing.T, block hdl.Block[P]) {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	hdltest.Lint(t, d.Files(), d.Top())
}

func TestReceiveBlocksAreCleanInEveryTool(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for _, draft := range []bool{false, true} {
		c := gen.Default().Engine()
		c.Profile = rdmap.Profile{Draft00: draft}
		clean(t, rdmap.RxCheck(c))
		clean(t, order.RequestOrder(c))
		clean(t, order.DeliveryGate(c))
		clean(t, order.RequestTurns(c))
		c.Streams, c.IRD, c.ORD, c.ReceiveDepth, c.AtomicDepth = 2, 1, 2, 2, 16
		clean(t, rdmap.RxCheck(c))
		clean(t, order.RequestOrder(c))
		clean(t, order.DeliveryGate(c))
		clean(t, order.RequestTurns(c))
	}
}
