package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// traffic sends random bursts of all IDs through a Pass, and predicts their effects: the bursts of one ID take effect and
// complete in order, and the result is the same as if the bursts were executed one by one in log order.
type traffic struct {
	*memoryRig
	random *rand.Rand
	writes [8][]*writeBurst // by ID, without response
	reads  [8][]*readBurst
	bytes  map[uint64]byte
	errors []simulator.Range

	effectOf            map[bool]*[8]int // by write: bursts in effect, per ID
	reordered, switched int              // bursts overtaken by a later one; beats of R between those of another burst
	asked               int
	last                delivered
}

type writeBurst struct {
	address uint64
	data    []byte
	strobes []bool
	resp    uint64
	number  int
}

type readBurst struct {
	address uint64
	size    int
	data    []byte // once it has taken effect
	resp    []uint64
	got     int // beats
	number  int
}

func newTraffic(r *memoryRig, random *rand.Rand) *traffic {
	return &traffic{memoryRig: r, random: random, bytes: map[uint64]byte{}, last: delivered{last: true},
		effectOf: map[bool]*[8]int{true: {}, false: {}}}
}

// burst draws an address range in a few pages, so that bursts overlap: at the start, middle and end of the address space.
func (x *traffic) burst() (address uint64, beats int) {
	width := uint64(x.memoryRig.bytes)
	page := []uint64{0, 1, 0x8000_0000_0000_0, 0xF_FFFF_FFFF_FFFF}[x.random.IntN(4)] << 12
	at := x.random.Uint64N(4096 / width)
	most := min(256, 4096/width-at)
	beats = int(min(most, []uint64{1, 2, 5, 256}[x.random.IntN(4)]))
	return page + at*width, beats
}

// ask queues n bursts, half of them writes.
func (x *traffic) ask(n int) {
	for range n {
		id := x.random.IntN(8)
		address, beats := x.burst()
		x.asked++
		if x.random.IntN(2) == 0 {
			x.reads[id] = append(x.reads[id], &readBurst{address: address, size: beats * x.memoryRig.bytes, number: x.asked})
			x.memoryRig.ask("s_ar", uint64(id), address, beats)
			continue
		}
		b := &writeBurst{address: address, data: randomBytes(x.random, beats*x.memoryRig.bytes), number: x.asked}
		b.strobes = make([]bool, len(b.data))
		some := x.random.IntN(3) // all bytes, or about half of them, or none
		for i := range b.strobes {
			b.strobes[i] = some == 0 || some == 1 && x.random.IntN(2) == 0
		}
		x.writes[id] = append(x.writes[id], b)
		x.memoryRig.ask("s_aw", uint64(id), address, beats)
		x.data(b.data, b.strobes)
	}
}

// response returns the response of a beat.
func (x *traffic) response(address uint64, write bool) uint64 {
	for _, r := range x.errors {
		if (write && r.Writes || !write && r.Reads) && address <= r.Last && address+uint64(x.memoryRig.bytes)-1 >= r.First {
			if r.Decode {
				return 3
			}
			return 2
		}
	}
	return 0
}

// check compares all effects and responses since the last call.
func (x *traffic) check() {
	t := x.t
	t.Helper()
	for _, e := range x.effects() {
		at := x.effectOf[e.Write][e.ID]
		x.effectOf[e.Write][e.ID]++
		if e.Write {
			require.Greater(t, len(x.writes[e.ID]), at)
			x.store(e, x.writes[e.ID][at])
		} else {
			require.Greater(t, len(x.reads[e.ID]), at)
			x.fetch(e, x.reads[e.ID][at])
		}
		for id := range x.writes { // an older burst of another ID is still waiting
			if w, n := x.writes[id], x.effectOf[true][id]; e.Write && uint64(id) != e.ID && n < len(w) && w[n].number < x.writes[e.ID][at].number {
				x.reordered++
			}
		}
	}
	for _, b := range x.responses() {
		require.NotEmpty(t, x.writes[b.id])
		require.Positive(t, x.effectOf[true][b.id], "a response before the effect")
		require.Equal(t, x.writes[b.id][0].resp, b.resp)
		x.writes[b.id] = x.writes[b.id][1:]
		x.effectOf[true][b.id]--
	}
	for _, d := range x.taken() {
		require.NotEmpty(t, x.reads[d.id])
		b := x.reads[d.id][0]
		require.NotNil(t, b.data, "data before the effect")
		require.Equal(t, b.data[b.got*len(d.bytes):][:len(d.bytes)], d.bytes)
		require.Equal(t, b.resp[b.got], d.resp)
		b.got++
		require.Equal(t, b.got == len(b.resp), d.last)
		if !x.last.last && x.last.id != d.id {
			x.switched++
		}
		x.last = d
		if d.last {
			x.reads[d.id] = x.reads[d.id][1:]
			x.effectOf[false][d.id]--
		}
	}
}

func (x *traffic) store(e simulator.Effect, b *writeBurst) {
	require.Equal(x.t, b.address, e.Address)
	require.Equal(x.t, len(b.data), e.Bytes)
	for i, v := range b.data {
		beat := b.address + uint64(i/x.memoryRig.bytes*x.memoryRig.bytes)
		if resp := x.response(beat, true); resp != 0 {
			if b.resp == 0 {
				b.resp = resp
			}
		} else if b.strobes[i] {
			x.bytes[b.address+uint64(i)] = v
		}
	}
	require.Equal(x.t, b.resp != 0, e.Error)
}

func (x *traffic) fetch(e simulator.Effect, b *readBurst) {
	require.Equal(x.t, b.address, e.Address)
	require.Equal(x.t, b.size, e.Bytes)
	failed := false
	for i := range b.size {
		v := x.bytes[b.address+uint64(i)]
		resp := x.response(b.address+uint64(i/x.memoryRig.bytes*x.memoryRig.bytes), false)
		if resp != 0 {
			v, failed = ^v, true
		}
		b.data = append(b.data, v)
		if i%x.memoryRig.bytes == 0 {
			b.resp = append(b.resp, resp)
		}
	}
	require.Equal(x.t, failed, e.Error)
}

// finish runs until all bursts have completed, and compares all bytes.
func (x *traffic) finish() {
	x.t.Helper()
	for x.run(1<<16, 50).Why != simulator.Quiet {
		x.check()
	}
	x.check()
	for id := range x.writes {
		require.Empty(x.t, x.writes[id])
		require.Empty(x.t, x.reads[id])
	}
	for _, page := range []uint64{0, 0x1000, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_F000} {
		for i, v := range x.read(page, 4096) {
			if at := page + uint64(i); x.bytes[at] != v {
				require.Equal(x.t, x.bytes[at], v, "at 0x%x", at)
			}
		}
	}
}

// trafficErrors are error ranges: one ends at the last address, one lies within a beat, and two overlap.
var trafficErrors = []simulator.Range{
	{First: 0x200, Last: 0x3FF, Reads: true},
	{First: 0x300, Last: 0x5FF, Reads: true, Writes: true, Decode: true},
	{First: 0x1105, Last: 0x1106, Writes: true},
	{First: 0x1200, Last: 0x12FF, Writes: true, Decode: true},
	{First: 0xFFFF_FFFF_FFFF_FFF0, Last: 0xFFFF_FFFF_FFFF_FFFF, Reads: true, Writes: true},
}

// memoryTraffic compares random bursts with the reference under every stall, with and without interleaving.
func (open Open) memoryTraffic(t *testing.T) {
	for i, width := range []int{8, 128} {
		for _, stall := range stalls {
			t.Run(stall.name, func(t *testing.T) {
				for _, interleave := range []bool{false, true} {
					random := rand.New(rand.NewPCG(uint64(i), 7))
					r := open.startMemory(t, testdesign.Pass(width), simulator.Options{Seed: 3, Buffer: 1 << 14, Stamps: true})
					r.stallAll(stall.Stall)
					for _, name := range []string{"s_aw", "s_w", "s_ar", "s_b", "s_r"} {
						r.stall(name, stalls[random.IntN(len(stalls))].Stall)
					}
					r.latency(1, 200)
					require.NoError(t, r.memory.SetInterleave(interleave))
					require.NoError(t, r.memory.SetLateReady(interleave))
					require.NoError(t, r.memory.SetErrors(trafficErrors...))
					require.NoError(t, r.memory.SetLog(1000))
					x := newTraffic(r, random)
					x.errors = trafficErrors
					for range 5 {
						x.ask(60)
						r.run(500, 0)
						x.check()
						for _, s := range []string{"s_aw", "s_w", "s_ar"} {
							r.accepted(s)
						}
					}
					x.finish()
					require.Positive(t, x.reordered)
					require.Equal(t, interleave, x.switched > 0)
				}
			})
		}
	}
}

// RecordMemory runs a fixed load of a Pass, step cycles at a time, with all settings of a memory and a reset in the middle.
// It returns the trace hash after each stage, and the effects. The engine needs stamps, the trace hash and room for 8192
// beats.
func RecordMemory(t *testing.T, d *simulator.Design, e simulator.Engine, stall simulator.Stall, step uint64) (hashes []uint64, effects []simulator.Effect) {
	t.Helper()
	m, err := e.Memory("memory")
	require.NoError(t, err)
	r := &memoryRig{&rig{e, t, d}, m, d.Memories[0].Bytes}
	x := newTraffic(r, rand.New(rand.NewPCG(8, 8)))
	x.errors = trafficErrors
	require.NoError(t, m.SetErrors(trafficErrors...))
	require.NoError(t, m.SetLog(5))
	for i := range d.Streams {
		require.NoError(t, e.SetStall(i, stall))
	}
	stage := func(cycles uint64) {
		for end := e.Cycle() + cycles; e.Cycle() < end; {
			r.run(min(step, end-e.Cycle()), 0)
			effects = append(effects, r.effects()...)
		}
		r.pop("s_b", true)
		r.pop("s_r", true)
		hashes = append(hashes, e.TraceHash())
	}
	for i, outstanding := range []int{256, 3, 1, 256} {
		require.NoError(t, m.SetOutstanding(outstanding))
		require.NoError(t, m.SetInterleave(i%2 == 0))
		require.NoError(t, m.SetLateReady(i >= 2))
		require.NoError(t, m.SetSlow(simulator.Latency{Least: 40, Most: 90}, simulator.Range{First: 0, Last: 0xFFF, Reads: i > 0, Writes: true}))
		require.NoError(t, m.SetLatency(simulator.Latency{Least: 1, Most: 100}, simulator.Latency{Least: uint64(1 + i), Most: 30}))
		x.ask(40)
		stage(700)
		require.NoError(t, e.Reset(uint64(1+i%2)))
	}
	return hashes, effects
}
