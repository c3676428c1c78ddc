package falcon

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Hardware of three widths, in both bit orders, with and without stalls, agrees with a share of the vectors each; check-vectors runs all.
func TestVectorsOnHardware(t *testing.T) {
	for i, x := range []struct {
		name  string
		bus   int
		order string
		o     falcon.Options
	}{
		{"wide", 64, "drawn", falcon.Options{Engine: "verilator", Seed: 1}},
		{"narrow", 8, "mirrored", falcon.Options{Engine: "verilator", Seed: 2, Latency: simulator.Latency{Least: 1, Most: 40}}},
		{"stalled", 32, "drawn", falcon.Options{Engine: "verilator", Seed: 3, Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 96}, Latency: simulator.Latency{Least: 1, Most: 90}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.name != "narrow" { // each width is another model to build
				long.Test(t)
			}
			t.Parallel()
			c := suite.DefaultConfig()
			c.BitOrder = x.order
			s, err := New(c, uint64(i+1))
			require.NoError(t, err)
			h := hardware.Config(c)
			h.BusBytes = x.bus
			d, err := falcon.Open(h, x.o)
			require.NoError(t, err)
			defer func() { assert.NoError(t, d.Close()) }()
			n, run := 0, 0
			s.Each(func(g *suite.Group, test *suite.Test) {
				if n++; n%15 != 5*i || hardware.Lacks(c, g, test) != "" || t.Failed() {
					return
				}
				run++
				got, err := hardware.Runner{Config: c, Device: d}.Run(g, test)
				require.NoError(t, err, "tcId %d: %s", test.TcID, test.Comment)
				assert.Nil(t, suite.Compare(g, test, got), "tcId %d: %s", test.TcID, test.Comment)
			})
			assert.Greater(t, run, 150)
		})
	}
}
