// Package atomic computes the result of an Atomic Operation as specified in RFC 7306 section 5.1 and
// draft-ietf-storm-rdmap-ext-00 section 5.1.
//
// It is written to be compared with the specification's pseudocode by eye. The masked addition deliberately works bit
// by bit: the hardware uses a single addition, and the two must be derived independently.
//
// All operands are 64-bit integers. The byte order of the memory (section 5.1.1: "the endian format of the target
// memory") is up to the code that stores the word.
package atomic

import "github.com/rnicgen/rnicgen/model/wire"

// Execute returns the word after the operation on original. data and mask are the Add or Swap Data and Mask of the
// request. Operands that an operation ignores have no effect. An unassigned AOpCode leaves the word unchanged;
// rejecting it is the responder's responsibility.
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
	// Instead of moving bit_location up, shift the operands down so that the current bit is always bit 0. The result
	// shifts in from the top and is complete after 64 steps.
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

// CmpSwap replaces the bits of original selected by swapMask if original equals compare in the bits selected by
// compareMask, RFC 7306 section 5.1.2. compareMask 0 always matches; swapMask 0 changes nothing.
func CmpSwap(original, swapData, swapMask, compare, compareMask uint64) uint64 {
	if (compare^original)&compareMask == 0 {
		return original&^swapMask | swapData&swapMask
	}
	return original
}

// Swap replaces the word, draft-ietf-storm-rdmap-ext-00 section 5.1.2. The masks and Compare Data of the request are
// ignored on receive (section 5.2.1), so they are not parameters.
func Swap(_, swapData uint64) uint64 { return swapData }
