package sim

import "fmt"

// Signal reads one signal of the design as it is after the last Eval.
type Signal struct {
	sim   *Sim
	slot  int
	words int
	Name  string
	Width int // bits
}

// Input is a signal that can be set: an input port of the top module, rst, or a register.
type Input struct{ Signal }

// Signals lists the hierarchical names of all signals: the ports of the top module first, then internal ones.
func (s *Sim) Signals() []string {
	out := make([]string, len(s.signals))
	for i, sig := range s.signals {
		out[i] = sig.name
	}
	return out
}

// Signal finds a port or an internal signal by its hierarchical name, such as "parser.beat_q".
func (s *Sim) Signal(name string) (Signal, error) {
	i, known := s.index[name]
	if !known {
		return Signal{}, fmt.Errorf("there is no signal %q", name)
	}
	n := s.signals[i].node
	if _, live := s.slots[n]; !live {
		s.dirty = true // not computed until now
	}
	return Signal{s, s.emit(n), n.words(), name, n.width}, nil
}

// Input finds an input port of the top module, or rst.
func (s *Sim) Input(name string) (Input, error) {
	sig, err := s.Signal(name)
	if err == nil && !s.signals[s.index[name]].input {
		err = fmt.Errorf("%s is not an input of the design", name)
	}
	return Input{sig}, err
}

// Register finds a register by its hierarchical name, to set its value: for instance for a test that starts where a counter is about to
// wrap. Like an input it is set between two clock edges; the next edge updates it as usual.
func (s *Sim) Register(name string) (Input, error) {
	sig, err := s.Signal(name)
	if err == nil && !s.signals[s.index[name]].register {
		err = fmt.Errorf("%s is not a register", name)
	}
	return Input{sig}, err
}

// Get is the low 64 bits.
func (p Signal) Get() uint64 { return p.sim.words[p.slot] }

// GetWords copies the value, low word first, and clears the words beyond it.
func (p Signal) GetWords(words []uint64) {
	n := copy(words, p.sim.words[p.slot:p.slot+p.words])
	clear(words[n:])
}

// Set gives the input a value of at most 64 bits; bits beyond its width are ignored.
func (p Input) Set(v uint64) {
	w := p.sim.words[p.slot : p.slot+p.words]
	if p.words == 1 {
		w[0] = v & topMask(p.Width)
	} else {
		clear(w)
		w[0] = v
	}
	p.sim.dirty = true
}

// SetWords gives the input a value, low word first; missing words are 0, bits beyond its width are ignored.
func (p Input) SetWords(words []uint64) {
	w := p.sim.words[p.slot : p.slot+p.words]
	n := copy(w, words)
	clear(w[n:])
	w[p.words-1] &= topMask(p.Width)
	p.sim.dirty = true
}

// Registers lists the hierarchical names of all registers.
func (s *Sim) Registers() []string {
	var out []string
	for _, sig := range s.signals {
		if sig.register {
			out = append(out, sig.name)
		}
	}
	return out
}
