package scenario

import (
	"errors"

	"github.com/rnicgen/rnicgen/model/memory"
)

var wordScenarios = []Scenario{
	{Name: "words-apart", Doc: "concurrent Atomics on words whose addresses differ in one bit: each accesses its own", run: wordsApart},
}

// wordsApart stalls write responses until an Atomic on each of two words is in flight.
func wordsApart(s *stage) error {
	first, second := s.streams[0], s.streams[1]
	if err := s.openRaw(first, second); err != nil {
		return err
	}
	for bit := 3; bit < 64; bit++ {
		if bit > 3 { // reuse the rows of the previous pair
			s.rows -= 2
		}
		address := s.rand.Uint64() &^ 0xFFF
		a, err := s.regionAt(address, 4096, memory.RemoteAtomic)
		if err != nil {
			return err
		}
		b, err := s.regionAt(address^1<<max(bit, 12), 4096, memory.RemoteAtomic)
		if err != nil {
			return err
		}
		to := uint64(8 * s.rand.IntN(512))
		other := to
		if bit < 12 { // in one region
			b, other = a, to^1<<bit
		}
		if err := s.hold("m_axi_b"); err != nil {
			return err
		}
		s.fetchAdd(first, a, a.Base+to)
		s.fetchAdd(second, b, b.Base+other)
		if err := errors.Join(s.pass(150), s.release("m_axi_b"), s.rest()); err != nil {
			return err
		}
	}
	return s.done()
}
