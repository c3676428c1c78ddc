package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/wire"
)

var (
	random = simulator.Stall{Mode: simulator.StallRandom, Chance: 96}
	bursts = simulator.Stall{Mode: simulator.StallBursts, Chance: 128}
	slow   = simulator.Latency{Least: 1, Most: 200}
)

// A sample of every kind of run in make soak, on the one configuration compiled for all tests.
func TestSample(t *testing.T) {
	long.Test(t)
	for _, tt := range []struct {
		name string
		plan rnic.Plan
	}{
		{"model", rnic.Plan{Peer: "model", Messages: 20000}},
		{"rtl", rnic.Plan{Peer: "rtl", Messages: 10000}},
		{"stalls", rnic.Plan{Peer: "rtl", Messages: 4000, Stall: random}},
		{"long stalls", rnic.Plan{Peer: "model", Messages: 4000, Stall: bursts}},
		{"latency", rnic.Plan{Peer: "rtl", Messages: 4000, Latency: slow}},
		{"errors", rnic.Plan{Peer: "model", Messages: 20000, ErrorRate: 0.01}},
		{"errors of both", rnic.Plan{Peer: "rtl", Messages: 10000, ErrorRate: 0.02}},
		{"many errors", rnic.Plan{Peer: "rtl", Messages: 6000, ErrorRate: 0.2}},
		{"errors, stalls, latency", rnic.Plan{Peer: "model", Messages: 4000, ErrorRate: 0.03, Stall: random, Latency: slow}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.plan
			p.Config, p.Engine, p.Seed = gen.Default(), "verilator", 7
			r, err := rnic.Run(p)
			require.NoError(t, err)
			assert.Equal(t, p.Messages, r.Messages)
			assert.NotZero(t, r.Checked.Registers)
			if p.ErrorRate > 0 {
				assert.NotZero(t, r.Checked.Streams)
			}
			t.Logf("%+v", r)
		})
	}
}

// Every bus width, with and without draft-00, and the smallest limits.
func TestEveryWidth(t *testing.T) {
	for i, bus := range block.BusWidths {
		c := gen.Default()
		c.BusBytes, c.Streams, c.STags, c.MaxPayload = bus, 4, 64, 256
		if i%2 == 0 {
			c.Extensions = []string{"draft00"}
			c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.AtomicDepth = 2, 2, 2, 2, 4
		}
		for _, rate := range []float64{0, 0.03} {
			r, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: "rtl", Messages: 300, Seed: 5, ErrorRate: rate, Stall: random,
				Latency: simulator.Latency{Least: 1, Most: 30}})
			require.NoError(t, err, "%d octets", bus)
			assert.Equal(t, uint64(300), r.Messages)
		}
	}
}

// Few streams interact more often; both simulators behave identically.
func TestFewStreams(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags = 4, 64
	for _, rate := range []float64{0, 0.05} {
		for _, peer := range []string{"model", "rtl"} {
			r, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: peer, Messages: 400, Seed: 3, ErrorRate: rate})
			require.NoError(t, err)
			t.Logf("%+v", r)
		}
	}
}

func TestRunIsReproducible(t *testing.T) {
	p := rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "rtl", Messages: 3000, Seed: 11, ErrorRate: 0.05, Stall: random}
	first, err := rnic.Run(p)
	require.NoError(t, err)
	second, err := rnic.Run(p)
	require.NoError(t, err)
	first.Elapsed, second.Elapsed = 0, 0
	assert.Equal(t, first, second)
}

func TestRunRefuses(t *testing.T) {
	c := gen.Default()
	_, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: "model", Messages: 1, Active: 65})
	assert.EqualError(t, err, "active streams are 65; allowed: 1 to 64, or 0 for all")
	assert.False(t, rnic.IsMismatch(err))
}

// No stream ends when the model replays the inputs of the hardware, and the model is faster.
func TestRecording(t *testing.T) {
	r, err := rnic.Record(rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "model", Messages: 6000, Seed: 1})
	require.NoError(t, err)
	assert.Greater(t, r.Messages, uint64(6000))
	device, err := r.Device()
	require.NoError(t, err)
	model, err := r.Model()
	require.NoError(t, err)
	assert.Less(t, model, device)
}

// A request that arrives while IRD others have no response is refused.
func TestOneTooManyForIRD(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags = 4, 64
	n, err := rnic.OpenNode("first", c, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer n.Close()
	require.NoError(t, n.Device.Stall("m_axis_tx", simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
	require.NoError(t, n.Open(1, 1))
	for msn := uint32(1); msn <= uint32(c.IRD)+1; msn++ {
		n.Send(1, wire.AppendReadRequest(nil, msn, wire.ReadRequest{}))
	}
	_, err = n.Run(2000, 0)
	require.NoError(t, err)
	require.NoError(t, n.Device.Stall("m_axis_tx", simulator.Stall{}))
	out, err := n.Run(2000, 0)
	require.NoError(t, err)
	require.Len(t, out.Segments, c.IRD+1, "the responses and a Terminate")
	view, _ := wire.Classify(out.Segments[c.IRD].Octets)
	assert.Equal(t, wire.OpTerminate, view.Header.Opcode)
	require.NoError(t, n.Settle())
}
