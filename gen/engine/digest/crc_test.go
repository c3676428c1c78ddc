package digest

import (
	"hash/crc32"
	stdcrc64 "hash/crc64"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// oracle is the check of Go's library.
func (c crc) oracle(octets []byte) uint64 {
	if c.width == 32 {
		return uint64(crc32.Checksum(octets, crc32.MakeTable(crc32.Castagnoli)))
	}
	return stdcrc64.Checksum(octets, stdcrc64.MakeTable(c.polynomial))
}

// apply adds up what the inputs that are 1 contribute.
func (f linear) apply(input func(i int) bool) (out uint64) {
	for i, column := range f {
		if input(i) {
			out ^= column
		}
	}
	return out
}

func both(t *testing.T, test func(t *testing.T, c crc)) {
	for _, c := range []crc{crc32c, crc64} {
		t.Run(c.name, func(t *testing.T) { test(t, c) })
	}
}

func TestMoveIsTheCRCOfZeros(t *testing.T) {
	both(t, func(t *testing.T, c crc) {
		for n := range 200 {
			assert.Equal(t, c.oracle(make([]byte, n)), c.ones()^c.move(c.ones(), n))
		}
		state := uint64(0x123456789ABCDEF1) & c.ones()
		for n := range 130 {
			assert.Equal(t, state, c.move(c.move(state, n), -n))
		}
	})
}

// A message in the middle of beats that are zero elsewhere has the check of the message alone.
func TestBeatsOfAMessageAreLinear(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	both(t, func(t *testing.T, c crc) {
		for _, bus := range []int{8, 16, 64, 128} {
			for range 50 {
				before, message := r.IntN(bus), make([]byte, r.IntN(4*bus))
				after := -(before + len(message)) & (bus - 1)
				for i := range message {
					message[i] = byte(r.Uint32())
				}
				octets := append(append(make([]byte, before), message...), make([]byte, after)...)
				near, state := c.width/8, c.move(c.ones(), -before)
				for beat := octets; len(beat) > 0; beat = beat[bus:] {
					bit := func(i int) bool { return beat[i/8]>>(i%8)&1 == 1 }
					state = c.ofState(bus).apply(func(i int) bool { return bit(i) != (state>>i&1 == 1) }) ^
						c.ofOctets(near, bus).apply(func(i int) bool { return bit(i + 8*near) })
				}
				assert.Equal(t, c.oracle(message), c.ones()^c.move(state, -after))
			}
		}
	})
}

func TestClassesHoldEachInputOnce(t *testing.T) {
	both(t, func(t *testing.T, c crc) {
		f, seen := c.ofOctets(8, 64), map[int]bool{}
		for p, inputs := range f.classes(10, 5) {
			for _, i := range inputs {
				assert.False(t, seen[i])
				seen[i] = true
				for o := range 5 {
					assert.Equal(t, p>>o&1, int(f[i]>>(10+o)&1))
				}
			}
		}
		assert.Len(t, seen, len(f))
	})
}

// The lowest power is in both polynomials, as move requires.
func TestPolynomials(t *testing.T) {
	both(t, func(t *testing.T, c crc) {
		assert.Equal(t, c.width, bits.Len64(c.polynomial))
		assert.Equal(t, c.oracle([]byte{0x80}), c.oracle([]byte{0})^c.move(0x80, 1))
	})
}
