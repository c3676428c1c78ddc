package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// The run ends when the log has no room for two effects, and resumes where it stopped.
func (open Open) memoryLog(t *testing.T) {
	var want []simulator.Effect
	var hash uint64
	for _, size := range []int{5000, 2, 3, 7} {
		r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Seed: 1, Hash: true})
		r.latency(1, 30)
		r.stallAll(simulator.Stall{Mode: simulator.StallRandom, Chance: 60})
		require.NoError(t, r.memory.SetLog(size))
		r.send("s", beat{"from": 0x1F00, "to": 0x2F80, "beats": 900, "len": 0})
		var got []simulator.Effect
		for {
			result := r.run(3000-r.Cycle(), 0)
			if result.Why == simulator.OutputFull {
				assert.Equal(t, simulator.Result{Why: simulator.OutputFull}, r.run(10, 0), "the log is still full")
				assert.Equal(t, simulator.Result{Why: simulator.OutputFull}, r.run(0, 0))
			}
			n := len(got)
			got = append(got, r.effects()...)
			assert.LessOrEqual(t, len(got)-n, size)
			if r.Cycle() == 3000 {
				break
			}
			assert.Equal(t, simulator.OutputFull, result.Why)
			assert.GreaterOrEqual(t, len(got)-n, size-1)
		}
		if want == nil {
			want, hash = got, r.TraceHash()
			assert.Len(t, got, 1800)
		}
		assert.Equal(t, want, got)
		assert.Equal(t, hash, r.TraceHash())
	}
}

// Effects from before the reset remain; bursts that were not yet in effect never take effect.
func (open Open) memoryReset(t *testing.T) {
	for cycles := range uint64(60) {
		r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Seed: cycles})
		r.latency(1, 30)
		r.stallAll(simulator.Stall{Mode: simulator.StallRandom, Chance: 60})
		require.NoError(t, r.memory.SetLog(1000))
		bytes := randomBytes(rand.New(rand.NewPCG(cycles, 2)), 16*200)
		r.write(0, bytes)
		r.send("s", beat{"from": 0, "to": 0x10000, "beats": 200, "len": 6})
		r.run(5*cycles, 0)
		require.NoError(t, r.Reset(1+cycles%3))
		for _, port := range []string{"m_axi_bvalid", "m_axi_rvalid"} {
			level := make([]uint64, 1)
			require.NoError(t, r.Peek(port, level))
			assert.Zero(t, level[0])
		}
		require.Equal(t, simulator.Quiet, r.run(1000, 40).Why)
		want := make([]byte, len(bytes))
		for _, e := range r.effects() {
			if e.Write {
				copy(want[e.Address-0x10000:][:e.Bytes], bytes[e.Address-0x10000:])
			}
			assert.Less(t, e.Cycle, 4+5*cycles)
		}
		assert.Equal(t, want, r.read(0x10000, len(bytes)))
		assert.False(t, r.move(0, 0x20000, 200, 6, 1))
		assert.Equal(t, bytes, r.read(0x20000, len(bytes)))
	}
}

// A burst does not wait for bursts from before the reset.
func (open Open) memoryFreshStart(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	for _, n := range []uint64{1000, 1} {
		r.latency(n, n)
		r.ask("s_ar", 3, 0, 1)
		r.ask("s_aw", 3, 0, 1)
		r.data(make([]byte, 8), nil)
		r.run(5, 0)
		require.NoError(t, r.Reset(1))
	}
	assert.Equal(t, []uint64{11}, []uint64{r.taken()[0].cycle}, "4 + 1 cycles of reset, 5 of the first run, 1 of latency")
	assert.Equal(t, uint64(11), r.responses()[0].cycle)
}

func (open Open) memoryIdle(t *testing.T) {
	stuck := func(r *memoryRig) string {
		t.Helper()
		result, err := r.Run(1000, 30)
		var stuck *simulator.StuckError
		require.ErrorAs(t, err, &stuck)
		require.Equal(t, simulator.Stuck, result.Why)
		return err.Error()
	}
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{})
	r.ask("s_aw", 0, 0, 2)
	assert.Contains(t, stuck(r), "source m_axi_aw: valid 0, ready 1, 1 beats passed", "an address without data")
	r = open.startMemory(t, testdesign.Pass(8), simulator.Options{})
	r.data(make([]byte, 8), nil)
	assert.Contains(t, stuck(r), "source m_axi_w: valid 0, ready 1, 1 beats passed", "data without an address")

	r = open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 4})
	r.ask("s_ar", 0, 0, 20)
	assert.Equal(t, simulator.OutputFull, r.run(1000, 30).Why)
	assert.Equal(t, simulator.Result{Cycles: 30, Why: simulator.OutputFull}, r.run(1000, 30), "the design accepts no more data")
	stats := r.stats("m_axi_r")
	assert.Equal(t, simulator.Stats{Beats: 4, Offered: 4 + 30}, stats)
	r.stall("m_axi_r", simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
	r.pop("s_r", false)
	assert.Equal(t, simulator.MaxCycles, r.run(1000, 30).Why, "a stall is not idle")
	assert.Equal(t, simulator.Stats{Beats: 5, Offered: 4 + 30 + 1}, r.stats("m_axi_r"), "the offered beat stays")
}

// A stall does not count as progress if there is no room anyway.
func (open Open) memoryFullIdle(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 4})
	require.NoError(t, r.memory.SetOutstanding(1))
	r.ask("s_ar", 0, 0, 20)
	r.ask("s_ar", 0, 0, 20)
	assert.Equal(t, simulator.OutputFull, r.run(1000, 30).Why)
	assert.Equal(t, simulator.Result{Cycles: 30, Why: simulator.OutputFull}, r.run(1000, 30))
}

func (r *memoryRig) stats(stream string) simulator.Stats {
	i, _ := r.stream(stream)
	return r.Stats(i)
}
