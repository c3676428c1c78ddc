// Package atomic computes what an Atomic Operation leaves in memory, as RFC 7306 section 5.1 and
// draft-ietf-storm-rdmap-ext-00 section 5.1 write it.
//
// It exists to be compared with the specification's pseudocode by eye. It is deliberately not clever: the
// masked addition goes bit by bit, although one machine addition could do it, because the hardware does it
// in one addition and the two are to be derived independently.
//
// All operands are 64-bit integers. The byte order of the memory (section 5.1.1: "the endian format of the
// target memory") is the business of whoever stores the word.
package atomic

import "github.com/rnicgen/rnicgen/model/wire"

// Execute returns the word after the operation on original. data and mask are the Add or Swap Data and
// Mask of the request. An operation that ignores an operand ignores it here. An AOpCode that no
// specification assigns leaves the word alone; refusing it is the responder's duty.
func Execute(op wire.AOpCode, original, data, mask, compare, compareMask uint64) uint64 {
	switch op {
	case wire.FetchAdd:
		return FetchAdd(original, data, mask)
	case wire.Swap:
		return Swap(original, data)
	case wire.CmpSwap:
		return CmpSwap(original, data, mask, compare, compareMask)
	}
	return original
}

// FetchAdd adds addData to original in independent fields, RFC 7306 section 5.1.1. A bit set in addMask is
// the most significant bit of its field: the carry out of it is discarded. addMask 0 is one field of 64
// bits; bit 63 of addMask has no effect, since its carry is lost anyway.
func FetchAdd(original, addData, addMask uint64) uint64 {
	// Instead of bit_location moving up, the operands move down, so that the bit at hand is always bit 0;
	// the result moves in from the top and is complete after 64 steps.
	carry := uint64(0)
	result := uint64(0)
	for range 64 {
		val1 := original & 1
		val2 := addData & 1
		sum := carry + val1 + val2
		carry = sum >> 1
		result = result>>1 | sum<<63
		carry &^= addMask // carry && !(Add Mask & bit_location)
		original >>= 1
		addData >>= 1
		addMask >>= 1
	}
	return result
}

// CmpSwap replaces the bits of original that swapMask selects when original equals compare in the bits that
// compareMask selects, RFC 7306 section 5.1.2. compareMask 0 always matches; swapMask 0 changes nothing.
func CmpSwap(original, swapData, swapMask, compare, compareMask uint64) uint64 {
	if (compare^original)&compareMask == 0 {
		return original&^swapMask | swapData&swapMask
	}
	return original
}

// Swap replaces the word, draft-ietf-storm-rdmap-ext-00 section 5.1.2. The masks and the Compare Data of
// the request are ignored on receive (section 5.2.1), so that they are not even operands.
func Swap(_, swapData uint64) uint64 { return swapData }
