package memory

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Space is the memory of a node: 2^64 octets, zero until written. It holds all octets that peers can access.
//
// No access may extend past 2^64; the STag table admits no such region.
type Space struct {
	pages  map[uint64]*page // by address / pageOctets
	recent uint64           // number of the most recently used page
	page   *page            // that page; nil: none yet
	watch  func(address uint64, octets int)
}

const pageOctets = 4096

type page [pageOctets]byte

var untouched page

// WordOctets is the size of the operand of an Atomic Operation.
const WordOctets = 8

// NewSpace returns a memory of zeros.
func NewSpace() *Space { return &Space{pages: map[uint64]*page{}} }

// find returns the page of an address, nil if it was never written.
func (s *Space) find(address uint64) *page {
	number := address / pageOctets
	if s.page != nil && s.recent == number {
		return s.page
	}
	p := s.pages[number]
	if p != nil {
		s.recent, s.page = number, p
	}
	return p
}

// Watch calls a function for each later write; nil: none any more.
func (s *Space) Watch(f func(address uint64, octets int)) { s.watch = f }

// Write writes octets starting at an address.
func (s *Space) Write(address uint64, octets []byte) {
	if s.watch != nil {
		s.watch(address, len(octets))
	}
	for len(octets) > 0 {
		p := s.find(address)
		if p == nil {
			p = new(page)
			s.pages[address/pageOctets] = p
		}
		n := copy(p[address%pageOctets:], octets)
		octets = octets[n:]
		address += uint64(n)
	}
}

// Read fills octets from memory starting at an address.
func (s *Space) Read(address uint64, octets []byte) {
	for len(octets) > 0 {
		n := min(len(octets), int(pageOctets-address%pageOctets))
		if p := s.find(address); p != nil {
			copy(octets[:n], p[address%pageOctets:])
		} else {
			clear(octets[:n])
		}
		octets = octets[n:]
		address += uint64(n)
	}
}

// Append appends length octets starting at an address to dst.
func (s *Space) Append(dst []byte, address uint64, length int) []byte {
	dst = slices.Grow(dst, length)
	whole := dst[:len(dst)+length]
	s.Read(address, whole[len(dst):])
	return whole
}

// Word returns the 64-bit word at an address. Memory is little-endian: the least significant octet is at the lowest
// address.
func (s *Space) Word(address uint64) uint64 {
	var b [WordOctets]byte
	s.Read(address, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// SetWord replaces the 64-bit word at an address.
func (s *Space) SetWord(address, word uint64) {
	var b [WordOctets]byte
	binary.LittleEndian.PutUint64(b[:], word)
	s.Write(address, b[:])
}

// numbers returns the numbers of the pages written in either of two memories, in order.
func (s *Space) numbers(other *Space) (list []uint64) {
	for _, m := range []*Space{s, other} {
		for number := range m.pages {
			list = append(list, number)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// copy copies the octets at the addresses first to last from another memory.
func (s *Space) copy(from *Space, first, last uint64) {
	if s == from {
		return
	}
	for _, number := range s.numbers(from) {
		start, end := number*pageOctets, number*pageOctets+pageOctets-1
		if end < first || start > last {
			continue
		}
		start, end = max(start, first), min(end, last)
		s.Write(start, from.Append(nil, start, int(end-start+1)))
	}
}

// Difference returns the lowest address at which two memories differ.
func (s *Space) Difference(other *Space) (address uint64, differ bool) {
	for _, number := range s.numbers(other) {
		a, b := s.pages[number], other.pages[number]
		if a == nil {
			a = &untouched
		}
		if b == nil {
			b = &untouched
		}
		if bytes.Equal(a[:], b[:]) {
			continue
		}
		for i := range a {
			if a[i] != b[i] {
				return number*pageOctets + uint64(i), true
			}
		}
	}
	return 0, false
}

// Equal reports whether memory starting at an address holds octets.
func (s *Space) Equal(address uint64, octets []byte) bool {
	for len(octets) > 0 {
		n := min(len(octets), int(pageOctets-address%pageOctets))
		have := untouched[:]
		if p := s.find(address); p != nil {
			have = p[address%pageOctets:]
		}
		if !bytes.Equal(have[:n], octets[:n]) {
			return false
		}
		octets = octets[n:]
		address += uint64(n)
	}
	return true
}
