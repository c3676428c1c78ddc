package system

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// sinks is an engine that takes what is pushed.
type sinks struct {
	simulator.Engine
	pushed [][]uint64
	full   bool
}

func (s *sinks) Stats(int) (stats simulator.Stats) {
	if s.full {
		stats.Queued = 1
	}
	return stats
}

func (s *sinks) Push(_ int, beats []uint64) (int, error) {
	s.pushed = append(s.pushed, bytesOf(beats))
	return 1, nil
}

func bytesOf(beats []uint64) []uint64 { return append([]uint64{}, beats...) }

func lanes(t *testing.T, bus int, of map[string]*cosim.Lane) {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags = bus, 2, 16
	d, err := DesignOf(c)
	require.NoError(t, err)
	for name, l := range of {
		*l, err = cosim.NewLane(d, name)
		require.NoError(t, err)
	}
}

// Whatever the order in which memory answers, lines of an ID return in order, each once, with their data and the ends of bursts.
func TestReadsReturnInOrder(t *testing.T) {
	const bus = 16
	r := reads{bus: bus}
	lanes(t, bus, map[string]*cosim.Lane{"m_axi_ar": &r.ar, "m_axi_r": &r.r})
	random, e := rand.New(rand.NewPCG(1, 2)), &sinks{}
	type beat struct {
		address uint64
		last    bool
	}
	want, got := map[uint64][]beat{}, map[uint64][]beat{}
	var asked []*read
	line := func(address uint64) []byte {
		b := make([]byte, bus)
		b[0], b[1], b[bus-1] = byte(address>>4), byte(address>>12), 7
		return b
	}
	for i := 0; i < 4000 || !r.idle(); i++ {
		if i < 4000 && len(r.asked) == 0 && random.IntN(8) == 0 {
			id, address, more := random.Uint64N(2), random.Uint64N(1<<10)*bus, random.Uint64N(9)
			b := r.ar.Grow()
			r.ar.Set(b, "id", id)
			r.ar.Set(b, "addr", address)
			r.ar.Set(b, "len", more)
			r.take(b)
			for j := range more + 1 {
				want[id] = append(want[id], beat{address + j*bus, j == more})
			}
		}
		if next := r.next(); next != nil && random.IntN(4) > 0 {
			asked = append(asked, next)
			r.sent()
		}
		if len(asked) > 0 && random.IntN(3) > 0 {
			at := random.IntN(min(8, len(asked)))
			asked[at].octets = line(asked[at].address)
			asked = append(asked[:at], asked[at+1:]...)
		}
		e.full = random.IntN(4) == 0
		oldest := ^uint64(0)
		for _, list := range r.owed {
			if len(list) > 0 && list[0].octets != nil {
				oldest = min(oldest, list[0].number)
			}
		}
		if line := r.ready(); line != nil {
			require.Equal(t, oldest, line.number)
		}
		_, err := r.push(e)
		require.NoError(t, err)
		r.r.Queued = r.r.Queued[:0]
		for _, b := range e.pushed {
			id := r.r.Get(b, "id")
			assert.Zero(t, r.r.Get(b, "resp"))
			got[id] = append(got[id], beat{want[id][len(got[id])].address, r.r.Flag(b, "last")})
			require.Equal(t, line(want[id][len(got[id])-1].address), octetsOf(&r.r, b))
		}
		require.LessOrEqual(t, len(e.pushed), 1)
		e.pushed = nil
	}
	assert.Equal(t, want, got)
	assert.Greater(t, len(got[1]), 500)
}

// Memory that does accesses in any order, except those of the same blocks, has at the end what bursts of each ID leave one after the
// other. Answers are in order, and come when memory has done everything of the burst.
func TestWritesKeepTheirOrder(t *testing.T) {
	for _, bus := range []int{8, 128} {
		w := writes{bus: uint64(bus)}
		lanes(t, bus, map[string]*cosim.Lane{"m_axi_aw": &w.aw, "m_axi_w": &w.w, "m_axi_b": &w.b})
		random, e := rand.New(rand.NewPCG(1, 2)), &sinks{}
		var ids, answered [2]int // bursts
		want, memory := make([]byte, 2048*bus), make([]byte, 2048*bus)
		var addresses, data [][]uint64
		var asked []*write
		undone := 0
		for i := 0; i < 4000 || !w.idle(); i++ {
			if i < 4000 && len(addresses)+len(data) == 0 && random.IntN(4) == 0 {
				id, line, beats := random.Uint64N(2), random.Uint64N(4), 1+random.Uint64N(4)
				a := bytesOf(w.aw.Grow())
				w.aw.Queued = w.aw.Queued[:0]
				at := (1024*id + line) * uint64(bus) // IDs do not share lines
				w.aw.Set(a, "id", id)
				w.aw.Set(a, "addr", at)
				w.aw.Set(a, "len", beats-1)
				addresses = append(addresses, a)
				ids[id]++
				for j := range beats {
					d := bytesOf(w.w.Grow())
					w.w.Queued = w.w.Queued[:0]
					from, to := random.IntN(bus), random.IntN(bus+1)
					hole := random.IntN(3 * bus)
					for k := range bus {
						v := byte(random.Uint32())
						simulator.SetBits(d, w.w.Field("data").Offset+8*k, 8, uint64(v))
						if k >= from && k < to && k != hole {
							simulator.SetBits(d, w.w.Field("strb").Offset+k, 1, 1)
							want[at+j*uint64(bus)+uint64(k)] = v
						}
					}
					w.w.SetFlag(d, "last", j == beats-1)
					data = append(data, d)
				}
			}
			if len(addresses) > 0 && random.IntN(4) == 0 {
				w.takeAddress(addresses[0])
				addresses = addresses[1:]
			}
			if len(data) > 0 && len(w.early)+len(w.asked) == 0 {
				w.takeData(data[0])
				data = data[1:]
			}
			w.divide()
			if next := w.next(); next != nil {
				asked = append(asked, next)
				w.sent()
			}
			if len(asked) > 0 && random.IntN(8) < min(8, len(asked)) {
				at := random.IntN(len(asked))
				for j := range at { // memory keeps the order of accesses of the same blocks
					if asked[j].address/blockOctets == asked[at].address/blockOctets && lastBlock(asked[j]) == lastBlock(asked[at]) {
						at = j
						break
					}
				}
				copy(memory[asked[at].address:], asked[at].octets)
				w.answer(asked[at])
				asked = append(asked[:at], asked[at+1:]...)
			}
			undone = max(undone, len(asked))
			e.full = random.IntN(4) == 0
			heads := [2]*burst{}
			for id := range heads {
				if len(w.owed[id]) > 0 {
					heads[id] = w.owed[id][0]
				}
			}
			_, err := w.push(e)
			require.NoError(t, err)
			w.b.Queued = w.b.Queued[:0]
			for _, b := range e.pushed {
				id := w.b.Get(b, "id")
				answered[id]++
				for _, a := range asked {
					require.False(t, a.burst == heads[id], "answered before memory has")
				}
				require.NotContains(t, w.filling, heads[id])
			}
			e.pushed = nil
		}
		assert.Equal(t, ids, answered)
		assert.True(t, bytes.Equal(want, memory), "bus of %d octets", bus)
		assert.Greater(t, undone, 3)
	}
}

func lastBlock(w *write) uint64 { return (w.address + uint64(len(w.octets)) - 1) / blockOctets }
