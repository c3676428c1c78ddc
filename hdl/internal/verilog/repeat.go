package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Operations that Verilog lacks are printed as concatenations if short and as generate loops if long. Functions would read well too, but
// Verilator warns that their declarations hide names further up in the hierarchy.

// octetwise reports whether e is a reversal of octets.
func octetwise(e *ir.Expr) bool { return e.Op == ir.ReverseOctets }

// bitwise reports whether e replicates each bit of a wider value, for which Verilog has no operator.
func bitwise(e *ir.Expr) bool { return e.Op == ir.Replicate && e.Args[0].Width > 1 }

// isLong reports whether e is printed as a loop.
func isLong(e *ir.Expr) bool {
	const most = 8
	return octetwise(e) && e.Width/8 > most || bitwise(e) && e.Args[0].Width > most
}

// hasLoops reports whether the module needs a genvar.
func hasLoops(m *ir.Module) bool {
	found := false
	seen := map[*ir.Expr]bool{}
	for _, u := range m.Uses() {
		ir.Walk(u.Expr, seen, func(e *ir.Expr) { found = found || isLong(e) })
	}
	return found
}

// expanded prints short ones as concatenations.
func expanded(e *ir.Expr) *ir.Expr {
	out := &ir.Expr{Op: ir.Concat, Width: e.Width}
	switch {
	case isLong(e):
		return e
	case octetwise(e):
		for lo := 0; lo < e.Width; lo += 8 {
			out.Args = append(out.Args, part(e.Args[0], lo, 8))
		}
	case bitwise(e):
		for i := e.Args[0].Width - 1; i >= 0; i-- {
			out.Args = append(out.Args, &ir.Expr{Op: ir.Replicate, Width: e.Group, Group: e.Group, Args: []*ir.Expr{part(e.Args[0], i, 1)}})
		}
	default:
		return e
	}
	return out
}

// isPart reports whether e is a name or bits of one, from which bits can be selected.
func isPart(e *ir.Expr) bool { return e.Op == ir.Ref || e.Op == ir.Slice && e.Args[0].Op == ir.Ref }

// part selects bits from a name or from bits of a name.
func part(e *ir.Expr, lo, width int) *ir.Expr {
	if e.Op == ir.Slice {
		e, lo = e.Args[0], lo+e.Lo
	}
	return &ir.Expr{Op: ir.Slice, Width: width, Lo: lo, Args: []*ir.Expr{e}}
}

// loop assigns a long one to a wire, octet by octet or bit by bit.
func (p *printer) loop(target string, e *ir.Expr) {
	from, lo := e.Args[0], ""
	if from.Op == ir.Slice {
		if from.Lo > 0 {
			lo = fmt.Sprintf("%d + ", from.Lo)
		}
		from = from.Args[0]
	}
	name, i := from.Signal.Name, p.index
	count, assign := e.Args[0].Width, fmt.Sprintf("%s[%d * %s +: %d] = {%d{%s[%s%s]}}", target, e.Group, i, e.Group, e.Group, name, lo, i)
	if octetwise(e) {
		count = e.Width / 8
		assign = fmt.Sprintf("%s[8 * %s +: 8] = %s[%s8 * (%d - %s) +: 8]", target, i, name, lo, count-1, i)
	}
	p.text("    generate\n        for (%s = 0; %s < %d; %s = %s + 1) begin : %s\n", i, i, count, i, i, p.fresh("each_"+target))
	p.text("            assign %s;\n        end\n    endgenerate\n", assign)
}
