package rnic_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// A receive request takes effect completely or not at all, however close the Send, and so does an STag row. Hardware that combines
// an old ring entry with a new count is detected. The two memories of an STag row are written in one cycle, so it cannot be torn.
func TestRaces(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags, c.ReceiveDepth = 4, 64, 4
	d, err := gen.Compile(c)
	require.NoError(t, err)
	met, err := rnic.Races(c, rnic.DesignOf(c, d), rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	for what, times := range map[string]int{"found": met.Found, "missed": met.Missed, "rows": met.Rows, "no rows": met.NoRows} {
		assert.GreaterOrEqual(t, times, 5, what)
	}
	for block, place := range map[string]string{"receive_ring": "entry_is_new_q"} {
		set, err := mutate.New(d, mutate.Options{Wants: func(b string) bool { return b == block }, Seed: 1})
		require.NoError(t, err)
		i := slices.IndexFunc(set.Mutants, func(m mutate.Mutant) bool { return m.Kind == mutate.Collision && m.Place == place })
		require.GreaterOrEqual(t, i, 0, block)
		m := set.Mutants[i]
		broken, err := set.With([]mutate.Mutant{m})
		require.NoError(t, err)
		e := rnic.DesignOf(c, broken)
		e.Wrap = func(eng simulator.Engine) (simulator.Engine, error) {
			return eng, eng.SetStatic(mutate.Select, uint64(m.Number))
		}
		_, err = rnic.Races(c, e, rnic.Options{Engine: "go", Seed: 1})
		require.Error(t, err, block)
		assert.True(t, rnic.IsMismatch(err), "%v", err)
		t.Log(err)
	}
}
