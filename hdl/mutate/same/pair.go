package same

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// module is the netlist of one module with its mutants behind inputs.
type module struct {
	*aig.Netlist
	alone   mutate.Alone
	selects map[string]int   // number of an input, by its name
	ports   map[string][]int // bits of a port: numbers of inputs or outputs
	inputs  []portBit        // of the module, by their numbers
}

// portBit is one bit of a port.
type portBit struct {
	port string
	bit  int
}

func newModule(a mutate.Alone, text []byte) (*module, error) {
	g, err := aig.Read(text)
	if err != nil {
		return nil, err
	}
	m := &module{Netlist: g, alone: a, selects: map[string]int{}, ports: map[string][]int{}}
	for i, name := range g.InputNames {
		at, err := m.port(name, i)
		if err != nil {
			return nil, err
		}
		m.inputs = append(m.inputs, at)
		if strings.HasPrefix(name, mutate.Select+"_") {
			m.selects[name] = i
		}
	}
	for i, name := range g.OutputNames {
		if _, err := m.port(name, i); err != nil {
			return nil, err
		}
	}
	for _, l := range g.Latches {
		if l.Start != l.Is && l.Start != 0 {
			return nil, fmt.Errorf("a register of %s starts with a value", a.Design.Top())
		}
	}
	return m, nil
}

// port notes one bit of a port, as in data[3].
func (m *module) port(symbol string, at int) (portBit, error) {
	name, index, is := strings.Cut(strings.TrimSuffix(symbol, "]"), "[")
	bit := 0
	if is {
		var err error
		if bit, err = strconv.Atoi(index); err != nil {
			return portBit{}, fmt.Errorf("a netlist has the symbol %q", symbol)
		}
	}
	for len(m.ports[name]) <= bit {
		m.ports[name] = append(m.ports[name], -1)
	}
	m.ports[name][bit] = at
	return portBit{name, bit}, nil
}

// start is what the registers of a pair hold at first.
type start bool

const (
	anything start = false // the same in both
	zeros    start = true
)

// pair is two of a module side by side: one as written, and one that is a mutant. They have the same inputs, and the same state
// when they start, whatever it is, and are reset in the first clock. What is the same in both for that reason alone is there once.
type pair struct {
	*aig.Builder
	of      *module
	started aig.Lit
	given   map[aig.Lit]portBit // what comes in from outside
	values  []aig.Lit           // of the inputs
	state   [2][]aig.Lit        // of the latches, as written and of the mutant
	raw     [2][]aig.Lit        // the registers behind
	signals [2][]aig.Lit        // of each variable
	differs aig.Lit             // whether something that can be seen does, in a clock until which the streams have kept their rules
}

func newPair(m *module, mutant string, first start) (*pair, error) {
	number, is := m.selects[mutant]
	if !is {
		return nil, fmt.Errorf("the netlist of %s has no input %s", m.alone.Design.Top(), mutant)
	}
	p := &pair{Builder: aig.NewBuilder(), of: m, given: map[aig.Lit]portBit{}}
	input := func(i int) aig.Lit {
		l := p.Input()
		p.given[l] = m.inputs[i]
		return l
	}
	p.started = p.Register()
	p.Set(p.started, 1)
	for i, name := range m.InputNames {
		var v aig.Lit
		switch {
		case i == number: // 1 in the mutant, see run
		case strings.HasPrefix(name, mutate.Select+"_") || name == "clk":
		case name == "rst":
			v = p.Or(input(i), p.started.Not())
		default:
			v = input(i)
		}
		p.values = append(p.values, v)
	}
	for range m.Latches {
		holds := aig.Lit(0)
		if first == anything {
			holds = p.Input()
		}
		raw, value := p.Starting(p.started, holds)
		p.raw[0], p.state[0] = append(p.raw[0], raw), append(p.state[0], value)
	}
	p.raw[1], p.state[1] = slices.Clone(p.raw[0]), slices.Clone(p.state[0])
	p.signals[0] = p.run(0, number)
	for more := true; more; {
		more = false
		p.signals[1] = p.run(1, number)
		for i, l := range m.Latches {
			if p.raw[0][i] == p.raw[1][i] && p.at(0, l.Next) != p.at(1, l.Next) {
				p.split(i)
				more = true
			}
		}
	}
	for i, l := range m.Latches {
		p.Set(p.raw[0][i], p.at(0, l.Next))
		p.Set(p.raw[1][i], p.at(1, l.Next))
	}
	p.compare()
	return p, nil
}

// split gives the mutant a register of its own, which starts with what the other starts with.
func (p *pair) split(i int) { p.raw[1][i], p.state[1][i] = p.Starting(p.started, p.state[0][i]) }

// at is what a signal of the module is in one of the two.
func (p *pair) at(which int, l aig.Lit) aig.Lit { return p.signals[which][l>>1].As(l) }

// run gives every signal of one of the two.
func (p *pair) run(which, number int) []aig.Lit {
	v := make([]aig.Lit, p.of.Vars)
	for i, l := range p.of.Inputs {
		v[l>>1] = p.values[i]
		if i == number {
			v[l>>1] = aig.Lit(which)
		}
	}
	for i, l := range p.of.Latches {
		v[l.Is>>1] = p.state[which][i]
	}
	p.Copy(p.of.Netlist, v)
	return v
}

// output is a bit of an output port in one of the two.
func (p *pair) output(which int, port string, bit int) aig.Lit {
	return p.at(which, p.of.Outputs[p.of.ports[port][bit]])
}

// compare says what it is to differ.
func (p *pair) compare() {
	valid := map[string]string{}
	rules := aig.Lit(1)
	for _, s := range p.of.alone.Streams {
		if s.Sink {
			if s.Steady && p.of.alone.Design.Clocked() {
				rules = p.And(rules, p.rule(s))
			}
			continue
		}
		for _, f := range s.Fields {
			valid[f] = s.Valid
		}
	}
	broken := p.Register()
	p.Set(broken, p.Or(broken, rules.Not()))
	differs := aig.Lit(0)
	for _, port := range p.of.alone.Outputs {
		seen := aig.Lit(1)
		if v := valid[port]; v != "" {
			seen = p.output(0, v, 0)
		}
		for bit := range p.of.ports[port] {
			if !matters(p.of.alone.Matters[port], bit) {
				continue
			}
			a, b := p.output(0, port, bit), p.output(1, port, bit)
			differs = p.Or(differs, p.And(seen, p.Xor(a, b)))
		}
	}
	if p.of.alone.Design.Clocked() {
		differs = p.And(differs, p.started)
	}
	p.differs = p.And(differs, p.And(rules, broken.Not()))
}

// rule is what a stream into the module keeps: a beat that was offered and not taken is offered still, as it was.
func (p *pair) rule(s mutate.AloneStream) aig.Lit {
	in := func(port string, bit int) aig.Lit { return p.values[p.of.ports[port][bit]] }
	valid, ready := in(s.Valid, 0), p.output(0, s.Ready, 0)
	rst := p.values[p.of.ports["rst"][0]]
	waits := p.Register()
	p.Set(waits, p.And(p.And(valid, ready.Not()), rst.Not()))
	kept := valid
	for _, f := range s.Fields {
		for bit, at := range p.of.ports[f] {
			if at < 0 {
				continue
			}
			was, is := p.Register(), in(f, bit)
			p.Set(was, is)
			kept = p.And(kept, p.Xor(was, is).Not())
		}
	}
	return p.And(waits, kept.Not()).Not()
}

func matters(mask *big.Int, bit int) bool { return mask == nil || mask.Bit(bit) == 1 }

// shared are the registers that both have in common.
func (p *pair) shared() map[aig.Lit]bool {
	free := map[aig.Lit]bool{}
	for i, raw := range p.raw[0] {
		free[raw] = raw == p.raw[1][i]
	}
	return free
}

// own counts the registers that the mutant has for itself.
func (p *pair) own() (n int) {
	for i, raw := range p.raw[0] {
		if raw != p.raw[1][i] {
			n++
		}
	}
	return n
}
