package mutate

import (
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// change is the effect of a mutant on one slot.
type change struct {
	number int
	edit
}

// selector returns the expression that is 1 if a mutant is selected. Without one, mutants are permanent.
type selector func(number int) *ir.Expr

// put applies changes to a copy of a module.
func put(m *ir.Module, mutants []Mutant, selected selector) {
	of := &copied{slots: slots(m), signals: map[string]*ir.Signal{}}
	for _, p := range m.Ports {
		of.signals[p.Name] = p
	}
	for _, it := range m.Items {
		if s, is := it.(*ir.Signal); is {
			of.signals[s.Name] = s
		}
	}
	for _, s := range of.slots {
		var e *ir.Expr
		if s.expr != nil {
			e = *s.expr
		}
		of.before = append(of.before, e)
	}
	in := map[int][]change{}
	for _, mutant := range mutants {
		for _, e := range mutant.candidate.edits {
			in[e.slot] = append(in[e.slot], change{mutant.Number, e})
		}
	}
	for i := range of.slots {
		if list := in[i]; list != nil {
			of.change(&of.slots[i], list, selected)
		}
	}
}

// equals selects a mutant by its number.
func equals(s *ir.Signal) selector {
	return func(number int) *ir.Expr {
		return &ir.Expr{Op: ir.Eq, Width: 1, Args: []*ir.Expr{refTo(s), constant(s.Width, int64(number))}}
	}
}

// either is the mutated value if a mutant is selected, otherwise the original.
func either(selected selector, number int, mutated, other *ir.Expr) *ir.Expr {
	if selected == nil {
		return mutated
	}
	return mux(selected(number), mutated, other)
}

func (c *copied) change(s *slot, list []change, selected selector) {
	switch {
	case s.arm != nil:
		for _, ch := range list {
			if body := s.arm.Body; selected == nil {
				s.arm.Body = nil
			} else {
				s.arm.Body = []ir.Stmt{&ir.If{Cond: not(selected(ch.number)), Then: body, PCs: s.pcs}}
			}
		}
	case s.reset != nil:
		c.reset(s, list, selected)
	default:
		*s.expr = c.expr(*s.expr, list, selected)
	}
}

// reset changes the reset value of a register. One that depends on the selected mutant is assigned like any other value, last.
func (c *copied) reset(s *slot, list []change, selected selector) {
	if selected == nil {
		s.reset.Reset, s.reset.Label = list[0].value, ""
		return
	}
	value := number(s.reset.Width, s.reset.Reset)
	for _, ch := range list {
		value = either(selected, ch.number, number(s.reset.Width, ch.value), value)
	}
	s.process.Body = append(s.process.Body, &ir.If{Cond: refTo(ir.Rst), Then: []ir.Stmt{&ir.Assign{Target: s.reset, Value: value, PCs: s.pcs}}})
	s.reset.Reset, s.reset.Label = nil, ""
}

// expr returns an expression with changes applied.
func (c *copied) expr(root *ir.Expr, list []change, selected selector) *ir.Expr {
	at := map[*ir.Expr][]change{}
	n := -1
	ir.Walk(root, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		n++
		for _, ch := range list {
			if ch.node == n {
				at[e] = append(at[e], ch)
			}
		}
	})
	done := map[*ir.Expr]*ir.Expr{}
	var visit func(e *ir.Expr) *ir.Expr
	visit = func(e *ir.Expr) *ir.Expr {
		if done[e] != nil {
			return done[e]
		}
		was := *e
		was.Args = nil
		for _, a := range e.Args {
			was.Args = append(was.Args, visit(a))
		}
		out := &was
		for _, ch := range at[e] {
			out = either(selected, ch.number, ch.apply(&was, c), out)
		}
		done[e] = out
		return out
	}
	return visit(root)
}
