package falcon

import (
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

// A window of 4 numbers, with each place of the wrap inside: what it has and what fits, as numbers come in another order.
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
		state("x..x....", ".xx.x...")
		w.add(start)
		state("xx.x....", "..x.xx..")
		w.add(start + 1)
		state("xxxx....", "....xxxx")
		assert.Equal(t, start+3, w.next)
		assert.Empty(t, w.later)
	}
}
