package engines

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/testdesign"
)

func TestUnknownEngineListsTheKnownOnes(t *testing.T) {
	_, err := Open("modelsim", testdesign.FIFO(), engine.Options{})
	assert.ErrorIs(t, err, engine.ErrUnknownEngine)
	assert.EqualError(t, err, `unknown engine "modelsim"; allowed: go, verilator`)
	assert.Contains(t, Names(), Default)
}

// The same load on each engine: every port has the same value in every cycle, every beat the same stamp.
func TestEnginesAgreeCycleByCycle(t *testing.T) {
	for _, d := range testdesign.Modelled() {
		for seed := range uint64(4) {
			for _, stall := range []engine.Stall{
				{}, {Mode: engine.StallRandom, Chance: 40}, {Mode: engine.StallRandom, Chance: 200}, {Mode: engine.StallBursts, Chance: 100},
			} {
				var traces []enginetest.Trace
				for _, name := range Names() {
					e, err := Open(name, d, engine.Options{Seed: seed, Buffer: 512, Hash: true, Stamps: true})
					require.NoError(t, err)
					traces = append(traces, enginetest.Record(t, d, e, stall, 100))
					require.NoError(t, e.Close())
				}
				require.Equal(t, traces[0], traces[1], "%s, seed %d, %v", d.Top, seed, stall)
				require.NotEqual(t, uint64(0), traces[0].Hash)
			}
		}
	}
}

// A hash that never changed would agree with itself too.
func TestHashDependsOnSeedStallAndDesign(t *testing.T) {
	seen := map[uint64]bool{}
	for _, d := range testdesign.Modelled() {
		for seed := range uint64(4) {
			for _, stall := range []engine.Stall{{Mode: engine.StallRandom, Chance: 40}, {Mode: engine.StallBursts, Chance: 40}} {
				e, err := Open("go", d, engine.Options{Seed: seed, Buffer: 512, Hash: true, Stamps: true})
				require.NoError(t, err)
				seen[enginetest.Record(t, d, e, stall, 100).Hash] = true
				require.NoError(t, e.Close())
			}
		}
	}
	assert.Len(t, seen, len(testdesign.Modelled())*4*2)
}
