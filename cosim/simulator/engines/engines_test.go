package engines

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestUnknownEngineListsTheKnownOnes(t *testing.T) {
	_, err := Open("modelsim", testdesign.FIFO(), simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrUnknownEngine)
	assert.EqualError(t, err, `unknown engine "modelsim"; allowed: go, verilator, icarus, gates`)
	assert.Contains(t, Names(), Default)
}

// wrapped is an engine that counts its runs.
type wrapped struct {
	simulator.Engine
	runs int
}

func (w *wrapped) Run(maxCycles, idleCycles uint64) (simulator.Result, error) {
	w.runs++
	return w.Engine.Run(maxCycles, idleCycles)
}

// A design's Wrap is applied to its engine; if Wrap fails, the engine is closed.
func TestWrap(t *testing.T) {
	d := testdesign.FIFO()
	var between *wrapped
	d.Wrap = func(e simulator.Engine) (simulator.Engine, error) {
		between = &wrapped{Engine: e}
		return between, nil
	}
	e, err := Open("go", d, simulator.Options{})
	require.NoError(t, err)
	_, err = e.Run(1, 0)
	require.NoError(t, err)
	assert.Equal(t, 1, between.runs)
	require.NoError(t, e.Close())
	d.Wrap = func(e simulator.Engine) (simulator.Engine, error) {
		between = &wrapped{Engine: e}
		return nil, errors.New("no")
	}
	_, err = Open("go", d, simulator.Options{})
	assert.EqualError(t, err, "no")
	_, err = between.Run(1, 0)
	assert.ErrorIs(t, err, simulator.ErrClosed)
}

// The same load on each engine: every port has the same value in every cycle, every beat the same stamp.
func TestEnginesAgreeCycleByCycle(t *testing.T) {
	long.Test(t)
	for _, d := range testdesign.Modelled() {
		for seed := range uint64(4) {
			for _, stall := range []simulator.Stall{
				{}, {Mode: simulator.StallRandom, Chance: 40}, {Mode: simulator.StallRandom, Chance: 200}, {Mode: simulator.StallBursts, Chance: 100},
			} {
				var traces []enginetest.Trace
				for _, name := range Names() {
					e, err := Open(name, d, simulator.Options{Seed: seed, Buffer: 512, Hash: true, Stamps: true})
					require.NoError(t, err)
					traces = append(traces, enginetest.Record(t, d, e, stall, 100))
					require.NoError(t, e.Close())
				}
				for i, trace := range traces {
					require.Equal(t, traces[0], trace, "%s on %s, seed %d, %v", d.Top, Names()[i], seed, stall)
				}
				require.NotEqual(t, uint64(0), traces[0].Hash)
			}
		}
	}
}

// Engines also agree on a design with memory, with every memory setting.
func TestEnginesAgreeAboutMemory(t *testing.T) {
	long.Test(t)
	seen := map[uint64]bool{}
	for _, d := range []*simulator.Design{testdesign.Pass(8), testdesign.Pass(128)} {
		for seed := range uint64(4) {
			for _, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 60}, {Mode: simulator.StallBursts, Chance: 100}} {
				var hashes [][]uint64
				var effects [][]simulator.Effect
				for _, name := range Names() {
					e, err := Open(name, d, simulator.Options{Seed: seed, Buffer: 8192, Hash: true, Stamps: true})
					require.NoError(t, err)
					h, f := enginetest.RecordMemory(t, d, e, stall, 100)
					hashes, effects = append(hashes, h), append(effects, f)
					require.NoError(t, e.Close())
				}
				for i := range hashes {
					require.Equal(t, hashes[0], hashes[i], "%s on %s, seed %d, %v", d.Top, Names()[i], seed, stall)
					require.Equal(t, effects[0], effects[i])
				}
				require.NotEmpty(t, effects[0])
				seen[hashes[0][len(hashes[0])-1]] = true
			}
		}
	}
	assert.Len(t, seen, 2*4*3, "latencies depend on the seed")
}

// A hash that never changed would also be equal.
func TestHashDependsOnSeedStallAndDesign(t *testing.T) {
	seen := map[uint64]bool{}
	for _, d := range testdesign.Modelled() {
		for seed := range uint64(4) {
			for _, stall := range []simulator.Stall{{Mode: simulator.StallRandom, Chance: 40}, {Mode: simulator.StallBursts, Chance: 40}} {
				e, err := Open("go", d, simulator.Options{Seed: seed, Buffer: 512, Hash: true, Stamps: true})
				require.NoError(t, err)
				seen[enginetest.Record(t, d, e, stall, 100).Hash] = true
				require.NoError(t, e.Close())
			}
		}
	}
	assert.Len(t, seen, len(testdesign.Modelled())*4*2)
}
