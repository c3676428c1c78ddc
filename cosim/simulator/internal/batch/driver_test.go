package batch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// watched is a model that records the signals of stream c in each cycle.
type watched struct {
	simulator.Model
	reset, valid, ready, word int
	cycles                    []cycle
}

type cycle struct {
	reset, valid, ready bool
	word                uint64
}

func (w *watched) Clock() {
	bit := func(port int) bool {
		var v [1]uint64
		w.Get(port, v[:])
		return v[0] != 0
	}
	var word [1]uint64
	w.Get(w.word, word[:])
	w.cycles = append(w.cycles, cycle{bit(w.reset), bit(w.valid), bit(w.ready), word[0]})
	w.Model.Clock()
}

// The driver obeys the rules of a ready/valid stream: valid, once high, stays high with the same data until ready; nothing is
// valid during reset; without valid the data pins never carry a beat. Equal trace hashes show the same for the C++ driver.
func TestSinkObeysHandshake(t *testing.T) {
	for seed := range uint64(20) {
		d := testdesign.Wide()
		w := &watched{}
		inner := d.Simulate
		d.Simulate = func(o simulator.Options) (simulator.Model, error) {
			model, err := inner(o)
			w.Model = model
			return w, err
		}
		for port, name := range map[*int]string{&w.reset: "rst", &w.valid: "c_valid", &w.ready: "c_ready", &w.word: "c_word"} {
			var err error
			*port, err = d.Port(name)
			require.NoError(t, err)
		}
		e, err := gosim.Open(d, simulator.Options{Seed: seed})
		require.NoError(t, err)
		random := rand.New(rand.NewPCG(seed, 0))
		for _, stream := range []int{2, 3} {
			mode := simulator.StallMode(random.IntN(3))
			require.NoError(t, e.SetStall(stream, simulator.Stall{Mode: mode, Chance: random.IntN(220)}))
		}
		sent := make([]uint64, 200)
		for i := range sent {
			sent[i] = uint64(i) + 1
		}
		_, err = e.Push(2, sent)
		require.NoError(t, err)
		_, err = e.Run(200, 0)
		require.NoError(t, err)
		passed := e.Stats(2).Beats
		require.NoError(t, e.Reset(2))
		_, err = e.Push(2, sent[passed:])
		require.NoError(t, err)
		_, err = e.Run(10_000, 300)
		require.NoError(t, err)

		var got []uint64
		for i, c := range w.cycles {
			if i > 0 {
				if before := w.cycles[i-1]; before.valid && !before.ready && !c.reset {
					require.True(t, c.valid, "cycle %d: valid was withdrawn", i)
					require.Equal(t, before.word, c.word, "cycle %d: the data changed", i)
				}
			}
			require.False(t, c.reset && c.valid, "cycle %d: valid under reset", i)
			if !c.valid {
				require.False(t, slices.Contains(sent, c.word), "cycle %d: a beat without valid", i)
			}
			if c.valid && c.ready {
				got = append(got, c.word)
			}
		}
		require.Equal(t, sent, got)
	}
}

// The stall patterns of adjacent seeds and streams differ.
func TestStallPatternsDiffer(t *testing.T) {
	pattern := func(seed uint64, stream int) (p [200]bool) {
		e, err := gosim.Open(testdesign.Wide(), simulator.Options{Seed: seed})
		require.NoError(t, err)
		require.NoError(t, e.SetStall(stream, simulator.Stall{Mode: simulator.StallRandom, Chance: 128}))
		_, err = e.Push(stream, make([]uint64, 12*200))
		require.NoError(t, err)
		for i := range p {
			before := e.Stats(stream).Beats
			_, err = e.Run(1, 0)
			require.NoError(t, err)
			p[i] = e.Stats(stream).Beats != before
		}
		return p
	}
	seen := map[[200]bool]bool{}
	for seed := range uint64(10) {
		seen[pattern(seed, 0)] = true
		seen[pattern(seed, 2)] = true
	}
	assert.Len(t, seen, 20)
	assert.Equal(t, pattern(1, 0), pattern(1, 0))
}
