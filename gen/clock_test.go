package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
)

// Limits for the estimated delay, in ns, of the slowest path of some blocks of the default configuration on UltraScale+, and of some of the
// extension commit. If a change makes a block faster, lower its limit. Versions of yosys differ by some percent.
func TestClock(t *testing.T) {
	t.Parallel()
	require.NoError(t, synth.CheckTools())
	engine := gen.Default().Engine()
	more := len(engine.Profile.Executors(engine)) - 2
	clock(t, gen.Default(), map[string]float64{"rx_check": 3.6, "request_order": 3.8 + 0.1*float64(more), // request_order chooses among the executors
		"placement": 3.4, "stag_table": 3.2, "tx_turns": 3.7})
	commit := gen.Default()
	commit.Extensions = []string{"commit"}
	clock(t, commit, map[string]float64{"commit_responder": 2.6, "flush_unit": 2.3, "tx_arbiter": 2.9, "failure_gather": 2.6})
}

func clock(t *testing.T, config gen.Config, bars map[string]float64) {
	d, err := gen.Compile(config)
	require.NoError(t, err)
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	modules := map[string]*hdl.Design{}
	for _, m := range d.Modules() {
		modules[m.Top()] = m
	}
	for kind, most := range bars {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r, err := synth.Run(modules[kind], target, synth.Options{Paths: 1})
			require.NoError(t, err)
			require.NotEmpty(t, r.Paths)
			assert.LessOrEqual(t, r.Delay, most, "%+v", r.Paths[0])
			assert.Greater(t, r.Delay, 0.7*most, "lower the limit")
		})
	}
}
