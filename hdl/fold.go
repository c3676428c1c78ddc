package hdl

import (
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// folded evaluates operations on constants, so that generator parameters are printed as numbers, not as expressions that a reader has
// to work out. Named constants are not folded.
func folded(e *ir.Expr) *ir.Expr {
	for _, a := range e.Args {
		if !isNumber(a) {
			return e
		}
	}
	v := compute(e)
	return &ir.Expr{Op: ir.Const, Width: e.Width, Value: v.And(v, ones(e.Width)), Hex: e.Args[0].Hex}
}

// isNumber reports whether e is a constant without a name.
func isNumber(e *ir.Expr) bool { return e.Op == ir.Const && e.Label == "" }

func number(width int, n *big.Int, hex bool) Value {
	v := ConstBig(width, n)
	v.e.Hex = hex
	return v
}

func ones(width int) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return n.Sub(n, big.NewInt(1))
}

// compute returns the result of e before truncation to its width.
func compute(e *ir.Expr) *big.Int {
	out, a := new(big.Int), e.Args[0].Value
	b := a
	if len(e.Args) > 1 {
		b = e.Args[1].Value
	}
	switch e.Op {
	case ir.Not:
		return out.Not(a)
	case ir.And:
		return out.And(a, b)
	case ir.Or:
		return out.Or(a, b)
	case ir.Xor:
		return out.Xor(a, b)
	case ir.Add:
		return out.Add(a, b)
	case ir.Sub:
		return out.Sub(a, b)
	case ir.ShiftLeft:
		return out.Lsh(a, uint(b.Uint64()))
	case ir.ShiftRight:
		return out.Rsh(a, uint(b.Uint64()))
	case ir.Eq:
		return truth(a.Cmp(b) == 0)
	case ir.Ne:
		return truth(a.Cmp(b) != 0)
	case ir.Lt:
		return truth(a.Cmp(b) < 0)
	case ir.Le:
		return truth(a.Cmp(b) <= 0)
	case ir.ReduceAnd:
		return truth(a.Cmp(ones(e.Args[0].Width)) == 0)
	case ir.ReduceOr:
		return truth(a.Sign() > 0)
	case ir.ReduceXor:
		for i := range e.Args[0].Width {
			out.SetBit(out, 0, out.Bit(0)^a.Bit(i))
		}
	case ir.Replicate:
		for i := range e.Width {
			out.SetBit(out, i, a.Bit(i/e.Group))
		}
	case ir.ReverseOctets:
		for i := range e.Width {
			out.SetBit(out, i, a.Bit(e.Width-8-i/8*8+i%8))
		}
	}
	return out
}

func truth(v bool) *big.Int {
	if v {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// isZero reports whether e is always 0, named constants included: comparisons with it may be trivial.
func isZero(e *ir.Expr) bool {
	return isAlways(e, func(c *ir.Expr) bool { return c.Value.Sign() == 0 })
}

// isOnes reports whether every bit of e is always 1.
func isOnes(e *ir.Expr) bool {
	return isAlways(e, func(c *ir.Expr) bool { return c.Value.Cmp(ones(c.Width)) == 0 })
}

func isAlways(e *ir.Expr, is func(c *ir.Expr) bool) bool {
	if e.Op == ir.Concat {
		for _, a := range e.Args {
			if !isAlways(a, is) {
				return false
			}
		}
		return true
	}
	return e.Op == ir.Const && is(e)
}
