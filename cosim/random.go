package cosim

import "math/bits"

// random is the SplitMix64 generator: a few instructions a number, in line, and the same sequence from a seed everywhere.
// Stimulus draws some twenty numbers a segment.
type random struct{ state uint64 }

func newRandom(seed uint64) *random { return &random{seed ^ 0x726e696367656e21} }

func (r *random) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *random) Uint32() uint32 { return uint32(r.Uint64() >> 32) }

// IntN is at least 0 and below n. The tiny bias of not rejecting is of no matter here.
func (r *random) IntN(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}
