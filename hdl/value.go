package hdl

import (
	"math/big"

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
	return ConstBig(width, ones(max(width, 0)))
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

// In converts the value to the input port of an instance.
func (a Value) In() In { return In{a} }

func poison(width int, format string, args ...any) Value {
	return Value{&ir.Expr{Op: ir.Poison, Width: max(width, 1), Err: errorf(callers(), format, args...)}}
}

// silent is poison without a message: its cause has already been reported.
func silent(width int) Value { return Value{&ir.Expr{Op: ir.Poison, Width: max(width, 1)}} }

// bad finds the reason why operands cannot be used: an empty one, a bare shape, or a poisoned one, whose message is propagated so that
// it is reported once.
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
	return Value{folded(&ir.Expr{Op: op, Width: width, Args: []*ir.Expr{a.e, b.e}})}
}

func (a Value) unary(op ir.Op, name string, width int) Value {
	if p, is := bad(name, width, a); is {
		return p
	}
	return Value{folded(&ir.Expr{Op: op, Width: width, Args: []*ir.Expr{a.e}})}
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
	if v.e.Op == ir.Lt && (isZero(b.e) || isOnes(a.e)) {
		return Zero(1)
	}
	return v
}

// Le is 1 when a <= b, unsigned.
func (a Value) Le(b Value) Value {
	v := a.binary(ir.Le, "le", b, 1)
	if v.e.Op == ir.Le && (isZero(a.e) || isOnes(b.e)) {
		return Ones(1)
	}
	return v
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

// Minus subtracts the constant n, which must fit, modulo 2^width.
func (a Value) Minus(n uint64) Value {
	if p, is := bad("minus", a.Width(), a); is {
		return p
	}
	return a.binary(ir.Sub, "minus", Const(a.Width(), n), a.Width())
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
	return Value{folded(&ir.Expr{Op: op, Width: a.Width(), Args: []*ir.Expr{a.e, n.e}})}
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
