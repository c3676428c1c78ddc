package sim_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// operation is one construct of the language and its meaning in integers.
type operation struct {
	name  string
	width func(w int) int // of the result
	build func(a, b, n, s hdl.Value) hdl.Value
	mean  func(w int, a, b, n, s *big.Int) *big.Int // before truncation to the width
}

func same(w int) int { return w }

func one(int) int { return 1 }

func yes(v bool) *big.Int {
	if v {
		return big.NewInt(1)
	}
	return new(big.Int)
}

func num() *big.Int { return new(big.Int) }

func full(w int) *big.Int { return num().Sub(num().Lsh(big.NewInt(1), uint(w)), big.NewInt(1)) }

// operations has a, b of w bits, n of 8 bits and s of 1 bit.
var operations = []operation{
	{"not", same, func(a, _, _, _ hdl.Value) hdl.Value { return a.Not() },
		func(_ int, a, _, _, _ *big.Int) *big.Int { return num().Not(a) }},
	{"and", same, func(a, b, _, _ hdl.Value) hdl.Value { return a.And(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return num().And(a, b) }},
	{"or", same, func(a, b, _, _ hdl.Value) hdl.Value { return a.Or(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return num().Or(a, b) }},
	{"xor", same, func(a, b, _, _ hdl.Value) hdl.Value { return a.Xor(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return num().Xor(a, b) }},
	{"add", same, func(a, b, _, _ hdl.Value) hdl.Value { return a.Add(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return num().Add(a, b) }},
	{"sub", same, func(a, b, _, _ hdl.Value) hdl.Value { return a.Sub(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return num().Sub(a, b) }},
	{"eq", one, func(a, b, _, _ hdl.Value) hdl.Value { return a.Eq(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return yes(a.Cmp(b) == 0) }},
	{"ne", one, func(a, b, _, _ hdl.Value) hdl.Value { return a.Ne(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return yes(a.Cmp(b) != 0) }},
	{"lt", one, func(a, b, _, _ hdl.Value) hdl.Value { return a.Lt(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return yes(a.Cmp(b) < 0) }},
	{"le", one, func(a, b, _, _ hdl.Value) hdl.Value { return a.Le(b) },
		func(_ int, a, b, _, _ *big.Int) *big.Int { return yes(a.Cmp(b) <= 0) }},
	{"shift_left", same, func(a, _, n, _ hdl.Value) hdl.Value { return a.ShiftLeft(n) },
		func(_ int, a, _, n, _ *big.Int) *big.Int { return num().Lsh(a, uint(n.Uint64())) }},
	{"shift_right", same, func(a, _, n, _ hdl.Value) hdl.Value { return a.ShiftRight(n) },
		func(_ int, a, _, n, _ *big.Int) *big.Int { return num().Rsh(a, uint(n.Uint64())) }},
	{"shift_left_9", same, func(a, _, _, _ hdl.Value) hdl.Value { return a.ShiftLeft(hdl.Const(8, 9)) },
		func(_ int, a, _, _, _ *big.Int) *big.Int { return num().Lsh(a, 9) }},
	{"shift_far", same, func(a, _, n, s hdl.Value) hdl.Value { return a.ShiftLeft(hdl.Cat(s, hdl.Zero(60), n)) },
		func(_ int, a, _, n, s *big.Int) *big.Int {
			return num().Mul(num().Lsh(a, uint(n.Uint64())), num().Sub(big.NewInt(1), s))
		}},
	{"mux", same, func(a, b, _, s hdl.Value) hdl.Value { return hdl.Mux(s, a, b) },
		func(_ int, a, b, _, s *big.Int) *big.Int {
			if s.Sign() > 0 {
				return a
			}
			return b
		}},
	{"cat", func(w int) int { return 2*w + 9 }, func(a, b, n, s hdl.Value) hdl.Value { return hdl.Cat(s, a, n, b) },
		func(w int, a, b, n, s *big.Int) *big.Int {
			out := num().Lsh(s, uint(2*w+8))
			out.Or(out, num().Lsh(a, uint(w+8)))
			out.Or(out, num().Lsh(n, uint(w)))
			return out.Or(out, b)
		}},
	{"slice", func(w int) int { return w/2 + 1 }, func(a, _, _, _ hdl.Value) hdl.Value { return a.Slice(a.Width()/3+a.Width()/2, a.Width()/3) },
		func(w int, a, _, _, _ *big.Int) *big.Int { return num().Rsh(a, uint(w/3)) }},
	{"all", one, func(a, _, _, _ hdl.Value) hdl.Value { return a.All() },
		func(w int, a, _, _, _ *big.Int) *big.Int { return yes(a.Cmp(full(w)) == 0) }},
	{"any", one, func(a, _, _, _ hdl.Value) hdl.Value { return a.Any() },
		func(_ int, a, _, _, _ *big.Int) *big.Int { return yes(a.Sign() > 0) }},
	{"parity", one, func(a, _, _, _ hdl.Value) hdl.Value { return a.Parity() },
		func(w int, a, _, _, _ *big.Int) *big.Int {
			ones := 0
			for i := range w {
				ones += int(a.Bit(i))
			}
			return big.NewInt(int64(ones % 2))
		}},
	{"spread_3", func(w int) int { return 3 * w }, func(a, _, _, _ hdl.Value) hdl.Value { return a.Replicate(3) }, spread(3)},
	{"spread_8", func(w int) int { return 8 * w }, func(a, _, _, _ hdl.Value) hdl.Value { return a.Replicate(8) }, spread(8)},
	{"spread_bit", func(w int) int { return w + 1 }, func(a, _, _, s hdl.Value) hdl.Value { return s.Replicate(a.Width() + 1) },
		func(w int, _, _, _, s *big.Int) *big.Int { return num().Mul(s, full(w+1)) }},
	{"reverse_short", func(w int) int { return 8 * w }, func(a, _, _, _ hdl.Value) hdl.Value { return a.ZeroExtend(8 * a.Width()).ReverseOctets() },
		func(w int, a, _, _, _ *big.Int) *big.Int { return reversed(w, a) }},
	{"reverse_octets", func(w int) int { return 8 * w }, func(a, b, _, _ hdl.Value) hdl.Value {
		return hdl.Cat(append([]hdl.Value{a.Add(b)}, repeat(a, 7)...)...).ReverseOctets()
	}, func(w int, a, b, _, _ *big.Int) *big.Int {
		joined := num().And(num().Add(a, b), full(w))
		for range 7 {
			joined = num().Or(num().Lsh(joined, uint(w)), a)
		}
		return reversed(w, joined)
	}},
}

func reversed(octets int, a *big.Int) *big.Int {
	in, out := a.FillBytes(make([]byte, octets)), make([]byte, octets)
	for i := range in {
		out[octets-1-i] = in[i]
	}
	return num().SetBytes(out)
}

func repeat(v hdl.Value, n int) (out []hdl.Value) {
	for range n {
		out = append(out, v)
	}
	return out
}

func spread(group int) func(w int, a, _, _, _ *big.Int) *big.Int {
	return func(w int, a, _, _, _ *big.Int) *big.Int {
		out := num()
		for i := range w {
			for j := range group {
				out.SetBit(out, i*group+j, a.Bit(i))
			}
		}
		return out
	}
}

// Each operation on random values of random widths agrees with integers, with signals and with constants as
// operands, and so does every slice of it.
func TestOperations(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(60, 68), rapid.IntRange(120, 200)).Draw(t, "w")
				a, b := drawNumber(t, "a", w), drawNumber(t, "b", w)
				n, s := drawNumber(t, "n", 8), drawNumber(t, "s", 1)
				lo := rapid.IntRange(0, op.width(w)-1).Draw(t, "lo")
				width := rapid.IntRange(1, op.width(w)-lo).Draw(t, "part")
				if rapid.Bool().Draw(t, "whole") {
					lo, width = 0, op.width(w)
				}
				want := num().And(op.mean(w, a, b, n, s), full(op.width(w)))
				want.And(want.Rsh(want, uint(lo)), full(width))
				part := func(v hdl.Value) hdl.Value { return v.Slice(lo+width-1, lo) }
				got := operate(t, op, part, width, w, rapid.SliceOfN(rapid.Bool(), 4, 4).Draw(t, "constant"), a, b, n, s)
				require.Equal(t, want.Text(16), got.Text(16))
			})
		})
	}
}

func drawNumber(t *rapid.T, name string, width int) *big.Int {
	octets := rapid.OneOf(rapid.SliceOfN(rapid.Byte(), 25, 25), rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0xff}), 25, 25)).Draw(t, name)
	return num().And(num().SetBytes(octets), full(width))
}

// operandPorts are the operands and the result of one operation.
type operandPorts struct {
	A, B, N, S hdl.In
	Y          hdl.Out
}

// operate runs one operation; operand i is a constant where constant[i] is true.
func operate(t *rapid.T, op operation, part func(hdl.Value) hdl.Value, width, w int, constant []bool, values ...*big.Int) *big.Int {
	widths := []int{w, w, 8, 1}
	d, err := hdl.Compile(hdl.Block[operandPorts]{
		Kind: "operate", Doc: "operate has one operation.",
		Ports: operandPorts{hdl.NewIn(w), hdl.NewIn(w), hdl.NewIn(8), hdl.NewIn(1), hdl.NewOut(width)},
		Build: func(m *hdl.Module, p operandPorts) {
			operands := []hdl.Value{p.A.Value, p.B.Value, p.N.Value, p.S.Value}
			for i, v := range operands {
				m.Unused("of no use here", v)
				if constant[i] {
					operands[i] = hdl.ConstBig(widths[i], values[i])
				}
			}
			m.Drive(p.Y, part(op.build(operands[0], operands[1], operands[2], operands[3])))
		},
	})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	for i, name := range []string{"a", "b", "n", "s"} {
		in, err := s.Input(name)
		require.NoError(t, err)
		in.SetWords(toWords(values[i], widths[i]))
	}
	s.Eval()
	y, err := s.Signal("y")
	require.NoError(t, err)
	words := make([]uint64, (y.Width+63)/64)
	y.GetWords(words)
	out := num()
	for i := len(words) - 1; i >= 0; i-- {
		out.Or(out.Lsh(out, 64), num().SetUint64(words[i]))
	}
	return out
}

func toWords(v *big.Int, width int) []uint64 {
	out := make([]uint64, (width+63)/64)
	for i := range out {
		out[i] = num().And(num().Rsh(v, uint(64*i)), full(64)).Uint64()
	}
	return out
}
