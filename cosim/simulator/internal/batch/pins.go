package batch

import "github.com/rnicgen/rnicgen/cosim/simulator"

// offer puts the oldest queued beat on a sink's pins.
func (g *GoDriver) offer(stream int) {
	s, p := &g.streams[stream], &g.pins[stream]
	beat := s.slot(s.Head)
	for _, f := range p.layout.Fields {
		value := g.value[:(f.Width+63)/64]
		clear(value)
		simulator.CopyBits(value, 0, beat, f.Offset, f.Width)
		g.model.Set(f.Port, value)
	}
	g.raise(stream)
}

// raise raises a sink's valid.
func (g *GoDriver) raise(stream int) {
	g.set(g.pins[stream].valid, 1)
	g.streams[stream].Valid, g.pins[stream].high = 1, true
}

// withdraw lowers a sink's valid and complements its data, to expose a design that samples the data without valid.
func (g *GoDriver) withdraw(stream int) {
	s, p := &g.streams[stream], &g.pins[stream]
	if !p.high {
		return
	}
	for _, f := range p.layout.Fields {
		value := g.value[:(f.Width+63)/64]
		g.model.Get(f.Port, value)
		for i := range value {
			value[i] = ^value[i]
		}
		CopyPort(value, value, f.Width)
		g.model.Set(f.Port, value)
	}
	g.set(p.valid, 0)
	s.Valid, p.high = 0, false
}

func (g *GoDriver) ready(stream int, high uint64) {
	if port := g.pins[stream].ready; port >= 0 {
		g.set(port, high)
	}
	g.streams[stream].Ready = high
}

// collect copies a source's pins into the next slot.
func (g *GoDriver) collect(stream int) {
	s := &g.streams[stream]
	g.collectInto(s.slot(s.Tail), stream)
}

func (g *GoDriver) collectInto(beat []uint64, stream int) {
	clear(beat)
	for _, f := range g.pins[stream].layout.Fields {
		value := g.value[:(f.Width+63)/64]
		g.model.Get(f.Port, value)
		simulator.CopyBits(beat, f.Offset, value, 0, f.Width)
	}
}

func (g *GoDriver) setReset(high uint64) {
	if g.reset >= 0 {
		g.set(g.reset, high)
	}
}

func (g *GoDriver) set(port int, bit uint64) {
	g.word[0] = bit
	g.model.Set(port, g.word[:])
}

func (g *GoDriver) get(port int) uint64 {
	g.model.Get(port, g.word[:])
	return g.word[0]
}

// CopyPort copies a value and clears the bits above its width.
func CopyPort(to, from []uint64, width int) {
	copy(to, from)
	if width%64 != 0 {
		to[len(to)-1] &= 1<<(width%64) - 1
	}
}

func (s *Stream) full() bool { return s.Tail-s.Head == s.Capacity }

func (s *Stream) slot(beat uint64) []uint64 {
	at := (beat & (s.Capacity - 1)) * s.Words
	return s.data()[at : at+s.Words]
}

func (s *Stream) stamp(beat, cycle uint64) {
	if s.Stamps != nil {
		s.stamps()[beat&(s.Capacity-1)] = cycle
	}
}

func number(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
