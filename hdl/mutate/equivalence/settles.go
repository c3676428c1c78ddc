package equivalence

import (
	"context"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// settles proves that the difference of a mutant disappears one cycle after a reset, before any of it is visible: its reset values do not
// matter. Two kinds of states suffice, which lead only to each other: any state, identical in both; and after a reset, where each of the
// two has its own reset values and all other registers hold anything, identical in both.
func (m *module) settles(ctx context.Context, mutant string) (bool, error) {
	p, number, err := pairOf(m, mutant)
	if err != nil || !m.alone.Design.Clocked() {
		return false, err
	}
	for _, name := range m.InputNames {
		v := aig.Lit(0)
		if name != "clk" && !strings.HasPrefix(name, mutate.Select+"_") {
			v = p.Input()
		}
		p.values = append(p.values, v)
	}
	same := make([]aig.Lit, len(m.Latches))
	for i := range same {
		same[i] = p.Input()
	}
	at := m.ports["rst"][0]
	rst := p.values[at]
	p.values[at] = 1
	p.runBoth([2][]aig.Lit{same, same}, number)
	var reset [2][]aig.Lit
	for which := range reset {
		for i, l := range m.Latches {
			first := p.at(which, l.Next)
			if first > 1 {
				first = same[i]
			}
			reset[which] = append(reset[which], first)
		}
	}
	p.values[at] = rst
	differs := aig.Lit(0)
	for _, state := range [][2][]aig.Lit{{same, same}, reset} {
		p.runBoth(state, number)
		differs = p.Or(differs, p.Or(p.shown(), p.written()))
		for i, l := range m.Latches {
			other := p.Xor(p.at(0, l.Next), p.at(1, l.Next))
			if reset[0][i] <= 1 && reset[1][i] <= 1 {
				other = p.And(other, rst.Not())
			}
			differs = p.Or(differs, other)
		}
	}
	if differs == 0 {
		return true, nil
	}
	return aig.Never(ctx, p.Binary(differs, nil), patience[Quick])
}

// runBoth returns every signal of both, given the state of each.
func (p *pair) runBoth(state [2][]aig.Lit, number int) {
	p.state = state
	for which := range p.signals {
		p.signals[which] = p.run(which, number)
	}
}
