package gen_test

import (
	"math/bits"
	"testing"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/stretchr/testify/assert"
)

// setPolynomials are the polynomials of atomic_unit's sets, by capacity; with 4 and 8 the low bits of the word select the set.
var setPolynomials = map[int]uint64{4: 1 << 2, 8: 1 << 3, 16: 0x13, 32: 0x25, 64: 0x43, 128: 0x83, 256: 0x11d, 512: 0x211, 1024: 0x409,
	2048: 0x805, 4096: 0x1053}

// setOf is the remainder of a word's number modulo the polynomial.
func setOf(word uint64, depth int) uint64 {
	width := bits.Len(uint(depth)) - 1
	for b := 60; b >= width; b-- {
		if word>>b&1 == 1 {
			word ^= setPolynomials[depth] << (b - width)
		}
	}
	return word
}

// setMate returns a word of the same set that differs in only one of the bits above those selecting the set.
func setMate(word uint64, bit, depth int) uint64 { return word ^ 1<<bit ^ setOf(1<<bit, depth) }

// Words of one set whose tags differ in any single bit are distinguished while both have atomics in flight. So are sets whose numbers
// differ in any single bit.
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

// More words than rows in one set, and words in all sets at once: as many atomics as can be in flight, each on its own word.
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
