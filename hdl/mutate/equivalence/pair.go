package equivalence

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// module is the netlist of one module with its mutants, selected by inputs.
type module struct {
	*aig.Netlist
	alone   mutate.Alone
	selects map[string]int   // input numbers, by name
	ports   map[string][]int // bits of a port: numbers of inputs or outputs
	inputs  []portBit        // of the module, by number
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
			return nil, fmt.Errorf("a register of %s starts with a value", a.Design.Name())
		}
	}
	return m, nil
}

// port records one bit of a port, as in data[3].
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

// Start is the prefix before the search for inputs, from a state of all zeros or all ones: a number of cycles, the first with reset, without
// any input or, if Pressed, with every stream into the module offering all ones and none out of it accepted.
type Start struct {
	Ones    bool
	Clocks  int
	Pressed bool
}

// anything is a start in any state, identical in both.
var anything = Start{Clocks: -1}

// pair is the original and a mutant of a module side by side. They have the same inputs, start in the same arbitrary state, and are reset in
// the first cycle. Logic that is identical in both for that reason alone exists once.
type pair struct {
	*aig.Builder
	of      *module
	started aig.Lit
	given   map[aig.Lit]portBit // inputs from outside
	values  []aig.Lit           // of the inputs
	other   map[int]aig.Lit     // of memory reads: the value for the mutant if it reads something else
	state   [2][]aig.Lit        // of the latches, original and mutant
	raw     [2][]aig.Lit        // the underlying registers
	ones    [2][]bool           // of the latches: whether the register holds the inverse, since it starts with 0
	before  [2][]bool           // of each variable, in the cycle before the first
	signals [2][]aig.Lit        // of each variable
	differs aig.Lit             // whether something visible differs, in a cycle up to which the streams have kept their rules
}

// pairOf returns an empty pair. number is that of the select input of the mutant.
func pairOf(m *module, mutant string) (p *pair, number int, err error) {
	number, is := m.selects[mutant]
	if !is {
		return nil, 0, fmt.Errorf("the netlist of %s has no input %s", m.alone.Design.Name(), mutant)
	}
	return &pair{Builder: aig.NewBuilder(), of: m, given: map[aig.Lit]portBit{}, other: map[int]aig.Lit{}, started: 1}, number, nil
}

func newPair(m *module, mutant string, first Start) (*pair, error) {
	p, number, err := pairOf(m, mutant)
	if err != nil {
		return nil, err
	}
	if first.Clocks <= 0 {
		p.started = p.Register()
		p.Set(p.started, 1)
	}
	input := func(i int) aig.Lit {
		l := p.Input()
		p.given[l] = m.inputs[i]
		return l
	}
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
	for which, number := range []int{-1, number} {
		p.ones[which], p.before[which] = m.after(first, number)
	}
	for i := range m.Latches {
		raw, value := p.register(first, p.ones[0][i])
		p.raw[0], p.state[0] = append(p.raw[0], raw), append(p.state[0], value)
	}
	p.raw[1], p.state[1] = slices.Clone(p.raw[0]), slices.Clone(p.state[0])
	for i := range m.Latches {
		if p.ones[0][i] != p.ones[1][i] {
			p.split(i, first)
		}
	}
	p.signals[0] = p.run(0, number)
	for more := true; more; {
		more = false
		p.signals[1] = p.run(1, number)
		for i, l := range m.Latches {
			if p.raw[0][i] == p.raw[1][i] && p.at(0, l.Next) != p.at(1, l.Next) {
				p.split(i, first)
				more = true
			}
		}
	}
	for which := range 2 {
		for i, l := range m.Latches {
			next := p.at(which, l.Next)
			if p.ones[which][i] {
				next = next.Not()
			}
			p.Set(p.raw[which][i], next)
		}
	}
	p.compare()
	return p, nil
}

// register adds a register with the start state of the pair.
func (p *pair) register(first Start, one bool) (raw, value aig.Lit) {
	if first == anything {
		return p.Starting(p.started, p.Input())
	}
	raw = p.Register()
	if one {
		return raw, raw.Not()
	}
	return raw, raw
}

// split gives the mutant its own copy of a register.
func (p *pair) split(i int, first Start) {
	if first == anything { // with the same start value as the other
		p.raw[1][i], p.state[1][i] = p.Starting(p.started, p.state[0][i])
		return
	}
	p.raw[1][i], p.state[1][i] = p.register(first, p.ones[1][i])
}

// after returns the registers after some cycles, of a mutant or, if negative, of the original; and all signals in the last cycle.
func (m *module) after(first Start, number int) (state, v []bool) {
	state, v = make([]bool, len(m.Latches)), make([]bool, m.Vars)
	for i := range state {
		state[i] = first.Ones
	}
	pressed := map[string]bool{}
	for _, name := range m.pressed(first) {
		pressed[name] = true
	}
	for clock := range max(first.Clocks, 0) {
		for i, l := range m.Inputs {
			v[l>>1] = i == number || clock == 0 && m.InputNames[i] == "rst" || pressed[m.inputs[i].port]
		}
		for i, l := range m.Latches {
			v[l.Is>>1] = state[i]
		}
		at := func(l aig.Lit) bool { return v[l>>1] != (l&1 == 1) }
		for _, g := range m.Ands {
			v[g.Is>>1] = at(g.A) && at(g.B)
		}
		for i, l := range m.Latches {
			state[i] = at(l.Next)
		}
	}
	return state, v
}

// pressed lists the inputs that are all ones in a pressed start.
func (m *module) pressed(first Start) (list []string) {
	for _, s := range m.alone.Streams {
		if s.Sink && first.Pressed {
			list = append(append(list, s.Valid), s.Fields...)
		}
	}
	return list
}

// at is what a signal of the module is in one of the two.
func (p *pair) at(which int, l aig.Lit) aig.Lit { return p.signals[which][l>>1].As(l) }

// run returns every signal of one of the two. Both read the same value from the same address of a memory as long as both have written the
// same.
func (p *pair) run(which, number int) []aig.Lit {
	v := p.pass(which, number, p.values)
	if which == 0 || len(p.of.alone.Reads) == 0 {
		return v
	}
	values := slices.Clone(p.values)
	bit := func(v []aig.Lit, port string, i int) aig.Lit {
		l := p.of.Outputs[p.of.ports[port][i]]
		return v[l>>1].As(l)
	}
	for _, r := range p.of.alone.Reads {
		same := bit(p.signals[0], r.Enable, 0)
		for i := range p.of.ports[r.Addr] {
			same = p.And(same, p.Xor(bit(p.signals[0], r.Addr, i), bit(v, r.Addr, i)).Not())
		}
		for _, i := range p.of.ports[r.Data] {
			if i < 0 || same == 1 {
				continue
			}
			if _, is := p.other[i]; !is {
				p.other[i] = p.Input()
			}
			values[i] = p.Or(p.And(same, p.values[i]), p.And(same.Not(), p.other[i]))
		}
	}
	return p.pass(which, number, values)
}

// pass returns every signal of one of the two for the current inputs.
func (p *pair) pass(which, number int, values []aig.Lit) []aig.Lit {
	v := make([]aig.Lit, p.of.Vars)
	for i, l := range p.of.Inputs {
		v[l>>1] = values[i]
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

// compare defines the difference.
func (p *pair) compare() {
	rules := aig.Lit(1)
	for _, s := range p.of.alone.Streams {
		if s.Sink && s.Steady && p.of.alone.Design.Clocked() {
			rules = p.And(rules, p.rule(s))
		}
	}
	broken := p.Register()
	p.Set(broken, p.Or(broken, rules.Not()))
	differs := p.shown()
	if p.of.alone.Design.Clocked() {
		differs = p.And(differs, p.started)
	}
	differs = p.Or(differs, p.written()) // also in the first cycle
	p.differs = p.And(differs, p.And(rules, broken.Not()))
}

// shown is 1 if the outputs differ.
func (p *pair) shown() aig.Lit {
	valid := map[string]string{}
	for _, s := range p.of.alone.Streams {
		if !s.Sink {
			for _, f := range s.Fields {
				valid[f] = s.Valid
			}
		}
	}
	differs := aig.Lit(0)
	for _, port := range p.of.alone.Outputs {
		seen := aig.Lit(1)
		if v := valid[port]; v != "" {
			seen = p.output(0, v, 0)
		}
		differs = p.Or(differs, p.unlike(port, seen))
	}
	return differs
}

// written is 1 if writes to memories differ.
func (p *pair) written() aig.Lit {
	differs := aig.Lit(0)
	for _, w := range p.of.alone.Writes {
		differs = p.Or(differs, p.unlike(w.Valid, 1))
		for _, f := range w.Fields {
			differs = p.Or(differs, p.unlike(f, p.output(0, w.Valid, 0)))
		}
	}
	return differs
}

// unlike is 1 if bits of an output that matter differ while it is valid.
func (p *pair) unlike(port string, seen aig.Lit) aig.Lit {
	differs := aig.Lit(0)
	for bit := range p.of.ports[port] {
		if matters(p.of.alone.Matters[port], bit) {
			differs = p.Or(differs, p.And(seen, p.Xor(p.output(0, port, bit), p.output(1, port, bit))))
		}
	}
	return differs
}

// rule is the rule of a stream into the module: a beat that was offered but not accepted is still offered, unchanged.
func (p *pair) rule(s mutate.AloneStream) aig.Lit {
	in := func(port string, bit int) aig.Lit { return p.values[p.of.ports[port][bit]] }
	valid, ready := in(s.Valid, 0), p.output(0, s.Ready, 0)
	rst := p.values[p.of.ports["rst"][0]]
	readied := p.of.Outputs[p.of.ports[s.Ready][0]]
	waited := p.was(s.Valid, 0) && p.before[0][readied>>1] == (readied&1 == 1)
	waits := p.follows(waited, p.And(p.And(valid, ready.Not()), rst.Not()))
	kept := valid
	for _, f := range s.Fields {
		for bit, at := range p.of.ports[f] {
			if at < 0 {
				continue
			}
			is := in(f, bit)
			kept = p.And(kept, p.Xor(p.follows(p.was(f, bit), is), is).Not())
		}
	}
	return p.And(waits, kept.Not()).Not()
}

// was is a bit of an input in the cycle before the first.
func (p *pair) was(port string, bit int) bool {
	return p.before[0][p.of.Inputs[p.of.ports[port][bit]]>>1]
}

// follows is the value of a signal in the previous cycle.
func (p *pair) follows(first bool, signal aig.Lit) aig.Lit {
	r := p.Register()
	if first {
		p.Set(r, signal.Not())
		return r.Not()
	}
	p.Set(r, signal)
	return r
}

func matters(mask *big.Int, bit int) bool { return mask == nil || mask.Bit(bit) == 1 }

// shared are the registers common to both.
func (p *pair) shared() map[aig.Lit]bool {
	free := map[aig.Lit]bool{}
	for i, raw := range p.raw[0] {
		free[raw] = raw == p.raw[1][i]
	}
	return free
}

// own counts the registers that only the mutant has.
func (p *pair) own() (n int) {
	for i, raw := range p.raw[0] {
		if raw != p.raw[1][i] {
			n++
		}
	}
	return n
}
