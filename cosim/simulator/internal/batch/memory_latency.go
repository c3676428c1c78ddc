package batch

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

func (a access) checkLatency(l simulator.Latency) error {
	if l.Least < 1 || l.Most < l.Least || l.Most > maxLatency {
		return fmt.Errorf("%s: latency from %d to %d cycles; it must be from 1 to %d, the minimum first", a.name(), l.Least, l.Most, maxLatency)
	}
	return nil
}

func (a access) SetSlow(l simulator.Latency, ranges ...simulator.Range) error {
	m, list, err := a.ranges(ranges)
	if err != nil {
		return err
	}
	if len(list) > simulator.MaxErrorRanges {
		return fmt.Errorf("%s: %d slow ranges; at most %d are allowed", a.name(), len(list), simulator.MaxErrorRanges)
	}
	if err := a.checkLatency(l); err != nil {
		return err
	}
	m.SlowLeast, m.SlowMost, m.SlowCount = l.Least, l.Most, uint64(copy(m.Slow[:], list))
	return nil
}

// writeLatency and readLatency draw the latency of a burst.
func (m *Memory) writeLatency(address, bytes uint64) uint64 {
	if m.slow(address, bytes, true) {
		return latency(&m.WriteRandom, m.SlowLeast, m.SlowMost)
	}
	return latency(&m.WriteRandom, m.WriteLeast, m.WriteMost)
}

func (m *Memory) readLatency(address, bytes uint64) uint64 {
	if m.slow(address, bytes, false) {
		return latency(&m.ReadRandom, m.SlowLeast, m.SlowMost)
	}
	return latency(&m.ReadRandom, m.ReadLeast, m.ReadMost)
}

func (m *Memory) slow(address, bytes uint64, write bool) bool {
	for i := range m.Slow[:m.SlowCount] {
		if m.Slow[i].touches(address, bytes, write) {
			return true
		}
	}
	return false
}

// latency draws from a range of any size.
func latency(random *uint64, least, most uint64) uint64 {
	return least + Draw(random)>>32*(most-least+1)>>32
}
