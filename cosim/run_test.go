package cosim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

var stalls = []engine.Stall{{}, {Mode: engine.StallRandom, Chance: 100}, {Mode: engine.StallBursts, Chance: 128}}

func agrees(t *testing.T, c gen.Config, engineName string, o Options) Report {
	t.Helper()
	r, err := Run(c, engineName, o)
	require.NoError(t, err)
	if r.Mismatch != nil {
		require.FailNow(t, "hardware and model differ", "%v", r.Mismatch)
	}
	require.Equal(t, o.Messages, r.Messages, "the model took all messages")
	return r
}

func TestRandomTrafficAtEveryWidth(t *testing.T) {
	for i, width := range gen.BusWidths {
		for j, stall := range stalls {
			t.Run(fmt.Sprintf("%d octets, stalls %s", width, stall.Mode), func(t *testing.T) {
				c := gen.DefaultAtomics()
				c.BusBytes, c.WindowWords, c.Streams = width, 2<<i, 2<<(2*j+i%2)
				if (i+j)%2 == 0 {
					c.Extensions = []string{"draft00"}
				}
				c.RetirePort = (i+j)%5 != 0
				agrees(t, c, "go", Options{Messages: 8000, Seed: uint64(10*i + j), Stall: stall, Random: j == 1})
			})
		}
	}
}

// A window that takes many batches to write and to read back, and as few streams as there can be.
func TestRandomTrafficOnALargeWindow(t *testing.T) {
	for _, retire := range []bool{true, false} {
		c := gen.DefaultAtomics()
		c.WindowWords, c.Streams, c.RetirePort = 1<<16, 2, retire
		agrees(t, c, "go", Options{Messages: 2000, Seed: 1})
	}
}

func TestRandomTrafficOnVerilator(t *testing.T) {
	for seed, stall := range stalls {
		agrees(t, gen.DefaultAtomics(), "verilator", Options{Messages: 50000, Seed: uint64(seed), Stall: stall, Random: seed == 2})
	}
}

// Batches or single cycles, Verilator or Go: every port has the same value in every cycle.
func TestEnginesAndModesGiveTheSameTrace(t *testing.T) {
	c := gen.DefaultAtomics()
	for _, stall := range stalls {
		o := Options{Messages: 3000, Seed: 5, Stall: stall, Hash: true}
		want := agrees(t, c, "verilator", o)
		assert.NotZero(t, want.Hash)
		for _, e := range []string{"verilator", "go"} {
			for _, single := range []bool{false, true} {
				o.PerCycle = single
				have := agrees(t, c, e, o)
				assert.Equal(t, want.Hash, have.Hash, "%s, a call a cycle: %t, stalls %s", e, single, stall.Mode)
				assert.Equal(t, want.Cycles, have.Cycles)
			}
		}
		o.PerCycle, o.Seed = false, 6
		assert.NotEqual(t, want.Hash, agrees(t, c, "go", o).Hash, "another seed is another trace")
	}
}

func TestRunRefuses(t *testing.T) {
	c := gen.DefaultAtomics()
	_, err := Run(c, "go", Options{})
	assert.EqualError(t, err, "messages is 0; allowed: at least 1")
	_, err = Run(c, "questa", Options{Messages: 1})
	assert.EqualError(t, err, `unknown engine "questa"; allowed: go, verilator, icarus, gates`)
	c.BusBytes = 12
	_, err = Run(c, "go", Options{Messages: 1})
	assert.EqualError(t, err, "config: bus_bytes is 12; allowed: 8, 16, 32, 64 or 128")
}
