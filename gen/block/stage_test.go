package block_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

type countedPorts struct {
	Take, Stream, Ask       hdl.In
	Count, IsOdd, IsDecided hdl.Out
	Known                   hdl.Out
}

// counted counts how often each of four streams was taken, and answers in between how often.
func counted() hdl.Block[countedPorts] {
	return hdl.Block[countedPorts]{
		Kind: "counted", Doc: "counted is for tests.",
		Ports: countedPorts{hdl.NewIn(1), hdl.NewIn(2), hdl.NewIn(2), hdl.NewOut(8), hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p countedPorts) {
			sweep := block.NewSweep(m, 2)
			pipe := block.NewPipeline(m, m.Let("takes", sweep.Done.And(p.Take.Value)), 3)
			state := block.NewContext(m, "taken", hdl.Zero(8), sweep).Stage(pipe, 0, pipe.Holds("stream", 0, p.Stream.Value))
			m.Drive(p.IsOdd, state.Early("is_odd", state.Now.Bit(0).Not(), func(word hdl.Value) hdl.Value { return word.Bit(0) }))
			state.Decide(m, state.Now.Plus(1))
			m.Drive(p.Count, state.Now)
			m.Drive(p.IsDecided, pipe.Valid(2))
			m.Drive(p.Known, state.Latest("known", hdl.Ones(1), p.Ask.Value))
			pipe.Close()
		},
	}
}

// Streams that follow each other at any distance are decided in order, and the other port knows of all decisions of earlier cycles.
func TestStageOfAnyStreams(t *testing.T) {
	d, err := hdl.Compile(counted())
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Reset(1)
	r := rand.New(rand.NewPCG(1, 2))
	set := func(name string, v uint64) {
		in, err := s.Input(name)
		require.NoError(t, err)
		in.Set(v)
	}
	get := func(name string) uint64 {
		out, err := s.Signal(name)
		require.NoError(t, err)
		return out.Get()
	}
	var counts [4]uint64
	var entered []uint64 // streams on their way to the decision
	asked := uint64(0)
	for cycle := range 5000 {
		take, stream, ask := uint64(0), r.Uint64N(4), r.Uint64N(4)
		if cycle > 8 && r.IntN(4) > 0 {
			take = 1
			entered = append(entered, stream)
		}
		set("take", take)
		set("stream", stream)
		set("ask", ask)
		s.Eval()
		if cycle > 8 {
			require.Equal(t, counts[asked]&0xFF, get("known"), "cycle %d, stream %d", cycle, asked)
		}
		if get("is_decided") == 1 {
			at := entered[0]
			entered = entered[1:]
			require.Equal(t, []uint64{counts[at] & 0xFF, counts[at] & 1}, []uint64{get("count"), get("is_odd")}, "cycle %d, stream %d", cycle, at)
			counts[at]++
		}
		asked = ask
		s.Step()
	}
}
