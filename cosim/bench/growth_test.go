package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

// What is counted is the design as a whole, and it is counted: a wider bus has more.
func TestCountLUTs(t *testing.T) {
	sum, err := sumLUTs("=== part ===\n     LUT6      7\n=== design hierarchy ===\n     CARRY4    5\n     LUT2      3\n     LUT6      40\n")
	require.NoError(t, err)
	assert.Equal(t, 43.0, sum)
	_, err = sumLUTs("nothing")
	assert.EqualError(t, err, "yosys counts no LUTs")

	c := gen.DefaultAtomics()
	c.BusBytes, c.Streams, c.WindowWords, c.RetirePort = 8, 2, 2, false
	narrow, err := countLUTs(t.Context(), c)
	require.NoError(t, err)
	assert.Greater(t, narrow, 500.0)
}
