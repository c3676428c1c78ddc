package gen_test

import (
	"math/bits"
	"testing"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// The set of a word is the remainder of its number for every size of the table: of each single bit, of random words, and of the last one.
func TestSetOfWord(t *testing.T) {
	type ports struct {
		Address hdl.In
		Set     hdl.Out `hdl:"set_of_word"`
	}
	for depth := range setPolynomials {
		c := atomicUnitConfig(64, depth)
		r := openRig(t, hdl.Block[ports]{Kind: "word_set", Doc: "word_set is for tests.",
			Ports: ports{hdl.NewIn(64), hdl.NewOut(block.IndexWidth(depth))},
			Build: func(m *hdl.Module, p ports) {
				m.Unused("a word is aligned", p.Address.Slice(2, 0))
				m.Drive(p.Set, engine.SetOfWord(c, p.Address.Value))
			}}, 1)
		words := []uint64{0, 1<<61 - 1}
		for b := range 61 {
			words = append(words, 1<<b, r.rand.Uint64()>>3)
		}
		for _, w := range words {
			r.inputs["address"].Set(w << 3)
			r.step()
			require.Equal(t, setOf(w, depth), r.signal("set_of_word").Get(), "word %#x of %d", w, depth)
		}
	}
}

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
