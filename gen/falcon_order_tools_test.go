package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/internal/long"
)

// scoreConfig is a configuration of falcon_order.
func scoreConfig(streams, window, ird, depth int) engine.Config {
	c := gen.Default().Engine()
	c.Profile = falcon.Profile{Connections: streams, Window: window}
	c.Streams, c.IRD, c.ReceiveDepth = streams, ird, depth
	return c
}

// No tool has a warning, and the estimated delay on UltraScale+ stays below a limit.
func TestFalconOrderInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	clean(t, falcon.Order(scoreConfig(2, 2, 1, 2)))
	clean(t, falcon.Order(scoreConfig(64, 64, 8, 16)))
	d, err := hdl.Compile(falcon.Order(scoreConfig(64, 64, 8, 16)))
	require.NoError(t, err)
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	r, err := synth.Run(d, target, synth.Options{Paths: 1})
	require.NoError(t, err)
	t.Logf("%.2f ns, %d LUT, %d FF, %d LUT RAM, %d block RAM", r.Delay, r.LUT, r.FF, r.LUTRAM, r.BlockRAM)
	assert.LessOrEqual(t, r.Delay, 3.7, "%+v", r.Paths)
	assert.Greater(t, r.Delay, 0.7*3.7, "lower the limit")
}
