package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSpace(t *testing.T) {
	s := NewSpace()
	assert.Zero(t, s.Word(0x1234), "memory starts with zeros")

	s.Write(0xFFE, []byte{1, 2, 3, 4})
	assert.Equal(t, []byte{9, 0, 1, 2, 3, 4, 0}, s.Append([]byte{9}, 0xFFD, 6), "across a page")
	assert.True(t, s.Equal(0xFFD, []byte{0, 1, 2, 3, 4, 0}))
	assert.False(t, s.Equal(0xFFD, []byte{0, 1, 2, 3, 5, 0}))
	assert.True(t, s.Equal(0x20FFF, []byte{0, 0}), "untouched")
	assert.False(t, s.Equal(0x20FFF, []byte{0, 1}))

	s.SetWord(0x2003, 0x0102030405060708)
	assert.True(t, s.Equal(0x2003, []byte{8, 7, 6, 5, 4, 3, 2, 1}), "little-endian")
	assert.Equal(t, uint64(0x0102030405060708), s.Word(0x2003))

	s.Write(1<<64-2, []byte{7, 8})
	assert.Equal(t, []byte{7, 8}, s.Append(nil, 1<<64-2, 2), "the last octets of all")
	assert.Zero(t, s.Append(nil, 0, 1)[0])

	b := []byte{1, 2}
	s.Read(0x500000, b)
	assert.Equal(t, []byte{0, 0}, b, "reading unwritten memory overwrites the buffer")
}

func TestDifference(t *testing.T) {
	a, b := NewSpace(), NewSpace()
	_, differ := a.Difference(b)
	assert.False(t, differ)
	a.Write(0x5000, []byte{0})
	_, differ = a.Difference(b)
	assert.False(t, differ, "a written zero is a zero")
	b.Write(0x9007, []byte{1})
	address, differ := a.Difference(b)
	assert.True(t, differ)
	assert.Equal(t, uint64(0x9007), address)
	a.Write(0x5003, []byte{1})
	address, _ = b.Difference(a)
	assert.Equal(t, uint64(0x5003), address, "the lowest")
	a.Write(0x9007, []byte{1})
	b.Write(0x5003, []byte{1})
	_, differ = a.Difference(b)
	assert.False(t, differ)
}

// Compares with a map of single octets.
func TestSpaceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, octets := NewSpace(), map[uint64]byte{}
		for range 40 {
			address := rapid.SampledFrom([]uint64{0, 0x1000, 0x2000, 1<<64 - 0x3000}).Draw(t, "page") + rapid.Uint64Max(0x2000).Draw(t, "offset")
			n := rapid.IntRange(0, 20).Draw(t, "octets")
			if rapid.Bool().Draw(t, "write") {
				b := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "data")
				s.Write(address, b)
				for i, v := range b {
					octets[address+uint64(i)] = v
				}
				continue
			}
			for i, v := range s.Append(nil, address, n) {
				require.Equal(t, octets[address+uint64(i)], v)
			}
		}
	})
}

func BenchmarkWrite64(b *testing.B) {
	s, octets := NewSpace(), make([]byte, 64)
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i += 64 {
		s.Write(i%(1<<20), octets)
	}
}
