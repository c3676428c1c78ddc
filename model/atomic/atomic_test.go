package atomic

import (
	"math/big"
	"testing"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

const ones = ^uint64(0)

// Computed by hand. Each row is original + data; each mask bit is the most significant bit of a field.
func TestFetchAdd(t *testing.T) {
	for _, tt := range []struct {
		name                         string
		original, data, mask, result uint64
	}{
		{"one field: a carry through all 64 bits is lost", ones, 1, 0, 0},
		{"one field: a carry from bit 31 to bit 32", 0x00000000_FFFFFFFF, 1, 0, 0x00000001_00000000},
		{"one field: both high halves set", 0x80000000_00000000, 0x80000000_00000001, 0, 1},
		{"Add Data 0 probes and changes nothing", 0x0123456789ABCDEF, 0, 0x8000000080000000, 0x0123456789ABCDEF},
		{"64 fields of one bit: an addition without carries is XOR", 0xFFFF0000FFFF0000, 0xFF00FF00FF00FF00, ones, 0x00FFFF0000FFFF00},

		{"boundary at bit 0: its carry is lost", 1, 1, 1, 0},
		{"boundary at bit 0: the upper 63 bits add", 3, 3, 1, 4},
		{"boundary at bit 31: two 32-bit counters, the low one wraps", 0x00000005_FFFFFFFF, 0x00000001_00000001, 1 << 31, 0x00000006_00000000},
		{"boundaries at bits 31 and 63: as with bit 31 alone", 0xFFFFFFFF_FFFFFFFF, 0x00000001_00000001, 0x80000000_80000000, 0},
		{"boundary at bit 32: bit 32 belongs to the low field", 0x00000001_FFFFFFFF, 1, 1 << 32, 0},
		{"boundary at bit 32: the carry of bit 31 is inside the field", 0x00000000_FFFFFFFF, 1, 1 << 32, 0x00000001_00000000},
		{"boundary at bit 62: bit 63 is a field of its own", 0x7FFFFFFF_FFFFFFFF, 1, 1 << 62, 0},
		{"boundary at bit 62: bit 63 adds without it", 0xFFFFFFFF_FFFFFFFF, 0x80000000_00000001, 1 << 62, 0},
		{"boundary at bit 63 is none", 0x7FFFFFFF_FFFFFFFF, 1, 1 << 63, 0x80000000_00000000},
		{"eight fields of one octet", 0xFF01FF01_80FE7F00, 0x01FF01FE_80037F00, 0x80808080_80808080, 0x000000FF_0001FE00},
	} {
		assert.Equal(t, tt.result, FetchAdd(tt.original, tt.data, tt.mask), tt.name)
		assert.Equal(t, tt.result, Execute(wire.FetchAdd, tt.original, tt.data, tt.mask, 0, ones), tt.name)
		assert.Equal(t, tt.result, Execute(wire.FetchAdd, tt.original, tt.data, tt.mask, 0x55, 0xAA),
			"%s: the compare fields are ignored", tt.name)
	}
}

func TestCmpSwap(t *testing.T) {
	for _, tt := range []struct {
		name                          string
		original                      uint64
		data, mask, compare, compMask uint64
		result                        uint64
	}{
		{"equal: swapped", 5, 9, ones, 5, ones, 9},
		{"not equal: left alone", 5, 9, ones, 4, ones, 5},
		{"not equal in bit 63 only", 1<<63 | 5, 9, ones, 5, ones, 1<<63 | 5},
		{"not equal in bit 32 only", 1<<32 | 5, 9, ones, 5, ones, 1<<32 | 5},
		{"not equal, but outside the Compare Mask", 0x80000000_00000005, 9, ones, 5, 0xFFFFFFFF, 9},
		{"Compare Mask 0 always matches", 0x1234, 0x9999, ones, 0x4321, 0, 0x9999},
		{"Swap Mask 0 changes nothing", 5, 9, 0, 5, ones, 5},
		{"Swap Mask keeps the other bits", 0x11112222_33334444, ones, 0x00000000_FFFF0000, 0, 0, 0x11112222_FFFF4444},
		{"Swap Mask clears bits too", ones, 0, 0x80000001_80000001, 0, 0, 0x7FFFFFFE_7FFFFFFE},
		{"one bit: a lock at bit 62 is taken", 0, 1 << 62, 1 << 62, 0, 1 << 62, 1 << 62},
		{"one bit: a lock at bit 62 is held", 1 << 62, 1 << 62, 1 << 62, 0, 1 << 62, 1 << 62},
		{"masks differ: compare the high half, swap the low", 0xAAAAAAAA_00000000, 0xFFFFFFFF_12345678, 0xFFFFFFFF, 0xAAAAAAAA_FFFFFFFF, 0xFFFFFFFF_00000000, 0xAAAAAAAA_12345678},
	} {
		assert.Equal(t, tt.result, CmpSwap(tt.original, tt.data, tt.mask, tt.compare, tt.compMask), tt.name)
		assert.Equal(t, tt.result, Execute(wire.CmpSwap, tt.original, tt.data, tt.mask, tt.compare, tt.compMask), tt.name)
	}
}

func TestSwap(t *testing.T) {
	assert.Equal(t, uint64(9), Swap(5, 9))
	assert.Equal(t, uint64(9), Execute(wire.Swap, 5, 9, 0, 0x77, 0), "masks and Compare Data are ignored")
}

func TestUnassignedOperationsLeaveTheWordAlone(t *testing.T) {
	for op := wire.AOpCode(3); op < 16; op++ {
		assert.Equal(t, uint64(5), Execute(op, 5, 9, ones, 5, ones), "%v", op)
	}
}

func TestFetchAddProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		original, data, mask := rapid.Uint64().Draw(t, "original"), rapid.Uint64().Draw(t, "data"), rapid.Uint64().Draw(t, "mask")

		assert.Equal(t, original+data, FetchAdd(original, data, 0), "mask 0 is plain addition")
		assert.Equal(t, original^data, FetchAdd(original, data, ones), "mask all ones is XOR")
		assert.Equal(t, original, FetchAdd(original, 0, mask), "Add Data 0 leaves the word")
		assert.Equal(t, FetchAdd(data, original, mask), FetchAdd(original, data, mask), "addition commutes")
		assert.Equal(t, FetchAdd(original, data, mask), FetchAdd(original, data, mask^1<<63), "bit 63 of the mask has no effect")
		assert.Equal(t, byField(original, data, mask), FetchAdd(original, data, mask), "each field by itself")
	})
}

// byField splits the operands into the fields of the mask and adds each modulo its size, without overflow: it follows
// the prose of section 5.1.1 rather than its pseudocode.
func byField(original, data, mask uint64) uint64 {
	var result uint64
	for low := 0; low < 64; {
		high := low
		for high < 63 && mask>>high&1 == 0 {
			high++
		}
		size := new(big.Int).Lsh(big.NewInt(1), uint(high-low+1))
		field := func(v uint64) *big.Int {
			n := new(big.Int).Rsh(new(big.Int).SetUint64(v), uint(low))
			return n.Mod(n, size)
		}
		sum := new(big.Int).Add(field(original), field(data))
		result |= sum.Mod(sum, size).Uint64() << low
		low = high + 1
	}
	return result
}

func TestCmpSwapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		original, data, mask := rapid.Uint64().Draw(t, "original"), rapid.Uint64().Draw(t, "data"), rapid.Uint64().Draw(t, "mask")
		compare, compareMask := rapid.Uint64().Draw(t, "compare"), rapid.Uint64().Draw(t, "compare mask")
		if rapid.Bool().Draw(t, "equal where it is compared") {
			compare = compare&^compareMask | original&compareMask
		}
		result := CmpSwap(original, data, mask, compare, compareMask)
		for bit := range 64 {
			want := original >> bit & 1
			if original&compareMask == compare&compareMask && mask>>bit&1 == 1 {
				want = data >> bit & 1
			}
			assert.Equal(t, want, result>>bit&1, "bit %d", bit)
		}
	})
}

func BenchmarkFetchAdd(b *testing.B) {
	word := uint64(1)
	for b.Loop() {
		word = Execute(wire.FetchAdd, word, 0x123456789, 0x8000000080000000, 0, 0)
	}
}
