package hdl

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// describe formats an operand for a message: its name, its constant, or its kind of expression.
func describe(e *ir.Expr) string {
	if e == nil {
		return "nothing"
	}
	switch e.Op {
	case ir.Ref:
		return e.Signal.Name
	case ir.Const:
		return fmt.Sprintf("%d'd%s", e.Width, e.Value)
	case ir.Slice:
		if e.Width == 1 {
			return fmt.Sprintf("%s[%d]", describe(e.Args[0]), e.Lo)
		}
		return fmt.Sprintf("%s[%d:%d]", describe(e.Args[0]), e.Lo+e.Width-1, e.Lo)
	}
	var names []string
	for _, a := range e.Args {
		names = append(names, describe(a))
	}
	s := "(" + strings.ToLower(opNames[e.Op]) + " of " + strings.Join(names, ", ") + ")"
	if len(s) > 60 {
		s = "(" + strings.ToLower(opNames[e.Op]) + " of ...)"
	}
	return s
}

var opNames = map[ir.Op]string{ir.Not: "not", ir.And: "and", ir.Or: "or", ir.Xor: "xor", ir.Add: "sum", ir.Sub: "difference",
	ir.Eq: "equality", ir.Ne: "inequality", ir.Lt: "less", ir.Le: "less or equal", ir.ShiftLeft: "left shift",
	ir.ShiftRight: "right shift", ir.Mux: "mux", ir.Concat: "join", ir.ReduceAnd: "all bits", ir.ReduceOr: "any bit",
	ir.ReduceXor: "parity", ir.Replicate: "replication", ir.ReverseOctets: "octet reversal", ir.Poison: "mistake", ir.Shape: "width"}
