package rnic

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// The parts of faulty ranges are the same addresses, for the same directions, with errors of both kinds in most.
func TestMixErrors(t *testing.T) {
	whole := []simulator.Range{
		{First: 0x10_0000, Last: 0x10_7FFF, Reads: true, Writes: true},
		{First: 0x20_0040, Last: 0x20_0041, Writes: true},
		{First: 1<<64 - 1<<13, Last: 1<<64 - 1, Reads: true},
	}
	mixed, kinds := 0, map[bool]int{}
	for seed := range uint64(40) {
		parts := mixErrors(whole, rand.New(rand.NewPCG(seed, 1)))
		require.LessOrEqual(t, len(parts), simulator.MaxErrorRanges)
		for _, w := range whole {
			next, of := w.First, map[bool]int{}
			for len(parts) > 0 && parts[0].First == next {
				p := parts[0]
				assert.Equal(t, []bool{w.Reads, w.Writes}, []bool{p.Reads, p.Writes})
				of[p.Decode]++
				kinds[p.Decode]++
				next, parts = p.Last+1, parts[1:]
			}
			require.Equal(t, w.Last+1, next)
			if len(of) == 2 {
				mixed++
			}
		}
		require.Empty(t, parts)
	}
	assert.Greater(t, mixed, 40)
	assert.Greater(t, min(kinds[false], kinds[true]), 100)
}

// What is left of a range is whole lines inside of it, in one of which alone a burst of 4 KiB begins, in others it ends.
func TestScatter(t *testing.T) {
	for _, octets := range []uint64{512, 4096, 1 << 14} {
		whole := simulator.Range{First: 1 << 40, Last: 1<<40 + octets - 1, Reads: true}
		lines := scatter(whole)
		for _, l := range lines {
			assert.Zero(t, l.First%errorLine)
			assert.Equal(t, uint64(errorLine-1), l.Last%errorLine)
			assert.LessOrEqual(t, whole.First, l.First)
			assert.GreaterOrEqual(t, whole.Last, l.Last)
			assert.True(t, l.Reads)
			assert.False(t, l.Writes)
		}
		assert.Equal(t, whole.First, lines[0].First)
		assert.Equal(t, whole.Last, lines[len(lines)-1].Last)
		if octets == 1<<14 {
			assert.Len(t, lines, 6)
			assert.Equal(t, whole.First+4095, lines[2].Last)
		}
	}
}

// Seeds draw all that a memory may do, and a slow one always holds enough bursts to go on.
func TestDrawMemory(t *testing.T) {
	assert.Equal(t, DrawMemory(5, simulator.Latency{}), DrawMemory(5, simulator.Latency{}))
	late, turns, few := map[bool]int{}, map[bool]int{}, map[bool]int{}
	var stalls [memoryChannels]map[simulator.StallMode]int
	for i := range stalls {
		stalls[i] = map[simulator.StallMode]int{}
	}
	for seed := range uint64(200) {
		m := DrawMemory(seed, simulator.Latency{Least: 1, Most: 160})
		assert.NotZero(t, m.Decode)
		late[m.LateReady]++
		turns[m.Interleave]++
		few[m.Outstanding != 0]++
		if m.Outstanding != 0 {
			assert.GreaterOrEqual(t, m.Outstanding, 10)
		}
		for i, s := range m.Channels {
			stalls[i][s.Mode]++
		}
	}
	for _, of := range []map[bool]int{late, turns, few} {
		assert.Greater(t, min(of[false], of[true]), 20)
	}
	for _, of := range stalls {
		assert.Greater(t, min(of[simulator.StallNone], of[simulator.StallRandom], of[simulator.StallBursts]), 10)
	}
}
