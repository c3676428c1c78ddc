package mutate

import "slices"

// trace is the cycle-accurate behavior of hardware at its ports during a stage.
type trace struct {
	cycles []uint64 // at which each step ended
	ports  uint64   // the hash of all port values in every cycle
}

func (t trace) equal(o trace) bool { return t.ports == o.ports && slices.Equal(t.cycles, o.cycles) }
