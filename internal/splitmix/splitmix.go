// Package splitmix is the generator SplitMix64 of Steele, Lea and Flood (OOPSLA 2014).
package splitmix

// step is the increment of the state: the odd integer nearest to 2^64 divided by the golden ratio.
const step = 0x9E3779B97F4A7C15

// Source is a generator. Every seed is suitable, including seeds that are close to each other.
type Source struct{ state uint64 }

// New returns a source with a seed that skips the first n numbers.
func New(seed, n uint64) *Source { return &Source{seed + n*step} }

// Next returns the next number.
func (s *Source) Next() uint64 {
	s.state += step
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
