package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// Conform runs all tests of the engine's contract.
func Conform(t *testing.T, open Open) {
	t.Run("latency and throughput are exact", open.timing)
	t.Run("every beat arrives in order under all stalls", open.stallMatrix)
	t.Run("stalls have the requested frequency", open.stallRates)
	t.Run("fields of all widths survive", open.widths)
	t.Run("a full output loses nothing", open.fullOutput)
	t.Run("a full monitor stops the run", open.fullMonitor)
	t.Run("unread stamps are kept", open.stamps)
	t.Run("idle cycles count from the caller's last call", open.idle)
	t.Run("batched and single cycles agree", open.batchedIsPerCycle)
	t.Run("reset during traffic", open.reset)
	t.Run("statics and peek", open.statics)
	t.Run("instances are independent", open.instances)
	t.Run("calls do not allocate", open.allocations)
	t.Run("misuse is an error", open.misuse)
	t.Run("buffers are lent and exchanged", open.buffers)
	t.Run("beats are viewed in place", open.view)
	t.Run("misuse of buffers is an error", open.bufferMisuse)
	t.Run("memory", open.conformMemory)
}

// The FIFO has a latency of one cycle and accepts one beat per cycle. The reset is 4 cycles: cycle 4 is the first with a beat.
func (open Open) timing(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{Stamps: true})
	require.Empty(t, r.push("s", []uint64{10, 0, 20, 0, 30, 1}))
	assert.Equal(t, simulator.Result{Cycles: 14, Why: simulator.Quiet}, r.run(100, 10), "4 busy cycles, then 10 idle ones")
	assert.Equal(t, uint64(18), r.Cycle())

	beats, cycles := r.pop("m", true)
	assert.Equal(t, []uint64{10, 0, 20, 0, 30, 1}, beats)
	assert.Equal(t, []uint64{5, 6, 7}, cycles)
	beats, cycles = r.pop("stored", true)
	assert.Equal(t, []uint64{10, 20, 30}, beats)
	assert.Equal(t, []uint64{4, 5, 6}, cycles)
	accepted := make([]uint64, 8)
	n, err := r.Accepted(0, accepted)
	require.NoError(t, err)
	assert.Equal(t, []uint64{4, 5, 6}, accepted[:n])

	assert.Equal(t, simulator.Stats{Beats: 3, Offered: 3}, r.Stats(0))
	assert.Equal(t, simulator.Stats{Beats: 3, Offered: 3}, r.Stats(1))

	r.stall("m", simulator.Stall{Mode: simulator.StallRandom, Chance: 256}) // never ready: the FIFO fills up and blocks s
	require.Empty(t, r.push("s", make([]uint64, 2*20)))
	assert.Equal(t, simulator.Result{Cycles: 30, Why: simulator.MaxCycles}, r.run(30, 10), "a stall is not idle")
	assert.Equal(t, simulator.Stats{Queued: 4, Beats: 3 + 16, Offered: 3 + 30}, r.Stats(0))
	assert.Equal(t, simulator.Stats{Beats: 3, Offered: 3 + 29}, r.Stats(1))
}

func (open Open) stallMatrix(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, in := range stalls {
		for _, out := range stalls {
			t.Run(in.name+" to "+out.name, func(t *testing.T) {
				r := open.start(t, testdesign.FIFO(), simulator.Options{Seed: 7, Buffer: 64})
				r.stall("s", in.Stall)
				r.stall("m", out.Stall)
				sent := randomBeats(t, random, r.d, 0, 500)
				require.Equal(t, sent, r.transfer("s", "m", sent))
			})
		}
	}
}

// Of n cycles with stall probability p, about np are stalled; the deviation is within a few times the square root of np(1-p).
// It is larger for bursts, which run for 32.5 cycles on average.
func (open Open) stallRates(t *testing.T) {
	for _, c := range []struct {
		stall    simulator.Stall
		min, max uint64 // beats that pass in 25,600 cycles
	}{
		{simulator.Stall{}, 25600, 25600},
		{simulator.Stall{Mode: simulator.StallRandom, Chance: 0}, 25600, 25600},
		{simulator.Stall{Mode: simulator.StallRandom, Chance: 256}, 0, 0},
		{simulator.Stall{Mode: simulator.StallRandom, Chance: 64}, 18900, 19500},
		{simulator.Stall{Mode: simulator.StallBursts, Chance: 64}, 16500, 21900},
		{simulator.Stall{Mode: simulator.StallBursts, Chance: 256}, 0, 0},
	} {
		r := open.start(t, testdesign.Wide(), simulator.Options{Seed: 3, Buffer: 1 << 15})
		r.push("c", make([]uint64, 1<<15))
		r.stall("c", c.stall)
		r.run(25600, 0)
		beats := r.Stats(2).Beats
		assert.GreaterOrEqual(t, beats, c.min, "%v", c.stall)
		assert.LessOrEqual(t, beats, c.max, "%v", c.stall)
		assert.Equal(t, beats, r.Stats(3).Beats, "the source is always ready")
	}
}

func (open Open) widths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	r := open.start(t, testdesign.Wide(), simulator.Options{Seed: 5})
	r.stall("a", stalls[2].Stall)
	sent := randomBeats(t, random, r.d, 0, 300)
	require.Equal(t, sent, r.transfer("a", "b", sent))

	sent = randomBeats(t, random, r.d, 2, 300)
	for i, word := range r.transfer("c", "d", sent) {
		require.Equal(t, ^sent[i]&0xFFFFFFFF, word)
	}
}

// The beats have bits set above their fields, which must not reach the ports.
func (open Open) fullOutput(t *testing.T) {
	r := open.start(t, testdesign.Wide(), simulator.Options{Buffer: 8})
	var sent, got []uint64
	for i := range uint64(100) {
		sent = append(sent, 0xDEAD<<32|i)
	}
	rest := r.push("c", sent)
	require.Len(t, rest, 92, "the buffer holds 8")
	require.Equal(t, simulator.Result{Cycles: 8, Why: simulator.OutputFull}, r.run(1000, 50))

	rest = r.push("c", rest)
	require.Len(t, rest, 84)
	require.Equal(t, simulator.Result{Cycles: 50, Why: simulator.OutputFull}, r.run(1000, 50), "without a pop nothing moves")
	require.Equal(t, simulator.Result{Cycles: 20, Why: simulator.MaxCycles}, r.run(20, 0))

	three := make([]uint64, 3)
	for len(got) < len(sent) {
		n, err := r.Pop(3, three, nil)
		require.NoError(t, err)
		got = append(got, three[:n]...)
		rest = r.push("c", rest)
		r.run(7, 0)
	}
	for i, word := range got {
		require.Equal(t, uint64(^uint32(i)), word)
	}
}

func (open Open) fullMonitor(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{Buffer: 4})
	r.push("s", []uint64{1, 0, 2, 0, 3, 0, 4, 0})
	require.Equal(t, simulator.Result{Cycles: 4, Why: simulator.OutputFull}, r.run(100, 10))
	r.push("s", []uint64{5, 0})
	require.Equal(t, simulator.Result{Cycles: 0, Why: simulator.OutputFull}, r.run(100, 10), "a monitor cannot stall")
	stored, _ := r.pop("stored", false)
	require.Equal(t, []uint64{1, 2, 3, 4}, stored)
	require.Equal(t, simulator.OutputFull, r.run(100, 10).Why, "now the output is full")
	out, _ := r.pop("m", false)
	require.Equal(t, []uint64{1, 0, 2, 0, 3, 0, 4, 0}, out)
	require.Equal(t, simulator.Quiet, r.run(100, 10).Why)
	out, _ = r.pop("m", false)
	require.Equal(t, []uint64{5, 0}, out)
	stored, _ = r.pop("stored", false)
	require.Equal(t, []uint64{5}, stored)
}

// stamps shows that no stamp is lost: the slot of its beat stays occupied until the stamp is read.
func (open Open) stamps(t *testing.T) {
	r := open.start(t, testdesign.Wide(), simulator.Options{Buffer: 4, Stamps: true})
	four := []uint64{1, 2, 3, 4}
	require.Empty(t, r.push("c", four))
	r.run(4, 0)
	r.pop("d", true)
	require.Len(t, r.push("c", four), 4, "accepted, but the stamps are unread")
	cycles := make([]uint64, 3)
	n, err := r.Accepted(2, cycles)
	require.NoError(t, err)
	assert.Equal(t, []uint64{4, 5, 6}, cycles[:n])
	require.Len(t, r.push("c", four), 1)
	r.run(4, 0)
	n, err = r.Accepted(2, cycles)
	require.NoError(t, err)
	assert.Equal(t, []uint64{7, 8, 9}, cycles[:n])
}

// idle fills b's buffer and the register ahead of it, so that nothing can move.
func (open Open) idle(t *testing.T) {
	r := open.start(t, testdesign.Wide(), simulator.Options{Buffer: 4})
	beats := make([]uint64, 12*4)
	r.push("a", beats)
	require.Equal(t, simulator.OutputFull, r.run(100, 10).Why)
	require.Empty(t, r.push("a", beats[:12*3]))
	require.Equal(t, simulator.OutputFull, r.run(100, 10).Why)
	stuck := simulator.Result{Cycles: 10, Why: simulator.OutputFull}
	for _, act := range []func(){
		func() {},
		func() { r.push("a", beats[:12]) },
		func() { require.NoError(t, r.Reset(1)) },
	} {
		require.Equal(t, simulator.Result{Cycles: 4, Why: simulator.MaxCycles}, r.run(4, 10))
		require.Equal(t, simulator.Result{Cycles: 5, Why: simulator.MaxCycles}, r.run(5, 10))
		act()
		if r.Stats(0).Queued == 2 { // nothing was pushed: the nine idle cycles still count
			require.Equal(t, simulator.Result{Cycles: 1, Why: simulator.OutputFull}, r.run(100, 10))
			continue
		}
		require.Equal(t, stuck, r.run(100, 10))
	}
}

// statics also shows that Peek sees the state after the last clock edge.
func (open Open) statics(t *testing.T) {
	r := open.start(t, testdesign.FIFO(), simulator.Options{})
	require.NoError(t, r.SetStatic("mask", 0xFF00000000000001))
	r.stall("m", simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
	r.push("s", []uint64{0, 1, 3, 0, 7, 0})
	r.run(2, 0)
	word := make([]uint64, 1)
	require.NoError(t, r.Peek("level", word))
	assert.Equal(t, uint64(2), word[0])
	require.NoError(t, r.Peek("m_data", word))
	assert.Equal(t, uint64(0xFF00000000000001), word[0])
	require.NoError(t, r.Peek("m_last", word))
	assert.Equal(t, uint64(1), word[0])

	r = open.start(t, testdesign.Wide(), simulator.Options{})
	beat := make([]uint64, 12)
	simulator.SetBits(beat, 7+497, 64, 0x0123456789ABCDEF) // the top 64 bits of a_header
	r.push("a", beat)
	r.run(1, 0)
	header := make([]uint64, 9)
	require.NoError(t, r.Peek("b_header", header))
	assert.Equal(t, []uint64{0, 0, 0, 0, 0, 0, 0, 0x4DEF << 49, 0x0123456789ABCDEF >> 15}, header)
}
