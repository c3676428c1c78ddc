package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
)

// A short search of an engine of RDMA over Falcon finds nothing, and is reproducible.
func TestFalconSearch(t *testing.T) {
	t.Parallel()
	d := sound(t, falconConfigs()[0])
	var results [2]Result
	for i := range results {
		var err error
		results[i], err = Run(Options{Hardware: d, Cycles: 40_000, Seed: 1})
		require.NoError(t, err)
		results[i].Elapsed = 0
	}
	assert.Equal(t, results[0], results[1])
	assert.Empty(t, results[0].Findings)
	assert.Greater(t, results[0].Kept, 2)
	assert.Greater(t, results[0].Reached, 10_000)
	t.Logf("%+v", results[0])
}

// The search finds that no Send solicits an event, and minimizes the program.
func TestFalconFindsFault(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := falconConfigs()[0]
	broken, err := gen.Compile(c)
	require.NoError(t, err)
	hdltest.Force(t, broken, "delivery_gate_4_2", "is_solicited", 0)
	d := []Hardware{{c, falcon.DesignOf(c, broken)}}
	for _, f := range finds(t, c, d) {
		_, err := Suite(f.Program, d)
		assert.ErrorContains(t, err, "run it with --program")
	}
}
