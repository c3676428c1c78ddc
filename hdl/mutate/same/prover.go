package same

import (
	"fmt"
	"math/big"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// prover compares mutants of one module with the module.
type prover struct {
	alone  mutate.Alone
	graph  *graph
	solver *solver
	atoms  []atom
	rules  []string // what streams do
	known  []string // facts; nil: not looked for yet
}

func newProver(a mutate.Alone, text string) (*prover, error) {
	g, err := read(a, text)
	if err != nil {
		return nil, err
	}
	p := &prover{alone: a, graph: g}
	if p.solver, err = newSolver(); err != nil {
		return nil, err
	}
	selects := map[string]bool{}
	for _, n := range g.nodes {
		if n.body == "" && strings.HasPrefix(n.of, mutate.Select+"_") {
			selects[n.name] = true
		}
	}
	for _, n := range g.nodes {
		switch {
		case selects[n.name]: // no mutant
			p.solver.say("(define-fun %s () %s %s)", n.name, n.sort, bit(n.sort, 0))
		case n.body == "":
			p.solver.say("(declare-const %s %s)", n.name, n.sort)
		default:
			p.solver.say("(define-fun %s () %s %s)", n.name, n.sort, n.body)
		}
	}
	p.atoms = p.findAtoms()
	return p, nil
}

// shows tells how a mutant was shown to do the same, "" when it was not.
func (p *prover) shows(selected string, effort Effort) (how string, err error) {
	input := p.graph.input(p.alone.Top, selected)
	if input == nil {
		return "", fmt.Errorf("yosys: there is no input %s", selected)
	}
	err = p.solver.within(func() error {
		m := p.mutant(input, nil)
		answer, err := p.solver.can("(not (and true " + strings.Join(append(m.visible(), m.kept()...), " ") + "))")
		if answer == "unsat" {
			how = "in every state"
		}
		return err
	})
	if err != nil || how != "" || effort == Quick {
		return how, err
	}
	return p.related(input)
}

// related looks for a relation with which a mutant is the same in the states that can be reached.
func (p *prover) related(input *node) (how string, err error) {
	facts, err := p.facts()
	if err != nil {
		return "", err
	}
	free := map[string][]int{} // registers that may differ, and the atoms while one of which holds they have to be equal
	for range mostRounds / 4 {
		more, same := false, false
		err := p.solver.within(func() (err error) {
			m := p.mutant(input, free)
			for _, f := range facts {
				p.solver.say("(assert %s)", f)
			}
			for state, when := range free {
				for _, i := range when {
					p.solver.say("(assert (=> %s (= %s %s)))", p.atoms[i].now, state, m.is(state))
				}
			}
			if answer, err := p.solver.can("(not (and true " + strings.Join(m.visible(), " ") + "))"); err != nil || answer != "unsat" {
				return err
			}
			more, same, err = p.weaken(m, free)
			return err
		})
		if err == nil && same {
			same, err = p.begins(input, free)
		}
		switch {
		case err != nil || !more && !same:
			return "", err
		case same && len(free) == 0:
			return "in every state that can be reached", nil
		case same:
			return fmt.Sprintf("but for %d registers while nobody looks at them", len(free)), nil
		}
	}
	return "", nil
}

// begins tells whether a relation holds behind a clock with reset. The states before it are equal, and any: no facts hold yet.
func (p *prover) begins(input *node, free map[string][]int) (holds bool, err error) {
	if p.graph.rst == "" {
		return true, nil // there were no facts
	}
	err = p.solver.within(func() error {
		m := p.mutant(input, nil)
		p.solver.say("(assert %s)", truth(p.graph.byName[p.graph.rst], p.graph.rst))
		all := []string{"true"}
		for _, n := range m.keeps {
			when, differs := free[n.state]
			if !differs {
				all = append(all, m.equal(n.value))
			}
			for _, i := range when {
				all = append(all, fmt.Sprintf("(=> %s %s)", p.atoms[i].next, m.equal(n.value)))
			}
		}
		answer, err := p.solver.can("(not (and " + strings.Join(all, " ") + "))")
		holds = answer == "unsat"
		return err
	})
	return holds, err
}

// weaken takes out of a relation what a clock can end: more tells that there was something, same that there was nothing. Neither
// is so when it cannot be told, or when a memory can differ.
func (p *prover) weaken(m *twin, free map[string][]int) (more, same bool, err error) {
	kept := m.kept()
	all := slices.Clone(kept)
	type part struct {
		state string
		atom  int
	}
	var parts []part
	for _, n := range p.graph.next {
		for _, i := range free[n.state] {
			parts = append(parts, part{n.state, i})
			all = append(all, fmt.Sprintf("(=> %s (= %s %s))", p.atoms[i].next, n.value, m.is(n.value)))
		}
	}
	answer, which, err := p.solver.wrong(all)
	if err != nil || answer != "sat" {
		return false, answer == "unsat", err
	}
	for n, p := range parts {
		if which[len(kept)+n] {
			free[p.state] = slices.DeleteFunc(slices.Clone(free[p.state]), func(i int) bool { return i == p.atom })
		}
	}
	for n, k := range m.keeps {
		if !which[n] {
			continue
		}
		if width(p.graph.byName[k.state].sort) == 0 {
			return false, false, nil
		}
		free[k.state] = []int{}
		for i, a := range p.atoms {
			if a.state != k.state {
				free[k.state] = append(free[k.state], i)
			}
		}
	}
	return true, false, nil
}

// twin is a mutant beside the module: what of it can differ has a name of its own.
type twin struct {
	graph  *graph
	suffix string
	own    map[string]bool
	free   map[string][]int
	keeps  []next // registers and memories that are to be equal and could differ after a clock
}

// mutant makes a twin, in which some registers may have other values.
func (p *prover) mutant(input *node, free map[string][]int) *twin {
	changed := map[string]bool{input.name: true}
	for state := range free {
		changed[state] = true
	}
	list, own := p.graph.behind(changed)
	m := &twin{graph: p.graph, suffix: p.solver.fresh("@"), own: own, free: free}
	p.solver.say("(define-fun %s () %s %s)", m.is(input.name), input.sort, bit(input.sort, 1))
	for state := range free {
		p.solver.say("(declare-const %s %s)", m.is(state), p.graph.byName[state].sort)
	}
	for _, n := range list {
		body := names.ReplaceAllStringFunc(n.body, m.is)
		p.solver.say("(define-fun %s () %s %s)", m.is(n.name), n.sort, body)
	}
	for _, n := range p.graph.next {
		if _, differs := free[n.state]; !differs && own[n.value] && m.equal(n.value) != "" {
			m.keeps = append(m.keeps, n)
		}
	}
	return m
}

var names = regexp.MustCompile(`\|[^|]*\|`)

// is the name of a value in the mutant.
func (m *twin) is(name string) string {
	if !m.own[name] {
		return name
	}
	return name[:len(name)-1] + m.suffix + "|"
}

// visible says that nothing that can be seen from outside differs.
func (m *twin) visible() (list []string) {
	for _, o := range m.graph.outputs {
		if !m.own[o] {
			continue
		}
		e := m.equal(o)
		if e == "" {
			continue
		}
		if v := m.graph.valid[o]; v != "" {
			e = fmt.Sprintf("(=> %s %s)", truth(m.graph.byName[v], v), e)
		}
		list = append(list, e)
	}
	return list
}

// kept says that what is equal is so after the clock too.
func (m *twin) kept() (list []string) {
	for _, n := range m.keeps {
		list = append(list, m.equal(n.value))
	}
	return list
}

// equal says that the bits of a value that matter are equal; it says nothing when none does.
func (m *twin) equal(name string) string {
	a, b, sort := name, m.is(name), m.graph.byName[name].sort
	matters, n := m.graph.matters[name], width(sort)
	switch {
	case matters == nil || popcount(matters) == n:
	case matters.Sign() == 0:
		return ""
	case n > 1:
		mask := fmt.Sprintf("#b%0*b", n, matters)
		a, b = fmt.Sprintf("(bvand %s %s)", a, mask), fmt.Sprintf("(bvand %s %s)", b, mask)
	}
	return fmt.Sprintf("(= %s %s)", a, b)
}

func popcount(v *big.Int) (n int) {
	for _, w := range v.Bits() {
		n += bits.OnesCount(uint(w))
	}
	return n
}
