package falcon

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
)

// small is a configuration for tests: one build of the model.
func small() gen.Config {
	c := gen.DefaultOf(gen.ProfileFalcon)
	c.Streams, c.STags, c.MaxPayload, c.ReceiveDepth = 16, 64, 256, 16
	return c
}

// tiny is a smaller one, for what does not depend on the size.
func tiny() gen.Config {
	c := small()
	c.BusBytes, c.Streams, c.IRD, c.ORD, c.ReceiveDepth = 16, 4, 2, 2, 8
	return c
}

// Random traffic of all ordering modes between two devices, and between a device and the golden model: valid and wrong work requests, packets
// reordered by up to 64, storms of RNRs, slow memory and stalls.
func TestTraffic(t *testing.T) {
	for name, p := range map[string]Plan{
		"valid, rtl":   {Peer: "rtl", Seed: 1, Reorder: 64, Mix: &Mixes[0]},
		"valid, model": {Peer: "model", Seed: 2, Reorder: 64, Mix: &Mixes[0]},
		"invalidates":  {Peer: "rtl", Seed: 6, Reorder: 64, Mix: &Mixes[2]},
		"pulls":        {Peer: "rtl", Seed: 7, Mix: &Mixes[3]},
		"storm":        {Peer: "rtl", Seed: 3, Reorder: 64, Late: 300, Mix: &Mixes[1]},
		"errors":       {Peer: "model", Seed: 4, ErrorRate: 0.03, Late: 20, Mix: &Mixes[0]},
		"stalls":       {Peer: "rtl", Seed: 5, ErrorRate: 0.03, Mix: &Mixes[0], Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 128}, Latency: simulator.Latency{Least: 1, Most: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.Config, p.Engine, p.Operations, p.Pairs = small(), "verilator", 4000, 16
			if testing.Short() && name != "errors" { // which reopens few QPs
				p.Operations = 1500
			}
			s, err := Run(p)
			require.NoError(t, err)
			assert.EqualValues(t, p.Operations, s.Operations)
			if name != "pulls" {
				assert.Greater(t, s.Receives, int(p.Operations/8))
				assert.Greater(t, s.Shared, int(p.Operations/40))
			}
			if name == "storm" {
				assert.Greater(t, s.Retried, int(p.Operations/2))
			}
			if p.ErrorRate > 0 {
				assert.Greater(t, s.Failed, 5)
				assert.Greater(t, s.Refused, 5)
			}
			if name == "errors" {
				assert.Positive(t, s.Reopened)
			}
		})
	}
}

// Messages of weakly ordered and unordered QPs that lack room for their receives (receive_depth 2), of a peer that is 256 messages ahead.
func TestTrafficWithoutRoom(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := small()
	c.Streams, c.ReceiveDepth, c.IRD, c.ORD = 4, 2, 4, 4
	for seed := range uint64(2) {
		s, err := Run(Plan{Config: c, Engine: "verilator", Peer: []string{"model", "rtl"}[seed], Seed: seed, Operations: 1500, Reorder: 64, Late: 1, Mix: &Mixes[2*seed]})
		require.NoError(t, err)
		assert.Greater(t, s.Retried, 20)
	}
}

// Lists of up to 63 elements, so that a packet has octets for more of them than are ahead of memory.
func TestTrafficOfLongLists(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := small()
	c.Streams, c.ReceiveDepth, c.SendDepth = 4, 64, 64
	for seed := range uint64(2) {
		s, err := Run(Plan{Config: c, Engine: "verilator", Peer: []string{"model", "rtl"}[seed], Seed: seed, Operations: 2000, Mix: &Mixes[0]})
		require.NoError(t, err)
		assert.Greater(t, s.Receives, 200)
	}
}

// Registers and memories that start unknown reach no output.
func TestUnknown(t *testing.T) {
	long.Test(t)
	c := small()
	c.BusBytes, c.Streams, c.STags, c.Window = 16, 4, 32, 16
	s, err := Run(Plan{Config: c, Engine: "icarus", Peer: "model", Seed: 1, Operations: 60, ErrorRate: 0.05, Unknown: true})
	require.NoError(t, err)
	assert.EqualValues(t, 60, s.Operations)
}
