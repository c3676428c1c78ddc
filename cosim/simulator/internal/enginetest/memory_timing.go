package enginetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// The latency of a burst counts from its last handshake: of a read from the address, of a write from address and data.
func (open Open) memoryLatency(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	require.NoError(t, r.memory.SetLog(100))
	for _, n := range []uint64{1, 2, 7, 200, 1000} {
		r.latency(n, n)
		r.ask("s_ar", 1, 0x100, 4)
		r.run(1, 0)
		r.ask("s_aw", 2, 0x200, 2)
		r.run(3, 0)
		r.data(make([]byte, 16), nil)
		require.Equal(t, simulator.Quiet, r.run(5000, 10).Why, "a latency is not idle")
		asked := r.accepted("s_ar")[0]
		for i, d := range r.taken() {
			assert.Equal(t, asked+n+uint64(i), d.cycle, "a beat per cycle")
			assert.Equal(t, i == 3, d.last)
			assert.Equal(t, uint64(1), d.id)
		}
		written := r.accepted("s_w")[1]
		r.accepted("s_aw")
		assert.Equal(t, []response{{2, 0, written + n}}, r.responses())
		assert.ElementsMatch(t, []simulator.Effect{
			{Cycle: asked + n, ID: 1, Address: 0x100, Bytes: 32},
			{Cycle: written + n, Write: true, ID: 2, Address: 0x200, Bytes: 16}}, r.effects())
	}
}

// A burst that touches slow memory takes longer and delays later bursts of the same ID and direction, but not those of other IDs.
func (open Open) memorySlow(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	r.latency(5, 5)
	slow := simulator.Latency{Least: 300, Most: 300}
	require.NoError(t, r.memory.SetSlow(slow, simulator.Range{First: 0x218, Last: 0x21F, Reads: true}, simulator.Range{First: 0x400, Last: 0x4FF, Writes: true}))
	for _, burst := range []struct{ id, address uint64 }{{1, 0x200}, {1, 0x100}, {2, 0x220}, {3, 0x400}} {
		r.ask("s_ar", burst.id, burst.address, 4)
	}
	for _, burst := range []struct{ id, address uint64 }{{1, 0x400}, {1, 0x100}, {2, 0x200}} {
		r.ask("s_aw", burst.id, burst.address, 1)
		r.data(make([]byte, 8), nil)
	}
	require.NoError(t, r.memory.SetLog(100))
	r.run(1000, 10)
	asked, written := r.accepted("s_ar")[0], r.accepted("s_aw")[0]
	want := map[simulator.Effect]bool{}
	for _, e := range []simulator.Effect{
		{Cycle: asked + 300, ID: 1, Address: 0x200, Bytes: 32}, {Cycle: asked + 301, ID: 1, Address: 0x100, Bytes: 32},
		{Cycle: asked + 7, ID: 2, Address: 0x220, Bytes: 32}, {Cycle: asked + 8, ID: 3, Address: 0x400, Bytes: 32},
		{Cycle: written + 300, Write: true, ID: 1, Address: 0x400, Bytes: 8}, {Cycle: written + 301, Write: true, ID: 1, Address: 0x100, Bytes: 8},
		{Cycle: written + 7, Write: true, ID: 2, Address: 0x200, Bytes: 8},
	} {
		want[e] = true
	}
	got := map[simulator.Effect]bool{}
	for _, e := range r.effects() {
		got[e] = true
	}
	assert.Equal(t, want, got)
	assert.Error(t, r.memory.SetSlow(simulator.Latency{}))
	assert.Error(t, r.memory.SetSlow(slow, make([]simulator.Range, simulator.MaxErrorRanges+1)...))
}

// A Mover issues reads as early as possible, so a copy takes one cycle per beat plus each latency once, whatever the latencies.
func (open Open) memoryRate(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, most := range []uint64{1, 20, 200, 500} {
		for _, burst := range []int{1, 16, 256} {
			t.Run(fmt.Sprintf("latency up to %d, bursts of %d", most, burst), func(t *testing.T) {
				r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
				r.latency(1, most)
				bytes := randomBytes(random, 16*4000)
				r.write(0x7000, bytes)
				start := r.Cycle()
				require.False(t, r.move(0x7000, 0x1_0000_0000, 4000, burst, 0))
				assert.Equal(t, bytes, r.read(0x1_0000_0000, len(bytes)))
				limit := 4000 + 2*most + 40
				if burst == 1 { // at most 256 bursts are held, each for at least its latency
					limit = max(limit, 4000*(most+2)/256+2*most+40)
				}
				assert.Less(t, r.Cycle()-start, limit)
			})
		}
	}
}

// Bursts of one beat are accepted, take effect and complete at one per cycle in each direction.
func (open Open) memoryBursts(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	r.latency(100, 100)
	for i := range uint64(200) {
		r.ask("s_aw", i%8, 8*i, 1)
		r.data(randomBytes(rand.New(rand.NewPCG(i, i)), 8), nil)
		r.ask("s_ar", i%8, 8*i, 1)
	}
	r.run(1000, 10)
	aw, w, ar := r.accepted("s_aw"), r.accepted("s_w"), r.accepted("s_ar")
	b, d := r.responses(), r.taken()
	for i := range uint64(200) {
		assert.Equal(t, []uint64{4 + i, 4 + i, 4 + i, 104 + i, 104 + i}, []uint64{aw[i], w[i], ar[i], b[i].cycle, d[i].cycle})
		assert.Equal(t, r.read(8*i, 8), d[i].bytes, "a write precedes a read of the same cycle")
	}
}

func (open Open) memoryStalls(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, stall := range stalls {
		t.Run(stall.name, func(t *testing.T) {
			r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Seed: 9})
			r.latency(1, 60)
			r.stallAll(stall.Stall)
			for range 5 {
				beats, from := 1+random.IntN(400), 16*random.Uint64N(1<<12)
				to := 1<<20 + 16*random.Uint64N(1<<12)
				bytes := randomBytes(random, 16*(beats+2))
				r.write(from, bytes[16:16*(beats+1)])
				r.write(to-16, bytes)
				r.write(to, make([]byte, 16*beats))
				require.False(t, r.move(from, to, beats, 1+random.IntN(256), random.Uint64N(2)))
				require.Equal(t, bytes, r.read(to-16, 16*(beats+2)), "exactly these bytes")
			}
		})
	}
}

// In 4000 draws from 20 values, each value occurs about 200 times; the deviation is within a few times the square root.
func (open Open) memoryDraw(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Seed: 5, Buffer: 4096, Stamps: true})
	require.NoError(t, r.memory.SetLog(1<<13))
	require.NoError(t, r.memory.SetLatency(simulator.Latency{Least: 3, Most: 22}, simulator.Latency{Least: 101, Most: 120}))
	reads, writes := map[uint64]int{}, map[uint64]int{}
	for range 4000 {
		r.ask("s_ar", 0, 0, 1)
		r.ask("s_aw", 0, 0, 1)
		r.data(make([]byte, 8), nil)
		r.run(200, 1) // one at a time, since bursts may delay each other
		asked, written := r.accepted("s_ar")[0], r.accepted("s_w")[0]
		r.accepted("s_aw")
		r.taken()
		r.responses()
		for _, e := range r.effects() {
			if e.Write {
				writes[e.Cycle-written]++
			} else {
				reads[e.Cycle-asked]++
			}
		}
	}
	for i := range uint64(20) {
		assert.InDelta(t, 200, reads[3+i], 70)
		assert.InDelta(t, 200, writes[101+i], 70)
	}
	assert.Len(t, reads, 20)
	assert.Len(t, writes, 20)
}

func (open Open) memoryDataFirst(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	r.latency(5, 5)
	bytes := randomBytes(rand.New(rand.NewPCG(1, 2)), 8*5)
	r.data(bytes[:24], nil)
	r.data(bytes[24:32], nil)
	r.data(bytes[32:], nil)
	r.run(10, 0)
	assert.Len(t, r.accepted("s_w"), 5)
	r.ask("s_aw", 1, 0x1000, 3)
	r.run(1, 0)
	r.ask("s_aw", 1, 0x2000, 1)
	r.ask("s_aw", 1, 0x3000, 1)
	r.run(100, 10)
	at := r.accepted("s_aw")
	assert.Equal(t, []response{{1, 0, at[0] + 5}, {1, 0, at[1] + 5}, {1, 0, at[2] + 5}}, r.responses())
	assert.Equal(t, bytes[:24], r.read(0x1000, 24))
	assert.Equal(t, bytes[24:32], r.read(0x2000, 8))
	assert.Equal(t, bytes[32:], r.read(0x3000, 8))
}

// A read is held until its last beat of data is taken, a write from its first beat until its response is taken.
func (open Open) memoryOutstanding(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	require.NoError(t, r.memory.SetOutstanding(3))
	r.latency(50, 50)
	for range 5 {
		r.ask("s_ar", 0, 0, 4)
	}
	r.run(300, 10)
	d := r.taken()
	assert.Equal(t, []uint64{4, 5, 6, d[3].cycle + 1, d[7].cycle + 1}, r.accepted("s_ar"))

	require.NoError(t, r.memory.SetOutstanding(1))
	r.data(make([]byte, 16), nil)
	r.data(make([]byte, 16), nil)
	r.run(20, 0)
	assert.Len(t, r.accepted("s_w"), 2, "no slot for the second burst")
	r.ask("s_aw", 0, 0, 2)
	r.ask("s_aw", 0, 0, 2)
	r.run(300, 10)
	b := r.responses()
	assert.Equal(t, b[0].cycle+1, r.accepted("s_w")[0])
	assert.Equal(t, b[0].cycle+1, r.accepted("s_aw")[1])
	require.Len(t, b, 2)
}

// A beat is accepted one cycle after it is offered, so every other cycle.
func (open Open) memoryLateReady(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Stamps: true})
	require.NoError(t, r.memory.SetLateReady(true))
	for range 3 {
		r.ask("s_ar", 0, 0, 1)
		r.ask("s_aw", 0, 0, 1)
		r.data(make([]byte, 8), nil)
	}
	r.run(100, 10)
	for _, s := range []string{"s_ar", "s_aw", "s_w"} {
		assert.Equal(t, []uint64{5, 7, 9}, r.accepted(s), s)
	}
	assert.Len(t, r.responses(), 3)
	assert.Len(t, r.taken(), 3)
	require.NoError(t, r.memory.SetLateReady(false))
	r.ask("s_ar", 0, 0, 1)
	start := r.Cycle()
	r.run(100, 10)
	assert.Equal(t, []uint64{start}, r.accepted("s_ar"))
}
