package engine

import (
	"math/big"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// setPolynomials are primitive polynomials over GF(2), by degree; bit i is the coefficient of x^i.
var setPolynomials = map[int]uint64{4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11d, 9: 0x211, 10: 0x409, 11: 0x805, 12: 0x1053}

// SetOfWord is the set of the word at address, 64 bits, in the table of the atomic unit: the remainder of the word's number modulo a
// primitive polynomial, so that words at a distance of any power of two, and the rows of most matrices, fall into different sets. The
// low bits of the number follow from the set and the other bits. Fewer than 16 sets are selected by the low bits themselves.
func SetOfWord(c Config, address hdl.Value) hdl.Value {
	word, width := address.Slice(63, 3), block.IndexWidth(c.AtomicDepth)
	marks := make([]*big.Int, width) // by bit of the remainder: contributing bits of the number
	for b := range marks {
		marks[b] = new(big.Int)
	}
	power := uint64(1) // x^i modulo the polynomial
	for i := range word.Width() {
		for b := range marks {
			marks[b].SetBit(marks[b], i, uint(power>>b&1))
		}
		if power <<= 1; power>>width&1 == 1 {
			power ^= setPolynomials[width]
		}
	}
	var parts []hdl.Value // most significant first
	for b := width - 1; b >= 0; b-- {
		parts = append(parts, word.And(hdl.Hex(word.Width(), marks[b].Uint64())).Parity())
	}
	return hdl.Cat(parts...)
}
