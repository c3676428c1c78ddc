package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/internal/long"
)

// flushLengths has a flush of 0 octets now and then.
func (b *flushRig) flushLength() uint32 {
	return []uint32{0, 1 << b.rand.IntN(32), 64, 4096, 1<<32 - 1, b.rand.Uint32()}[b.rand.IntN(6)]
}

// Each request has its response, after its answer and with what the platform said, whatever order the platform has, for one stream, few
// and many, more than there are slots, with failures, flushes of 0 octets and stalls everywhere.
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

// With a platform of constant latency each cycle has a request, a flush and a response.
func TestFlushUnitRate(t *testing.T) {
	for _, latency := range []int{1, 2, 3, 7, 20, 50} {
		t.Run(fmt.Sprintf("latency %d", latency), func(t *testing.T) {
			b := openFlush(t, flushConfig(64, 8), 1)
			b.latency = func(int) int { return latency }
			for i := range 1000 {
				b.request(i%64, 8, false)
			}
			b.finish()
			gapless(t, b.stream("req").at[10:])
			gapless(t, b.stream("m_axis_flush").at)
			gapless(t, b.stream("s_axis_flush_done").at)
			gapless(t, b.stream("response").at)
		})
	}
}

// A response is offered three cycles after the answer of the platform, a flush three cycles after its request arrived.
func TestFlushUnitLatency(t *testing.T) {
	b := openFlush(t, flushConfig(64, 8), 1)
	b.pass(70)
	b.latency = func(int) int { return 9 }
	for range 3 {
		b.request(5, 8, false)
		b.finish()
	}
	for i := range uint32(3) {
		assert.Equal(t, b.stream("req").at[i]+3, b.stream("m_axis_flush").at[i])
		assert.Equal(t, b.answered[i]+3, b.offered[i])
	}
	b.request(5, 0, false)
	b.finish()
	assert.Equal(t, b.stream("req").at[3]+6, b.offered[3], "0 octets: as if answered in the third cycle")
	assert.Len(t, b.asked, 3)
}

// A response is offered three cycles after its answer, whatever other streams wait for.
func TestFlushUnitLatencyBesideOthers(t *testing.T) {
	b := openFlush(t, flushConfig(64, 8), 1)
	b.latency = func(q int) int { return 20 + 400*(q%2) }
	for i := range 8 {
		b.request(i%2, 8, false)
	}
	b.finish()
	for q := range uint32(8) {
		assert.Equal(t, b.answered[q]+3, b.offered[q])
	}
}

// rate is the number of responses per cycle of streams from first on, in the middle of a run.
func (b *flushRig) rate(first, cycles int) float64 {
	b.pass(1000)
	n, from := 0, len(b.got)
	b.pass(cycles)
	for _, r := range b.got[from:] {
		if r.Stream >= first {
			n++
		}
	}
	return float64(n) / float64(cycles)
}

// A stream whose flushes take very long costs 63 quick ones next to nothing: it has one of the slots.
func TestFlushUnitSlowStream(t *testing.T) {
	rates := map[bool]float64{}
	for _, isBeside := range []bool{false, true} {
		b := openFlush(t, flushConfig(64, 8), 1)
		b.latency = func(q int) int {
			if b.requests[q].Stream == 0 {
				return 3000
			}
			return 1 + b.rand.IntN(50)
		}
		slow := 0
		feed := b.look
		b.look = func() {
			feed()
			if len(b.queued) < 100 {
				if _, is := b.waiting[0]; isBeside && !is && slow*3000 <= b.cycle {
					b.request(0, 8, false)
					slow++
				}
				b.request(1+b.rand.IntN(63), 8, false)
			}
		}
		rates[isBeside] = b.rate(1, 4000)
		assert.Equal(t, isBeside, slow > 1)
	}
	t.Logf("responses of the quick streams per cycle: %.3f alone, %.3f beside a slow one", rates[false], rates[true])
	assert.GreaterOrEqual(t, rates[true], 0.95*rates[false])
	assert.GreaterOrEqual(t, rates[false], 0.95)
}

// There are 64 slots, or fewer if there are fewer streams.
func TestFlushUnitSlots(t *testing.T) {
	for _, row := range []struct{ streams, ird, want int }{{2, 1, 2}, {4, 2, 4}, {64, 32, 64}, {16384, 16, 64}, {2, 64, 2}} {
		assert.Equal(t, row.want, flush.Slots(flushConfig(row.streams, row.ird)), "%+v", row)
	}
}

// As many flushes as there are slots are in progress; the next request waits for a response, whoever answers.
func TestFlushUnitFull(t *testing.T) {
	for _, streams := range []int{128, 256} {
		b := openFlush(t, flushConfig(streams, 8), 1)
		b.latency = func(int) int { return 1 << 20 }
		for i := range b.slots + 20 {
			b.request(i, 8, i%3 == 0)
		}
		b.pass(4 * b.slots)
		require.Len(t, b.asked, b.slots)
		for i := b.slots - 1; i >= 0; i-- { // the newest first
			b.owed[i].due = b.cycle + b.slots - i
		}
		b.latency = func(int) int { return 1 }
		b.finish()
	}
}

// Answers with IDs that nobody waits for, or waits for no longer, or not yet, change nothing.
func TestFlushUnitStrayAnswers(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openFlush(t, flushConfig(8, 8), 1)
		b.stall(idle, pressure)
		b.latency = func(int) int { return 1 + b.rand.IntN(40) }
		strays := 0
		b.stray = func() (id int, is bool) {
			if b.rand.IntN(2) == 0 {
				return 0, false
			}
			id = b.rand.IntN(b.slots)
			if b.rand.IntN(4) == 0 {
				id ^= 1 << b.rand.IntN(16) // of no slot, but for one bit
			}
			if offer := b.stream("m_axis_flush"); offer.held != nil && b.rand.IntN(2) == 0 {
				id = platformBeat{offer.octets(16)}.asks().id // not accepted yet
			}
			if _, is := b.inUse[id]; is {
				return 0, false
			}
			strays++
			return id, true
		}
		for range 400 {
			b.request(b.rand.IntN(8), b.flushLength(), b.rand.IntN(4) == 0)
		}
		b.finish()
		assert.Greater(t, strays, 100)
	})
}

// A second answer in the cycle after the first is ignored.
func TestFlushUnitSecondAnswer(t *testing.T) {
	for gap := 0; gap < 6; gap++ {
		b := openFlush(t, flushConfig(8, 8), 1)
		b.latency = func(int) int { return 5 }
		for i := range 3 {
			b.request(i/2, 8, false)
		}
		last, wait := -1, 0
		b.stray = func() (id int, is bool) {
			if len(b.answered) == 0 || last >= 2 {
				return 0, false
			}
			if wait++; wait <= gap {
				return 0, false
			}
			last++
			if wait = 0; b.given.request < 0 {
				return 0, false
			}
			return b.given.id, true
		}
		b.finish()
	}
}

// A reset in any state drops what is in progress. Answers before the first flush are ignored.
func TestFlushUnitReset(t *testing.T) {
	b := openFlush(t, flushConfig(16, 8), 1)
	b.stall(20, 60)
	b.latency = func(int) int { return 1 + b.rand.IntN(50) }
	b.stray = func() (id int, is bool) { // before the first flush
		return b.rand.IntN(b.slots), b.cycle < 64
	}
	for i := range 20 {
		for range 200 {
			b.request(b.rand.IntN(16), b.flushLength(), false)
		}
		b.pass(40*i + 100)
		b.reset()
		clear(b.inUse)
		clear(b.answered)
		clear(b.offered)
		b.queued, b.waiting, b.owed, b.got, b.requests, b.fails = nil, map[int]int{}, nil, nil, nil, nil
	}
	for range 300 {
		b.request(b.rand.IntN(16), b.flushLength(), false)
	}
	b.finish()
}

// No tool has a warning, and no output depends on an input of the same cycle.
func TestFlushUnitVerilogIsClean(t *testing.T) {
	t.Parallel()
	for _, c := range []engine.Config{flushConfig(2, 1), flushConfig(64, 8), flushConfig(256, 64), flushConfig(16384, 1024)} {
		d, err := hdl.Compile(flush.FlushUnit(c, c.Profile.AtomicTag()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
		assert.Empty(t, d.Through())
	}
}

// Limits for the estimate of the slowest path, in ns, and for the logic, in LUTs.
func TestFlushClock(t *testing.T) {
	long.Test(t)
	t.Parallel()
	require.NoError(t, synth.CheckTools())
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	c := flushConfig(256, 8)
	unit, err := hdl.Compile(flush.FlushUnit(c, c.Profile.AtomicTag()))
	require.NoError(t, err)
	adapter, err := hdl.Compile(flush.FlushAdapter(c.BusBytes))
	require.NoError(t, err)
	for _, row := range []struct {
		design *hdl.Design
		delay  float64
		luts   int
	}{{unit, 2.4, 130}, {adapter, 3.6, 620}} {
		r, err := synth.Run(row.design, target, synth.Options{Paths: 1})
		require.NoError(t, err)
		require.NotEmpty(t, r.Paths)
		assert.LessOrEqual(t, r.Delay, row.delay, "%+v", r.Paths[0])
		assert.Greater(t, r.Delay, 0.7*row.delay, "lower the limit")
		assert.LessOrEqual(t, r.LUT, row.luts)
	}
}

// Two flushes, which the platform answers in the other order: the second one fails.
func TestFlushUnitWaves(t *testing.T) {
	c := flushConfig(2, 2)
	assert.Equal(t, `
                                      ┌───────────────────────────────────────────────────────────────────
running_q                             │
                          ────────────┘
                                                  ┌───────┐
req_valid                                         │       │
                          ────────────────────────┘       └───────────────────────────────────────────────
                          ────────────────────────────────────────────────────────────────────────────────
req_ready

                          ┌───────────────────────┬───┬───┬───────────────────────────────────────────────
req_number                │0                      │3  │4  │0
                          └───────────────────────┴───┴───┴───────────────────────────────────────────────
                                                              ┌───────┐
m_axis_flush_tvalid                                           │       │
                          ────────────────────────────────────┘       └───────────────────────────────────
                                                                  ┌───┐                   ┌───────────────
flush_id_q                                                        │   │                   │
                          ────────────────────────────────────────┘   └───────────────────┘
                                                                      ┌───────┐
s_axis_flush_done_tvalid                                              │       │
                          ────────────────────────────────────────────┘       └───────────────────────────
                                      ┌───────────────────────────────────────────────────────────────────
s_axis_flush_done_tready              │
                          ────────────┘
                          ┌───────────────────────────────────────────┬───┬───────────────────────────────
s_axis_flush_done_tdata   │0                                          │10.│0
                          └───────────────────────────────────────────┴───┴───────────────────────────────
                                                                              ┌───────┐
first_valid                                                                   │       │
                          ────────────────────────────────────────────────────┘       └───────────────────
                                                                                  ┌───────┐
response_valid                                                                    │       │
                          ────────────────────────────────────────────────────────┘       └───────────────
                          ┌───────────────────────────────────────┬───────────────┬───┬───────────────────
response_number           │0                                      │3              │4  │3
                          └───────────────────────────────────────┴───────────────┴───┴───────────────────
                                                                                  ┌───┐
response_failed                                                                   │   │
                          ────────────────────────────────────────────────────────┘   └───────────────────
`, picture(t, flush.FlushUnit(c, c.Profile.AtomicTag()), 20, pins{
		"req_valid":                {0, 0, 0, 0, 0, 0, 1, 1, 0},
		"req_stream":               {0, 0, 0, 0, 0, 0, 0, 1, 0},
		"req_number":               {0, 0, 0, 0, 0, 0, 3, 4, 0},
		"req_length":               {8},
		"m_axis_flush_tready":      {1},
		"s_axis_flush_done_tvalid": {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0},
		"s_axis_flush_done_tdata":  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10001, 0},
		"response_ready":           {1},
	}, "running_q", "req_valid", "req_ready", "req_number", "m_axis_flush_tvalid", "flush_id_q", "s_axis_flush_done_tvalid", "s_axis_flush_done_tready",
		"s_axis_flush_done_tdata", "first_valid", "response_valid", "response_number", "response_failed"))
}
