package batch

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// settle lets the logic settle; it returns false if the model has failed.
func (g *GoDriver) settle() bool {
	g.model.Settle()
	if g.Err() != nil {
		g.block.Why = uint64(simulator.Failed)
		return false
	}
	return true
}

// drive sets the pins of a cycle. It reports whether a stall held back a queued beat.
func (g *GoDriver) drive() (held bool) {
	for _, a := range g.agents {
		held = a.drive(g.block.Cycle) || held
	}
	for i := range g.pins {
		if g.pins[i].memory {
			continue
		}
		s := &g.streams[i]
		stall := s.stall()
		if g.pins[i].dir == simulator.Source {
			g.ready(i, number(!stall && !s.full()))
			continue
		}
		switch {
		case s.Valid != 0: // still offered
		case s.Head == s.Tail:
			g.withdraw(i)
		case stall:
			g.withdraw(i)
			held = true
		default:
			g.offer(i)
		}
	}
	return held
}

// sample samples the handshakes once the logic has settled. It reports whether there was one, or only a stall prevented one,
// and whether a source's buffer became full.
func (g *GoDriver) sample() (moved, full bool) {
	for _, a := range g.agents {
		moved = a.sample(g.block.Cycle) || moved
	}
	for i := range g.pins {
		s, p := &g.streams[i], &g.pins[i]
		if p.memory {
			continue
		}
		if p.dir == simulator.Sink {
			s.Ready = g.get(p.ready)
			s.Offered += s.Valid
			if s.Valid&s.Ready != 0 {
				s.stamp(s.Head, g.block.Cycle)
				s.Head++
				s.Valid = 0
				moved = true
			}
			continue
		}
		s.Valid = g.get(p.valid)
		s.Offered += s.Valid
		switch {
		case s.Valid == 0:
		case s.Ready != 0:
			g.collect(i)
			s.stamp(s.Tail, g.block.Cycle)
			s.Tail++
			moved = true
			full = full || s.full()
		case !s.full():
			moved = true // only a stall held it back
		}
	}
	return moved, full
}

// edge updates the trace hash, if enabled, and applies the clock edge.
func (g *GoDriver) edge(hash bool) {
	if hash {
		for i, p := range g.design.Ports {
			if i == g.clock || slices.Contains(g.design.Statics, p.Name) || g.valid[i] >= 0 && g.get(g.valid[i]) == 0 {
				continue
			}
			value := g.value[:p.Words()]
			g.model.Get(i, value)
			for _, word := range value {
				g.block.Hash = Mix(g.block.Hash, word)
			}
		}
	}
	g.model.Clock()
	g.block.Cycle++
}

// verdict classifies a state in which nothing moved.
func (g *GoDriver) verdict() simulator.Why {
	why := simulator.Quiet
	for _, a := range g.agents {
		if a.pending() {
			why = simulator.Stuck
		}
	}
	for i := range g.pins {
		if g.pins[i].memory {
			continue
		}
		s := &g.streams[i]
		sink := g.pins[i].dir == simulator.Sink
		if !sink && s.full() {
			return simulator.OutputFull
		}
		if sink && s.Head != s.Tail || !sink && s.Valid != 0 {
			why = simulator.Stuck
		}
	}
	return why
}

// broken reports whether an AXI4 rule is broken.
func (g *GoDriver) broken() (broken bool) {
	for _, a := range g.agents {
		broken = broken || a.Rule != 0
	}
	return broken
}

// logFull reports whether the effects of a cycle might not fit in a memory's log.
func (g *GoDriver) logFull() (full bool) {
	for _, a := range g.agents {
		full = full || a.logFull()
	}
	return full
}
