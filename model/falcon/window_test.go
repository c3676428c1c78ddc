package falcon

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBefore(t *testing.T) {
	for _, a := range []uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		assert.False(t, before(a, a))
		assert.True(t, before(a-1, a))
		assert.False(t, before(a, a-1))
		assert.True(t, before(a, a+1<<31-1))
		assert.False(t, before(a+1<<31-1, a))
	}
}

// A window of 4 numbers, with each place of the wrap inside: what it has and what fits, as numbers arrive in another order.
func TestWindow(t *testing.T) {
	for _, start := range []uint32{1, 1<<31 - 2, 1<<32 - 6, 1<<32 - 3, 1<<32 - 1, 0} {
		w := window{next: start}
		state := func(has, fits string) {
			t.Helper()
			for i := range 8 {
				n := start + uint32(i) - 1
				assert.Equal(t, has[i] == 'x', w.has(n), "%d has %d", start, i)
				assert.Equal(t, fits[i] == 'x', w.fits(n, 4), "%d fits %d", start, i)
			}
		}
		state("x.......", ".xxxx...") // from start-1 on
		w.add(start + 2)
		state("x..x....", ".xx.x..x")
		w.add(start)
		state("xx.x....", "..x.xx.x")
		w.add(start + 1)
		state("xxxx....", "....xxxx")
		assert.Equal(t, start+3, w.next)
		assert.Empty(t, w.later)
	}
}

// A window is a table of as many entries, each of which expects its next number, whatever arrives (I-121).
func TestWindowIsTable(t *testing.T) {
	choose := rand.New(rand.NewPCG(1, 2))
	for _, size := range []uint32{1, 2, 8, 64} {
		for _, start := range []uint32{1, 1<<32 - 9} {
			w, table := window{next: start}, make([]uint32, size)
			for i := range size {
				table[(start+i)%size] = start + i
			}
			for range 2000 {
				n := start + choose.Uint32N(3*size+2) - 1
				if choose.IntN(2) == 0 {
					n = table[choose.Uint32N(size)]
				}
				fits := table[n%size] == n
				assert.Equal(t, fits, w.fits(n, int(size)), "%d of %d from %d", n, size, start)
				if fits {
					w.add(n)
					table[n%size] += size
				}
			}
		}
	}
}
