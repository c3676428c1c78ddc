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

// conformMemory runs the tests of engine.Memory.
func (open Open) conformMemory(t *testing.T) {
	t.Run("latency is exact", open.memoryLatency)
	t.Run("latency is hidden at full rate", open.memoryRate)
	t.Run("a burst a clock", open.memoryBursts)
	t.Run("as if the bursts happened one by one", open.memoryTraffic)
	t.Run("copies under all stalls", open.memoryStalls)
	t.Run("latency is drawn from the whole range", open.memoryDraw)
	t.Run("data may go first", open.memoryDataFirst)
	t.Run("bursts that are held are bounded", open.memoryOutstanding)
	t.Run("ready only for what is on offer", open.memoryLateReady)
	t.Run("errors are answered", open.memoryErrors)
	t.Run("errors of each beat", open.memoryBeatErrors)
	t.Run("broken rules are found", open.memoryRules)
	t.Run("broken designs are found", open.memoryFaults)
	t.Run("bounds are kept", open.memoryBounds)
	t.Run("a full log loses nothing", open.memoryLog)
	t.Run("reset drops what is on its way", open.memoryReset)
	t.Run("a fresh start after a reset", open.memoryFreshStart)
	t.Run("silence", open.memorySilence)
	t.Run("silence of the full", open.memoryFullSilence)
	t.Run("bytes from outside", open.memoryBytes)
	t.Run("batched and cycle by cycle are the same", open.memoryBatched)
	t.Run("halves and several memories", open.memoryHalves)
	t.Run("runs do not allocate", open.memoryAllocations)
	t.Run("misuse is an error", open.memoryMisuse)
}

// A burst is due its latency after its last handshake: reads after the address, writes after address and data.
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
		require.Equal(t, simulator.Quiet, r.run(5000, 10).Why, "a latency is not silence")
		asked := r.accepted("s_ar")[0]
		for i, d := range r.taken() {
			assert.Equal(t, asked+n+uint64(i), d.cycle, "a beat a clock")
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

// A Mover asks for all it can, so that its copy takes a clock a beat and each latency once, whatever they are.
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
				if burst == 1 { // 256 bursts are held, of which none leaves before its latency
					limit = max(limit, 4000*(most+2)/256+2*most+40)
				}
				assert.Less(t, r.Cycle()-start, limit)
			})
		}
	}
}

// Bursts of one beat are accepted, take effect and are answered one a clock, in each direction.
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
		assert.Equal(t, r.read(8*i, 8), d[i].bytes, "the write of a cycle is before its read")
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
				require.Equal(t, bytes, r.read(to-16, 16*(beats+2)), "neither less nor more")
			}
		})
	}
}

// With 4000 draws of 20 values, each is there 200 times, give or take a few times the square root.
func (open Open) memoryDraw(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Seed: 5, Buffer: 4096, Stamps: true})
	require.NoError(t, r.memory.SetLog(1<<13))
	require.NoError(t, r.memory.SetLatency(simulator.Latency{Least: 3, Most: 22}, simulator.Latency{Least: 101, Most: 120}))
	reads, writes := map[uint64]int{}, map[uint64]int{}
	for range 4000 {
		r.ask("s_ar", 0, 0, 1)
		r.ask("s_aw", 0, 0, 1)
		r.data(make([]byte, 8), nil)
		r.run(200, 1) // one at a time, since one may keep another one waiting
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

// A read is held until the last beat of its data is taken, a write from its first beat on until its response is.
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
	assert.Len(t, r.accepted("s_w"), 2, "the second burst has no place")
	r.ask("s_aw", 0, 0, 2)
	r.ask("s_aw", 0, 0, 2)
	r.run(300, 10)
	b := r.responses()
	assert.Equal(t, b[0].cycle+1, r.accepted("s_w")[0])
	assert.Equal(t, b[0].cycle+1, r.accepted("s_aw")[1])
	require.Len(t, b, 2)
}

func (open Open) memoryErrors(t *testing.T) {
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	bytes := randomBytes(rand.New(rand.NewPCG(2, 2)), 16*64)
	r.write(0x4000, bytes)
	require.NoError(t, r.memory.SetErrors(
		simulator.Range{First: 0x4100, Last: 0x417F, Reads: true}, simulator.Range{First: 0x9000, Last: 0x9FFF, Writes: true}))
	assert.False(t, r.move(0x4000, 0x8000, 16, 16, 0), "the beats before the range")
	assert.False(t, r.move(0x4180, 0x8000, 16, 16, 0), "the beats behind it")
	assert.True(t, r.move(0x40F0, 0x8000, 2, 16, 0), "the last beat")
	assert.True(t, r.move(0x4170, 0x8000, 2, 16, 0), "the first beat")
	assert.Equal(t, ^bytes[0x170], r.read(0x8000, 1)[0])
	assert.Equal(t, bytes[0x180:0x190], r.read(0x8010, 16), "the other beat is as ever")
	assert.True(t, r.move(0x4000, 0x9000, 16, 16, 0))
	assert.Equal(t, make([]byte, 4096), r.read(0x9000, 4096), "no effect")
	assert.True(t, r.move(0x4000, 0x8FF0, 2, 16, 0), "two bursts")
	assert.Equal(t, bytes[:16], r.read(0x8FF0, 16))
	assert.False(t, r.move(0x9000, 0x4100, 2, 16, 0), "each direction for itself")
	require.NoError(t, r.memory.SetErrors())
	assert.False(t, r.move(0x4100, 0x9000, 1, 16, 0))
}

// With every pattern of OKAY, SLVERR and DECERR on three beats, each beat of a read has its own response, and a write has the
// first error; so each beat alone fails, the first, the middle and the last one.
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

// A beat is accepted in the cycle after the one in which it comes, so every other cycle.
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

// protocolError is the error with which a run ends.
func (r *memoryRig) protocolError() *simulator.ProtocolError {
	r.t.Helper()
	result, err := r.Run(1000, 50)
	var broken *simulator.ProtocolError
	require.ErrorAs(r.t, err, &broken)
	assert.Equal(r.t, simulator.Failed, result.Why)
	assert.Equal(r.t, broken.Cycle+1, r.Cycle(), "the run ends with the cycle")
	_, again := r.Run(1, 0)
	assert.Equal(r.t, err, again, "it stays broken")
	assert.Equal(r.t, err, r.Reset(1))
	r.read(0, 8)
	return broken
}

func (open Open) memoryRules(t *testing.T) {
	good := beat{"addr": 0x1FC0, "len": 7, "size": 3, "burst": 1}
	with := func(name string, value uint64) beat {
		b := beat{}
		for k, v := range good {
			b[k] = v
		}
		b[name] = value
		return b
	}
	for _, c := range []struct {
		name    string
		aw, ar  []beat
		w       []int // beats of bursts
		cycle   uint64
		rule    simulator.Rule
		channel string
		address uint64
		beats   int
	}{
		{name: "unaligned write", aw: []beat{good, with("addr", 0x1004)}, cycle: 5, rule: simulator.RuleAligned, channel: "m_axi_aw", address: 0x1004, beats: 8},
		{name: "unaligned read", ar: []beat{good, with("addr", 0x1001)}, cycle: 5, rule: simulator.RuleAligned, channel: "m_axi_ar", address: 0x1001, beats: 8},
		{name: "narrow write", aw: []beat{with("size", 2)}, cycle: 4, rule: simulator.RuleSize, channel: "m_axi_aw", address: 0x1FC0, beats: 8},
		{name: "too wide a read", ar: []beat{with("size", 4)}, cycle: 4, rule: simulator.RuleSize, channel: "m_axi_ar", address: 0x1FC0, beats: 8},
		{name: "fixed write", aw: []beat{with("burst", 0)}, cycle: 4, rule: simulator.RuleBurst, channel: "m_axi_aw", address: 0x1FC0, beats: 8},
		{name: "wrapping read", ar: []beat{with("burst", 2)}, cycle: 4, rule: simulator.RuleBurst, channel: "m_axi_ar", address: 0x1FC0, beats: 8},
		{name: "write across a boundary", aw: []beat{with("len", 8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_aw", address: 0x1FC0, beats: 9},
		{name: "read across a boundary", ar: []beat{with("addr", 0x1FC8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_ar", address: 0x1FC8, beats: 8},
		{name: "read beyond the last address", ar: []beat{with("addr", 0xFFFF_FFFF_FFFF_FFC8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_ar", address: 0xFFFF_FFFF_FFFF_FFC8, beats: 8},
		{name: "data ends early", aw: []beat{good}, w: []int{7}, cycle: 10, rule: simulator.RuleLast, channel: "m_axi_w", address: 0x1FC0, beats: 7},
		{name: "data does not end", aw: []beat{good}, w: []int{9}, cycle: 11, rule: simulator.RuleLast, channel: "m_axi_w", address: 0x1FC0, beats: 8},
		{name: "no end of data", w: []int{300}, cycle: 4 + 255, rule: simulator.RuleLast, channel: "m_axi_w", beats: 256},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 512})
			r.send("s_aw", c.aw...)
			r.send("s_ar", c.ar...)
			for _, n := range c.w {
				r.data(make([]byte, 8*n), nil)
			}
			got := r.protocolError()
			assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: c.channel, Cycle: c.cycle, Rule: c.rule, Address: c.address, Beats: c.beats}, got)
			assert.EqualError(t, got, fmt.Sprintf("memory memory: %s breaks a rule in cycle %d: %s (address 0x%x, %d beats)",
				c.channel, c.cycle, c.rule, c.address, c.beats))
		})
	}
	for _, n := range []int{1, 7, 9} { // the address comes when the data is there
		r := open.startMemory(t, testdesign.Pass(8), simulator.Options{})
		r.data(make([]byte, 8*n), nil)
		r.run(20, 0)
		r.send("s_aw", good)
		assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 24, Rule: simulator.RuleLast, Address: 0x1FC0, Beats: n}, r.protocolError())
	}
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{}) // the address comes when too much of the data is there
	r.data(make([]byte, 8*20), nil)
	r.run(8, 0)
	r.send("s_aw", good)
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 12, Rule: simulator.RuleLast, Address: 0x1FC0, Beats: 8}, r.protocolError())

	r = open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 4}) // in the cycle in which an output becomes full
	r.ask("s_ar", 0, 0, 4)
	r.run(4, 0)
	r.ask("s_ar", 0, 1, 4)
	assert.Equal(t, uint64(8), r.protocolError().Cycle)
	assert.Equal(t, uint64(4), r.Stats(4).Queued)

	r = open.startMemory(t, testdesign.Pass(128), simulator.Options{}) // longer than what a burst has place for
	require.NoError(t, r.memory.SetBounds(simulator.Range{Last: 1, Writes: true}))
	r.data(make([]byte, 128), make([]bool, 128))
	r.send("s_aw", beat{"len": 255, "size": 7, "burst": 1})
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_aw", Cycle: 4, Rule: simulator.RuleBoundary, Beats: 256}, r.protocolError())

	r = open.startMemory(t, testdesign.Pass(128), simulator.Options{}) // no burst is longer than 4 KiB
	r.data(make([]byte, 128*40), nil)
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 4 + 31, Rule: simulator.RuleLast, Beats: 32}, r.protocolError())
}

// Bounds that meet are as one; a strobe less, or a byte more of a beat that is read, makes a burst right.
func (open Open) memoryBounds(t *testing.T) {
	bounds := []simulator.Range{
		{First: 0x100, Last: 0x10B, Writes: true}, {First: 0x10C, Last: 0x12E, Writes: true, Reads: true}, {First: 0x300, Last: 0x300, Reads: true}}
	for _, c := range []struct {
		write   bool
		address uint64
		beats   int
		without int // the byte that has no strobe
		wrong   int // beat
	}{
		{true, 0x100, 5, -1, 0}, {true, 0x108, 1, -1, 0}, {true, 0x100, 6, -1, 6}, {true, 0x100, 6, 47, 0}, {true, 0x128, 1, 6, 1},
		{true, 0x128, 1, 7, 0}, {true, 0xF8, 3, -1, 1}, {true, 0x300, 1, -1, 1},
		{false, 0x108, 5, 0, 0}, {false, 0x100, 1, 0, 1}, {false, 0x300, 1, 0, 0}, {false, 0x120, 5, 0, 3},
	} {
		r := open.startMemory(t, testdesign.Pass(8), simulator.Options{})
		require.NoError(t, r.memory.SetBounds(bounds...))
		channel := "m_axi_ar"
		if c.write {
			channel = "m_axi_w"
			strobes := make([]bool, 8*c.beats)
			for i := range strobes {
				strobes[i] = i != c.without
			}
			r.data(make([]byte, 8*c.beats), strobes)
			r.ask("s_aw", 0, c.address, c.beats)
		} else {
			r.ask("s_ar", 0, c.address, c.beats)
		}
		if c.wrong == 0 {
			require.Equal(t, simulator.Quiet, r.run(100, 10).Why, c)
			continue
		}
		got := r.protocolError()
		assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: channel, Cycle: got.Cycle, Rule: simulator.RuleBounds, Address: c.address, Beats: c.wrong}, got)
	}
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	require.NoError(t, r.memory.SetBounds(bounds...))
	require.NoError(t, r.memory.SetBounds())
	require.False(t, r.move(0x40F0, 0x8000, 2, 16, 0), "no bounds are none")
}

// Every fault of the Mover breaks a rule, under stalls, and the Mover without a fault breaks none.
func (open Open) memoryFaults(t *testing.T) {
	for _, c := range []struct {
		fault   testdesign.Fault
		rule    simulator.Rule
		channel string // that is found out, AR and AW being equally guilty
	}{
		{testdesign.AddressFalls, simulator.RuleValid, "m_axi_a"},
		{testdesign.AddressChanges, simulator.RuleStable, "m_axi_a"},
		{testdesign.AddressUnaligned, simulator.RuleAligned, "m_axi_a"},
		{testdesign.AddressNarrow, simulator.RuleSize, "m_axi_a"},
		{testdesign.AddressFixed, simulator.RuleBurst, "m_axi_a"},
		{testdesign.AddressCrosses, simulator.RuleBoundary, "m_axi_a"},
		{testdesign.DataFalls, simulator.RuleValid, "m_axi_w"},
		{testdesign.DataChanges, simulator.RuleStable, "m_axi_w"},
		{testdesign.DataEndsEarly, simulator.RuleLast, "m_axi_w"},
		{testdesign.DataDoesNotEnd, simulator.RuleLast, "m_axi_w"},
		{testdesign.ReadAddressFalls, simulator.RuleValid, "m_axi_ar"},
		{testdesign.ReadAddressChanges, simulator.RuleStable, "m_axi_ar"},
		{testdesign.ReadAddressCrosses, simulator.RuleBoundary, "m_axi_ar"},
	} {
		for seed := range uint64(5) {
			r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Seed: seed})
			r.latency(1, 20)
			r.stallAll(simulator.Stall{Mode: simulator.StallRandom, Chance: 128})
			require.False(t, r.move(0x1F00, 0x2F80, 300, 64, 0))
			r.fault(c.fault)
			r.send("s", beat{"from": 0x1F00, "to": 0x2F80, "beats": 300, "len": 63})
			got := r.protocolError()
			assert.Equal(t, c.rule, got.Rule, c.fault)
			assert.Contains(t, got.Channel, c.channel, c.fault)
		}
	}
}

// The run ends when two effects have no room, and goes on where it was.
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
				assert.Equal(t, simulator.Result{Why: simulator.OutputFull}, r.run(10, 0), "there is no room yet")
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

// What took effect before the reset stays, and nothing else comes of the bursts from before it.
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

// A burst waits for no burst from before the reset.
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
	assert.Equal(t, []uint64{11}, []uint64{r.taken()[0].cycle}, "4 and 1 cycles of reset, 5 of the first run, the latency")
	assert.Equal(t, uint64(11), r.responses()[0].cycle)
}

func (open Open) memorySilence(t *testing.T) {
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
	assert.Equal(t, simulator.Result{Cycles: 30, Why: simulator.OutputFull}, r.run(1000, 30), "the design takes no more data")
	stats := r.stats("m_axi_r")
	assert.Equal(t, simulator.Stats{Beats: 4, Offered: 4 + 30}, stats)
	r.stall("m_axi_r", simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
	r.pop("s_r", false)
	assert.Equal(t, simulator.MaxCycles, r.run(1000, 30).Why, "a stall is not silence")
	assert.Equal(t, simulator.Stats{Beats: 5, Offered: 4 + 30 + 1}, r.stats("m_axi_r"), "what is on offer stays")
}

// No stall holds back what has no room.
func (open Open) memoryFullSilence(t *testing.T) {
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
	assert.Equal(t, []byte{0}, other.read(0xFFFF_FFFF_FFFF_FFFF, 1), "every instance has its own")
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

// A Bridge reads from one memory and writes to another one of another width.
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
	assert.Greater(t, r.stats("m").Beats, uint64(100), "it did move")
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
		{r.memory.SetLatency(simulator.Latency{Least: 0, Most: 1}, one), "memory: latency from 0 to 1 clocks; it must be from 1 to 2147483648, the least one first"},
		{r.memory.SetLatency(one, simulator.Latency{Least: 3, Most: 2}), "memory: latency from 3 to 2 clocks; it must be from 1 to 2147483648, the least one first"},
		{r.memory.SetLatency(one, simulator.Latency{Least: 3, Most: 1<<31 + 1}), "memory: latency from 3 to 2147483649 clocks; it must be from 1 to 2147483648, the least one first"},
		{r.memory.SetOutstanding(0), "memory: 0 outstanding bursts; it must be from 1 to 1024"},
		{r.memory.SetOutstanding(1025), "memory: 1025 outstanding bursts; it must be from 1 to 1024"},
		{r.memory.SetErrors(simulator.Range{First: 2, Last: 1}), "memory: a range from 0x2 to 0x1: its end is before its start"},
		{r.memory.SetBounds(simulator.Range{First: 2, Last: 1}), "memory: a range from 0x2 to 0x1: its end is before its start"},
		{r.memory.SetErrors(make([]simulator.Range, 17)...), "memory: 17 ranges that answer errors; there can be 16"},
		{r.memory.SetLog(1), "memory: a log of 1 effects; it must be none or at least 2"},
		{r.memory.SetLog(-1), "memory: a log of -1 effects; it must be none or at least 2"},
		{errorOf(r.memory.Effects(make([]simulator.Effect, 1))), "memory: no effects are kept; SetLog makes room for them"},
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
