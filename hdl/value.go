package hdl

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Value is an expression of a fixed width in bits. The zero Value is no value at all; a port left at it is
// reported as unconnected.
type Value struct{ e *ir.Expr }

// Bits is a width without a value: what the fields of a bundle prototype and plain ports are declared with.
func Bits(width int) Value {
	if width < 1 {
		return poison(1, "width %d: a value has at least 1 bit", width)
	}
	return Value{&ir.Expr{Op: ir.Shape, Width: width}}
}

// Const is the constant n in width bits; n must fit.
func Const(width int, n uint64) Value { return ConstBig(width, new(big.Int).SetUint64(n)) }

// ConstBig is [Const] for constants of more than 64 bits.
func ConstBig(width int, n *big.Int) Value {
	switch {
	case width < 1:
		return poison(1, "const: width %d: a value has at least 1 bit", width)
	case n.Sign() < 0 || n.BitLen() > width:
		return poison(width, "const: %s does not fit in %d bits", n, width)
	}
	return Value{&ir.Expr{Op: ir.Const, Width: width, Value: new(big.Int).Set(n)}}
}

// Hex is [Const], printed in hexadecimal.
func Hex(width int, n uint64) Value {
	v := Const(width, n)
	v.e.Hex = true
	return v
}

// Ones is width bits of 1.
func Ones(width int) Value {
	n := new(big.Int).Lsh(big.NewInt(1), uint(max(width, 0)))
	return ConstBig(width, n.Sub(n, big.NewInt(1)))
}

// Zero is width bits of 0.
func Zero(width int) Value { return Const(width, 0) }

// Width is the number of bits.
func (a Value) Width() int {
	if a.e == nil {
		return 0
	}
	return a.e.Width
}

// In makes the value what an instance's input port takes.
func (a Value) In() In { return In{a} }

func poison(width int, format string, args ...any) Value {
	return Value{&ir.Expr{Op: ir.Poison, Width: max(width, 1), Err: errorf(callers(), format, args...)}}
}

// silent is poison without a message of its own: its cause is reported already.
func silent(width int) Value { return Value{&ir.Expr{Op: ir.Poison, Width: max(width, 1)}} }

// bad finds the reason why operands cannot be used: an empty one, a bare shape, or a poisoned one, whose
// message travels on so that it is reported once.
func bad(op string, width int, operands ...Value) (Value, bool) {
	for _, v := range operands {
		switch {
		case v.e == nil:
			return poison(width, "%s: an operand has no value", op), true
		case v.e.Op == ir.Shape:
			return poison(width, "%s: an operand is a width without a value (hdl.Bits)", op), true
		case v.e.Op == ir.Poison:
			return Value{&ir.Expr{Op: ir.Poison, Width: max(width, 1), Err: v.e.Err}}, true
		}
	}
	return Value{}, false
}

func (a Value) binary(op ir.Op, name string, b Value, width int) Value {
	if p, is := bad(name, width, a, b); is {
		return p
	}
	if a.e.Width != b.e.Width {
		return poison(width, "%s: operand widths differ: %s is %d bits, %s is %d bits",
			name, describe(a.e), a.e.Width, describe(b.e), b.e.Width)
	}
	return Value{&ir.Expr{Op: op, Width: width, Args: []*ir.Expr{a.e, b.e}}}
}

func (a Value) unary(op ir.Op, name string, width int) Value {
	if p, is := bad(name, width, a); is {
		return p
	}
	return Value{&ir.Expr{Op: op, Width: width, Args: []*ir.Expr{a.e}}}
}

// Add is a + b modulo 2^width; both have the same width.
func (a Value) Add(b Value) Value { return a.binary(ir.Add, "add", b, a.Width()) }

// Sub is a - b modulo 2^width; both have the same width.
func (a Value) Sub(b Value) Value { return a.binary(ir.Sub, "sub", b, a.Width()) }

// And is the bitwise and of equal widths.
func (a Value) And(b Value) Value { return a.binary(ir.And, "and", b, a.Width()) }

// Or is the bitwise or of equal widths.
func (a Value) Or(b Value) Value { return a.binary(ir.Or, "or", b, a.Width()) }

// Xor is the bitwise exclusive or of equal widths.
func (a Value) Xor(b Value) Value { return a.binary(ir.Xor, "xor", b, a.Width()) }

// Not inverts every bit.
func (a Value) Not() Value {
	if a.e != nil {
		switch a.e.Op {
		case ir.Eq:
			return Value{&ir.Expr{Op: ir.Ne, Width: 1, Args: a.e.Args}}
		case ir.Ne:
			return Value{&ir.Expr{Op: ir.Eq, Width: 1, Args: a.e.Args}}
		case ir.Not:
			return Value{a.e.Args[0]}
		}
	}
	return a.unary(ir.Not, "not", a.Width())
}

// Eq is 1 when a equals b.
func (a Value) Eq(b Value) Value { return a.binary(ir.Eq, "eq", b, 1) }

// Ne is 1 when a differs from b.
func (a Value) Ne(b Value) Value { return a.binary(ir.Ne, "ne", b, 1) }

// Lt is 1 when a < b, unsigned.
func (a Value) Lt(b Value) Value {
	v := a.binary(ir.Lt, "lt", b, 1)
	if v.e.Op == ir.Lt && (isConst(b.e, 0) || isOnes(a.e)) {
		return Zero(1)
	}
	return v
}

// Le is 1 when a <= b, unsigned.
func (a Value) Le(b Value) Value {
	v := a.binary(ir.Le, "le", b, 1)
	if v.e.Op == ir.Le && (isConst(a.e, 0) || isOnes(b.e)) {
		return Ones(1)
	}
	return v
}

func isConst(e *ir.Expr, n int64) bool { return e.Op == ir.Const && e.Value.Cmp(big.NewInt(n)) == 0 }

func isOnes(e *ir.Expr) bool {
	return e.Op == ir.Const && e.Value.BitLen() == e.Width && new(big.Int).Add(e.Value, big.NewInt(1)).TrailingZeroBits() == uint(e.Width)
}

// Is is 1 when a equals the constant n, which must fit.
func (a Value) Is(n uint64) Value {
	if p, is := bad("is", 1, a); is {
		return p
	}
	return a.binary(ir.Eq, "is", Const(a.Width(), n), 1)
}

// Plus adds the constant n, which must fit, modulo 2^width.
func (a Value) Plus(n uint64) Value {
	if p, is := bad("plus", a.Width(), a); is {
		return p
	}
	return a.binary(ir.Add, "plus", Const(a.Width(), n), a.Width())
}

// Any is 1 when a bit is 1.
func (a Value) Any() Value {
	if a.Width() == 1 {
		return a
	}
	return a.unary(ir.ReduceOr, "any", 1)
}

// All is 1 when every bit is 1.
func (a Value) All() Value {
	if a.Width() == 1 {
		return a
	}
	return a.unary(ir.ReduceAnd, "all", 1)
}

// Parity is the exclusive or of all bits.
func (a Value) Parity() Value {
	if a.Width() == 1 {
		return a
	}
	return a.unary(ir.ReduceXor, "parity", 1)
}

// IsZero is 1 when no bit is 1.
func (a Value) IsZero() Value { return a.Any().Not() }

// ShiftLeft moves bits up by the value n of any width; zeros enter.
func (a Value) ShiftLeft(n Value) Value { return a.shift(ir.ShiftLeft, "shift left", n) }

// ShiftRight moves bits down by the value n of any width; zeros enter.
func (a Value) ShiftRight(n Value) Value { return a.shift(ir.ShiftRight, "shift right", n) }

func (a Value) shift(op ir.Op, name string, n Value) Value {
	if p, is := bad(name, a.Width(), a, n); is {
		return p
	}
	if n.e.Op == ir.Const {
		switch by := n.e.Value; {
		case by.Sign() == 0:
			return a
		case by.Cmp(big.NewInt(int64(a.Width()))) >= 0:
			return Zero(a.Width())
		default:
			n = ConstBig(by.BitLen(), by)
		}
	}
	// Verilator 5.006 shifts wrongly by counts of more than 32 bits.
	if n.Width() > 32 {
		return Mux(n.Slice(n.Width()-1, 32).Any(), Zero(a.Width()), a.shift(op, name, n.Truncate(32)))
	}
	return Value{&ir.Expr{Op: op, Width: a.Width(), Args: []*ir.Expr{a.e, n.e}}}
}

// Mux is a when sel is 1, else b; sel has 1 bit, a and b have equal widths.
func Mux(sel, a, b Value) Value {
	if p, is := bad("mux", a.Width(), sel, a, b); is {
		return p
	}
	if sel.Width() != 1 {
		return poison(a.Width(), "mux: the select %s is %d bits, want 1", describe(sel.e), sel.Width())
	}
	if a.Width() != b.Width() {
		return poison(a.Width(), "mux: operand widths differ: %s is %d bits, %s is %d bits",
			describe(a.e), a.Width(), describe(b.e), b.Width())
	}
	return Value{&ir.Expr{Op: ir.Mux, Width: a.Width(), Args: []*ir.Expr{sel.e, a.e, b.e}}}
}

// When is one choice of [Select].
type When struct {
	Cond Value // 1 bit
	Then Value
}

// Select is the first Then whose Cond is 1, or otherwise.
func Select(otherwise Value, choices ...When) Value {
	out := otherwise
	for i := len(choices) - 1; i >= 0; i-- {
		out = Mux(choices[i].Cond, choices[i].Then, out)
	}
	return out
}

// AnyOf is 1 when one of the 1-bit values is.
func AnyOf(list ...Value) Value { return fold("any of", Value.Or, list) }

// AllOf is 1 when all of the 1-bit values are.
func AllOf(list ...Value) Value { return fold("all of", Value.And, list) }

func fold(name string, op func(Value, Value) Value, list []Value) Value {
	if len(list) == 0 {
		return poison(1, "%s: no operand", name)
	}
	out := list[0]
	for _, v := range list[1:] {
		out = op(out, v)
	}
	return out
}

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

// ZeroExtend puts zeros in front until there are width bits.
func (a Value) ZeroExtend(width int) Value {
	switch {
	case width < a.Width():
		return poison(width, "zero extend: %s is %d bits, more than %d", describe(a.e), a.Width(), width)
	case width == a.Width():
		return a
	}
	return Cat(Zero(width-a.Width()), a)
}

// SignExtend repeats the top bit until there are width bits.
func (a Value) SignExtend(width int) Value {
	switch {
	case width < a.Width():
		return poison(width, "sign extend: %s is %d bits, more than %d", describe(a.e), a.Width(), width)
	case width == a.Width():
		return a
	}
	return Cat(a.Bit(a.Width()-1).Spread(width-a.Width()), a)
}

// Truncate keeps the low width bits.
func (a Value) Truncate(width int) Value {
	if width > a.Width() {
		return poison(width, "truncate: %s is %d bits, fewer than %d", describe(a.e), a.Width(), width)
	}
	return a.Slice(width-1, 0)
}

// Spread repeats each bit n times in place: bit i becomes bits n*i+n-1 .. n*i.
func (a Value) Spread(n int) Value {
	if n < 1 {
		return poison(a.Width(), "spread: %d times; at least 1 is needed", n)
	}
	if n == 1 {
		return a
	}
	v := a.unary(ir.Spread, "spread", a.Width()*n)
	v.e.Group = n
	return v
}

// ReverseOctets makes octet 0 (the low 8 bits) the most significant one, and so on: network order.
func (a Value) ReverseOctets() Value {
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

// slice moves the selection inward to where Verilog allows it.
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
		return out
	case ir.Mux:
		return &ir.Expr{Op: ir.Mux, Width: width,
			Args: []*ir.Expr{e.Args[0], slice(e.Args[1], lo, width), slice(e.Args[2], lo, width)}}
	case ir.Concat:
		return sliceConcat(e, lo, width)
	case ir.Add, ir.Sub:
		if lo == 0 {
			return &ir.Expr{Op: e.Op, Width: width, Args: []*ir.Expr{slice(e.Args[0], 0, width), slice(e.Args[1], 0, width)}}
		}
	case ir.Spread:
		if first, last := lo/e.Group, (lo+width-1)/e.Group; first == last {
			return Value{slice(e.Args[0], first, 1)}.Spread(width).e
		} else if lo%e.Group == 0 && width%e.Group == 0 {
			return Value{slice(e.Args[0], first, last-first+1)}.Spread(e.Group).e
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

// describe names an operand in a message: its name, its constant, or what kind of expression it is.
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
	ir.ReduceXor: "parity", ir.Spread: "spread", ir.ReverseOctets: "octet reversal", ir.Poison: "mistake", ir.Shape: "width"}
