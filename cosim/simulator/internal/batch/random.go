package batch

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/splitmix"
)

// Seed returns a distinct generator state for each stream, even for similar seeds. It is never 0, a fixed point of xorshift.
func Seed(seed, stream uint64) uint64 { return splitmix.New(seed, stream).Next() | 1 }

// stall decides at random whether the stream stalls in this cycle.
func (s *Stream) stall() bool {
	switch simulator.StallMode(s.Mode) {
	case simulator.StallRandom:
		return s.draw()>>56 < s.Chance
	case simulator.StallBursts:
		if s.Burst == 0 {
			r := s.draw()
			s.Stalled = 0
			if r>>56 < s.Chance {
				s.Stalled = 1
			}
			s.Burst = 1 + r>>32&63
		}
		s.Burst--
		return s.Stalled != 0
	}
	return false
}

func (s *Stream) draw() uint64 { return Draw(&s.Random) }

// Draw is xorshift64 (Marsaglia 2003, 13-7-17).
func Draw(random *uint64) uint64 {
	*random ^= *random << 13
	*random ^= *random >> 7
	*random ^= *random << 17
	return *random
}

// HashStart is the trace hash before the first cycle.
const HashStart = 0xCBF29CE484222325

// Mix adds one word to a trace hash: FNV on words, with a rotation so that high bits affect low ones too.
func Mix(h, word uint64) uint64 {
	return bits.RotateLeft64((h^word)*0x9E3779B97F4A7C15, 29)
}
