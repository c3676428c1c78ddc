package memory

import (
	"math/big"
	"testing"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func window(t require.TestingT, c Config) *Window {
	w, err := New(c)
	require.NoError(t, err)
	return w
}

func TestResolve(t *testing.T) {
	const stag = 0x01020304
	plain := Config{STag: stag, Base: 0x1000, Words: 4} // TO 0x1000..0x101F
	odd := Config{STag: stag, Base: 0x1003, Words: 4}   // the base is not a multiple of 8
	top := Config{STag: stag, Base: 1<<64 - 32, Words: 4}
	zero := Config{STag: stag, Words: 1}

	for _, tt := range []struct {
		name  string
		c     Config
		stag  uint32
		to    uint64
		index int
		kind  wire.ErrorKind
	}{
		{"first word", plain, stag, 0x1000, 0, wire.ErrNone},
		{"last word", plain, stag, 0x1018, 3, wire.ErrNone},
		{"another STag", plain, stag + 1, 0x1000, 0, wire.ErrSTag},
		{"another key of the same STag index", plain, stag ^ 0xFF, 0x1000, 0, wire.ErrSTag},
		{"another STag goes before all others", plain, 0, 1<<64 - 1, 0, wire.ErrSTag},

		{"TO + 8 is 2^64: no wrap, but out of bounds", plain, stag, 1<<64 - 8, 0, wire.ErrBounds},
		{"TO + 8 is 2^64 + 1: wraps", plain, stag, 1<<64 - 7, 0, wire.ErrTOWrap},
		{"the last TO of all wraps", top, stag, 1<<64 - 1, 0, wire.ErrTOWrap},
		{"the last word below 2^64", top, stag, 1<<64 - 8, 3, wire.ErrNone},
		{"a wrap goes before alignment", top, stag, 1<<64 - 5, 0, wire.ErrTOWrap},

		{"one octet before the window", plain, stag, 0xFFF, 0, wire.ErrBounds},
		{"one word before the window", plain, stag, 0xFF8, 0, wire.ErrBounds},
		{"the last octet is outside", plain, stag, 0x1019, 0, wire.ErrBounds},
		{"one word after the window", plain, stag, 0x1020, 0, wire.ErrBounds},
		{"far after the window", plain, stag, 0x8000000000001000, 0, wire.ErrBounds},
		{"after a window of one word at 0", zero, stag, 8, 0, wire.ErrBounds},

		{"one octet off", plain, stag, 0x1001, 0, wire.ErrAlignment},
		{"seven octets off", plain, stag, 0x1007, 0, wire.ErrAlignment},
		{"an unaligned TO on an unaligned base is an aligned address", odd, stag, 0x100B, 1, wire.ErrNone},
		{"an aligned TO on an unaligned base is not", odd, stag, 0x1008, 0, wire.ErrAlignment},
		{"the last word of an unaligned base", odd, stag, 0x101B, 3, wire.ErrNone},
	} {
		index, kind := window(t, tt.c).Resolve(tt.stag, tt.to)
		assert.Equal(t, tt.kind, kind, tt.name)
		assert.Equal(t, tt.index, index, tt.name)
	}
}

// The rules once more, with numbers that cannot overflow.
func TestResolveProperties(t *testing.T) {
	number := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	end := new(big.Int).Lsh(big.NewInt(1), 64)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 64).Draw(t, "words")
		base := rapid.Uint64Max(1<<64-8*64).Draw(t, "base")
		if rapid.Bool().Draw(t, "at the top") {
			base = -(8 * uint64(words))
		}
		to := base + uint64(rapid.Int64Range(-16, 8*64+16).Draw(t, "distance"))
		index, kind := window(t, Config{STag: 7, Base: base, Words: words}).Resolve(7, to)

		last := new(big.Int).Add(number(to), big.NewInt(8))
		limit := new(big.Int).Add(number(base), big.NewInt(int64(8*words)))
		distance := new(big.Int).Sub(number(to), number(base))
		want := wire.ErrNone
		switch {
		case last.Cmp(end) > 0:
			want = wire.ErrTOWrap
		case distance.Sign() < 0 || last.Cmp(limit) > 0:
			want = wire.ErrBounds
		case distance.Int64()%8 != 0:
			want = wire.ErrAlignment
		}
		require.Equal(t, want, kind)
		if want == wire.ErrNone {
			require.Equal(t, distance.Int64()/8, int64(index))
		}
	})
}

func TestLoadAndStore(t *testing.T) {
	w := window(t, Config{Words: 2})
	assert.Equal(t, 2, w.Words())
	old, ok := w.Store(1, 0x0123456789ABCDEF)
	assert.True(t, ok)
	assert.Zero(t, old, "a window starts with zeros")
	old, ok = w.Store(1, 5)
	assert.True(t, ok)
	assert.Equal(t, uint64(0x0123456789ABCDEF), old)
	word, _ := w.Load(0)
	assert.Zero(t, word, "the neighbour is untouched")

	for _, index := range []int{-1, 2, 1 << 40} {
		_, ok = w.Load(index)
		assert.False(t, ok)
		_, ok = w.Store(index, 1)
		assert.False(t, ok)
	}
}

func TestNewRefuses(t *testing.T) {
	for words, text := range map[int]string{0: "0", -1: "-1", MaxWords + 1: "67108865"} {
		_, err := New(Config{Words: words})
		assert.EqualError(t, err, "memory: Words is "+text+"; allowed: 1..67108864")
	}
	_, err := New(Config{Words: 2, Base: 1<<64 - 15})
	assert.EqualError(t, err, "memory: Base is 0xFFFFFFFFFFFFFFF1 with 2 Words; allowed: at most 0xFFFFFFFFFFFFFFF0, so that no TO is above 2^64 - 1")
	_, err = New(Config{Words: 2, Base: 1<<64 - 16})
	assert.NoError(t, err, "the last octet is the last TO")
}
