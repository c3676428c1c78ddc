package mutate

import "slices"

// trace is what a stage sees of hardware at its ports, to the clock.
type trace struct {
	cycles []uint64 // at which each step was over
	ports  uint64   // the hash of everything that was visible at the ports in every clock
}

func (t trace) equal(o trace) bool { return t.ports == o.ports && slices.Equal(t.cycles, o.cycles) }
