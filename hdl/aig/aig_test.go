package aig

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const patience = 10 * time.Second

// counter counts modulo 6 while its input is 1.
func counter(b *Builder) (bits [3]Lit) {
	counts := b.Input()
	for i := range bits {
		bits[i] = b.Register()
	}
	carry := counts
	last := b.And(b.And(bits[0], bits[1].Not()), bits[2])
	for _, bit := range bits {
		b.Set(bit, b.And(b.Xor(bit, carry), b.And(last, counts).Not()))
		carry = b.And(carry, bit)
	}
	return bits
}

// is returns whether bits have a value.
func is(b *Builder, bits [3]Lit, value Lit) Lit {
	out := Lit(1)
	for i, bit := range bits {
		out = b.And(out, bit^(value>>i&1)^1)
	}
	return out
}

func TestCounter(t *testing.T) {
	ctx := context.Background()
	for value := range Lit(8) {
		b := NewBuilder()
		output := is(b, counter(b), value)
		clock, known, err := First(ctx, b.Binary(output, nil), 12, patience)
		require.NoError(t, err)
		require.True(t, known)
		never, err := Never(ctx, b.Binary(output, nil), patience)
		require.NoError(t, err)
		assert.Equal(t, value > 5, never)
		if value > 5 {
			assert.Equal(t, -1, clock)
		} else {
			assert.EqualValues(t, value, clock)
		}
	}

	// With arbitrary initial values of registers, unreachable states become reachable.
	b := NewBuilder()
	bits := counter(b)
	free := map[Lit]bool{bits[0]: true, bits[1]: true, bits[2]: true}
	clock, known, err := First(ctx, b.Binary(is(b, bits, 7), free), 12, patience)
	require.NoError(t, err)
	assert.True(t, known)
	assert.Zero(t, clock)

	b = NewBuilder()
	x, y, z := b.Input(), b.Input(), b.Input()
	differs := b.Xor(b.Or(b.And(x, y), b.And(x, z)), b.And(x, b.Or(y, z)))
	clock, known, err = First(ctx, b.Binary(differs, nil), 12, patience)
	require.NoError(t, err)
	assert.True(t, known)
	assert.Equal(t, -1, clock)
}

// Equal gates are shared, and constants need no gate.
func TestBuilder(t *testing.T) {
	b := NewBuilder()
	x, y := b.Input(), b.Input()
	assert.Equal(t, b.And(x, y), b.And(y, x))
	assert.Equal(t, Lit(0), b.And(x, x.Not()))
	assert.Equal(t, x, b.And(x, 1))
	assert.Equal(t, x, b.Or(x, 0))
	assert.Equal(t, Lit(0), b.Xor(y, y))
	assert.Equal(t, b.Xor(x, y), b.Or(b.And(x, y.Not()), b.And(y, x.Not())))
	assert.Equal(t, "aig 1 1 0 1 0\n3\n", string(b.Binary(y.Not(), nil)), "gates that no output depends on are omitted")
}

func TestRead(t *testing.T) {
	n, err := Read([]byte("aag 5 2 2 1 1 1 1\n2\n4\n6 10 6\n8 6\n11\n8\n5\n10 2 4\ni0 clk\ni1 data[3]\no0 out\nl0 state\nc\nmade by hand\n"))
	require.NoError(t, err)
	assert.Equal(t, &Netlist{Vars: 6, Inputs: []Lit{2, 4}, Latches: []Latch{{6, 10, 6}, {8, 6, 0}}, Outputs: []Lit{11}, Bad: []Lit{8}, Constraints: []Lit{5},
		Ands: []And{{10, 2, 4}}, InputNames: []string{"clk", "data[3]"}, OutputNames: []string{"out"}}, n)

	for text, says := range map[string]string{
		"":                              "an empty netlist",
		"aig 1 1 0 0 0\n":               `a netlist begins with "aig 1 1 0 0 0"`,
		"aag 1 1 0 0 0\n":               `a netlist has the line ""; allowed: at least 1 numbers below 4`,
		"aag 1 1 0 0 0\n4\n":            `a netlist has the line "4"; allowed: at least 1 numbers below 4`,
		"aag 1 1 0 1 0\n2\n2\no1 out\n": `a netlist has the symbol "o1 out"`,
	} {
		_, err := Read([]byte(text))
		assert.EqualError(t, err, says, text)
	}
}

// A witness gives the required inputs per cycle.
func TestWitness(t *testing.T) {
	ctx := context.Background()
	b := NewBuilder()
	b.Input() // not used
	bits := counter(b)
	said, other := b.Input(), b.Input()
	output := b.And(is(b, bits, 2), b.And(said, b.Or(other, said)))
	ones, err := Witness(ctx, b.Binary(output, nil), 12, patience)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0}, {0}, {1}}, ones)
	inputs := b.Inputs(output, nil)
	assert.Equal(t, said, inputs[1])

	ones, err = Witness(ctx, b.Binary(is(b, bits, 7), nil), 12, patience)
	require.NoError(t, err)
	assert.Nil(t, ones)

	b = NewBuilder()
	x, y := b.Input(), b.Input()
	ones, err = Witness(ctx, b.Binary(b.And(x, y.Not()), nil), 12, patience)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0}}, ones)
}
