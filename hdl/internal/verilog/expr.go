package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// limit is the line length that the printer aims at.
const limit = 110

var infix = map[ir.Op]string{ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.Add: "+", ir.Sub: "-", ir.Eq: "==", ir.Ne: "!=",
	ir.Lt: "<", ir.Le: "<=", ir.ShiftLeft: "<<", ir.ShiftRight: ">>"}

var associative = map[ir.Op]bool{ir.And: true, ir.Or: true, ir.Xor: true, ir.Add: true}

var prefix = map[ir.Op]string{ir.Not: "~", ir.ReduceAnd: "&", ir.ReduceOr: "|", ir.ReduceXor: "^"}

// line prints an expression on one line.
func line(e *ir.Expr) string {
	switch e.Op {
	case ir.Const:
		return number(e)
	case ir.Ref:
		return e.Signal.Name
	case ir.Not:
		if r := e.Args[0]; r.Op == ir.ReduceOr || r.Op == ir.ReduceAnd || r.Op == ir.ReduceXor {
			return "~" + line(r)
		}
		return "~" + operand(e.Args[0], e.Op)
	case ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor:
		return prefix[e.Op] + operand(e.Args[0], e.Op)
	case ir.Mux:
		return operand(e.Args[0], e.Op) + " ? " + operand(e.Args[1], e.Op) + " : " + elseOperand(e.Args[2])
	case ir.Concat:
		return "{" + strings.Join(lines(e.Args), ", ") + "}"
	case ir.Slice:
		lo, hi := e.Lo, e.Lo+e.Width-1
		if lo == hi {
			return fmt.Sprintf("%s[%d]", line(e.Args[0]), lo)
		}
		return fmt.Sprintf("%s[%d:%d]", line(e.Args[0]), hi, lo)
	case ir.Spread:
		if e.Args[0].Width == 1 {
			return fmt.Sprintf("{%d{%s}}", e.Group, line(e.Args[0]))
		}
		return fmt.Sprintf("%s(%s)", functionName(e), line(e.Args[0]))
	case ir.ReverseOctets:
		return fmt.Sprintf("%s(%s)", functionName(e), line(e.Args[0]))
	}
	if op, is := infix[e.Op]; is {
		terms := make([]string, 0, 2)
		for _, t := range chain(e) {
			terms = append(terms, operand(t, e.Op))
		}
		return strings.Join(terms, " "+op+" ")
	}
	panic(fmt.Sprintf("verilog: operation %d has no printed form", e.Op))
}

func lines(list []*ir.Expr) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = line(e)
	}
	return out
}

// chain flattens a & (b & c) and its like into its terms.
func chain(e *ir.Expr) []*ir.Expr {
	if !associative[e.Op] {
		return e.Args
	}
	var out []*ir.Expr
	for _, a := range e.Args {
		if a.Op == e.Op {
			out = append(out, chain(a)...)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// operand prints e as an operand of parent, in parentheses when a reader could misread it.
func operand(e *ir.Expr, parent ir.Op) string {
	_, binary := infix[e.Op]
	if binary || e.Op == ir.Mux {
		return "(" + line(e) + ")"
	}
	reduction := e.Op == ir.ReduceAnd || e.Op == ir.ReduceOr || e.Op == ir.ReduceXor
	if (reduction || e.Op == ir.Not && startsWithReduction(e)) && parent != ir.Mux {
		return "(" + line(e) + ")"
	}
	return line(e)
}

func startsWithReduction(e *ir.Expr) bool {
	op := e.Args[0].Op
	return op == ir.ReduceAnd || op == ir.ReduceOr || op == ir.ReduceXor
}

func elseOperand(e *ir.Expr) string {
	if e.Op == ir.Mux {
		return line(e)
	}
	return operand(e, ir.Mux)
}

// number prints a constant: by its label, as a repeated bit, in decimal, or in hexadecimal.
func number(e *ir.Expr) string {
	switch {
	case e.Label != "":
		return e.Label
	case e.Width == 1:
		return fmt.Sprintf("1'b%s", e.Value)
	case e.Hex:
		return fmt.Sprintf("%d'h%0*x", e.Width, (e.Width+3)/4, e.Value)
	case e.Width > 16 && allOnes(e):
		return fmt.Sprintf("{%d{1'b1}}", e.Width)
	case e.Value.BitLen() <= 16:
		return fmt.Sprintf("%d'd%s", e.Width, e.Value)
	}
	return fmt.Sprintf("%d'h%0*x", e.Width, (e.Width+3)/4, e.Value)
}

func allOnes(e *ir.Expr) bool {
	for i := range e.Width {
		if e.Value.Bit(i) == 0 {
			return false
		}
	}
	return true
}

// layout prints head, e and tail, over several lines when one would be too long: a choice a line for a chain
// of muxes, a term a line for a sum, as many parts a line as fit for a join.
func layout(indent, head string, e *ir.Expr, tail string) string {
	first := indent + head
	if one := first + line(e) + tail; len(one) <= limit && !(e.Op == ir.Mux && e.Args[2].Op == ir.Mux) {
		return one + "\n"
	}
	deeper := indent + "    "
	switch {
	case e.Op == ir.Mux:
		return strings.TrimRight(first, " ") + "\n" + muxLines(deeper, e) + tail + "\n"
	case e.Op == ir.Concat:
		return first + "{\n" + pack(deeper, lines(e.Args)) + indent + "}" + tail + "\n"
	case infix[e.Op] != "":
		var terms []string
		for _, t := range chain(e) {
			terms = append(terms, operand(t, e.Op))
		}
		return strings.TrimRight(first, " ") + "\n" + deeper + "  " + strings.Join(terms, "\n"+deeper+infix[e.Op]+" ") + tail + "\n"
	}
	return strings.TrimRight(first, " ") + "\n" + deeper + line(e) + tail + "\n"
}

// muxLines prints "condition ? value :" lines with the question marks in one column.
func muxLines(indent string, e *ir.Expr) string {
	var conds, values []string
	for ; e.Op == ir.Mux; e = e.Args[2] {
		conds = append(conds, operand(e.Args[0], ir.Mux))
		values = append(values, operand(e.Args[1], ir.Mux))
	}
	width := 0
	for _, c := range conds {
		width = max(width, len(c))
	}
	width = min(width, 48)
	var b strings.Builder
	for i := range conds {
		fmt.Fprintf(&b, "%s%-*s ? %s :\n", indent, width, conds[i], values[i])
	}
	fmt.Fprintf(&b, "%s%*s   %s", indent, width, "", operand(e, ir.Mux))
	return b.String()
}

func pack(indent string, parts []string) string {
	var b strings.Builder
	row := indent
	for i, p := range parts {
		if i < len(parts)-1 {
			p += ","
		}
		if row != indent && len(row)+1+len(p) > limit {
			b.WriteString(row + "\n")
			row = indent
		}
		if row != indent {
			row += " "
		}
		row += p
	}
	b.WriteString(row + "\n")
	return b.String()
}
