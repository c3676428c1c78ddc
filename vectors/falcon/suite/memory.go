package suite

import "sync"

// fills keeps the octets of ranges, of which a file has few.
var fills sync.Map

// Fill returns the octets, which the caller must not change: octet i is the upper 8 bits of x(i+1), with x(0) = seed and
// x(i+1) = 1664525 x(i) + 1013904223 modulo 2^32.
func (m Memory) Fill() []byte {
	m.Address = 0
	if b, known := fills.Load(m); known {
		return b.([]byte)
	}
	b, x := make([]byte, m.Octets), m.Seed
	for i := range b {
		x = 1664525*x + 1013904223
		b[i] = byte(x >> 24)
	}
	fills.Store(m, b)
	return b
}
