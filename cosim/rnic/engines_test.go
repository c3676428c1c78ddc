package rnic_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

func few() gen.Config {
	c := gen.DefaultRNIC()
	c.BusBytes, c.Streams, c.STags, c.ORD, c.ReceiveDepth, c.MaxPayload = 8, 4, 64, 2, 4, 256
	return c
}

// The same traffic, cycle by cycle, on every engine: on Icarus from unknown state, on the netlist from a random one.
func TestSlowEngines(t *testing.T) {
	plan := rnic.Plan{Config: few(), Engine: "go", Peer: "model", Messages: 200, Seed: 4, ErrorRate: 0.05, Latency: engine.Latency{Least: 1, Most: 30}}
	want, err := rnic.Run(plan)
	require.NoError(t, err)
	want.Elapsed = 0
	for _, name := range []string{"icarus", "gates"} {
		p := plan
		p.Engine, p.Unknown = name, name == "icarus"
		r, err := rnic.Run(p)
		require.NoError(t, err, name)
		r.Elapsed = 0
		assert.Equal(t, want, r, name)
	}
}

// Broken hardware is found on Icarus too: by what it does, or by unknown state that it shows.
func TestFaultsOnIcarus(t *testing.T) {
	plan := rnic.Plan{Config: few(), Engine: "icarus", Peer: "model", Messages: 200, Seed: 4, Latency: engine.Latency{Least: 1, Most: 30}}
	d, err := gen.Compile(few())
	require.NoError(t, err)
	hdltest.Force(t, d, "tx_realign_8_256", "joins", 1)
	plan.Design = rnic.DesignOf(few(), d)
	_, err = rnic.Run(plan)
	require.ErrorContains(t, err, "a segment")
	assert.True(t, rnic.IsMismatch(err), "%v", err)

	plan.Design, err = rnic.Design(few())
	require.NoError(t, err)
	changed := 0
	for i, f := range plan.Design.Files {
		const reset = "            swept_q <= 1'b0;\n"
		if strings.HasPrefix(f.Name, "rx_check_") && strings.Count(f.Text, reset) == 1 {
			plan.Design.Files[i].Text = strings.Replace(f.Text, reset, "", 1)
			changed++
		}
	}
	require.Equal(t, 1, changed, "name the place anew")
	plan.Unknown = true
	_, err = rnic.Run(plan)
	var shows *engine.UnknownError
	require.ErrorAs(t, err, &shows)
	assert.True(t, rnic.IsMismatch(err))
	t.Log(err)
}

// Each seed is other traffic from another state of every register and memory.
func TestRandomStart(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		_, err := rnic.Run(rnic.Plan{Config: gen.DefaultRNIC(), Engine: "verilator", Peer: "model", Messages: 500, Seed: seed, ErrorRate: 0.02})
		require.NoError(t, err)
	}
}
