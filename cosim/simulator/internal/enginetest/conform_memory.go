package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// conformMemory runs the tests of simulator.Memory.
func (open Open) conformMemory(t *testing.T) {
	t.Run("latency is exact", open.memoryLatency)
	t.Run("slow memory", open.memorySlow)
	t.Run("latency is hidden at full rate", open.memoryRate)
	t.Run("a burst per cycle", open.memoryBursts)
	t.Run("bursts are atomic in log order", open.memoryTraffic)
	t.Run("copies under all stalls", open.memoryStalls)
	t.Run("random latency covers the whole range", open.memoryDraw)
	t.Run("data may precede its address", open.memoryDataFirst)
	t.Run("outstanding bursts are bounded", open.memoryOutstanding)
	t.Run("ready only after valid", open.memoryLateReady)
	t.Run("error responses", open.memoryErrors)
	t.Run("error responses per beat", open.memoryBeatErrors)
	t.Run("broken rules are detected", open.memoryRules)
	t.Run("broken designs are detected", open.memoryFaults)
	t.Run("bounds are enforced", open.memoryBounds)
	t.Run("a full log loses nothing", open.memoryLog)
	t.Run("reset drops bursts in flight", open.memoryReset)
	t.Run("a fresh start after a reset", open.memoryFreshStart)
	t.Run("idle", open.memoryIdle)
	t.Run("idle when full", open.memoryFullIdle)
	t.Run("access by the caller", open.memoryBytes)
	t.Run("batched and single cycles agree", open.memoryBatched)
	t.Run("read-only and write-only memories", open.memoryHalves)
	t.Run("runs do not allocate", open.memoryAllocations)
	t.Run("misuse is an error", open.memoryMisuse)
}

func (open Open) memoryBatched(t *testing.T) {
	for _, stall := range stalls {
		var hashes [3][]uint64
		var effects [3][]simulator.Effect
		for i, step := range []uint64{10_000, 1, 7} {
			d := testdesign.Pass(8)
			e, err := open(d, simulator.Options{Seed: 11, Buffer: 8192, Hash: true, Stamps: true})
			require.NoError(t, err)
			hashes[i], effects[i] = RecordMemory(t, d, e, stall.Stall, step)
			require.NoError(t, e.Close())
		}
		assert.Equal(t, hashes[0], hashes[1])
		assert.Equal(t, hashes[0], hashes[2])
		assert.Equal(t, effects[0], effects[1])
		assert.Equal(t, effects[0], effects[2])
		assert.Greater(t, len(effects[0]), 30)
	}
}

// A Bridge reads from one memory and writes to another of a different width.
func (open Open) memoryHalves(t *testing.T) {
	d := testdesign.Bridge()
	r := open.start(t, d, simulator.Options{Seed: 2, Hash: true})
	from, err := r.Memory("from")
	require.NoError(t, err)
	to, err := r.Memory("to")
	require.NoError(t, err)
	bytes := randomBytes(rand.New(rand.NewPCG(3, 3)), 8*512)
	require.NoError(t, from.Write(0, bytes))
	require.NoError(t, from.SetLatency(simulator.Latency{Least: 1, Most: 50}, simulator.Latency{Least: 1, Most: 1}))
	require.NoError(t, to.SetLatency(simulator.Latency{Least: 1, Most: 1}, simulator.Latency{Least: 5, Most: 20}))
	require.NoError(t, to.SetLog(200))
	require.NoError(t, from.SetLog(200))
	for i := range d.Streams {
		require.NoError(t, r.SetStall(i, simulator.Stall{Mode: simulator.StallRandom, Chance: 100}))
	}
	for i := range uint64(64) {
		require.Empty(t, r.push("s", []uint64{64 * i}))
	}
	require.Equal(t, simulator.Quiet, r.run(10_000, 20).Why)
	got := make([]byte, len(bytes))
	require.NoError(t, to.Read(0, got))
	assert.Equal(t, bytes, got)
	require.NoError(t, from.Read(0, got))
	assert.Equal(t, bytes, got)
	effects := make([]simulator.Effect, 200)
	n, err := to.Effects(effects)
	require.NoError(t, err)
	assert.Equal(t, 64, n)
	assert.True(t, effects[0].Write)
	n, err = from.Effects(effects)
	require.NoError(t, err)
	assert.Equal(t, 64, n)
	assert.False(t, effects[0].Write)
}

func (open Open) memoryAllocations(t *testing.T) {
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Hash: true})
	r.latency(1, 50)
	r.stallAll(simulator.Stall{Mode: simulator.StallRandom, Chance: 30})
	r.write(0, make([]byte, 1<<15))
	require.NoError(t, r.memory.SetLog(1000))
	in, words := r.stream("s")
	out, _ := r.stream("m")
	command, bytes, effects := make([]uint64, words), make([]byte, 100), make([]simulator.Effect, 100)
	for name, value := range map[string]uint64{"to": 1 << 14, "beats": 200, "len": 15} {
		f, _ := r.field("s", name)
		simulator.SetBits(command, f.Offset, f.Width, value)
	}
	each := func() {
		r.Push(in, command)
		if _, err := r.Run(600, 10); err != nil {
			t.Fatal(err)
		}
		r.Pop(out, command[:1], nil)
		command[0] = 0
		r.memory.Read(100, bytes)
		r.memory.Write(100, bytes)
		r.memory.Effects(effects)
	}
	each()
	assert.Zero(t, testing.AllocsPerRun(100, each))
	assert.Greater(t, r.stats("m").Beats, uint64(100), "data did move")
}
