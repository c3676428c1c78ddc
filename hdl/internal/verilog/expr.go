package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

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
		if reduces(e.Args[0]) {
			return "~" + line(e.Args[0])
		}
		return "~" + operand(e.Args[0], e.Op)
	case ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor:
		return prefix[e.Op] + operand(e.Args[0], e.Op)
	case ir.Mux:
		return operand(e.Args[0], e.Op) + " ? " + operand(e.Args[1], e.Op) + " : " + elseOperand(e.Args[2])
	case ir.Concat:
		return "{" + strings.Join(lines(e.Args), ", ") + "}"
	case ir.Slice:
		if e.Label != "" {
			return fmt.Sprintf("%s[%s]", line(e.Args[0]), e.Label)
		}
		lo, hi := e.Lo, e.Lo+e.Width-1
		if lo == hi {
			return fmt.Sprintf("%s[%d]", line(e.Args[0]), lo)
		}
		return fmt.Sprintf("%s[%d:%d]", line(e.Args[0]), hi, lo)
	case ir.Replicate: // of one bit; see expanded
		return fmt.Sprintf("{%d{%s}}", e.Group, line(e.Args[0]))
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

// chain flattens nested associative operators, such as a & (b & c), into terms.
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

// operand prints e as an operand of parent, in parentheses if a reader could misread it or if Verilog, which requires a primary after a
// unary operator, needs them.
func operand(e *ir.Expr, parent ir.Op) string {
	_, binary := infix[e.Op]
	_, unary := prefix[e.Op]
	_, inUnary := prefix[parent]
	switch {
	case binary, e.Op == ir.Mux, unary && inUnary, reduces(e):
		return "(" + line(e) + ")"
	}
	return line(e)
}

// reduces reports whether e is printed with a reduction operator.
func reduces(e *ir.Expr) bool {
	switch e.Op {
	case ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor:
		return true
	}
	return e.Op == ir.Not && reduces(e.Args[0])
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
