package engines_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
)

// The generated hardware has the same value on every port in every cycle on all engines: simulated in Go, as Verilog on Verilator
// and Icarus, and as a netlist. Most of the random beats are malformed segments.
func TestEnginesAgreeOnGeneratedHardware(t *testing.T) {
	long.Test(t)
	config := gen.Default() // as in cosim/rnic, so that it is synthesised only once
	config.BusBytes, config.Streams, config.STags, config.ORD, config.ReceiveDepth, config.MaxPayload = 8, 4, 64, 2, 4, 256
	d, err := rnic.Design(config)
	require.NoError(t, err)
	for _, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 90}, {Mode: simulator.StallBursts, Chance: 128}} {
		var traces []enginetest.Trace
		for _, name := range engines.Names() {
			e, err := engines.Open(name, d, simulator.Options{Seed: 4, Buffer: 512, Hash: true, Stamps: true})
			require.NoError(t, err)
			traces = append(traces, enginetest.Record(t, d, e, stall, 1000))
			require.NoError(t, e.Close())
		}
		for i, trace := range traces {
			require.Equal(t, traces[0], trace, "%s, %v", engines.Names()[i], stall)
		}
		for i, s := range d.Streams {
			switch s.Name {
			case "s_axis_rx", "s_axil_r", "cqe", "event", "retire_arrived":
				assert.Greater(t, traces[0].Stats[i].Beats, uint64(50), s.Name)
			}
		}
	}
}
