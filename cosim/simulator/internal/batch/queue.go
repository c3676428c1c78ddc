package batch

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

var errNoStamps = errors.New("no stamps: open the engine with Options.Stamps")

// Push copies beats into a sink's ring.
func (e *Engine) Push(stream int, beats []uint64) (int, error) {
	s, err := e.queue(stream)
	if err != nil {
		return 0, err
	}
	if e.design.Streams[stream].Dir != simulator.Sink {
		return 0, fmt.Errorf("push: stream %s is a source", e.design.Streams[stream].Name)
	}
	words := int(s.Words)
	if len(beats)%words != 0 {
		return 0, fmt.Errorf("push: %d words; a beat of %s is %d words", len(beats), e.design.Streams[stream].Name, words)
	}
	freed := s.Head
	if s.Stamps != nil {
		freed = s.Read
	}
	n := min(len(beats)/words, int(s.Capacity-(s.Tail-freed)))
	if n == 0 {
		return 0, nil
	}
	if e.lent[stream] != nil {
		return 0, fmt.Errorf("push: %s uses lent beats; lend more", e.design.Streams[stream].Name)
	}
	at := int(s.Tail&(s.Capacity-1)) * words
	data := s.data()
	first := copy(data[at:], beats[:n*words])
	copy(data, beats[first:n*words])
	s.Tail += uint64(n)
	e.block.Idle = 0
	return n, nil
}

// Pop copies beats, and their stamps, out of a source's ring.
func (e *Engine) Pop(stream int, beats, cycles []uint64) (int, error) {
	s, err := e.queue(stream)
	if err != nil {
		return 0, err
	}
	if e.design.Streams[stream].Dir != simulator.Source {
		return 0, fmt.Errorf("pop: stream %s is a sink", e.design.Streams[stream].Name)
	}
	words := int(s.Words)
	n := min(len(beats)/words, int(s.Tail-s.Head))
	if cycles != nil {
		if s.Stamps == nil {
			return 0, errNoStamps
		}
		if len(cycles) < n {
			return 0, fmt.Errorf("pop: room for %d cycles and %d beats", len(cycles), n)
		}
		unroll(cycles[:n], s.stamps(), s.Head)
	}
	if n == 0 {
		return 0, nil
	}
	at := int(s.Head&(s.Capacity-1)) * words
	data := s.data()
	first := copy(beats[:n*words], data[at:])
	copy(beats[first:n*words], data)
	s.Head += uint64(n)
	e.rewind(stream)
	e.block.Idle = 0
	return n, nil
}

// View returns the oldest beats of a source in its ring, without copying.
func (e *Engine) View(stream int) ([]uint64, error) {
	s, err := e.queue(stream)
	if err != nil {
		return nil, err
	}
	if e.design.Streams[stream].Dir != simulator.Source {
		return nil, fmt.Errorf("view: stream %s is a sink", e.design.Streams[stream].Name)
	}
	at := s.Head & (s.Capacity - 1)
	n := min(s.Tail-s.Head, s.Capacity-at)
	return s.data()[at*s.Words : (at+n)*s.Words], nil
}

// Drop removes beats from a source's ring after a View.
func (e *Engine) Drop(stream, n int) error {
	s, err := e.queue(stream)
	if err != nil {
		return err
	}
	if e.design.Streams[stream].Dir != simulator.Source || n < 0 || uint64(n) > s.Tail-s.Head {
		return fmt.Errorf("drop: %d beats of stream %s, which has %d to take", n, e.design.Streams[stream].Name, s.Tail-s.Head)
	}
	if n > 0 {
		s.Head += uint64(n)
		e.rewind(stream)
		e.block.Idle = 0
	}
	return nil
}

// Accepted copies the stamps of a sink's beats.
func (e *Engine) Accepted(stream int, cycles []uint64) (int, error) {
	s, err := e.queue(stream)
	if err != nil {
		return 0, err
	}
	if e.design.Streams[stream].Dir != simulator.Sink {
		return 0, fmt.Errorf("accepted: stream %s is a source; Pop gives its cycles", e.design.Streams[stream].Name)
	}
	if s.Stamps == nil {
		return 0, errNoStamps
	}
	n := min(len(cycles), int(s.Head-s.Read))
	unroll(cycles[:n], s.stamps(), s.Read)
	s.Read += uint64(n)
	return n, nil
}

// unroll copies from a ring with one word per slot.
func unroll(to, ring []uint64, from uint64) {
	at := from & uint64(len(ring)-1)
	first := copy(to, ring[at:])
	copy(to[first:], ring)
}
