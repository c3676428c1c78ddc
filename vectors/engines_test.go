package vectors

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	cosimrnic "github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// slow are the engines on which a part of the vectors is run here, on Icarus from unknown state. All of them run with
// check-vectors.
var slow = []CheckOptions{{Engine: "icarus", Options: engine.Options{Seed: 5, Unknown: true}}, {Engine: "gates", Options: engine.Options{Seed: 5, RandomInit: true}}}

func TestCheckOnSlowEngines(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	var ids []int
	s.Each(func(_ *suite.Group, one *suite.Test) {
		if one.TcID%5 == 3 {
			ids = append(ids, one.TcID)
		}
	})
	for _, o := range slow {
		o.TcIDs = ids
		r := check(t, directory(t, s), o)
		assert.True(t, r.OK(), "%s: %+v", o.Engine, r.Failures)
		assert.Equal(t, len(ids), r.Passed)
	}
}

func TestRNICCheckOnSlowEngines(t *testing.T) {
	t.Parallel()
	c := gen.DefaultRNIC() // as in cosim/rnic, so that it is synthesised once
	c.BusBytes, c.Streams, c.STags, c.ORD, c.ReceiveDepth, c.MaxPayload = 8, 4, 64, 2, 4, 256
	s := newRNICSuite(t, c)
	ids := every(s, 80)
	for _, o := range slow {
		o.TcIDs = ids
		r := check(t, rnicDirectory(t, s), o)
		assert.True(t, r.OK(), "%s: %+v", o.Engine, r.Failures)
		assert.Equal(t, len(ids), r.Passed)
	}
}

// withoutResets takes the resets of a register in the Verilog of a design.
func withoutResets(t *testing.T, d *engine.Design, module, reset string) *engine.Design {
	t.Helper()
	taken := 0
	for i, f := range d.Files {
		if strings.HasPrefix(f.Name, module) {
			taken += strings.Count(f.Text, reset)
			d.Files[i].Text = strings.ReplaceAll(f.Text, reset, "")
		}
	}
	require.Equal(t, 1, taken, "%s: name the place anew", module)
	return d
}

// TestCheckFindsUnknownState: a test on hardware that shows unknown state has failed, and is told.
func TestCheckFindsUnknownState(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "message/send/plain")
	o := slow[0]
	o.open = func(c gen.Config, name string, options engine.Options) (device, error) {
		d, err := cosim.RNICAtomics(c)
		require.NoError(t, err)
		return cosim.OpenDesign(c, withoutResets(t, d, "atomic_check_", "            out_valid_q <= 1'b0;\n"), name, options)
	}
	r := check(t, directory(t, s), o)
	assert.False(t, r.OK())
	require.NotEmpty(t, r.Failures)
	assert.Regexp(t, `^the hardware shows unknown state: .* is unknown in cycle \d+: .* \(seed 5\)`, r.Failures[0].Problem)

	whole := newRNICSuite(t, smallRNIC)
	onlyRNIC(t, whole, "in/send/stream0")
	o.openRNIC = func(c gen.Config, options cosimrnic.Options) (rnicDevice, error) {
		d, err := cosimrnic.Design(c)
		require.NoError(t, err)
		return cosimrnic.OpenDesign(c, withoutResets(t, d, "rx_check_", "            swept_q <= 1'b0;\n"), options)
	}
	r = check(t, rnicDirectory(t, whole), o)
	assert.False(t, r.OK())
	require.NotEmpty(t, r.Failures)
	assert.Regexp(t, `is unknown in cycle \d+: .* \(seed 5\)`, r.Failures[0].Problem)
}
