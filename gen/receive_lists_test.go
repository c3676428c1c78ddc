package gen_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
)

// storedList is a receive in its ring.
type storedList struct {
	id       uint64
	elements []ringEntry
	from     int // place of the first element, counted from the opening on
	released bool
}

func (s storedList) places() int {
	if len(s.elements) == 1 {
		return 0
	}
	return len(s.elements)
}

// listStream is the reference of a stream: receives since the opening, how many of them are used, and the one that is being posted.
type listStream struct {
	stored []storedList
	used   int
	open   []ringEntry // elements so far
	id     uint64
	next   int // place
	lacks  bool
}

// listBench compares a receive_ring for lists with the reference.
type listBench struct {
	*clocked
	c       engine.Config
	shared  bool
	streams []listStream
	refused map[int]int // by stream: expected and not seen yet

	refusals, lists int
}

func openLists(t testing.TB, c engine.Config, shared bool) *listBench {
	block := host.ListedReceiveRing(c)
	if shared {
		block = host.SharedReceiveRing(c)
	}
	b := &listBench{clocked: openClocked(t, block), c: c, shared: shared, streams: make([]listStream, c.Streams), refused: map[int]int{}}
	b.set("refused_ready", 1)
	b.rest(c.Streams + 1)
	return b
}

// rest runs some cycles and takes refusals.
func (b *listBench) rest(cycles int) {
	for range cycles {
		b.tick()
	}
}

func (b *listBench) tick() {
	if b.get("refused_valid") == 1 {
		n := int(b.get("refused_stream"))
		require.Positive(b.t, b.refused[n], "stream %d refuses", n)
		b.refused[n]--
	}
	b.sim.Step()
}

// give offers a beat until it is taken.
func (b *listBench) give(stream string) {
	b.set(stream+"_valid", 1)
	for n := 0; b.get(stream+"_ready") == 0; n++ {
		require.Less(b.t, n, 200, "%s waits", stream)
		b.tick()
	}
	b.tick()
	b.set(stream+"_valid", 0)
}

// waiting is how many places are in use.
func (b *listBench) waiting(s *listStream) int {
	for i, x := range s.stored {
		if x.places() > 0 && (b.shared && !x.released || !b.shared && i >= s.used) {
			return s.next - x.from
		}
	}
	return 0
}

// post posts a beat.
func (b *listBench) post(n int, e ringEntry, more bool) {
	s := &b.streams[n]
	b.set("rqe_stream", uint64(n))
	b.set("rqe_id", e.ID)
	b.set("rqe_stag", uint64(e.STag))
	b.set("rqe_to", e.TO)
	b.set("rqe_length", uint64(e.Length))
	b.set("rqe_more", bitOf(more))
	b.give("rqe")
	if list := more || len(s.open) > 0; list && b.waiting(s)+len(s.open) >= b.c.ReceiveDepth {
		s.lacks = true
	}
	s.open = append(s.open, e)
	if more {
		return
	}
	if s.lacks || len(s.stored)-s.used == b.c.ReceiveDepth {
		b.refused[n]++
		b.refusals++
	} else {
		x := storedList{id: e.ID, elements: s.open, from: s.next}
		s.next += x.places()
		s.stored = append(s.stored, x)
		b.lists += min(1, x.places())
	}
	s.open, s.lacks = nil, false
}

// use reports that a stream has used so many receives.
func (b *listBench) use(n, used int) {
	b.streams[n].used = used
	b.set("consumed", 1)
	b.set("consumed_stream", uint64(n))
	b.set("consumed_count", uint64(used%(2*b.c.ReceiveDepth)))
	b.tick()
	b.set("consumed", 0)
}

func (b *listBench) release(n int, x *storedList) {
	x.released = true
	b.set("release_stream", uint64(n))
	b.set("release_first", uint64(x.from%b.c.ReceiveDepth))
	b.give("release")
}

func (b *listBench) empty(n int) {
	b.set("opening_stream", uint64(n))
	b.give("opening")
	b.streams[n] = listStream{}
}

// words are fields of so many bits, the first one in the upper bits.
func words(fields ...[2]uint64) *big.Int {
	v := new(big.Int)
	for _, f := range fields {
		v.Or(v.Lsh(v, uint(f[1])), new(big.Int).SetUint64(f[0]))
	}
	return v
}

// look compares all receives that are not used, and the elements of lists.
func (b *listBench) look(n int) {
	s, depth := &b.streams[n], b.c.ReceiveDepth
	bits := uint64(0)
	for 1<<bits < depth {
		bits++
	}
	for i := range s.stored {
		x := &s.stored[i]
		if i < s.used && (!b.shared || x.released) {
			continue
		}
		if i >= s.used {
			b.set("enable", 1)
			b.set("stream", uint64(n))
			b.set("slot", uint64(i%depth))
			b.tick()
			b.set("enable", 0)
			total := uint64(0)
			for _, e := range x.elements {
				total = min(total+uint64(e.Length), 1<<33-1)
			}
			e := x.elements[0]
			got := b.getBig("entry")
			if x.places() == 0 {
				low := uint(2 * (bits + 1))
				require.Zero(b.t, got.Bit(int(low)-1), "a list")
				require.Equal(b.t, words([2]uint64{x.id, 64}, [2]uint64{uint64(e.STag), 32}, [2]uint64{e.TO, 64}, [2]uint64{uint64(e.Length), 32}).Text(16), new(big.Int).Rsh(got, low).Text(16))
				continue
			}
			want := words([2]uint64{x.id, 64}, [2]uint64{0, 96}, [2]uint64{total % (1 << 32), 32}, [2]uint64{1, 1}, [2]uint64{total >> 32, 1},
				[2]uint64{uint64(x.from % depth), bits}, [2]uint64{uint64((x.from + x.places() - 1) % depth), bits})
			for k := range 96 { // of the buffer nothing is said
				got.SetBit(got, k+34+int(2*bits), 0)
			}
			require.Equal(b.t, want.Text(16), got.Text(16), "stream %d, receive %d", n, i)
		}
		for k, e := range x.elements {
			if x.places() == 0 {
				break
			}
			b.set("elements_enable", 1)
			b.set("elements_stream", uint64(n))
			b.set("elements_place", uint64((x.from+k)%depth))
			b.tick()
			b.set("elements_enable", 0)
			require.Equal(b.t, words([2]uint64{uint64(e.STag), 32}, [2]uint64{e.TO, 64}, [2]uint64{uint64(e.Length), 32}).Text(16), b.getBig("elements_entry").Text(16), "stream %d, receive %d, element %d", n, i, k)
		}
	}
}

// Random posts of lists and single buffers, beats of streams among each other; uses in order, releases in any order, openings while some lists are released and
// others are not. Places of elements are free exactly when the reference says so: a list that does not fit is refused as a whole, and the next one that does is
// not.
func TestReceiveLists(t *testing.T) {
	for _, shared := range []bool{false, true} {
		for _, depth := range []int{2, 8, 16} {
			t.Run(fmt.Sprint(shared, depth), func(t *testing.T) {
				c := checkConfig()
				c.ReceiveDepth = depth
				b, r := openLists(t, c, shared), random(uint64(depth))
				left := make([]int, c.Streams) // beats of the list that is being posted
				for range 6000 {
					n := r.IntN(c.Streams)
					s := &b.streams[n]
					switch k := r.IntN(20); {
					case k == 0 && r.IntN(3) == 0:
						b.empty(n)
						left[n] = 0
					case k < 3 && s.used < len(s.stored):
						b.use(n, s.used+1+r.IntN(len(s.stored)-s.used))
					case k == 3:
						b.use(n, s.used) // as after an opening
					case k < 8 && shared:
						var may []int
						for i, x := range s.stored[:s.used] {
							if x.places() > 0 && !x.released {
								may = append(may, i)
							}
						}
						if len(may) > 0 {
							b.release(n, &s.stored[may[r.IntN(len(may))]])
						}
					default:
						if left[n] == 0 {
							left[n] = []int{1, 1 + r.IntN(4), 1 + r.IntN(depth+2)}[r.IntN(3)]
							s.id = r.Uint64()
						}
						e := randomEntry(r)
						if e.ID = s.id; r.IntN(2) == 0 {
							e.Length >>= 8
						}
						left[n]--
						b.post(n, e, left[n] > 0)
					}
					if r.IntN(3) == 0 {
						b.rest(r.IntN(4))
					}
					if r.IntN(8) == 0 {
						b.rest(8)
						b.look(n)
					}
				}
				b.rest(10)
				for n, missing := range b.refused {
					require.Zero(t, missing, "stream %d refuses", n)
				}
				assert.Greater(t, b.refusals, 50)
				assert.Greater(t, b.lists, 50)
			})
		}
	}
}

// Octets of a list count up to 2^33 - 1 and stay there.
func TestReceiveListOfManyOctets(t *testing.T) {
	c := checkConfig()
	b := openLists(t, c, false)
	for n, lengths := range [][]uint32{{1 << 31, 1 << 31}, {1<<32 - 1, 1<<32 - 1, 2}, {1<<32 - 1, 1, 1<<32 - 1, 1<<32 - 1}} {
		for i, length := range lengths {
			b.post(n, ringEntry{uint64(n), 1, 2, length}, i < len(lengths)-1)
		}
		b.rest(4)
		b.look(n)
	}
	require.Len(t, slices.DeleteFunc(b.streams, func(s listStream) bool { return len(s.stored) == 0 }), 3)
}
