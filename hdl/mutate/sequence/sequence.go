// Package sequence plays what was written down of one module by itself: what its ports are given, clock by clock, and what they
// show. Instances in the module are not there; their pins are ports (mutate.Alone).
//
// Registers and memories hold 0, or all ones, when a sequence begins, and its first clock is one of reset, after which outputs are
// looked at. A field of a stream is looked at while the stream is valid, and only bits that something in the whole design reads.
package sequence

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Clock is one clock of a sequence: the ports whose value is not that of the clock before, in hexadecimal digits. All are 0 before.
type Clock struct {
	Ones bool              `json:"ones,omitempty"` // of the first clock: registers and memories hold all ones
	In   map[string]string `json:"in,omitempty"`
	Out  map[string]string `json:"out,omitempty"`
}

// Sequence is a number of clocks.
type Sequence []Clock

// Inputs are what goes into a module in each clock; what is not there is 0.
type Inputs struct {
	Ones   bool // registers and memories hold all ones before
	Clocks []map[string]*big.Int
}

// Player plays sequences on one module.
type Player struct {
	module  string
	sim     *sim.Sim
	inputs  map[string]sim.Input
	walked  []string // the inputs without those that select, and rst
	outputs []output
	clocked bool
}

// output is one that is looked at.
type output struct {
	sim.Signal
	matters []uint64
	valid   int // the output that says whether this one means anything, or -1
}

// New makes a player of a module, as it is or with mutants.
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

// mask is a number in words; without one, all bits of a width.
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

func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(words[i]))
	}
	return n
}

// start makes registers and memories what they are at first, and all inputs 0 but the one that selects a mutant.
func (p *Player) start(ones bool, mutant string) {
	p.sim.Fill(ones)
	for name, in := range p.inputs {
		in.Set(0)
		if name == mutant {
			in.Set(1)
		}
	}
}

// Record plays inputs and writes down what comes out.
func (p *Player) Record(inputs Inputs) (Sequence, error) {
	p.start(inputs.Ones, "")
	s := make(Sequence, len(inputs.Clocks))
	s[0].Ones = inputs.Ones
	before, shown := map[string]*big.Int{}, make([][]uint64, len(p.outputs))
	for clock, in := range inputs.Clocks {
		now := &s[clock]
		for _, name := range slices.Sorted(maps.Keys(p.inputs)) {
			value, was := valueOf(in, name), valueOf(before, name)
			if value.Cmp(was) != 0 {
				set(&now.In, name, value)
				p.inputs[name].SetWords(words(value, p.inputs[name].Width))
			}
		}
		for name := range in {
			if _, is := p.inputs[name]; !is {
				return nil, p.unknown(clock, name)
			}
		}
		before = in
		p.sim.Eval()
		for i := range p.outputs {
			o := &p.outputs[i]
			if shown[i] == nil {
				shown[i] = make([]uint64, len(o.matters))
			}
			if value := p.value(i); p.looked(clock, o) && !slices.Equal(value, shown[i]) {
				set(&now.Out, o.Name, number(value))
				shown[i] = value
			}
		}
		p.step()
	}
	return s, nil
}

func valueOf(of map[string]*big.Int, name string) *big.Int {
	if v := of[name]; v != nil {
		return v
	}
	return new(big.Int)
}

func set(to *map[string]string, name string, value *big.Int) {
	if *to == nil {
		*to = map[string]string{}
	}
	(*to)[name] = value.Text(16)
}

// value is what of an output matters.
func (p *Player) value(i int) []uint64 {
	o := &p.outputs[i]
	out := make([]uint64, len(o.matters))
	o.GetWords(out)
	for n := range out {
		out[n] &= o.matters[n]
	}
	return out
}

// looked tells whether an output is looked at, in a module that does what it should.
func (p *Player) looked(clock int, o *output) bool {
	return (clock > 0 || !p.clocked) && (o.valid < 0 || p.value(o.valid)[0] == 1)
}

func (p *Player) step() {
	if p.clocked {
		p.sim.Step()
	}
}

func (p *Player) unknown(clock int, name string) error {
	return fmt.Errorf("clock %d of a sequence names the port %q, which %s does not have", clock, name, p.module)
}

// parse reads the value of a port.
func (p *Player) parse(clock int, port sim.Signal, text string) (*big.Int, error) {
	value, ok := new(big.Int).SetString(text, 16)
	if !ok || value.Sign() < 0 || value.BitLen() > port.Width {
		return nil, fmt.Errorf("clock %d of a sequence of %s: %s is %q; allowed: hexadecimal digits of %d bits", clock, p.module, port.Name, text, port.Width)
	}
	return value, nil
}

// Inputs are those of a sequence.
func (p *Player) Inputs(s Sequence) (Inputs, error) {
	if len(s) == 0 {
		return Inputs{}, fmt.Errorf("a sequence of %s has no clocks", p.module)
	}
	out, now := Inputs{Ones: s[0].Ones}, map[string]*big.Int{}
	for clock, c := range s {
		for name, text := range c.In {
			in, is := p.inputs[name]
			if !is {
				return out, p.unknown(clock, name)
			}
			value, err := p.parse(clock, in.Signal, text)
			if err != nil {
				return out, err
			}
			now[name] = value
		}
		out.Clocks = append(out.Clocks, maps.Clone(now))
	}
	return out, nil
}

// Differs plays a sequence on the module, or on one of its mutants, and tells the first clock and output that show something else;
// an empty name when nothing does.
func (p *Player) Differs(s Sequence, mutant string) (clock int, name string, err error) {
	inputs, err := p.Inputs(s)
	if err != nil {
		return 0, "", err
	}
	for clock, now := range s {
		for name := range now.Out {
			if !slices.ContainsFunc(p.outputs, func(o output) bool { return o.Name == name }) {
				return clock, "", p.unknown(clock, name)
			}
		}
	}
	p.start(s[0].Ones, mutant)
	shown := make([][]uint64, len(p.outputs))
	for i, o := range p.outputs {
		shown[i] = make([]uint64, len(o.matters))
	}
	for clock, now := range s {
		for name := range now.In {
			p.inputs[name].SetWords(words(inputs.Clocks[clock][name], p.inputs[name].Width))
		}
		p.sim.Eval()
		for i, o := range p.outputs {
			if text, is := now.Out[o.Name]; is {
				value, err := p.parse(clock, o.Signal, text)
				if err != nil {
					return clock, "", err
				}
				shown[i] = words(value, o.Width)
			}
		}
		for i, o := range p.outputs {
			meant := (clock > 0 || !p.clocked) && (o.valid < 0 || shown[o.valid][0] == 1)
			if meant && !slices.Equal(p.value(i), shown[i]) {
				return clock, o.Name, nil
			}
		}
		p.step()
	}
	return 0, "", nil
}
