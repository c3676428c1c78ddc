package sim

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/splitmix"
)

// Sim is one running instance of a design. It is used from one goroutine at a time.
type Sim struct {
	*program
	activity  *activity
	signals   []signal // in hierarchical order, ports of the top first
	index     map[string]int
	memories  map[string]*Memory
	order     []*Memory
	registers []*node
	reset     *node // nil if the design has no clock
	state     int   // words of register state, at the start of words; as many words of next state follow
	dirty     bool  // an input or the state changed since the last Eval
	cycle     uint64
	watchers  []func()
}

// signal is a named value of the flattened design.
type signal struct {
	name     string
	node     *node
	input    bool // of the top module
	register bool
}

// Option changes how a simulation starts.
type Option func(*options)

type options struct{ random *splitmix.Source }

// RandomInit initializes memories and registers to pseudo-random contents instead of zeros, to show that nothing depends on their contents
// after power-up.
func RandomInit(seed uint64) Option {
	return func(o *options) { o.random = splitmix.New(seed, 0) }
}

const maxMemoryBits = 1 << 34

// New prepares a design for simulation. Registers and memories are 0 unless an option says otherwise, also
// registers with a reset value: they take it when rst is 1.
func New(d *hdl.Design, opts ...Option) (*Sim, error) {
	var o options
	for _, f := range opts {
		f(&o)
	}
	f := flatten(d.IR())
	s := &Sim{program: newProgram(), activity: &activity{}, signals: f.signals, reset: f.inputs["rst"], index: map[string]int{}, memories: map[string]*Memory{}, dirty: true}
	for i, sig := range s.signals {
		s.index[sig.name] = i
	}
	for _, m := range f.memories {
		if m.depth > maxMemoryBits/m.width {
			return nil, fmt.Errorf("%s: memory %s has %d words of %d bits; more than %d bits cannot be simulated", d.Top(), m.name, m.depth, m.width, maxMemoryBits)
		}
	}
	s.link(f)
	s.initialise(o.random)
	return s, nil
}

// Eval evaluates the combinational logic. It does nothing if neither inputs nor state have changed.
func (s *Sim) Eval() {
	if !s.dirty {
		return
	}
	if s.activity.size != len(s.code) {
		s.activity = newActivity(s.code)
	}
	s.activity.run(s.words)
	s.dirty = false
}

// Step evaluates the logic, like Eval, and then applies one rising edge of the clock. Signals keep the
// values from before the edge until the next Eval, except for registers.
func (s *Sim) Step() {
	s.Eval()
	for _, w := range s.watchers {
		w()
	}
	for _, m := range s.order {
		m.edge(s.words)
	}
	copy(s.words[:s.state], s.words[s.state:2*s.state])
	s.cycle++
	s.dirty = true
}

// Reset holds rst at 1 for a number of clock edges.
func (s *Sim) Reset(cycles int) {
	if s.reset == nil {
		return
	}
	slot := s.slots[s.reset]
	s.words[slot], s.dirty = 1, true
	for range cycles {
		s.Step()
	}
	s.words[slot], s.dirty = 0, true
}

// Cycle is the number of clock edges so far.
func (s *Sim) Cycle() uint64 { return s.cycle }

// OnStep adds a function that every Step calls between settling the logic and the clock edge.
func (s *Sim) OnStep(f func()) { s.watchers = append(s.watchers, f) }

func (s *Sim) initialise(r *splitmix.Source) {
	if r == nil {
		return
	}
	for _, n := range s.registers {
		slot := s.slots[n]
		draw(r, s.words[slot:slot+n.words()], n.width)
	}
	for _, m := range s.order {
		for i := 0; i < len(m.data); i += m.words {
			draw(r, m.data[i:i+m.words], m.Width)
		}
	}
}

// Fill sets all registers and memories to 0, as New does, or to all ones.
func (s *Sim) Fill(ones bool) {
	clear(s.words[:s.state])
	for _, m := range s.order {
		clear(m.data)
	}
	if ones {
		for _, n := range s.registers {
			slot := s.slots[n]
			fillOnes(s.words[slot:slot+n.words()], n.width)
		}
		for _, m := range s.order {
			for i := 0; i < len(m.data); i += m.words {
				fillOnes(m.data[i:i+m.words], m.Width)
			}
		}
	}
	s.cycle, s.dirty = 0, true
}

func fillOnes(words []uint64, width int) {
	for i := range words {
		words[i] = ^uint64(0)
	}
	words[len(words)-1] &= topMask(width)
}

// draw draws a value of some bits.
func draw(r *splitmix.Source, words []uint64, width int) {
	for i := range words {
		words[i] = r.Next()
	}
	words[len(words)-1] &= topMask(width)
}
