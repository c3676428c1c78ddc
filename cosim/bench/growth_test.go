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

	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.RetirePort = 8, 2, 16, false
	narrow, err := countLUTs(t.Context(), c)
	require.NoError(t, err)
	assert.Greater(t, narrow, 500.0)
}
