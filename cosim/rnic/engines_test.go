package rnic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
)

func few() gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.ORD, c.ReceiveDepth, c.MaxPayload = 8, 4, 64, 2, 4, 256
	return c
}

// traced keeps the trace hash of an engine, which covers every port in every cycle.
type traced struct {
	simulator.Engine
	hash *uint64
}

func (e traced) Close() error {
	err := e.Engine.Close()
	*e.hash = e.TraceHash()
	return err
}

// Every engine runs the same traffic identically in each cycle; Icarus also from unknown state.
func TestEveryEngineDoesTheSame(t *testing.T) {
	long.Test(t)
	run := func(name string, unknown bool) (rnic.Result, uint64) {
		d, err := rnic.Design(few())
		require.NoError(t, err)
		var hash uint64
		d.Hash, d.Wrap = true, func(e simulator.Engine) (simulator.Engine, error) { return traced{e, &hash}, nil }
		r, err := rnic.Run(rnic.Plan{Config: few(), Engine: name, Peer: "model", Messages: 200, Seed: 4, ErrorRate: 0.05,
			Latency: simulator.Latency{Least: 1, Most: 30}, Unknown: unknown, Design: d})
		require.NoError(t, err, name)
		r.Elapsed = 0
		return r, hash
	}
	want, hash := run(engines.Names()[0], false)
	require.NotZero(t, hash)
	for _, name := range engines.Names()[1:] {
		r, h := run(name, false)
		assert.Equal(t, want, r, name)
		assert.Equal(t, hash, h, name)
	}
	r, _ := run("icarus", true)
	assert.Equal(t, want, r)
}

// flipping is an engine that inverts one bit of the hardware's input.
type flipping struct {
	simulator.Engine
	stream int
	pushes *int // until then
}

func (e flipping) Push(stream int, beats []uint64) (int, error) {
	if stream == e.stream {
		if *e.pushes--; *e.pushes == 0 {
			beats = slices.Clone(beats)
			beats[len(beats)/2&^1] ^= 1 // of the data, at a beat in the middle
		}
	}
	return e.Engine.Push(stream, beats)
}

// Every engine reports the same first mismatch.
func TestFaultsOnEveryEngine(t *testing.T) {
	long.Test(t)
	plan := rnic.Plan{Config: few(), Peer: "model", Messages: 200, Seed: 4, Latency: simulator.Latency{Least: 1, Most: 30}}
	var first error
	for _, name := range engines.Names() {
		d, err := rnic.Design(few())
		require.NoError(t, err)
		pushes := 3
		rx := slices.IndexFunc(d.Streams, func(s simulator.Stream) bool { return s.Name == "s_axis_rx" })
		d.Wrap = func(e simulator.Engine) (simulator.Engine, error) { return flipping{e, rx, &pushes}, nil }
		plan.Engine, plan.Design = name, d
		_, err = rnic.Run(plan)
		require.Error(t, err, name)
		assert.True(t, rnic.IsMismatch(err), "%s: %v", name, err)
		assert.Negative(t, pushes, "beats were pushed after the inverted bit")
		if first == nil {
			first = err
		}
		assert.EqualError(t, err, first.Error(), name)
	}
}

// withoutReset removes the reset of a register, one line of one file.
func withoutReset(t *testing.T, file, reset string) *simulator.Design {
	t.Helper()
	d, err := rnic.Design(few())
	require.NoError(t, err)
	changed := 0
	for i, f := range d.Files {
		if strings.HasPrefix(f.Name, file) && strings.Count(f.Text, reset) == 1 {
			d.Files[i].Text = strings.Replace(f.Text, reset, "", 1)
			changed++
		}
	}
	require.Equal(t, 1, changed, "update the location of the reset")
	return d
}

// Icarus detects a register without its reset immediately.
func TestUnknownStart(t *testing.T) {
	broken := withoutReset(t, "rx_check.v", "            swept_q <= 1'b0;\n")
	_, err := rnic.Run(rnic.Plan{Config: few(), Engine: "icarus", Peer: "model", Messages: 200, Seed: 4, Unknown: true, Design: broken})
	var shows *simulator.UnknownError
	require.ErrorAs(t, err, &shows)
	assert.True(t, rnic.IsMismatch(err))
	t.Log(err)
}

// Each seed gives different traffic and a different initial state of every register and memory. Some seeds expose a register
// without its reset.
func TestRandomStart(t *testing.T) {
	long.Test(t)
	broken := withoutReset(t, "atomic_unit.v", "            state_q <= STATE_CLEARING;\n")
	lost := 0
	for seed := uint64(1); seed <= 10; seed++ {
		_, err := rnic.Run(rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "model", Messages: 500, Seed: seed, ErrorRate: 0.02})
		require.NoError(t, err)
		if _, err := rnic.Run(rnic.Plan{Config: few(), Engine: "verilator", Peer: "model", Messages: 200, Seed: seed, Design: broken}); err != nil {
			lost++
		}
	}
	assert.Greater(t, lost, 1)
	assert.Less(t, lost, 10, "it does no harm if its initial state is correct")
}
