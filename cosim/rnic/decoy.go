package rnic

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
)

// oneRight lists the rights one by one.
var oneRight = [...]memory.Rights{memory.LocalRead, memory.LocalWrite, memory.RemoteRead, memory.RemoteWrite, memory.RemoteAtomic, memory.Invalidate}

// decoyOctets is the size of a decoy.
const decoyOctets = 8 << 10

// decoy sets up rows that are valid for a stream in all but one respect: one right is missing, the owner differs in one bit,
// a stream number is used as a domain or vice versa, or the row is not valid.
func (b *builder) decoy(n int) {
	r := b.rand
	first := r.IntN(len(b.active))
	for i := range n {
		stream := b.active[(first+i)%len(b.active)]
		at := spot{octets: decoyOctets, edge: decoyOctets / 2, edgeTO: uint64(r.IntN(decoyOctets)), words: true}
		b.place(&at)
		region := memory.Region{Rights: everything | memory.Invalidate, Owner: uint16(stream), Base: at.base, Length: at.octets, Address: at.address}
		if region.ByDomain = r.IntN(2) == 0; region.ByDomain {
			region.Owner = b.domains[stream]
		}
		valid := true
		switch kind := r.IntN(16); {
		case kind < 7:
			region.Rights &^= oneRight[r.IntN(len(oneRight))]
		case kind < 12:
			region.Owner ^= 1 << r.IntN(16)
		case kind < 15: // the number is of the other kind
			region.ByDomain = !region.ByDomain
		default:
			valid = false
		}
		index, row := b.row(region)
		row.Valid = valid
		b.decoys[stream] = append(b.decoys[stream], index)
	}
}

// permits reports whether a stream may use an STag this way, unless it has been invalidated.
func (l *layout) permits(stream, stag uint32, right memory.Rights) bool {
	r := l.rows[int(stag>>8)]
	if r == nil || !r.Valid || r.Key != uint8(stag) || r.Rights&right == 0 {
		return false
	}
	if r.ByDomain {
		return r.Owner == l.domains[stream]
	}
	return uint32(r.Owner) == stream
}

// wrong draws an STag that a stream may not use this way, and a TO that is valid for the given octets, or the given TO. good is an
// STag that it may use.
func (l *layout) wrong(r *rand.Rand, stream, good uint32, to uint64, octets int, right memory.Rights) (uint32, uint64) {
	for range 32 {
		stag := good
		switch r.IntN(8) {
		case 0: // beyond the table
			if stag ^= 1 << (24 + r.IntN(8)); r.IntN(4) == 0 {
				stag = r.Uint32() | 0xFF000000
			}
		case 1: // any one bit
			stag ^= 1 << r.IntN(32)
		case 2:
			stag ^= uint32(1 + r.IntN(255))
		case 3: // an area of this stream or of another one
			of := l.active[r.IntN(len(l.active))]
			if r.IntN(2) == 0 {
				of = stream
			}
			stag = l.areas[of][r.IntN(areas)].stag()
		case 4: // one of its own: only the access right is missing
			stag = l.areas[stream][r.IntN(areas)].stag()
		default:
			index := l.decoyOf(r, stream, right)
			stag = memory.STag(index, l.rows[index].Key)
		}
		if l.permits(stream, stag, right) {
			continue
		}
		if row := l.rows[int(stag>>8)]; row != nil && uint64(octets) <= row.Length && r.IntN(4) > 0 {
			to = row.Base + uint64(r.Int64N(int64(row.Length)-int64(octets)+1))&^7
		}
		return stag, to
	}
	return good ^ 1, to
}

// decoyOf draws a decoy for a stream; half of the time one that lacks only the access right, if there is one.
func (l *layout) decoyOf(r *rand.Rand, stream uint32, right memory.Rights) int {
	near := l.decoys[stream]
	if len(near) == 0 {
		return l.order[len(l.order)-1-r.IntN(min(len(l.order), 16))]
	}
	if r.IntN(2) == 0 {
		for _, index := range near {
			if l.rows[index].Rights == (everything|memory.Invalidate)&^right {
				return index
			}
		}
	}
	return near[r.IntN(len(near))]
}

// keeps reports whether octets at a TO belong to the stream, or are not all inside the STag's region.
func (l *layout) keeps(stream, stag uint32, to, octets uint64) bool {
	row := l.rows[int(stag>>8)]
	if row == nil || to < row.Base || octets > row.Length || to-row.Base > row.Length-octets {
		return true
	}
	at := to - row.Base
	list := slices.Clone(l.areas[stream])
	for kind := range shares {
		list = append(list, l.share(stream, kind))
	}
	for _, a := range list {
		if a.index == int(stag>>8) {
			return at >= a.from && at+octets <= a.from+uint64(a.octets)
		}
	}
	return false
}
