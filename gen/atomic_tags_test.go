package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/stretchr/testify/assert"
)

// setPolynomials are those of atomic_unit's sets, by how many atomics it holds; with 4 and 8 a set is the low bits of the word.
var setPolynomials = map[int]uint64{4: 1 << 2, 8: 1 << 3, 16: 0x13, 512: 0x211, 4096: 0x1053}

// setMate is a word of the set of another one, from which it differs, above the bits that the set gives, in one bit only.
func setMate(word uint64, bit, depth int) uint64 {
	rest, width := uint64(1)<<bit, 0
	for 1<<width < depth {
		width++
	}
	for b := bit; b >= width; b-- { // modulo the polynomial
		if rest>>b&1 == 1 {
			rest ^= setPolynomials[depth] << (b - width)
		}
	}
	return word ^ 1<<bit ^ rest
}

// Two words of one set that differ in one bit of their tags are two words: whichever bit it is, each atomic finds its own, while
// both are under way. Two sets of rows that differ in one bit of their number are two as well.
func TestAtomicUnitTags(t *testing.T) {
	for _, depth := range []int{4, 8, 16, 512, 4096} {
		width := 0
		for 1<<width < depth {
			width++
		}
		b := openAtomicUnit(t, atomicUnitConfig(block.BusWidths[width%5], depth), pace{read: [2]int{20, 20}, write: [2]int{60, 60}})
		b.shared = true
		for range depth { // the table is cleared
			b.clock()
		}
		for bit := range 61 {
			word := b.rand.Uint64() >> 3
			mate := word ^ 1<<bit
			if bit >= width {
				mate = setMate(word, bit, depth)
			}
			before := len(b.readOffered)
			b.run(inTurn(4, []uint64{word, mate})...)
			assert.Len(t, b.readOffered[before:], 2, "bit %d of %d atomics", bit, depth)
		}
		checkPlain(t, b)
	}
}

// Words in one set, in more rows than it has, and in all sets at once: as many atomics as can be under way, of as many words.
func TestAtomicUnitEveryRow(t *testing.T) {
	for _, depth := range []int{4, 16, 512} {
		b := openAtomicUnit(t, atomicUnitConfig(8, depth), pace{read: [2]int{5, 5}, write: [2]int{2 * depth, 2 * depth}})
		b.todo = inTurn(3*depth, apart(1<<40, depth, 1))
		most := 0
		for len(b.todo) > 0 {
			b.clock()
			most = max(most, len(b.requests)-b.over)
		}
		b.run()
		assert.Equal(t, depth, most, "in progress")
		checkPlain(t, b)
	}
}
