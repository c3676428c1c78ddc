package same

import "fmt"

// atom is something simple about the state: a register of one bit, or one of a few bits that has a value.
type atom struct{ state, now, next string }

// mostFacts bounds what is tried.
const mostFacts = 2000

// facts are the rules of streams, and what holds of the module as written in every state that can be reached after a reset: of
// two atoms, that they are never both true, never both false, or that one implies the other. They hold behind a clock with reset,
// and are kept by any.
func (p *prover) facts() ([]string, error) {
	if p.known != nil {
		return p.known, nil
	}
	p.known = []string{}
	if p.graph.rst == "" {
		return p.known, nil
	}
	var now, next []string
	for i, a := range p.atoms {
		for _, b := range p.atoms[:i] {
			for _, form := range []string{"(or (not %s) (not %s))", "(or %s %s)", "(or (not %s) %s)", "(or %s (not %s))"} {
				if len(now) < mostFacts {
					now = append(now, fmt.Sprintf(form, a.now, b.now))
					next = append(next, fmt.Sprintf(form, a.next, b.next))
				}
			}
		}
	}
	reset := truth(p.graph.byName[p.graph.rst], p.graph.rst)
	first, err := p.solver.hold(next, func([]int) []string { return append([]string{reset}, p.rules...) })
	if err != nil {
		return nil, err
	}
	var stay []string
	for _, i := range first {
		stay = append(stay, next[i])
	}
	left, err := p.solver.hold(stay, func(left []int) (assumed []string) {
		for _, i := range left {
			assumed = append(assumed, now[first[i]])
		}
		return append(assumed, p.rules...)
	})
	for _, i := range left {
		p.known = append(p.known, now[first[i]])
	}
	p.known = append(p.known, p.rules...)
	return p.known, err
}

// findAtoms lists those of the module's registers.
func (p *prover) findAtoms() (list []atom) {
	for _, n := range p.graph.next {
		state, value := p.graph.byName[n.state], p.graph.byName[n.value]
		add := func(form string) {
			a := atom{state.name, p.solver.fresh("now"), p.solver.fresh("next")}
			p.solver.say("(define-fun %s () Bool %s)", a.now, fmt.Sprintf(form, state.name))
			p.solver.say("(define-fun %s () Bool %s)", a.next, fmt.Sprintf(form, value.name))
			list = append(list, a)
		}
		switch w := width(state.sort); {
		case w == 1:
			add("(= %s " + bit(state.sort, 1) + ")")
		case w == 2 || w == 3:
			for v := range 1 << w {
				add(fmt.Sprintf("(= %%s #b%0*b)", w, v))
			}
		case w > 3 && w <= 16:
			add(fmt.Sprintf("(= %%s (_ bv0 %d))", w))
		}
	}
	for _, st := range p.alone.Streams {
		valid, ready := p.graph.port(p.alone.Top, st.Valid), p.graph.port(p.alone.Top, st.Ready)
		if !st.Sink || valid == nil || ready == nil || p.graph.rst == "" {
			continue
		}
		// Whether a beat was offered and not taken in the clock before: then it is offered still.
		a := atom{"", p.solver.fresh("waits"), p.solver.fresh("next")}
		p.solver.say("(declare-const %s Bool)", a.now)
		p.solver.say("(define-fun %s () Bool (and %s (not %s) (not %s)))", a.next, truth(valid, valid.name), truth(ready, ready.name),
			truth(p.graph.byName[p.graph.rst], p.graph.rst))
		p.rules = append(p.rules, fmt.Sprintf("(=> %s %s)", a.now, truth(valid, valid.name)))
		list = append(list, a)
	}
	return list
}
