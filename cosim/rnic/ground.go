package rnic

import "math/rand/v2"

// ground allocates memory. No two regions share a 4 GiB piece, so that an address with a wrong bit above 2^32, or a missed carry
// into those bits, hits either another region, which is compared, or none, which ends the run.
type ground struct {
	rand   *rand.Rand
	used   map[uint32]bool // pieces of 4 GiB
	spots  []spot          // already allocated
	corner []uint32        // pieces that start at special boundaries, to be used first
	top    bool            // the last octet is in use
	next   uint64          // with near: the first free address
	near   bool
}

// spot is the place of a region in memory and in TO space.
type spot struct {
	octets  uint64
	words   bool   // aligned to words
	pages   bool   // aligned to pages
	edge    uint64 // offset at which the address is a multiple of 2^32
	edgeTO  uint64 // offset at which the TO is a multiple of 2^32
	address uint64
	base    uint64
}

func newGround(near bool, r *rand.Rand) ground {
	corner := []uint32{1, 1 << 8, 1 << 16, 1 << 31}
	r.Shuffle(len(corner), func(i, j int) { corner[i], corner[j] = corner[j], corner[i] })
	return ground{rand: r, used: map[uint32]bool{}, corner: corner, next: 1 << 20, near: near}
}

// place allocates memory and tagged offsets for a region.
func (g *ground) place(s *spot) {
	r := g.rand
	s.placeTO(r)
	unit := uint64(1)
	switch {
	case s.pages:
		unit = 4096
	case s.words:
		unit = 8
	}
	s.edge &^= unit - 1
	switch {
	case g.near:
		s.address = g.next + uint64(r.IntN(64))&^(unit-1)
		g.next += (s.octets + 8191) &^ 4095
		return
	case len(g.corner) > 0 && !s.pages && s.octets > 1024:
		s.address = uint64(g.corner[0])<<32 - s.edge
		g.corner = g.corner[1:]
	case !g.top && s.octets%unit == 0 && r.IntN(8) == 0:
		s.address, g.top = -s.octets, true
	case !g.alias(s, unit):
		for {
			piece := r.Uint32() >> r.IntN(32)
			if r.IntN(4) == 0 {
				piece = 1 << r.IntN(32)
			}
			s.address = uint64(piece)<<32 - s.edge
			switch r.IntN(16) {
			case 0: // anywhere in its piece
				s.address = (uint64(piece)<<32 | uint64(r.Uint32())) &^ (unit - 1)
			case 1: // at the start of a page
				s.address = uint64(piece)<<32 | uint64(r.Uint32())&^4095
			case 2: // at the end of one
				s.address = (uint64(piece)<<32 | uint64(r.Uint32())&^4095 - s.octets) &^ (unit - 1)
			}
			if g.isFree(s) {
				break
			}
		}
	}
	g.take(s)
}

// alias places some regions at addresses that differ from another region's in a single bit.
func (g *ground) alias(s *spot, unit uint64) bool {
	if len(g.spots) == 0 || g.rand.IntN(3) > 0 {
		return false
	}
	other := g.spots[g.rand.IntN(len(g.spots))]
	s.address = other.address ^ 1<<(32+g.rand.IntN(32))
	if s.address%unit != 0 || !g.isFree(s) {
		return false
	}
	s.edge = other.edge
	return true
}

func (s *spot) pieces() (first, last uint32) {
	return uint32(s.address >> 32), uint32((s.address + (s.octets - 1)) >> 32)
}

func (g *ground) isFree(s *spot) bool {
	first, last := s.pieces()
	return s.address >= 1<<20 && s.address <= -s.octets && !g.used[first] && !g.used[last]
}

func (g *ground) take(s *spot) {
	first, last := s.pieces()
	g.used[first], g.used[last] = true, true
	g.spots = append(g.spots, *s)
}

// placeTO draws the TO of the first octet: most regions cross a multiple of 2^32 where their memory does not.
func (s *spot) placeTO(r *rand.Rand) {
	switch r.IntN(8) {
	case 0: // the last octet has the last TO
		s.base = -s.octets
	case 1:
		s.base = r.Uint64() >> r.IntN(60)
	default:
		piece := uint64(r.Uint32()>>r.IntN(32)) | 1
		if r.IntN(4) == 0 {
			piece = 1 << r.IntN(32)
		}
		s.base = piece<<32 - s.edgeTO
	}
	if s.base > -s.octets {
		s.base = -s.octets
	}
}

// edgesOf returns the offsets of edges within a part of the region.
func (s *spot) edgesOf(from uint64, octets int) []int {
	edges := []int{0, octets}
	for _, at := range [...]uint64{-(s.address + from) & (1<<32 - 1), -(s.base + from) & (1<<32 - 1), -(s.address + from) & 4095} {
		if at < uint64(octets) {
			edges = append(edges, int(at))
		}
	}
	return edges
}
