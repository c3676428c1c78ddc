package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// limit is the line length that the printer aims at.
const limit = 110

// layout prints head, e and tail, on several lines if one would be too long or if e is a table of choices.
func layout(indent, head string, e *ir.Expr, tail string) string {
	first := indent + head
	one := line(e)
	if fits := len(first)+len(one)+len(tail) <= limit; fits && !isTable(e) {
		return first + one + tail + "\n"
	}
	if e.Op == ir.Concat {
		return first + broken(indent, e) + tail + "\n"
	}
	if strings.HasPrefix(tail, ")") {
		tail = "\n" + indent + tail
	}
	return strings.TrimRight(first, " ") + "\n" + indent + "    " + fitted(indent+"    ", e) + tail + "\n"
}

// isTable reports whether e is a mux inside a mux: one choice per line reads better.
func isTable(e *ir.Expr) bool { return e.Op == ir.Mux && e.Args[2].Op == ir.Mux }

// fitted prints e after an indent, on one line if it fits.
func fitted(indent string, e *ir.Expr) string {
	if one := line(e); len(indent)+len(one) <= limit && !isTable(e) {
		return one
	}
	return broken(indent, e)
}

// broken prints e on several lines: one choice per line for muxes, one term per line for sums, and as many parts per line as fit for
// concatenations. The caller indents the first line.
func broken(indent string, e *ir.Expr) string {
	switch {
	case e.Op == ir.Mux:
		return choices(indent, e)
	case e.Op == ir.Concat:
		return "{\n" + parts(indent+"    ", e.Args) + indent + "}"
	case prefix[e.Op] != "":
		if arg := e.Args[0]; !reduces(arg) {
			return prefix[e.Op] + enclosed(indent, arg, e.Op)
		} else if e.Op == ir.Not {
			return prefix[e.Op] + broken(indent, arg)
		}
	case infix[e.Op] != "":
		op := infix[e.Op] + " "
		var terms []string
		for _, t := range chain(e) {
			terms = append(terms, enclosed(indent+strings.Repeat(" ", len(op)), t, e.Op))
		}
		return strings.Repeat(" ", len(op)) + strings.Join(terms, "\n"+indent+op)
	}
	return line(e)
}

// enclosed prints an operand, in parentheses if needed; those of a broken one are on separate lines.
func enclosed(indent string, e *ir.Expr, parent ir.Op) string {
	one := operand(e, parent)
	switch long := len(indent)+len(one) > limit; {
	case !long || e.Op != ir.Concat && e.Op != ir.Mux && infix[e.Op] == "" && prefix[e.Op] == "":
		return one
	case prefix[e.Op] != "" && one[0] == '(':
		return "(" + broken(indent, e) + ")"
	case e.Op == ir.Concat, prefix[e.Op] != "":
		return broken(indent, e)
	}
	inner := indent + "    "
	return "(\n" + inner + broken(inner, e) + "\n" + indent + ")"
}

// choices prints "condition ? value :" lines with the question marks in one column.
func choices(indent string, e *ir.Expr) string {
	var conds []string
	var values []*ir.Expr
	for ; e.Op == ir.Mux; e = e.Args[2] {
		conds, values = append(conds, enclosed(indent, e.Args[0], ir.Mux)), append(values, e.Args[1])
	}
	width := 0
	for _, c := range conds {
		width = max(width, len(c))
	}
	width = min(width, 48)
	deeper := indent + strings.Repeat(" ", width+3)
	var b strings.Builder
	for i, c := range conds {
		if i > 0 {
			b.WriteString(indent)
		}
		fmt.Fprintf(&b, "%-*s ? %s :\n", width, c, enclosed(deeper, values[i], ir.Mux))
	}
	b.WriteString(deeper + enclosed(deeper, e, ir.Mux))
	return b.String()
}

// parts prints the parts of a concatenation, as many per line as fit.
func parts(indent string, list []*ir.Expr) string {
	var b strings.Builder
	row := ""
	flush := func() {
		if row != "" {
			b.WriteString(indent + row + "\n")
		}
		row = ""
	}
	for i, e := range list {
		comma := ","
		if i == len(list)-1 {
			comma = ""
		}
		text := line(e) + comma
		if row != "" && len(indent)+len(row)+1+len(text) > limit {
			flush()
		}
		switch {
		case len(indent)+len(text) > limit:
			row = fitted(indent, e) + comma
			flush()
		case row == "":
			row = text
		default:
			row += " " + text
		}
	}
	flush()
	return b.String()
}
