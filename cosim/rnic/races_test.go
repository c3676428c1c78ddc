package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// A receive request is used as a whole or not at all, however near the Send comes. Hardware that takes an old entry of the ring
// together with a new count is found.
func TestRaces(t *testing.T) {
	c := gen.DefaultRNIC()
	c.Streams, c.STags, c.ReceiveDepth = 4, 64, 4
	d, err := gen.Compile(c)
	require.NoError(t, err)
	met, err := rnic.Races(c, rnic.DesignOf(c, d), rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	assert.Greater(t, met.Found, 10)
	assert.Greater(t, met.Missed, 5)

	set, err := mutate.New(d, mutate.Options{Block: gen.Kind, Wants: func(block string) bool { return block == "receive_ring" }, Seed: 1})
	require.NoError(t, err)
	for _, m := range set.Mutants {
		if m.Kind != mutate.Collision || m.Place != "entry_is_new_q" {
			continue
		}
		broken, err := set.With([]mutate.Mutant{m})
		require.NoError(t, err)
		e := rnic.DesignOf(c, broken)
		e.Wrap = func(eng engine.Engine) (engine.Engine, error) {
			return eng, eng.SetStatic(mutate.Select, uint64(m.Number))
		}
		_, err = rnic.Races(c, e, rnic.Options{Engine: "go", Seed: 1})
		require.Error(t, err)
		assert.True(t, rnic.IsMismatch(err), "%v", err)
		t.Log(err)
		return
	}
	t.Fatal("receive_ring has no mutant that reads an old entry")
}
