package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// The whole design is counted: a wider bus needs more LUTs.
func TestCountLUTs(t *testing.T) {
	sum, err := sumLUTs("=== part ===\n     LUT6      7\n=== design hierarchy ===\n     CARRY4    5\n     LUT2      3\n     LUT6      40\n")
	require.NoError(t, err)
	assert.Equal(t, 43.0, sum)
	_, err = sumLUTs("nothing")
	assert.EqualError(t, err, "yosys counts no LUTs")

	luts := func(width int) float64 {
		d, err := hdl.Compile(block.BypassOf(width, 4))
		require.NoError(t, err)
		n, err := countLUTs(t.Context(), d)
		require.NoError(t, err)
		return n
	}
	narrow, wide := luts(8), luts(64)
	assert.Greater(t, narrow, 16.0)
	assert.Greater(t, wide, 4*narrow)
}
