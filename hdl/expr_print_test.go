package hdl_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// The Verilog of Go expressions. a, b and c have 8 bits, s and t have 1 bit, n has 3 bits.
func TestPrintedExpressions(t *testing.T) {
	for _, c := range []struct {
		want  string
		build expression
	}{
		{"a + b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Add(b) }},
		{"a - b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Sub(b) }},
		{"a + 8'd1", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Plus(1) }},
		{"~a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Not() }},
		{"a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Not().Not() }},
		{"a < b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Lt(b) }},
		{"a <= b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Le(b) }},
		{"a == 8'd5", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Is(5) }},
		{"a != b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Eq(b).Not() }},
		{"a == b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Ne(b).Not() }},

		// Chains of one operator have no parentheses; everything else does.
		{"a & b & c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.And(b.And(c)) }},
		{"a + b + c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Add(b).Add(c) }},
		{"(a - b) - c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Sub(b).Sub(c) }},
		{"a - (b - c)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Sub(b.Sub(c)) }},
		{"(a & b) | c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.And(b).Or(c) }},
		{"~(a & b) ^ ~c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.And(b).Not().Xor(c.Not()) }},
		{"(a == b) & (a != c)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Eq(b).And(a.Ne(c)) }},
		{"s | t | (a == b)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.AnyOf(s, t, a.Eq(b)) }},
		{"s & t & (a == b)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.AllOf(s, t, a.Eq(b)) }},

		// Reductions.
		{"|a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Any() }},
		{"&a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.All() }},
		{"^a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Parity() }},
		{"~|a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.IsZero() }},
		{"s", func(a, b, c, s, t, n hdl.Value) hdl.Value { return s.Any() }},
		{"|(~a)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Not().Any() }},
		{"&(a | b)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Or(b).All() }},
		{"(|a) & (~|b)", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Any().And(b.IsZero()) }},

		// Choices.
		{"s ? a : b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Mux(s, a, b) }},
		{"(s & t) ? (a + b) : c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Mux(s.And(t), a.Add(b), c) }},
		{"s ? (t ? a : b) : c", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Mux(s, hdl.Mux(t, a, b), c) }},
		{"        s ? a :\n        t ? b :\n            c", func(a, b, c, s, t, n hdl.Value) hdl.Value {
			return hdl.Select(c, hdl.When{Cond: s, Then: a}, hdl.When{Cond: t, Then: b})
		}},

		// Shifts. A count too wide for Verilator is truncated.
		{"a << n", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ShiftLeft(n) }},
		{"a >> 2'd3", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ShiftRight(hdl.Const(8, 3)) }},
		{"a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ShiftRight(hdl.Const(8, 0)) }},
		{"8'd0", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ShiftRight(hdl.Const(8, 8)) }},
		{"(|a) ? 8'd0 : (b << {a, a, a, a})", func(a, b, c, s, t, n hdl.Value) hdl.Value { return b.ShiftLeft(hdl.Cat(a, a, a, a, a)) }},

		// Concatenation, slices, extension. Names are sliced directly; other expressions get a name first.
		{"{a, n, s}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Cat(a, n, s) }},
		{"a[6:2]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Slice(6, 2) }},
		{"a[5:4]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Slice(6, 2).Slice(3, 2) }},
		{"a[7]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Bit(7) }},
		{"a[3:0] & b[3:0]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.And(b).Truncate(4) }},
		{"a[3:0] + b[3:0]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Add(b).Truncate(4) }},
		{"s ? a[4] : b[4]", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Mux(s, a, b).Bit(4) }},
		{"{n[1:0], a[7:4]}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Cat(n, a).Slice(9, 4) }},
		{"{8'd0, a}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ZeroExtend(16) }},
		{"{{8{a[7]}}, a}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.SignExtend(16) }},
		{"{4{s}}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return s.Replicate(4) }},
		{"{{4{n[2]}}, {4{n[1]}}, {4{n[0]}}}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return n.Replicate(4) }},
		{"{3{n[1]}}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return n.Replicate(4).Slice(6, 4) }},
		{"{result_octets[7:0], result_octets[15:8]}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Cat(a, b).ReverseOctets() }},
		{"{{2{a[5]}}, {2{a[4]}}}", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Slice(5, 4).Replicate(2) }},
		{"b", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Cat(a, b).ReverseOctets().Slice(15, 8) }},
		{"a", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.ReverseOctets() }},

		// Constants.
		{"8'd12", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Const(8, 12) }},
		{"1'b1", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Const(1, 1) }},
		{"8'd255", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Ones(8) }},
		{"12'h0ff", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Hex(12, 255) }},
		{"40'h0012345678", func(a, b, c, s, t, n hdl.Value) hdl.Value { return hdl.Const(40, 0x12345678) }},
		{"1'b0", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Lt(hdl.Zero(8)) }},
		{"1'b1", func(a, b, c, s, t, n hdl.Value) hdl.Value { return a.Le(hdl.Ones(8)) }},
	} {
		t.Run(c.want, func(t *testing.T) {
			text := printed(t, c.build)
			found := regexp.MustCompile(`(?s)wire .*?result +=\s?(.*?);`).FindStringSubmatch(text)
			require.NotNil(t, found, text)
			assert.Equal(t, c.want, found[1])
		})
	}
}

type operands struct{ A, B, C, S, T, N hdl.In }

type expression func(a, b, c, s, t, n hdl.Value) hdl.Value

// printed returns a module that names one expression.
func printed(t *testing.T, build expression) string {
	d, err := hdl.Compile(hdl.Block[operands]{
		Kind: "expression", Doc: "expression has one expression.",
		Ports: operands{hdl.NewIn(8), hdl.NewIn(8), hdl.NewIn(8), hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(3)},
		Build: func(m *hdl.Module, p operands) {
			result := m.Let("result", build(p.A.Value, p.B.Value, p.C.Value, p.S.Value, p.T.Value, p.N.Value))
			for _, v := range []hdl.Value{result, p.A.Value, p.B.Value, p.C.Value, p.S.Value, p.T.Value, p.N.Value} {
				m.Unused("of no use here", v)
			}
		},
	})
	require.NoError(t, err)
	return d.Files()[0].Text
}
