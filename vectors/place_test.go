package vectors

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/vectors/cases"
)

// TestSpace: whatever cases ask for, no two of them get the same number, and each gets as many as it asked for.
func TestSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := 1 << rapid.IntRange(1, 8).Draw(t, "bits")
		s := newSpace(all, rapid.IntRange(0, 1000).Draw(t, "group"))
		owner := map[int]int{}
		for one := range 30 {
			free := rapid.IntRange(0, all+1).Draw(t, "free")
			ends := rapid.SliceOfNDistinct(rapid.SampledFrom([]int{cases.First, cases.Last}), 0, 2, rapid.ID[int]).Draw(t, "ends")
			_, fixed := split(ends, all)
			if !s.has(free, fixed) {
				continue
			}
			at := s.take(free, fixed)
			numbers := append([]int{}, ends...)
			for i := range free {
				numbers = append(numbers, i)
			}
			for _, n := range numbers {
				place := at(n)
				if place < 0 || place >= all {
					t.Fatalf("number %d of %d", place, all)
				}
				if _, taken := owner[place]; taken {
					t.Fatalf("%d is taken twice", place)
				}
				owner[place] = one
			}
		}
	})
}

// TestSpaceFills: everything can be handed out.
func TestSpaceFills(t *testing.T) {
	s := newSpace(16, 5)
	for range 16 {
		assert.True(t, s.has(1, nil))
		s.take(1, nil)
	}
	assert.False(t, s.has(1, nil))
	assert.True(t, s.has(0, nil))
}
