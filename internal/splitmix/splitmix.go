// Package splitmix is the generator SplitMix64 of Steele, Lea and Flood (OOPSLA 2014).
package splitmix

// step is what the state grows by: the odd integer nearest to 2^64 divided by the golden ratio.
const step = 0x9E3779B97F4A7C15

// Source is a generator. Every seed is a good one, also those that are close to each other.
type Source struct{ state uint64 }

// New starts at a seed and skips the first n numbers.
func New(seed, n uint64) *Source { return &Source{seed + n*step} }

// Next is the next number.
func (s *Source) Next() uint64 {
	s.state += step
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
