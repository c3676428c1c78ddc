package simulator

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The first field is in the lowest bits, and a field may straddle words.
func TestLayoutPacksInOrder(t *testing.T) {
	d := usable()
	l, err := d.Layout(0)
	require.NoError(t, err)
	assert.Equal(t, Layout{Words: 2, Fields: []Field{{Port: 3, Offset: 0, Width: 70}, {Port: 4, Offset: 70, Width: 1}}}, l)

	beat := make([]uint64, l.Words)
	SetBits(beat, 60, 8, 0xA5)
	SetBits(beat, 70, 1, 1)
	assert.Equal(t, []uint64{0x5000000000000000, 0x4A}, beat)
	assert.Equal(t, uint64(0xA5), Bits(beat, 60, 8))
}

// The independent reference is math/big: a beat is one long number, a field a range of its bits.
func TestCopyBitsMovesExactlyTheField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Uint64(), 4, 4)
		to, from := words.Draw(t, "to"), words.Draw(t, "from")
		width := rapid.IntRange(1, 200).Draw(t, "width")
		toOffset := rapid.IntRange(0, 256-width).Draw(t, "to offset")
		fromOffset := rapid.IntRange(0, 256-width).Draw(t, "from offset")

		field := new(big.Int).Rsh(number(from), uint(fromOffset))
		ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
		field.And(field, ones)
		want := new(big.Int).AndNot(number(to), new(big.Int).Lsh(ones, uint(toOffset)))
		want.Or(want, field.Lsh(field, uint(toOffset)))

		CopyBits(to, toOffset, from, fromOffset, width)
		require.Zero(t, want.Cmp(number(to)), "got %x, want %x", number(to), want)
	})
}

func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}
