package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// Lending is equivalent to pushing, and exchanging to popping, with identical cycles.
func (open Open) buffers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 90}} {
		copied := open.start(t, testdesign.FIFO(), simulator.Options{Seed: 3, Buffer: 64, Hash: true})
		handed := open.start(t, testdesign.FIFO(), simulator.Options{Seed: 3, Buffer: 64, Hash: true})
		in, words := handed.stream("s")
		out, _ := handed.stream("m")
		monitor, _ := handed.stream("stored")
		for _, r := range []*rig{copied, handed} {
			r.stall("s", stall)
			r.stall("m", stall)
		}
		spare := [][]uint64{make([]uint64, 64*words), make([]uint64, 64)}
		var total uint64
		for range 40 {
			beats := randomBeats(t, random, handed.d, in, 1+random.IntN(60))
			total += uint64(len(beats) / words)
			require.Empty(t, copied.push("s", beats))
			require.NoError(t, handed.Lend(in, beats))
			assert.Equal(t, copied.run(5000, 20), handed.run(5000, 20))
			for i, stream := range []int{out, monitor} {
				want, _ := copied.pop([]string{"m", "stored"}[i], false)
				got, err := handed.Exchange(stream, spare[i])
				require.NoError(t, err)
				assert.Equal(t, want, got)
				spare[i] = got[:cap(got)]
				none, err := handed.Exchange(stream, make([]uint64, cap(got)))
				require.NoError(t, err)
				assert.Empty(t, none)
			}
		}
		assert.Equal(t, total, handed.Stats(in).Beats)
		assert.Equal(t, total, handed.Stats(out).Beats)
		assert.Equal(t, copied.TraceHash(), handed.TraceHash())
	}
}

// A view shows the beats that a pop would copy; drop removes some of them.
func (open Open) view(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{Buffer: 4})
	out, words := r.stream("m")
	monitor, _ := r.stream("stored")
	var seen []uint64
	for i := range uint64(30) {
		require.Empty(t, r.push("s", []uint64{i, 0}))
		r.run(10, 4)
		got, err := r.View(out)
		require.NoError(t, err)
		require.NotEmpty(t, got)
		if i%3 != 0 { // leave one beat now and then
			seen = append(seen, got...)
			require.NoError(t, r.Drop(out, len(got)/words))
		}
		stored, err := r.View(monitor)
		require.NoError(t, err)
		require.NoError(t, r.Drop(monitor, len(stored)))
	}
	rest, _ := r.pop("m", false)
	seen = append(seen, rest...)
	for i := range 30 {
		assert.Equal(t, uint64(i), seen[i*words])
	}
}

func (open Open) bufferMisuse(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{Buffer: 8})
	in, _ := r.stream("s")
	out, words := r.stream("m")
	assert.ErrorContains(t, r.Lend(out, []uint64{1, 1}), "stream m is a source")
	assert.ErrorContains(t, r.Lend(in, nil), "lend: 0 words")
	assert.ErrorContains(t, r.Lend(in, []uint64{1}), "lend: 1 words")
	require.NoError(t, r.Lend(in, []uint64{1, 1}))
	assert.ErrorContains(t, r.Lend(in, []uint64{2, 1}), "1 beats of s are not accepted yet")
	r.run(20, 5)
	_, err := r.Push(in, []uint64{3, 1})
	assert.ErrorContains(t, err, "s uses lent beats")
	_, err = r.Exchange(in, make([]uint64, 64))
	assert.ErrorContains(t, err, "stream s is a sink")
	_, err = r.Exchange(out, make([]uint64, 8*words-1))
	assert.ErrorContains(t, err, "the ring of m is 16 words, the buffer 15")
	_, err = r.View(in)
	assert.ErrorContains(t, err, "stream s is a sink")
	assert.ErrorContains(t, r.Drop(out, 2), "drop: 2 beats of stream m, which has 1 to take")
	assert.ErrorContains(t, r.Drop(out, -1), "drop: -1 beats")

	stamped := open.start(t, testdesign.FIFO(), simulator.Options{Buffer: 8, Stamps: true})
	assert.ErrorContains(t, stamped.Lend(in, []uint64{1, 1}), "stamps")
	_, err = stamped.Exchange(out, make([]uint64, 64))
	assert.ErrorContains(t, err, "stamps")
}
