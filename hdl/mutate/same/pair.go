package same

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// module is the netlist of one module with its mutants behind inputs.
type module struct {
	*aig
	alone   mutate.Alone
	selects map[string]int   // number of an input, by its name
	ports   map[string][]int // bits of a port: numbers of inputs or outputs
}

func newModule(a mutate.Alone, text []byte) (*module, error) {
	g, err := readAIG(text)
	if err != nil {
		return nil, err
	}
	m := &module{aig: g, alone: a, selects: map[string]int{}, ports: map[string][]int{}}
	for i, name := range g.inputNames {
		if strings.HasPrefix(name, mutate.Select+"_") {
			m.selects[name] = i
		} else if err := m.port(name, i); err != nil {
			return nil, err
		}
	}
	for i, name := range g.outputNames {
		if err := m.port(name, i); err != nil {
			return nil, err
		}
	}
	for _, l := range g.latches {
		if l.start != l.is && l.start != 0 {
			return nil, fmt.Errorf("a register of %s starts with a value", a.Top)
		}
	}
	return m, nil
}

// port notes one bit of a port, as in data[3].
func (m *module) port(symbol string, at int) error {
	name, index, is := strings.Cut(strings.TrimSuffix(symbol, "]"), "[")
	bit := 0
	if is {
		var err error
		if bit, err = strconv.Atoi(index); err != nil {
			return fmt.Errorf("a netlist has the symbol %q", symbol)
		}
	}
	for len(m.ports[name]) <= bit {
		m.ports[name] = append(m.ports[name], -1)
	}
	m.ports[name][bit] = at
	return nil
}

// pair is two of a module side by side: one as written, and one that is a mutant. They have the same inputs, and the same state
// when they start, whatever it is, and are reset in the first clock. What is the same in both for that reason alone is there once.
type pair struct {
	*builder
	of      *module
	started lit
	values  []lit       // of the inputs
	state   [2][]lit    // of the latches, as written and of the mutant
	raw     [2][]lit    // the registers behind
	signals [2][]lit    // of each variable
	differs lit         // whether something that can be seen does, in a clock until which the streams have kept their rules
	at0     map[lit]int // registers, by what they are
}

func newPair(m *module, mutant string) (*pair, error) {
	number, is := m.selects[mutant]
	if !is {
		return nil, fmt.Errorf("the netlist of %s has no input %s", m.alone.Top, mutant)
	}
	p := &pair{builder: newBuilder(), of: m, at0: map[lit]int{}}
	p.started = p.register()
	p.set(p.started, 1)
	for i, name := range m.inputNames {
		var v lit
		switch {
		case i == number: // 1 in the mutant, see run
		case strings.HasPrefix(name, mutate.Select+"_") || name == "clk":
		case name == "rst":
			v = p.or(p.input(), p.started.not())
		default:
			v = p.input()
		}
		p.values = append(p.values, v)
	}
	for range m.latches {
		raw := p.register()
		start := p.and(p.started, raw.not()).not()
		p.raw[0] = append(p.raw[0], raw)
		p.state[0] = append(p.state[0], p.and(start, p.or(p.started, p.input())))
	}
	p.raw[1], p.state[1] = append([]lit(nil), p.raw[0]...), append([]lit(nil), p.state[0]...)
	p.signals[0] = p.run(0, number)
	for more := true; more; {
		more = false
		p.signals[1] = p.run(1, number)
		for i, l := range m.latches {
			if p.raw[0][i] == p.raw[1][i] && p.at(0, l.next) != p.at(1, l.next) {
				p.split(i)
				more = true
			}
		}
	}
	for i, l := range m.latches {
		p.set(p.raw[0][i], p.at(0, l.next))
		p.set(p.raw[1][i], p.at(1, l.next))
	}
	p.compare()
	return p, nil
}

func (p *pair) input() lit {
	l := p.fresh()
	p.inputs = append(p.inputs, l)
	return l
}

// register is one that starts with 0.
func (p *pair) register() lit {
	l := p.fresh()
	p.latches = append(p.latches, latch{is: l})
	p.at0[l] = len(p.latches) - 1
	return l
}

func (p *pair) set(register, next lit) { p.latches[p.at0[register]].next = next }

// split gives the mutant a register of its own, which starts with what the other starts with.
func (p *pair) split(i int) {
	raw := p.register()
	// The other one's value in the first clock is the input behind it: what the gate of newPair gives while nothing has started.
	p.raw[1][i] = raw
	first := p.and(p.state[0][i], p.started.not())
	p.state[1][i] = p.or(first, p.and(raw, p.started))
}

// at is what a signal of the module is in one of the two.
func (p *pair) at(which int, l lit) lit { return p.signals[which][l>>1].of(l) }

// run gives every signal of one of the two.
func (p *pair) run(which, number int) []lit {
	v := make([]lit, p.of.vars)
	for i, l := range p.of.inputs {
		v[l>>1] = p.values[i]
		if i == number {
			v[l>>1] = lit(which)
		}
	}
	for i, l := range p.of.latches {
		v[l.is>>1] = p.state[which][i]
	}
	for _, g := range p.of.ands {
		v[g.is>>1] = p.and(v[g.a>>1].of(g.a), v[g.b>>1].of(g.b))
	}
	return v
}

// output is a bit of an output port in one of the two.
func (p *pair) output(which int, port string, bit int) lit {
	return p.at(which, p.of.outputs[p.of.ports[port][bit]])
}

// compare says what it is to differ.
func (p *pair) compare() {
	valid := map[string]string{}
	rules := lit(1)
	for _, s := range p.of.alone.Streams {
		if s.Sink {
			if s.Steady && p.of.alone.Clocked {
				rules = p.and(rules, p.rule(s))
			}
			continue
		}
		for _, f := range s.Fields {
			valid[f] = s.Valid
		}
	}
	broken := p.register()
	p.set(broken, p.or(broken, rules.not()))
	differs := lit(0)
	for _, port := range p.of.alone.Outputs {
		seen := lit(1)
		if v := valid[port]; v != "" {
			seen = p.output(0, v, 0)
		}
		for bit := range p.of.ports[port] {
			if !matters(p.of.alone.Matters[port], bit) {
				continue
			}
			a, b := p.output(0, port, bit), p.output(1, port, bit)
			differs = p.or(differs, p.and(seen, p.and(p.and(a, b).not(), p.and(a.not(), b.not()).not())))
		}
	}
	if p.of.alone.Clocked {
		differs = p.and(differs, p.started)
	}
	p.differs = p.and(differs, p.and(rules, broken.not()))
}

// rule is what a stream into the module keeps: a beat that was offered and not taken is offered still, as it was.
func (p *pair) rule(s mutate.AloneStream) lit {
	in := func(port string, bit int) lit { return p.values[p.of.ports[port][bit]] }
	valid, ready := in(s.Valid, 0), p.output(0, s.Ready, 0)
	rst := p.values[p.of.ports["rst"][0]]
	waits := p.register()
	p.set(waits, p.and(p.and(valid, ready.not()), rst.not()))
	kept := valid
	for _, f := range s.Fields {
		for bit, at := range p.of.ports[f] {
			if at < 0 {
				continue
			}
			was, is := p.register(), in(f, bit)
			p.set(was, is)
			kept = p.and(kept, p.and(was, is.not()).not())
			kept = p.and(kept, p.and(was.not(), is).not())
		}
	}
	return p.and(waits, kept.not()).not()
}

func matters(mask *big.Int, bit int) bool { return mask == nil || mask.Bit(bit) == 1 }

// shared are the registers that both have in common.
func (p *pair) shared() map[lit]bool {
	free := map[lit]bool{}
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
