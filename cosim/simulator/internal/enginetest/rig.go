// Package enginetest is a conformance test of engines. An engine's own tests run it with the engine's Open.
package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Open starts an instance on the engine under test.
type Open func(*simulator.Design, simulator.Options) (simulator.Engine, error)

// rig is an engine whose errors fail the test.
type rig struct {
	simulator.Engine
	t *testing.T
	d *simulator.Design
}

// start opens an engine for the duration of a test.
func (open Open) start(t *testing.T, d *simulator.Design, o simulator.Options) *rig {
	t.Helper()
	e, err := open(d, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return &rig{e, t, d}
}

func (r *rig) stream(name string) (index, words int) {
	r.t.Helper()
	index, err := r.d.Stream(name)
	require.NoError(r.t, err)
	layout, err := r.d.Layout(index)
	require.NoError(r.t, err)
	return index, layout.Words
}

func (r *rig) stall(name string, s simulator.Stall) {
	r.t.Helper()
	i, _ := r.stream(name)
	require.NoError(r.t, r.SetStall(i, s))
}

// push queues as many beats as fit and returns the rest.
func (r *rig) push(name string, beats []uint64) []uint64 {
	r.t.Helper()
	i, words := r.stream(name)
	n, err := r.Push(i, beats)
	require.NoError(r.t, err)
	return beats[n*words:]
}

// pop takes all beats, with their cycles if the engine has stamps.
func (r *rig) pop(name string, stamps bool) (beats, cycles []uint64) {
	r.t.Helper()
	i, words := r.stream(name)
	queued := int(r.Stats(i).Queued)
	beats = make([]uint64, queued*words)
	if stamps {
		cycles = make([]uint64, queued)
	}
	n, err := r.Pop(i, beats, cycles)
	require.NoError(r.t, err)
	require.Equal(r.t, queued, n)
	return beats, cycles
}

func (r *rig) run(max, idle uint64) simulator.Result {
	r.t.Helper()
	result, err := r.Run(max, idle)
	require.NoError(r.t, err)
	return result
}

// transfer sends beats into one stream until all resulting beats have left the other.
func (r *rig) transfer(in, out string, beats []uint64) (got []uint64) {
	r.t.Helper()
	for {
		beats = r.push(in, beats)
		result := r.run(10_000, 200)
		more, _ := r.pop(out, false)
		got = append(got, more...)
		for _, s := range r.d.Streams {
			if s.Monitor() {
				r.pop(s.Name, false)
			}
		}
		if result.Why == simulator.Quiet && len(beats) == 0 {
			return got
		}
	}
}

// randomBeats makes random beats of a stream, with the bits above its fields clear, as in beats read back.
func randomBeats(t *testing.T, r *rand.Rand, d *simulator.Design, stream, n int) []uint64 {
	t.Helper()
	layout, err := d.Layout(stream)
	require.NoError(t, err)
	last := layout.Fields[len(layout.Fields)-1]
	beats := make([]uint64, 0, n*layout.Words)
	for range n {
		beat := make([]uint64, layout.Words)
		for i := range beat {
			beat[i] = r.Uint64()
		}
		if used := (last.Offset + last.Width) % 64; used != 0 {
			beat[len(beat)-1] &= 1<<used - 1
		}
		beats = append(beats, beat...)
	}
	return beats
}

// stalls is the matrix of stall settings of all ready/valid tests.
var stalls = []struct {
	name string
	simulator.Stall
}{
	{"none", simulator.Stall{}},
	{"rare", simulator.Stall{Mode: simulator.StallRandom, Chance: 20}},
	{"half", simulator.Stall{Mode: simulator.StallRandom, Chance: 128}},
	{"often", simulator.Stall{Mode: simulator.StallRandom, Chance: 230}},
	{"bursts", simulator.Stall{Mode: simulator.StallBursts, Chance: 128}},
}
