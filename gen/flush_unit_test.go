package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
)

// flushLengths has a flush of 0 octets now and then.
func (b *flushRig) flushLength() uint32 {
	return []uint32{0, 1, 64, 4096, 1<<32 - 1, b.rand.Uint32()}[b.rand.IntN(6)]
}

// Responses of a stream leave in the order of its requests, each after its answer and with what the platform said, whatever order the
// platform has, for one stream, few and many, with failures, flushes of 0 octets and stalls everywhere.
func TestFlushUnitUnderStalls(t *testing.T) {
	for _, row := range []struct{ streams, used, ird, latency int }{
		{2, 1, 8, 1}, {2, 2, 1, 3}, {64, 1, 16, 40}, {64, 64, 8, 40}, {8, 3, 2, 200}, {256, 256, 8, 120}, {16, 12, 64, 300},
	} {
		t.Run(fmt.Sprintf("%+v", row), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openFlush(t, flushConfig(row.streams, row.ird), 1)
				b.stall(idle, pressure)
				b.latency = func(int) int { return 1 + b.rand.IntN(row.latency) }
				for range 500 {
					b.request(b.rand.IntN(row.used), b.flushLength(), b.rand.IntN(4) == 0)
				}
				b.finish()
			})
		})
	}
}

// With a platform of constant latency each cycle has a request, a flush and a response, for one stream and for many.
func TestFlushUnitRate(t *testing.T) {
	for _, streams := range []int{1, 2, 3, 64} {
		for _, latency := range []int{1, 2, 3, 7, 20, 50} {
			t.Run(fmt.Sprintf("%d streams, latency %d", streams, latency), func(t *testing.T) {
				b := openFlush(t, flushConfig(64, 8), 1)
				b.latency = func(int) int { return latency }
				for i := range 1000 {
					b.request(i%streams, 8, false)
				}
				b.finish()
				gapless(t, b.stream("req").at[10:])
				gapless(t, b.stream("m_axis_flush").at)
				gapless(t, b.stream("s_axis_flush_done").at)
				gapless(t, b.stream("response").at)
			})
		}
	}
}

// The estimate of the clock, and the limit of the logic.
func TestFlushUnitClock(t *testing.T) {
	t.Parallel()
	require.NoError(t, synth.CheckTools())
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	c := flushConfig(64, 8)
	d, err := hdl.Compile(flush.FlushUnit(c, c.Profile.AtomicTag()))
	require.NoError(t, err)
	r, err := synth.Run(d, target, synth.Options{Paths: 1})
	require.NoError(t, err)
	require.NotEmpty(t, r.Paths)
	assert.LessOrEqual(t, r.Delay, 3.6, "%+v", r.Paths[0])
}
