package vectors

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
)

// slow lists the engines on which some of the vectors run here, on Icarus from unknown state. check-vectors runs all of
// them.
var slow = []CheckOptions{{Engine: "icarus", Options: simulator.Options{Seed: 5, Unknown: true}}, {Engine: "gates", Options: simulator.Options{Seed: 5, RandomInit: true}}}

func TestCheckOnSlowEngines(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := gen.Default() // the same as in cosim/rnic, so that it is synthesised only once
	c.BusBytes, c.Streams, c.STags, c.ORD, c.ReceiveDepth, c.MaxPayload = 8, 4, 64, 2, 4, 256
	s := newSuite(t, c)
	ids := every(t, s, 360)
	for _, o := range slow {
		o.TcIDs = ids
		r := check(t, directory(t, s), o)
		assert.True(t, r.OK(), "%s: %+v", o.Engine, r.Failures)
		assert.Equal(t, len(ids), r.Passed)
	}
}

// TestUnknownEngine: an error of the caller, not of the directory.
func TestUnknownEngine(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "in/send/stream0")
	_, err := Check(directory(t, s), CheckOptions{Engine: "warp"})
	assert.ErrorIs(t, err, simulator.ErrUnknownEngine)
	assert.NotErrorIs(t, err, ErrInput)
}

// TestCheckFindsUnknownState: a test that shows unknown state fails and is reported.
func TestCheckFindsUnknownState(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "in/send/stream0")
	o := slow[0]
	o.open = func(c gen.Config, options rnic.Options) (device, error) {
		d, err := rnic.Design(c)
		require.NoError(t, err)
		return rnic.OpenDesign(c, withoutResets(t, d, "rx_check.v", "            swept_q <= 1'b0;\n"), options)
	}
	r := check(t, directory(t, s), o)
	assert.False(t, r.OK())
	require.NotEmpty(t, r.Failures)
	assert.Regexp(t, `is unknown in cycle \d+: .* \(seed 5\)`, r.Failures[0].Problem)
}

// withoutResets removes the resets of a register from the Verilog of a design.
func withoutResets(t *testing.T, d *simulator.Design, module, reset string) *simulator.Design {
	t.Helper()
	taken := 0
	for i, f := range d.Files {
		if strings.HasPrefix(f.Name, module) {
			taken += strings.Count(f.Text, reset)
			d.Files[i].Text = strings.ReplaceAll(f.Text, reset, "")
		}
	}
	require.Equal(t, 1, taken, "%s: the text to remove was not found exactly once; update it", module)
	return d
}
