package rnic

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// The parts cover exactly the addresses and directions of the faulty ranges; most ranges get both kinds of error.
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

// The remaining parts of a range are whole lines inside it; some are touched only by the start of a 4 KiB burst, others only by its end.
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

// The seeds cover every memory behavior, and a slow memory always holds enough bursts to make progress.
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
