// Package sequence plays inputs on a single module, cycle by cycle, and reports whether a mutant behaves differently. The module has no
// instances; their pins are ports (mutate.Alone).
//
// Registers and memories hold zeros, or all ones, when a sequence starts; its first cycle is one of reset, after which outputs are compared.
// A field of a stream is compared while the stream is valid, and only in bits that the rest of the design reads.
package sequence

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Inputs are the inputs of a module in each cycle; missing ones are 0.
type Inputs struct {
	Ones   bool // registers and memories initially hold all ones
	Clocks []map[string]*big.Int
}

// Sequence is inputs with the outputs of the original module.
type Sequence struct {
	clocks []played
	ones   bool
}

// played is one cycle: the values of all inputs and outputs, in the player's order.
type played struct{ in, out [][]uint64 }

// Clocks is the length of a sequence in cycles.
func (s Sequence) Clocks() int { return len(s.clocks) }

// Player plays sequences on one module.
type Player struct {
	module  string
	sim     *sim.Sim
	inputs  map[string]sim.Input
	driven  []string // inputs except select inputs
	walked  []string // driven inputs and rst
	outputs []output
	clocked bool
}

// output is a compared output.
type output struct {
	sim.Signal
	matters []uint64
	valid   int // index of the output that qualifies this one, or -1
}

// New returns a player for a module, with or without mutants.
func New(a mutate.Alone) (*Player, error) {
	s, err := sim.New(a.Design)
	if err != nil {
		return nil, err
	}
	p := &Player{module: a.Design.Name(), sim: s, walked: a.Inputs, inputs: map[string]sim.Input{}, clocked: a.Design.Clocked()}
	names := a.Inputs
	if p.clocked {
		names = append(slices.Clone(names), "rst")
	}
	p.driven = slices.Sorted(slices.Values(names))
	for _, m := range a.Mutants {
		names = append(names, mutate.SelectOf(m))
	}
	for _, name := range names {
		if p.inputs[name], err = s.Input(name); err != nil {
			return nil, err
		}
	}
	valid := map[string]string{}
	for _, st := range a.Streams {
		if !st.Sink {
			for _, f := range st.Fields {
				valid[f] = st.Valid
			}
		}
	}
	for _, name := range a.Outputs {
		signal, err := s.Signal(name)
		if err != nil {
			return nil, err
		}
		p.outputs = append(p.outputs, output{signal, mask(a.Matters[name], signal.Width), slices.Index(a.Outputs, valid[name])})
	}
	return p, nil
}

// mask is a number as words; all bits of a width if nil.
func mask(bits *big.Int, width int) []uint64 {
	if bits == nil {
		bits = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
	}
	return words(bits, width)
}

func words(n *big.Int, width int) []uint64 {
	out := make([]uint64, (width+63)/64)
	for i := range out {
		out[i] = new(big.Int).Rsh(n, uint(64*i)).Uint64()
	}
	return out
}

// start sets registers and memories to their initial state, and all inputs to 0 except the one that selects a mutant.
func (p *Player) start(ones bool, mutant string) {
	p.sim.Fill(ones)
	for name, in := range p.inputs {
		in.Set(0)
		if name == mutant {
			in.Set(1)
		}
	}
}

// Record plays inputs on the original module.
func (p *Player) Record(inputs Inputs) (Sequence, error) {
	p.start(inputs.Ones, "")
	s := Sequence{ones: inputs.Ones}
	for clock, in := range inputs.Clocks {
		for name := range in {
			if !slices.Contains(p.driven, name) {
				return s, fmt.Errorf("clock %d of a sequence names the input %q, which %s does not have; allowed: %v", clock, name, p.module, p.driven)
			}
		}
		now := played{}
		for _, name := range p.driven {
			value := in[name]
			if value == nil {
				value = new(big.Int)
			}
			now.in = append(now.in, words(value, p.inputs[name].Width))
		}
		p.drive(now)
		for i := range p.outputs {
			now.out = append(now.out, p.value(i))
		}
		s.clocks = append(s.clocks, now)
		p.step()
	}
	return s, nil
}

func (p *Player) drive(now played) {
	for i, name := range p.driven {
		p.inputs[name].SetWords(now.in[i])
	}
	p.sim.Eval()
}

// value is the part of an output that matters.
func (p *Player) value(i int) []uint64 {
	o := &p.outputs[i]
	out := make([]uint64, len(o.matters))
	o.GetWords(out)
	for n := range out {
		out[n] &= o.matters[n]
	}
	return out
}

func (p *Player) step() {
	if p.clocked {
		p.sim.Step()
	}
}

// Differs plays a sequence on a mutant and returns the first cycle and output that differ; the name is empty if none does.
func (p *Player) Differs(s Sequence, mutant string) (clock int, output string) {
	p.start(s.ones, mutant)
	for clock, now := range s.clocks {
		p.drive(now)
		for i, o := range p.outputs {
			looked := (clock > 0 || !p.clocked) && (o.valid < 0 || now.out[o.valid][0] == 1)
			if looked && !slices.Equal(p.value(i), now.out[i]) {
				return clock, o.Name
			}
		}
		p.step()
	}
	return 0, ""
}
