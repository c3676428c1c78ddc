package system

import "math/bits"

// set is a set of small numbers, a bit for each.
type set []uint64

// newSet returns an empty set for the numbers below n.
func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// next returns the least number that is not below i, or -1.
func (s set) next(i int) int {
	for ; i < 64*len(s); i = (i | 63) + 1 {
		if rest := s[i/64] >> (i % 64); rest != 0 {
			return i + bits.TrailingZeros64(rest)
		}
	}
	return -1
}
