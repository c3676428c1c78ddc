package hdl

import (
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Cat joins values, the most significant first.
func Cat(parts ...Value) Value {
	width := 0
	for _, v := range parts {
		width += v.Width()
	}
	if p, is := bad("cat", width, parts...); is {
		return p
	}
	if len(parts) == 0 {
		return poison(1, "cat: no operand")
	}
	if len(parts) == 1 {
		return parts[0]
	}
	e := &ir.Expr{Op: ir.Concat, Width: width}
	for _, v := range parts {
		e.Args = append(e.Args, v.e)
	}
	return Value{e}
}

// ZeroExtend extends with zeros to width bits.
func (a Value) ZeroExtend(width int) Value {
	if p, is := bad("zero extend", width, a); is {
		return p
	}
	switch {
	case width < a.Width():
		return poison(width, "zero extend: %s is %d bits, more than %d", describe(a.e), a.Width(), width)
	case width == a.Width():
		return a
	}
	if isNumber(a.e) {
		return number(width, a.e.Value, a.e.Hex)
	}
	return Cat(Zero(width-a.Width()), a)
}

// SignExtend extends with copies of the top bit to width bits.
func (a Value) SignExtend(width int) Value {
	if p, is := bad("sign extend", width, a); is {
		return p
	}
	switch {
	case width < a.Width():
		return poison(width, "sign extend: %s is %d bits, more than %d", describe(a.e), a.Width(), width)
	case width == a.Width():
		return a
	}
	sign := a.Bit(a.Width() - 1).Replicate(width - a.Width())
	if isNumber(a.e) {
		high := new(big.Int).Lsh(sign.e.Value, uint(a.Width()))
		return number(width, high.Or(high, a.e.Value), a.e.Hex)
	}
	return Cat(sign, a)
}

// Truncate keeps the low width bits.
func (a Value) Truncate(width int) Value {
	if p, is := bad("truncate", width, a); is {
		return p
	}
	switch {
	case width > a.Width():
		return poison(width, "truncate: %s is %d bits, fewer than %d", describe(a.e), a.Width(), width)
	case width < 1:
		return poison(width, "truncate: width %d: a value has at least 1 bit", width)
	}
	return a.Slice(width-1, 0)
}

// Replicate repeats each bit n times in place: bit i becomes bits n*i+n-1 .. n*i.
func (a Value) Replicate(n int) Value {
	if n < 1 {
		return poison(a.Width(), "replicate: %d times; at least 1 is needed", n)
	}
	if n == 1 {
		return a
	}
	if p, is := bad("replicate", a.Width()*n, a); is {
		return p
	}
	return Value{folded(&ir.Expr{Op: ir.Replicate, Width: a.Width() * n, Group: n, Args: []*ir.Expr{a.e}})}
}

// ReverseOctets makes octet 0 (the low 8 bits) the most significant one, and so on: network order.
func (a Value) ReverseOctets() Value {
	if p, is := bad("reverse octets", a.Width(), a); is {
		return p
	}
	if a.Width()%8 != 0 {
		return poison(a.Width(), "reverse octets: %s is %d bits, not a multiple of 8", describe(a.e), a.Width())
	}
	if a.Width() == 8 {
		return a
	}
	return a.unary(ir.ReverseOctets, "reverse octets", a.Width())
}

// Bit is bit i, 0 being the least significant.
func (a Value) Bit(i int) Value { return a.Slice(i, i) }

// Slice is bits hi..lo, both included.
func (a Value) Slice(hi, lo int) Value {
	if p, is := bad("slice", hi-lo+1, a); is {
		return p
	}
	if lo < 0 || hi < lo || hi >= a.Width() {
		return poison(hi-lo+1, "slice: [%d:%d] is not inside %s of %d bits", hi, lo, describe(a.e), a.Width())
	}
	return Value{slice(a.e, lo, hi-lo+1)}
}

// slice pushes the selection inward to where Verilog allows it.
func slice(e *ir.Expr, lo, width int) *ir.Expr {
	if lo == 0 && width == e.Width {
		return e
	}
	switch e.Op {
	case ir.Const:
		n := new(big.Int).Rsh(e.Value, uint(lo))
		mask := new(big.Int).Lsh(big.NewInt(1), uint(width))
		return &ir.Expr{Op: ir.Const, Width: width, Value: n.And(n, mask.Sub(mask, big.NewInt(1)))}
	case ir.Slice:
		return slice(e.Args[0], lo+e.Lo, width)
	case ir.Not, ir.And, ir.Or, ir.Xor:
		out := &ir.Expr{Op: e.Op, Width: width}
		for _, a := range e.Args {
			out.Args = append(out.Args, slice(a, lo, width))
		}
		return folded(out)
	case ir.Mux:
		return &ir.Expr{Op: ir.Mux, Width: width,
			Args: []*ir.Expr{e.Args[0], slice(e.Args[1], lo, width), slice(e.Args[2], lo, width)}}
	case ir.Concat:
		return sliceConcat(e, lo, width)
	case ir.Add, ir.Sub:
		if lo == 0 {
			return folded(&ir.Expr{Op: e.Op, Width: width, Args: []*ir.Expr{slice(e.Args[0], 0, width), slice(e.Args[1], 0, width)}})
		}
	case ir.Replicate:
		if first, last := lo/e.Group, (lo+width-1)/e.Group; first == last {
			return Value{slice(e.Args[0], first, 1)}.Replicate(width).e
		} else if lo%e.Group == 0 && width%e.Group == 0 {
			return Value{slice(e.Args[0], first, last-first+1)}.Replicate(e.Group).e
		}
	case ir.ReverseOctets:
		if lo%8 == 0 && width%8 == 0 {
			return Value{slice(e.Args[0], e.Width-lo-width, width)}.ReverseOctets().e
		}
	}
	return &ir.Expr{Op: ir.Slice, Width: width, Lo: lo, Args: []*ir.Expr{e}}
}

func sliceConcat(e *ir.Expr, lo, width int) *ir.Expr {
	var parts []*ir.Expr // least significant first
	base := 0
	for i := len(e.Args) - 1; i >= 0; i-- {
		a := e.Args[i]
		from, to := max(lo, base), min(lo+width, base+a.Width)
		if from < to {
			parts = append(parts, slice(a, from-base, to-from))
		}
		base += a.Width
	}
	if len(parts) == 1 {
		return parts[0]
	}
	out := &ir.Expr{Op: ir.Concat, Width: width}
	for i := len(parts) - 1; i >= 0; i-- {
		out.Args = append(out.Args, parts[i])
	}
	return out
}
