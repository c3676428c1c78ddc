package verilator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

var loads = []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 64}}

func newLoad(d *simulator.Design, stall simulator.Stall, cycles uint64, pairs int) (Load, error) {
	random := rand.New(rand.NewPCG(1, 2))
	l := Load{Stall: stall, Cycles: cycles, Pairs: pairs, Beats: make([][]uint64, len(d.Streams))}
	for i, s := range d.Streams {
		layout, err := d.Layout(i)
		if err != nil {
			return Load{}, err
		}
		for range 100 * layout.Words {
			if s.Dir == simulator.Sink {
				l.Beats[i] = append(l.Beats[i], random.Uint64())
			}
		}
	}
	return l, nil
}

// Measure itself compares the checksums of both sides.
func TestBatchedAndPlainLoopAgree(t *testing.T) {
	for _, d := range []*simulator.Design{testdesign.FIFO(), testdesign.Widen(), testdesign.Wide(), testdesign.Lanes()} {
		for _, stall := range append(loads, simulator.Stall{Mode: simulator.StallBursts, Chance: 100}) {
			l, err := newLoad(d, stall, 20_000, 1)
			require.NoError(t, err)
			speed, err := Measure(d, simulator.Options{Seed: 3}, l)
			require.NoError(t, err)
			assert.Zero(t, speed.Allocs)
			assert.Positive(t, speed.Ratio)
			for i, s := range d.Streams {
				assert.Greater(t, speed.Outputs[i].Beats, uint64(1000))
				assert.Equal(t, s.Dir == simulator.Source, speed.Outputs[i].Checksum != 0)
			}
		}
	}
}

// The goal is a ratio of at least 0.95 for a design of realistic size. The FIFO does almost no work, so it shows the
// driver's overhead per cycle.
func BenchmarkBatchedAgainstPlainLoop(b *testing.B) {
	for _, d := range []*simulator.Design{testdesign.FIFO(), testdesign.Wide(), testdesign.Lanes()} {
		for _, stall := range loads {
			b.Run(fmt.Sprintf("%s/stalls=%v", d.Top, stall.Mode), func(b *testing.B) {
				l, err := newLoad(d, stall, 200_000, 15)
				require.NoError(b, err)
				for b.Loop() {
					speed, err := Measure(d, simulator.Options{Seed: 1}, l)
					require.NoError(b, err)
					b.ReportMetric(speed.Ratio, "ratio")
					b.ReportMetric(speed.BatchedNs, "ns/cycle")
					b.ReportMetric(speed.PlainNs, "plain-ns/cycle")
					b.ReportMetric(float64(speed.Allocs), "allocs/sample")
				}
			})
		}
	}
}

// The build time of a new design once the run-time objects are cached.
func BenchmarkBuild(b *testing.B) {
	b.Setenv("RNICGEN_CACHE", b.TempDir())
	_, err := build(b.Context(), testdesign.Deadlock(), variant{})
	require.NoError(b, err)
	for _, d := range []*simulator.Design{testdesign.FIFO(), testdesign.Lanes()} {
		b.Run(d.Top, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				d.Files[0].Text += fmt.Sprintf("// %d %d\n", i, rand.Uint64())
				_, err := build(b.Context(), d, variant{})
				require.NoError(b, err)
			}
		})
	}
}
