package hdl

import "github.com/rnicgen/rnicgen/hdl/internal/ir"

// maxDepth is the maximum nesting of operators without a named part.
const maxNesting = 3

// checkNesting requires names for parts of deeply nested expressions.
func checkNesting(m *ir.Module) []error {
	var errs []error
	for _, u := range m.Uses() {
		if n := nesting(u.Expr, map[*ir.Expr]int{}); n > maxNesting {
			name := "an expression"
			if u.Target != nil {
				name = u.Target.Name
			}
			errs = append(errs, errorf(u.PCs, "%s.%s: %d operators nested in each other; allowed: %d; name a part with Let", m.Name, name, n, maxNesting))
		}
	}
	return errs
}

// nesting counts operators inside operators. A chain of one associative operator, and a table of choices, is one.
func nesting(e *ir.Expr, known map[*ir.Expr]int) int {
	if n, is := known[e]; is {
		return n
	}
	n := 0
	inside := func(list ...*ir.Expr) {
		for _, a := range list {
			n = max(n, nesting(a, known))
		}
	}
	switch e.Op {
	case ir.Const, ir.Ref, ir.Shape, ir.Poison:
	case ir.Not, ir.Slice, ir.Concat, ir.Replicate, ir.ReverseOctets, ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor:
		inside(e.Args...)
	case ir.Mux:
		at := e
		for ; at.Op == ir.Mux; at = at.Args[2] {
			inside(at.Args[0], at.Args[1])
		}
		inside(at)
		n++
	default:
		inside(terms(e)...)
		n++
	}
	known[e] = n
	return n
}

// terms are the operands of a chain such as a & b & c.
func terms(e *ir.Expr) (list []*ir.Expr) {
	switch e.Op {
	case ir.And, ir.Or, ir.Xor, ir.Add:
		for _, a := range e.Args {
			if a.Op == e.Op {
				list = append(list, terms(a)...)
			} else {
				list = append(list, a)
			}
		}
		return list
	}
	return e.Args
}
