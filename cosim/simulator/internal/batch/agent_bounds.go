package batch

import "unsafe"

// strays returns the number, from 1, of the first beat of a write with a strobe on a byte out of bounds, or 0.
func (a *agent) strays(b *burst) uint64 {
	if a.BoundCount == 0 || a.covered(b.address, b.beats*a.bytes, true) {
		return 0
	}
	words := (a.bytes + 63) / 64
	for i := range b.beats * a.bytes {
		beat, lane := i/a.bytes, i%a.bytes
		if b.strobes[beat*words+lane/64]>>(lane%64)&1 != 0 && !a.covered(b.address+i, 1, true) {
			return beat + 1
		}
	}
	return 0
}

// peeks returns the number, from 1, of the first beat of a read that is entirely out of bounds, or 0.
func (a *agent) peeks(b *burst) uint64 {
	for i := range b.beats {
		if a.BoundCount > 0 && !a.touched(b.address+i*a.bytes, a.bytes, false) {
			return i + 1
		}
	}
	return 0
}

// covered reports whether all bytes are within one of the bounds, touched whether any byte is.
func (m *Memory) covered(address, bytes uint64, write bool) bool {
	for _, r := range unsafe.Slice(m.Bounds, m.BoundCount) {
		if r.covers(address, bytes, write) {
			return true
		}
	}
	return false
}

func (m *Memory) touched(address, bytes uint64, write bool) bool {
	for _, r := range unsafe.Slice(m.Bounds, m.BoundCount) {
		if r.touches(address, bytes, write) {
			return true
		}
	}
	return false
}
