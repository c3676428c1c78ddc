package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

func (open Open) memoryErrors(t *testing.T) {
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	bytes := randomBytes(rand.New(rand.NewPCG(2, 2)), 16*64)
	r.write(0x4000, bytes)
	require.NoError(t, r.memory.SetErrors(
		simulator.Range{First: 0x4100, Last: 0x417F, Reads: true}, simulator.Range{First: 0x9000, Last: 0x9FFF, Writes: true}))
	assert.False(t, r.move(0x4000, 0x8000, 16, 16, 0), "the beats before the range")
	assert.False(t, r.move(0x4180, 0x8000, 16, 16, 0), "the beats after it")
	assert.True(t, r.move(0x40F0, 0x8000, 2, 16, 0), "the last beat")
	assert.True(t, r.move(0x4170, 0x8000, 2, 16, 0), "the first beat")
	assert.Equal(t, ^bytes[0x170], r.read(0x8000, 1)[0])
	assert.Equal(t, bytes[0x180:0x190], r.read(0x8010, 16), "the other beat is unaffected")
	assert.True(t, r.move(0x4000, 0x9000, 16, 16, 0))
	assert.Equal(t, make([]byte, 4096), r.read(0x9000, 4096), "no effect")
	assert.True(t, r.move(0x4000, 0x8FF0, 2, 16, 0), "two bursts")
	assert.Equal(t, bytes[:16], r.read(0x8FF0, 16))
	assert.False(t, r.move(0x9000, 0x4100, 2, 16, 0), "each direction separately")
	require.NoError(t, r.memory.SetErrors())
	assert.False(t, r.move(0x4100, 0x9000, 1, 16, 0))
}

// All patterns of OKAY, SLVERR and DECERR on three beats: each beat of a read has its own response, and a write has the
// first error. This includes a single error on the first, the middle and the last beat.
func (open Open) memoryBeatErrors(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	bytes := []byte("octets of three beats ..")
	for pattern := range 27 {
		resp := []uint64{0, 2, 3}
		beats := []uint64{resp[pattern%3], resp[pattern/3%3], resp[pattern/9]}
		var ranges []simulator.Range
		var first uint64
		want := make([]byte, 24)
		for i, resp := range beats {
			copy(want[8*i:], bytes[8*i:8*i+8])
			if resp == 0 {
				continue
			}
			at := uint64(0x100 + 8*i)
			ranges = append(ranges, simulator.Range{First: at + 3, Last: at + 3, Reads: true, Writes: true, Decode: resp == 3})
			clear(want[8*i : 8*i+8])
			if first == 0 {
				first = resp
			}
		}
		r.write(0x100, make([]byte, 24))
		require.NoError(t, r.memory.SetErrors(ranges...))
		r.ask("s_aw", 1, 0x100, 3)
		r.data(bytes, nil)
		r.run(100, 10)
		b := r.responses()
		require.Len(t, b, 1)
		assert.Equal(t, first, b[0].resp, beats)
		assert.Equal(t, want, r.read(0x100, 24), beats)
		r.write(0x100, bytes)
		r.ask("s_ar", 2, 0x100, 3)
		r.run(100, 10)
		taken := r.taken()
		require.Len(t, taken, 3)
		for i, d := range taken {
			assert.Equal(t, beats[i], d.resp, beats)
			assert.Equal(t, beats[i] == 0, string(d.bytes) == string(bytes[8*i:8*i+8]), beats)
		}
	}
}

func (open Open) memoryBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	want := map[uint64]byte{}
	bases := []uint64{0, 0x1234_5678_9000, 0xFFFF_FFFF_FFFF_0000}
	for range 200 {
		address, n := bases[random.IntN(3)]+random.Uint64N(0x8000), 1+random.IntN(0x8000)
		if random.IntN(3) == 0 {
			n = 1 + random.IntN(9)
		}
		for i, v := range r.read(address, n) {
			if want[address+uint64(i)] != v {
				require.Equal(t, want[address+uint64(i)], v, "at 0x%x", address+uint64(i))
			}
		}
		bytes := randomBytes(random, 1+random.IntN(200))
		for i, v := range bytes {
			want[address+uint64(i)] = v
		}
		r.write(address, bytes)
	}
	r.write(0xFFFF_FFFF_FFFF_FFFF, []byte{7})
	assert.Equal(t, []byte{0, 7}, r.read(0xFFFF_FFFF_FFFF_FFFE, 2))
	assert.Empty(t, r.read(5, 0))
	assert.EqualError(t, r.memory.Read(0xFFFF_FFFF_FFFF_FFFF, make([]byte, 2)), "read memory: 2 bytes from 0xffffffffffffffff end beyond the last address")
	assert.EqualError(t, r.memory.Write(0xFFFF_FFFF_FFFF_FFFF, make([]byte, 2)), "write memory: 2 bytes from 0xffffffffffffffff end beyond the last address")

	other := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	assert.Equal(t, []byte{0}, other.read(0xFFFF_FFFF_FFFF_FFFF, 1), "each instance has its own memory")
}

func (open Open) memoryMisuse(t *testing.T) {
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Stamps: true})
	_, err := r.Memory("disk")
	assert.EqualError(t, err, `mover_16 has no memory "disk"`)
	one := simulator.Latency{Least: 1, Most: 1}
	aw, _ := r.stream("m_axi_aw")
	b, _ := r.stream("m_axi_b")
	word := make([]uint64, 8)
	errorOf := func(_ any, err error) error { return err }
	for _, c := range []struct {
		err  error
		says string
	}{
		{r.memory.SetLatency(simulator.Latency{Least: 0, Most: 1}, one), "memory: latency from 0 to 1 cycles; it must be from 1 to 2147483648, the minimum first"},
		{r.memory.SetLatency(one, simulator.Latency{Least: 3, Most: 2}), "memory: latency from 3 to 2 cycles; it must be from 1 to 2147483648, the minimum first"},
		{r.memory.SetLatency(one, simulator.Latency{Least: 3, Most: 1<<31 + 1}), "memory: latency from 3 to 2147483649 cycles; it must be from 1 to 2147483648, the minimum first"},
		{r.memory.SetOutstanding(0), "memory: 0 outstanding bursts; it must be from 1 to 1024"},
		{r.memory.SetOutstanding(1025), "memory: 1025 outstanding bursts; it must be from 1 to 1024"},
		{r.memory.SetErrors(simulator.Range{First: 2, Last: 1}), "memory: range from 0x2 to 0x1: the end is before the start"},
		{r.memory.SetBounds(simulator.Range{First: 2, Last: 1}), "memory: range from 0x2 to 0x1: the end is before the start"},
		{r.memory.SetErrors(make([]simulator.Range, 17)...), "memory: 17 error ranges; at most 16 are allowed"},
		{r.memory.SetLog(1), "memory: a log of 1 effects; it must be none or at least 2"},
		{r.memory.SetLog(-1), "memory: a log of -1 effects; it must be none or at least 2"},
		{errorOf(r.memory.Effects(make([]simulator.Effect, 1))), "memory: no effects are kept; enable them with SetLog"},
		{errorOf(r.Push(b, word[:1])), "stream m_axi_b belongs to memory memory"},
		{errorOf(r.Pop(aw, word, nil)), "stream m_axi_aw belongs to memory memory"},
		{errorOf(r.View(aw)), "stream m_axi_aw belongs to memory memory"},
		{r.Drop(aw, 1), "stream m_axi_aw belongs to memory memory"},
		{errorOf(r.Accepted(b, word)), "stream m_axi_b belongs to memory memory"},
		{r.Lend(b, word), "stream m_axi_b belongs to memory memory"},
		{errorOf(r.Exchange(aw, word)), "stream m_axi_aw belongs to memory memory"},
	} {
		assert.EqualError(t, c.err, c.says)
	}
	broken := testdesign.Mover(16)
	broken.Memories[0].Bytes = 32
	_, err = open(broken, simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrDesign)
	require.NoError(t, r.Close())
	assert.ErrorIs(t, r.memory.Read(0, make([]byte, 1)), simulator.ErrClosed)
	assert.ErrorIs(t, r.memory.SetLog(2), simulator.ErrClosed)
}
