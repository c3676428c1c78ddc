package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func platform(t require.TestingT, c PlatformConfig) (*Space, *Platform) {
	s := NewSpace()
	p, err := NewPlatform(s, c)
	require.NoError(t, err)
	return s, p
}

func TestPlatform(t *testing.T) {
	s, p := platform(t, PlatformConfig{Line: 8})
	s.Write(0x1006, []byte{1, 2, 3, 4}) // two lines
	assert.Equal(t, []uint64{0x1000, 0x1008}, p.Dirty(Stored))
	assert.Equal(t, []uint64{0x1000, 0x1008}, p.Dirty(Visible))

	p.Flush(Stored, 0x1007, 1)
	assert.True(t, p.At(Stored).Equal(0x1006, []byte{1, 2, 0, 0}), "the whole line, and no other")
	assert.Equal(t, []uint64{0x1008}, p.Dirty(Stored))
	assert.True(t, p.At(Visible).Equal(0x1006, []byte{0, 0, 0, 0}), "persistence does not imply visibility")

	s.Write(0x1006, []byte{9})
	p.Evict(Visible, 0x1003)
	assert.True(t, p.At(Visible).Equal(0x1006, []byte{9, 2, 0, 0}))
	assert.True(t, p.At(Stored).Equal(0x1006, []byte{1, 2, 0, 0}), "nor the reverse")

	p.Crash()
	for _, m := range []*Space{s, p.At(Stored), p.At(Visible)} {
		assert.True(t, m.Equal(0x1006, []byte{1, 2, 0, 0}), "all see what survived")
	}
	assert.Empty(t, p.Dirty(Stored))

	s.Write(1<<64-3, []byte{7})
	p.Flush(Stored, 1<<64-1, 1)
	assert.True(t, p.At(Stored).Equal(1<<64-3, []byte{7}), "the last line of all")
	s.Write(0x5000, []byte{1})
	p.Flush(Stored, 0, 0)
	assert.Equal(t, []uint64{0x5000}, p.Dirty(Stored), "0 octets move nothing")
	p.Flush(Stored, 0, 1<<64-1)
	assert.Empty(t, p.Dirty(Stored))

	s, p = platform(t, PlatformConfig{Coherent: true})
	s.Write(0x40, []byte{5})
	assert.True(t, p.At(Visible).Equal(0x40, []byte{5}))
	assert.Equal(t, []uint64{0x40}, p.Dirty(Stored))
	p.Crash()
	assert.Zero(t, s.Word(0x40))

	for _, line := range []int{-1, 3, 8192} {
		_, err := NewPlatform(NewSpace(), PlatformConfig{Line: line})
		assert.Error(t, err)
	}
}

// history is the naive oracle: for every octet, the values that it may have at a reach.
type history map[uint64]map[byte]bool

func (h history) may(address uint64, value byte) {
	if h[address] == nil {
		h[address] = map[byte]bool{0: true}
	}
	h[address][value] = true
}

func (h history) must(address uint64, value byte) { h[address] = map[byte]bool{value: true} }

// Random writes, flushes, evictions and crashes, compared octet by octet with what the text promises: after a crash an
// octet has a value that it has had since it was last flushed, and the flushed one if it was not written since; the same
// for other observers. With lines, a line never mixes octets of two times.
func TestPlatformAgainstOctets(t *testing.T) {
	const start, octets = 0xFE0, 0x40 // across a page
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]int{1, 8, 32}).Draw(t, "line")
		s, p := platform(t, PlatformConfig{Line: line})
		var placed [octets]byte
		var reach [reaches]history
		for r := range reach {
			reach[r] = history{}
			for i := range uint64(octets) {
				reach[r].must(i, 0)
			}
		}
		versions := make([]map[string]bool, octets/line) // all contents of a line
		for i := range versions {
			versions[i] = map[string]bool{string(make([]byte, line)): true}
		}
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			at := rapid.IntRange(0, octets-1).Draw(t, "at")
			n := rapid.IntRange(1, octets-at).Draw(t, "octets")
			r := Reach(rapid.IntRange(0, 1).Draw(t, "reach"))
			switch rapid.SampledFrom([]string{"write", "flush", "evict", "evict", "crash"}).Draw(t, "step") {
			case "write":
				data := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "data")
				s.Write(start+uint64(at), data)
				copy(placed[at:], data)
				for i := at; i < at+n; i++ {
					reach[Stored].may(uint64(i), placed[i])
					reach[Visible].may(uint64(i), placed[i])
				}
				for i := range versions {
					versions[i][string(placed[i*line:(i+1)*line])] = true
				}
			case "flush":
				p.Flush(r, start+uint64(at), uint64(n))
				for i := at; i < at+n; i++ {
					reach[r].must(uint64(i), placed[i])
				}
			case "evict":
				p.Evict(r, start+uint64(at))
			case "crash":
				p.Crash()
				copy(placed[:], s.Append(nil, start, octets))
				for i, value := range placed {
					require.True(t, reach[Stored][uint64(i)][value], "octet %d", i)
					reach[Stored].must(uint64(i), value)
					reach[Visible].must(uint64(i), value)
				}
			}
			require.True(t, s.Equal(start, placed[:]), "the node reads what it placed")
			for r := range reaches {
				have := p.At(r).Append(nil, start, octets)
				for i, value := range have {
					require.True(t, reach[r][uint64(i)][value], "reach %d, octet %d", r, i)
				}
				for i := range versions {
					require.True(t, versions[i][string(have[i*line:(i+1)*line])], "line %d was never like this", i)
				}
				for _, dirty := range p.Dirty(r) {
					require.NotEqual(t, placed[dirty-start:dirty-start+uint64(line)], have[dirty-start:dirty-start+uint64(line)])
				}
			}
		}
	})
}
