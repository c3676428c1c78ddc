package sim

import "github.com/rnicgen/rnicgen/hdl/internal/ir"

// op creates the node of an operation, simplified if possible.
func (g *graph) op(op ir.Op, width int, args ...*node) *node {
	if n := g.simplify(op, width, args); n != nil {
		return n
	}
	return g.done(&node{op: op, width: width, args: args})
}

// done folds an operation on constants, by running it, and joins equal nodes.
func (g *graph) done(n *node) *node {
	for _, a := range n.args {
		if !a.isConst() {
			return g.unique(n)
		}
	}
	p := newProgram()
	slot := p.emit(n)
	execute(p.code, p.words)
	return g.number(n.width, p.words[slot:slot+n.words()]...)
}

func (g *graph) simplify(op ir.Op, width int, args []*node) *node {
	switch op {
	case ir.Not:
		if args[0].op == ir.Not {
			return args[0].args[0]
		}
	case ir.And, ir.Or, ir.Xor, ir.Add:
		return g.commutative(op, args)
	case ir.Sub:
		if args[1].isValue(0) {
			return args[0]
		}
	case ir.Eq, ir.Ne:
		if args[0].width == 1 && args[1].isConst() {
			if (op == ir.Eq) == args[1].isValue(1) {
				return args[0]
			}
			return g.op(ir.Not, 1, args[0])
		}
	case ir.ShiftLeft, ir.ShiftRight:
		return g.shift(op, args[0], args[1])
	case ir.Mux:
		return g.mux(args[0], args[1], args[2])
	case ir.Concat:
		return g.concat(args)
	case ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor:
		if args[0].width == 1 {
			return args[0]
		}
	}
	return nil
}

func (g *graph) commutative(op ir.Op, args []*node) *node {
	a, b := args[0], args[1]
	if a.isConst() {
		a, b = b, a
	}
	switch {
	case b.isValue(0) && op == ir.And, b.isOnes() && op == ir.Or:
		return b
	case b.isValue(0), b.isOnes() && op == ir.And, a == b && (op == ir.And || op == ir.Or):
		return a
	case b.isOnes() && op == ir.Xor:
		return g.op(ir.Not, a.width, a)
	}
	return nil
}

func (g *graph) mux(sel, a, b *node) *node {
	switch {
	case sel.isValue(1), a == b:
		return a
	case sel.isValue(0):
		return b
	case sel.op == ir.Not:
		return g.op(ir.Mux, a.width, sel.args[0], b, a)
	case a.width == 1 && a.isValue(1):
		return g.op(ir.Or, 1, sel, b)
	case a.width == 1 && b.isValue(0):
		return g.op(ir.And, 1, sel, a)
	case a.op == ir.Mux && a.args[0] == sel:
		return g.op(ir.Mux, a.width, sel, a.args[1], b)
	case b.op == ir.Mux && b.args[0] == sel:
		return g.op(ir.Mux, a.width, sel, a, b.args[2])
	}
	return nil
}

// shift turns a shift by a constant into wiring.
func (g *graph) shift(op ir.Op, a, count *node) *node {
	if !count.isConst() {
		return nil
	}
	n := int(min(count.value[0], uint64(a.width)))
	switch {
	case n == 0:
		return a
	case n == a.width:
		return g.number(a.width)
	case op == ir.ShiftLeft:
		return g.op(ir.Concat, a.width, g.slice(a, 0, a.width-n), g.number(n))
	}
	return g.op(ir.Concat, a.width, g.number(n), g.slice(a, n, a.width-n))
}

// slice selects bits from their source.
func (g *graph) slice(a *node, lo, width int) *node {
	switch {
	case lo == 0 && width == a.width:
		return a
	case a.op == ir.Slice:
		return g.slice(a.args[0], lo+a.lo, width)
	case a.op == ir.Replicate && a.args[0].width == 1:
		return g.spread(a.args[0], width)
	case a.op == ir.Concat:
		var parts []*node
		base := a.width
		for _, p := range a.args {
			base -= p.width
			from, to := max(lo, base), min(lo+width, base+p.width)
			if from < to {
				parts = append(parts, g.slice(p, from-base, to-from))
			}
		}
		return g.op(ir.Concat, width, parts...)
	}
	return g.done(&node{op: ir.Slice, width: width, lo: lo, args: []*node{a}})
}

func (g *graph) spread(a *node, group int) *node {
	if group == 1 {
		return a
	}
	return g.done(&node{op: ir.Replicate, width: a.width * group, group: group, args: []*node{a}})
}

// concat flattens nested concatenations, and merges adjacent slices of one value.
func (g *graph) concat(args []*node) *node {
	flat := make([]*node, 0, len(args))
	for _, a := range args {
		parts := []*node{a}
		if a.op == ir.Concat {
			parts = a.args
		}
		for _, p := range parts {
			if last := len(flat) - 1; last >= 0 {
				if j := g.adjacent(flat[last], p); j != nil {
					flat[last] = j
					continue
				}
			}
			flat = append(flat, p)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	width := 0
	for _, p := range flat {
		width += p.width
	}
	return g.done(&node{op: ir.Concat, width: width, args: flat})
}

func (g *graph) adjacent(high, low *node) *node {
	switch {
	case high.op == ir.Slice && low.op == ir.Slice && high.args[0] == low.args[0] && high.lo == low.lo+low.width:
		return g.slice(low.args[0], low.lo, low.width+high.width)
	case high.isConst() && low.isConst():
		return g.done(&node{op: ir.Concat, width: high.width + low.width, args: []*node{high, low}})
	}
	return nil
}
