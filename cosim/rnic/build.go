package rnic

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
)

// builder builds a layout.
type builder struct {
	layout
	ground
	rand *rand.Rand
	free []int // rows of the STag table
}

// newLayout draws the memory of one end. If STag table rows are scarce, the last streams share regions, each with its own
// part; a domain owns these regions. near puts everything into one contiguous piece of memory, without edges.
func newLayout(c gen.Config, active []uint32, near bool, r *rand.Rand) layout {
	b := builder{rand: r, ground: newGround(near, r)}
	b.layout = layout{active: active, apart: !c.RetirePort, areas: make([][]area, c.Streams), domains: make([]uint16, c.Streams), shared: map[uint16]*[shares]area{},
		decoys: map[uint32][]int{}, rows: map[int]*memory.Region{}}
	b.octets = areaOctets
	for b.octets > leastOctets && b.octets*areas*len(active) > layoutOctets {
		b.octets /= 2
	}
	b.free = r.Perm(c.STags)
	for i, row := range b.free { // the last row and the first one are used
		if row == c.STags-1 {
			b.free[0], b.free[i] = row, b.free[0]
		}
	}
	list := b.drawDomains(domains(c.STags))
	for _, d := range list {
		b.shared[d] = new([shares]area)
	}
	owners := min(len(active), mostOwners, max(1, (c.STags-shares*len(list)-min(c.STags/8, 64))/areas))
	for i, s := range active[:owners-1] {
		b.domains[s] = list[i%len(list)]
		b.own(c, active[i:i+1])
	}
	rest := active[owners-1:]
	domain := list[r.IntN(len(list))]
	for _, s := range rest {
		b.domains[s] = domain
	}
	b.own(c, rest)
	b.share(c, list)
	b.decoy(min(len(b.free), 4*len(active)+8, mostDecoys))
	return b.layout
}

// drawDomains draws protection domain numbers: some differ in a single bit, and one equals a stream number.
func (b *builder) drawDomains(n int) []uint16 {
	r := b.rand
	first := uint16(r.Uint32()) | 1<<15
	list := []uint16{first}
	for len(list) < n {
		d := [...]uint16{uint16(r.Uint32()), first ^ 1<<r.IntN(15), uint16(b.active[0])}[len(list)%3]
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// row takes a free row of the STag table for a region.
func (b *builder) row(region memory.Region) (int, *memory.Region) {
	index := b.free[0]
	b.free = b.free[1:]
	region.Valid, region.Key = true, uint8(b.rand.Uint32())
	b.rows[index] = &region
	b.order = append(b.order, index)
	return index, b.rows[index]
}

// own assigns areas to streams: a single stream gets its own regions, several streams get a part of each region.
func (b *builder) own(c gen.Config, streams []uint32) {
	for kind := range areas {
		rights := areaRights[kind] | commitRights(c, kind)
		for _, more := range [...]memory.Rights{memory.LocalRead, memory.LocalWrite, memory.RemoteRead, memory.RemoteWrite, memory.RemoteAtomic} {
			if b.rand.IntN(4) == 0 {
				rights |= more // unused rights
			}
		}
		most := b.octets
		if kind >= areaAtomic {
			most = leastOctets
		}
		part := b.rand.IntN(len(streams)) // the stream that gets the part at an edge
		at := spot{octets: uint64(b.octets * len(streams)), edge: uint64(b.octets*part + b.rand.IntN(most)), edgeTO: uint64(b.octets*part + b.rand.IntN(most)),
			words: hasWords(rights)}
		b.place(&at)
		region := memory.Region{Rights: rights, Base: at.base, Length: at.octets, Address: at.address, Attributes: commitAttributes(c, kind, streams[0])}
		if region.Owner = uint16(streams[0]); len(streams) > 1 || b.rand.IntN(4) == 0 {
			region.ByDomain, region.Owner = true, b.domains[streams[0]]
		}
		index, row := b.row(region)
		for i, s := range streams {
			a := area{index: index, region: row, from: uint64(b.octets * i), octets: b.octets}
			a.edges = at.edgesOf(a.from, a.octets)
			b.areas[s] = append(b.areas[s], a)
		}
	}
}

// share gives each domain its STags for the shared memory.
func (b *builder) share(c gen.Config, domains []uint16) {
	for kind := range shares {
		at := spot{octets: shareOctets, edge: areaOctets, words: true, pages: true}
		if kind == sharedAtomic {
			at.octets, at.edge, at.pages = 8*sharedWords, 4*sharedWords, false
		}
		b.place(&at)
		for _, d := range domains {
			at.placeTO(b.rand)
			index, row := b.row(memory.Region{Rights: shareRights[kind] | commitShareRights(c, kind), ByDomain: true, Owner: d, Base: at.base, Length: at.octets, Address: at.address,
				Attributes: commitShareAttributes(c, kind)})
			b.shared[d][kind] = area{index: index, region: row, octets: int(at.octets)}
		}
	}
}
