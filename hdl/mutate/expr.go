package mutate

import (
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

func number(width int, v *big.Int) *ir.Expr { return &ir.Expr{Op: ir.Const, Width: width, Value: v} }

func constant(width int, v int64) *ir.Expr { return number(width, big.NewInt(v)) }

func refTo(s *ir.Signal) *ir.Expr { return &ir.Expr{Op: ir.Ref, Width: s.Width, Signal: s} }

func not(e *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Not, Width: e.Width, Args: []*ir.Expr{e}} }

func binary(op ir.Op, a, b *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: op, Width: a.Width, Args: []*ir.Expr{a, b}}
}

func mux(cond, a, b *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.Mux, Width: a.Width, Args: []*ir.Expr{cond, a, b}}
}

func ones(width int) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return n.Sub(n, big.NewInt(1))
}

// become changes the operation of a node.
func become(op ir.Op) func(*ir.Expr, *copied) *ir.Expr {
	return func(e *ir.Expr, _ *copied) *ir.Expr {
		return &ir.Expr{Op: op, Width: e.Width, Args: e.Args}
	}
}

// samePrinted reports whether two expressions print identically.
func samePrinted(a, b *ir.Expr) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || a.Width != b.Width || a.Lo != b.Lo || a.Group != b.Group || a.Signal != b.Signal || len(a.Args) != len(b.Args) {
		return false
	}
	if a.Op == ir.Const && a.Value.Cmp(b.Value) != 0 {
		return false
	}
	for i := range a.Args {
		if !samePrinted(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}
