package rnic

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// In most epochs a few streams have half of the work and half of the streams have little. Over many epochs each stream belongs to
// either group at some time.
func TestDemand(t *testing.T) {
	const streams, epochs, draws = 16, 300, 640
	active := make([]uint32, streams)
	for i := range active {
		active[i] = uint32(i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var hot, idle [streams]int
	equal := 0
	for range epochs {
		d := newDemand(active, r)
		var count [streams]int
		for range draws {
			count[d.stream(r)]++
		}
		most := 0
		for s, n := range count {
			most = max(most, n)
			if n > draws/8 {
				hot[s]++
			}
			if n < draws/64 {
				idle[s]++
			}
		}
		if most < draws/8 {
			equal++
		}
	}
	assert.InDelta(t, epochs/3, equal, epochs/10)
	for s := range active {
		assert.Greater(t, hot[s], 5, "stream %d is never hot", s)
		assert.Greater(t, idle[s], 50, "stream %d is never idle", s)
	}
}

func TestDemandOfOneStream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		assert.Equal(t, uint32(7), newDemand([]uint32{7}, r).stream(r))
	}
}
