package batch

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

var errStamped = errors.New("buffers cannot be exchanged while stamps are kept")

// Lend uses the caller's beats as the ring of an empty sink.
func (e *Engine) Lend(stream int, beats []uint64) error {
	s, err := e.queue(stream)
	if err != nil {
		return err
	}
	name, words := e.design.Streams[stream].Name, int(s.Words)
	switch {
	case e.design.Streams[stream].Dir != simulator.Sink:
		return fmt.Errorf("lend: stream %s is a source", name)
	case len(beats) == 0 || len(beats)%words != 0:
		return fmt.Errorf("lend: %d words; a beat of %s is %d words, and at least one is needed", len(beats), name, words)
	case s.Head != s.Tail:
		return fmt.Errorf("lend: %d beats of %s are not accepted yet", s.Tail-s.Head, name)
	case s.Stamps != nil:
		return errStamped
	}
	e.rewind(stream)
	n := uint64(len(beats) / words)
	for s.Capacity = 1; s.Capacity < n; s.Capacity *= 2 {
	}
	if need := int(s.Capacity) * words; cap(beats) < need { // the size of a ring is a power of two, including unused slots
		beats = append(make([]uint64, 0, need), beats...)
	}
	e.lent[stream] = beats
	s.Data, s.Tail = &beats[0], n
	e.block.Idle = 0
	return nil
}

// Exchange takes the ring of a source, with its beats, and continues with another.
func (e *Engine) Exchange(stream int, buffer []uint64) (beats []uint64, err error) {
	s, err := e.queue(stream)
	if err != nil {
		return nil, err
	}
	name, need := e.design.Streams[stream].Name, int(s.Capacity*s.Words)
	switch {
	case e.design.Streams[stream].Dir != simulator.Source:
		return nil, fmt.Errorf("exchange: stream %s is a sink", name)
	case cap(buffer) < need:
		return nil, fmt.Errorf("exchange: the ring of %s is %d words, the buffer %d", name, need, cap(buffer))
	case s.Head != 0 && s.Head != s.Tail:
		return nil, fmt.Errorf("exchange: beats of %s were taken one by one; take the rest first", name)
	case s.Stamps != nil:
		return nil, errStamped
	}
	if s.Head != s.Tail {
		beats = s.data()[:s.Tail*s.Words]
	}
	s.Head = s.Tail
	e.rewind(stream)
	buffer = buffer[:need]
	e.lent[stream] = buffer
	s.Data = &buffer[0]
	e.block.Idle = 0
	return beats, nil
}

// rewind restarts an empty ring at its first slot.
func (e *Engine) rewind(stream int) {
	if s := &e.streams[stream]; s.Head == s.Tail && s.Stamps == nil {
		e.passed[stream] += s.Tail
		s.Head, s.Tail = 0, 0
	}
}
