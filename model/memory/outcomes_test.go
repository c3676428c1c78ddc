package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOutcomes(t *testing.T) {
	s := NewSpace()
	o, err := NewOutcomes(s, 8)
	require.NoError(t, err)
	assert.Equal(t, [][]byte{{0, 0}}, o.Values(0x1006, 2))
	o.Place(0x1006, []byte{1, 2, 3, 4})
	o.Place(0x1006, []byte{5})
	assert.True(t, s.Equal(0x1006, []byte{5, 2, 3, 4}))
	assert.Equal(t, [][]byte{{0, 0}, {1, 2}, {5, 2}}, o.Values(0x1006, 2))
	assert.Equal(t, [][]byte{{0}, {2}}, o.Values(0x1007, 1))
	at, is := o.Lacks(0x1005, []byte{0, 5, 2, 3})
	assert.True(t, is)
	assert.EqualValues(t, 0x1006, at)

	o.Flush(0x1007, 1)
	_, is = o.Lacks(0x1000, []byte{0, 0, 0, 0, 0, 0, 5, 2})
	assert.False(t, is, "the whole line is there")
	at, is = o.Lacks(0x1006, []byte{5, 2, 3})
	assert.True(t, is)
	assert.EqualValues(t, 0x1008, at, "and no other")
	o.Flush(0x1008, 0)
	assert.Len(t, o.Values(0x1008, 1), 2, "0 octets move nothing")

	o.Place(1<<64-2, []byte{7, 8})
	o.Place(0, nil)
	assert.Equal(t, [][]byte{{0, 0}, {7, 8}}, o.Values(1<<64-2, 2), "the last line of all")
	o.Flush(1<<64-1, 1)
	assert.Equal(t, [][]byte{{7, 8}}, o.Values(1<<64-2, 2))

	_, err = NewOutcomes(s, 12)
	assert.ErrorContains(t, err, "line is 12 octets; allowed: a power of two, 1..4096")
}

// Whatever a platform evicts, storage holds one of the outcomes.
func TestOutcomesAreThoseOfAPlatform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const octets = 16
		placed, seen := NewSpace(), NewSpace()
		o, err := NewOutcomes(seen, 8)
		require.NoError(t, err)
		platforms := make([]*Platform, 40) // each evicts by itself
		for i := range platforms {
			platforms[i], err = NewPlatform(placed, PlatformConfig{Line: 8})
			require.NoError(t, err)
		}
		for range 4 {
			at, n := rapid.Uint64Range(0, octets-1).Draw(t, "at"), rapid.IntRange(1, 4).Draw(t, "octets")
			if rapid.IntRange(0, 3).Draw(t, "flush") == 0 {
				o.Flush(at, uint64(n))
				for _, p := range platforms {
					p.Flush(Stored, at, uint64(n))
				}
				continue
			}
			value := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "value")
			o.Place(at, value)
			placed.Write(at, value)
			for i, p := range platforms {
				for line := range uint64(octets/8 + 1) {
					if (uint64(i)*2654435761>>(line+at))&1 == 1 {
						p.Evict(Stored, 8*line)
					}
				}
			}
		}
		require.True(t, seen.Equal(0, placed.Append(nil, 0, octets+8)))
		for line := uint64(0); line <= octets; line += 8 {
			for _, p := range platforms {
				require.Contains(t, o.Values(line, 8), p.At(Stored).Append(nil, line, 8))
			}
		}
	})
}
