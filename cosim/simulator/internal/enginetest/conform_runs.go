package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

func (open Open) batchedIsPerCycle(t *testing.T) {
	for _, stall := range stalls {
		t.Run(stall.name, func(t *testing.T) {
			var results [3]Trace
			for i, step := range []uint64{10_000, 1, 7} {
				d := testdesign.FIFO()
				e, err := open(d, simulator.Options{Seed: 11, Buffer: 512, Hash: true, Stamps: true})
				require.NoError(t, err)
				results[i] = Record(t, d, e, stall.Stall, step)
				require.NoError(t, e.Close())
			}
			assert.Equal(t, results[0], results[1])
			assert.Equal(t, results[0], results[2])
			assert.GreaterOrEqual(t, len(results[0].Cycles[1]), 250)
		})
	}
}

// Trace is the observable result of a recorded run.
type Trace struct {
	Hash, Cycle uint64
	Beats       [][]uint64
	Cycles      [][]uint64
	Stats       []simulator.Stats
}

// Record runs a fixed load, with a reset in the middle, step cycles at a time until it is quiet. Memories drive their own channels.
// The engine needs stamps, the trace hash, and room for 512 beats.
func Record(t *testing.T, d *simulator.Design, e simulator.Engine, stall simulator.Stall, step uint64) Trace {
	t.Helper()
	r := &rig{e, t, d}
	random := rand.New(rand.NewPCG(9, 9))
	for i, s := range d.Streams {
		if !s.Monitor() {
			require.NoError(t, e.SetStall(i, stall))
		}
	}
	load := func() {
		for i, s := range d.Streams {
			if s.Dir == simulator.Sink && d.MemoryOf(i) < 0 {
				require.Empty(t, r.push(s.Name, randomBeats(t, random, d, i, 250)))
			}
		}
	}
	for _, s := range d.Statics {
		require.NoError(t, e.SetStatic(s, random.Uint64()))
	}
	load()
	for start := e.Cycle(); e.Cycle() < start+150; {
		r.run(min(step, start+150-e.Cycle()), 0)
	}
	require.NoError(t, e.Reset(3))
	load()
	for r.run(step, 300).Why != simulator.Quiet {
	}
	out := Trace{Hash: e.TraceHash(), Cycle: e.Cycle()}
	for i, s := range d.Streams {
		out.Stats = append(out.Stats, e.Stats(i))
		if d.MemoryOf(i) >= 0 {
			continue
		}
		beats, cycles := []uint64(nil), make([]uint64, 512)
		if s.Dir == simulator.Source {
			beats, cycles = r.pop(s.Name, true)
		} else {
			n, err := e.Accepted(i, cycles)
			require.NoError(t, err)
			cycles = cycles[:n]
		}
		out.Beats, out.Cycles = append(out.Beats, beats), append(out.Cycles, cycles)
	}
	return out
}

func (open Open) reset(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{})
	var sent []uint64
	for i := range uint64(10) {
		sent = append(sent, i, 0)
	}
	r.push("s", sent)
	r.run(5, 0)
	require.Equal(t, simulator.Stats{Queued: 5, Beats: 5, Offered: 5}, r.Stats(0))

	require.NoError(t, r.Reset(3))
	assert.Equal(t, uint64(4+5+3), r.Cycle())
	assert.Equal(t, simulator.Stats{Beats: 5, Offered: 5}, r.Stats(0), "beats not accepted are discarded")
	beats, _ := r.pop("m", false)
	assert.Equal(t, sent[:8], beats, "beats already out are kept")
	level := make([]uint64, 1)
	require.NoError(t, r.Peek("level", level))
	assert.Zero(t, level[0], "the design is empty")
	require.NoError(t, r.Peek("s_valid", level))
	assert.Zero(t, level[0], "nothing is offered")

	r.pop("stored", false)
	r.push("s", []uint64{77, 1})
	assert.Equal(t, simulator.Quiet, r.run(100, 10).Why)
	beats, _ = r.pop("m", false)
	assert.Equal(t, []uint64{77, 1}, beats)
}

func (open Open) instances(t *testing.T) {
	a := open.start(t, testdesign.FIFO(), simulator.Options{})
	b := open.start(t, testdesign.FIFO(), simulator.Options{})
	require.NoError(t, a.SetStatic("mask", 0xFF))
	a.push("s", []uint64{1, 0, 2, 0})
	b.push("s", []uint64{3, 1})
	a.run(3, 0)
	b.run(100, 10)
	a.run(100, 10)
	beats, _ := a.pop("m", false)
	assert.Equal(t, []uint64{0xFE, 0, 0xFD, 0}, beats)
	beats, _ = b.pop("m", false)
	assert.Equal(t, []uint64{3, 1}, beats)

	done := make(chan uint64)
	for range 4 {
		go func() {
			e, err := open(testdesign.FIFO(), simulator.Options{Hash: true})
			if err != nil {
				close(done)
				return
			}
			e.Push(0, []uint64{5, 0})
			e.Run(20_000, 0)
			hash := e.TraceHash()
			e.Close()
			done <- hash
		}()
	}
	first := <-done
	for range 3 {
		assert.Equal(t, first, <-done)
	}
}

func (open Open) allocations(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{Buffer: 64, Stamps: true, Hash: true})
	in, out := make([]uint64, 64*2), make([]uint64, 64*2)
	cycles := make([]uint64, 64)
	each := func() {
		r.Push(0, in)
		r.Run(50, 10)
		r.Pop(1, out, cycles)
		r.Pop(2, out, cycles)
		r.Accepted(0, cycles)
	}
	each()
	assert.Zero(t, testing.AllocsPerRun(200, each))
	assert.Equal(t, uint64(0), r.Stats(1).Queued)
	assert.Greater(t, r.Stats(1).Beats, uint64(200*40), "beats did pass")
}

func (open Open) misuse(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{})
	beat := make([]uint64, 2)
	errorOf := func(_ int, err error) error { return err }
	for _, c := range []struct {
		err  error
		says string
	}{
		{errorOf(r.Push(0, beat[:1])), "push: 1 words; a beat of s is 2 words"},
		{errorOf(r.Push(1, beat)), "push: stream m is a source"},
		{errorOf(r.Push(3, beat)), "stream 3: fifo has 3 streams"},
		{errorOf(r.Push(-1, beat)), "stream -1: fifo has 3 streams"},
		{errorOf(r.Pop(0, beat, nil)), "pop: stream s is a sink"},
		{errorOf(r.Pop(1, beat, beat)), "no stamps: open the engine with Options.Stamps"},
		{errorOf(r.Accepted(0, beat)), "no stamps: open the engine with Options.Stamps"},
		{errorOf(r.Accepted(1, beat)), "accepted: stream m is a source; Pop gives its cycles"},
		{r.SetStatic("s_data", 1), `fifo has no static input "s_data"`},
		{r.SetStatic("mask", 1, 2), "port mask: 2 words; it has 64 bits, which are 1 words"},
		{r.Peek("tail_q", beat), `fifo has no port "tail_q"`},
		{r.SetStall(0, simulator.Stall{Mode: 3}), "stall mode 3 with chance 0: allowed are modes 0 to 2 and chances 0 to 256"},
		{r.SetStall(0, simulator.Stall{Mode: 1, Chance: 257}), "stall mode 1 with chance 257: allowed are modes 0 to 2 and chances 0 to 256"},
		{r.SetStall(2, simulator.Stall{}), "stream stored has no ready: it cannot be held back"},
	} {
		assert.EqualError(t, c.err, c.says)
	}

	broken := testdesign.FIFO()
	broken.Statics = nil
	_, err := open(broken, simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrDesign)

	r.run(5, 0)
	require.NoError(t, r.Close())
	_, err = r.Run(1, 0)
	assert.ErrorIs(t, err, simulator.ErrClosed)
	assert.ErrorIs(t, errorOf(r.Push(0, beat)), simulator.ErrClosed)
	assert.ErrorIs(t, r.SetStatic("mask", 1), simulator.ErrClosed)
	assert.Equal(t, uint64(9), r.Cycle(), "the final count stays readable")
	assert.NoError(t, r.Close(), "closing twice is harmless")
}
