package rnic

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
)

// What the areas of a stream are for. Traffic keeps to these uses so that no octet's value depends on an order that the
// standard leaves free.
const (
	areaSource  = iota // Writes and Sends are sent from here; never written
	areaTarget         // the peer's Writes
	areaMailbox        // the peer's Writes, and its Reads when no later Write is under way
	areaSink           // results of Reads
	areaReceive        // receive buffers
	areaAtomic         // the peer's Atomics on this stream alone, and its Reads
	areaResult         // results of Atomics
	areaVictim         // the peer's Reads and Atomics until it invalidates the STag
	areaVictim2        // the same
	areas
)

// What the memory is for that all streams share. Each domain has STags of its own for it.
const (
	sharedAtomic   = iota // Atomics of all streams
	sharedBroken          // memory answers with errors
	sharedRefusing        // memory answers writes with errors
	sharedHalf            // memory answers with errors in the upper half; never written
	shares
)

const (
	areaOctets   = 16 << 10       // of an area, when there is room
	leastOctets  = 512            // of an area of which there are many; Atomics use the first so many of any
	shareOctets  = 2 * areaOctets // of what is shared and fails
	sharedWords  = 16             // words that Atomics of all streams hit
	layoutOctets = 64 << 20       // of all areas at most, unless all are the least
	mostOwners   = 256            // streams with regions of their own at most: memory looks for bounds one by one
	mostDecoys   = 256
)

// area is a part of a region of memory with its STag: all of it, or what is left to one of the streams that share it.
type area struct {
	index  int
	region *memory.Region
	from   uint64 // where in the region it begins
	octets int
	edges  []int // offsets at which something is at an edge: its ends, multiples of 2^32 in memory and in TO
}

func (a area) stag() uint32 { return memory.STag(a.index, a.region.Key) }

// to is the tagged offset of an octet of the area.
func (a area) to(offset int) uint64 { return a.region.Base + a.from + uint64(offset) }

// address is where the area begins in memory.
func (a area) address() uint64 { return a.region.Address + a.from }

// past is a tagged offset so near to the end of the region that octets from there on reach beyond it.
func (a area) past(r *rand.Rand, octets int) uint64 {
	return a.region.Base + a.region.Length - uint64(r.IntN(octets))
}

// layout is the memory of one end: the areas of each active stream, what all share, and decoys.
type layout struct {
	active  []uint32 // streams that are used
	apart   bool     // nothing tells the order of atomics of several streams
	octets  int      // of an area
	areas   [][]area // by stream, none of one that is not active
	domains []uint16 // of each stream
	shared  map[uint16]*[shares]area
	decoys  map[uint32][]int // rows that are almost right for a stream
	rows    map[int]*memory.Region
	order   []int // of rows, as they are set
}

const (
	everything   = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	victimRights = memory.RemoteRead | memory.RemoteAtomic | memory.LocalRead | memory.Invalidate
)

var areaRights = [areas]memory.Rights{
	areaSource: memory.LocalRead, areaTarget: memory.RemoteWrite, areaMailbox: memory.RemoteWrite | memory.RemoteRead,
	areaSink: memory.LocalWrite, areaReceive: memory.LocalWrite, areaAtomic: memory.RemoteAtomic | memory.RemoteRead, areaResult: memory.LocalWrite,
	areaVictim: victimRights, areaVictim2: victimRights,
}

var shareRights = [shares]memory.Rights{sharedAtomic: memory.RemoteAtomic, sharedBroken: everything,
	sharedRefusing: memory.RemoteWrite | memory.RemoteAtomic, sharedHalf: memory.LocalRead | memory.RemoteRead}

// hasWords tells whether Atomics name words of an area: it is aligned to them.
func hasWords(rights memory.Rights) bool { return rights&memory.RemoteAtomic != 0 }

// domains is how many protection domains there are with so many rows of the STag table.
func domains(stags int) int {
	if stags < 64 {
		return 1
	}
	return 4
}

// STags is how many rows of the STag table random traffic wants, so that each of so many streams has regions of its own. With
// fewer, some share theirs.
func STags(streams int) int { return streams*areas + 4*shares + 8 }

// activeStreams draws which streams are used: all, or so many, the last ones and such with one bit in their number among them.
func activeStreams(streams, active int, r *rand.Rand) (list []uint32) {
	if active <= 0 || active > streams {
		active = streams
	}
	is := map[uint32]bool{}
	add := func(s uint32) {
		if s < uint32(streams) && !is[s] && len(list) < active {
			is[s], list = true, append(list, s)
		}
	}
	add(uint32(streams) - 1)
	add(uint32(streams) / 2)
	for range 4 {
		add(1 << r.IntN(14))
		add(uint32(streams) - 1 - 1<<r.IntN(14))
	}
	if 2*active < streams {
		for len(list) < active {
			add(r.Uint32N(uint32(streams)))
		}
	}
	for _, s := range r.Perm(streams) {
		add(uint32(s))
	}
	return list
}

// builder makes a layout.
type builder struct {
	layout
	ground
	rand *rand.Rand
	free []int // rows of the STag table
}

// newLayout draws the memory of one end. Where rows of the STag table are scarce, the last of the streams share regions, each
// with a part of its own; their owner is a domain. near keeps everything together in one piece of memory, without edges.
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
		b.own(active[i : i+1])
	}
	rest := active[owners-1:]
	domain := list[r.IntN(len(list))]
	for _, s := range rest {
		b.domains[s] = domain
	}
	b.own(rest)
	b.share(list)
	b.decoy(min(len(b.free), 4*len(active)+8, mostDecoys))
	return b.layout
}

// drawDomains draws the numbers of protection domains: some differ in one bit only, and one is the number of a stream.
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

// own gives streams their areas: one its own regions, several a part of each.
func (b *builder) own(streams []uint32) {
	for kind := range areas {
		rights := areaRights[kind]
		for _, more := range [...]memory.Rights{memory.LocalRead, memory.LocalWrite, memory.RemoteRead, memory.RemoteWrite, memory.RemoteAtomic} {
			if b.rand.IntN(4) == 0 {
				rights |= more // nobody makes use of it
			}
		}
		most := b.octets
		if kind >= areaAtomic {
			most = leastOctets
		}
		part := b.rand.IntN(len(streams)) // which has what is at an edge
		at := spot{octets: uint64(b.octets * len(streams)), edge: uint64(b.octets*part + b.rand.IntN(most)), edgeTO: uint64(b.octets*part + b.rand.IntN(most)),
			words: hasWords(rights)}
		b.place(&at)
		region := memory.Region{Rights: rights, Base: at.base, Length: at.octets, Address: at.address}
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

// share gives each domain its STags of what all share.
func (b *builder) share(domains []uint16) {
	for kind := range shares {
		at := spot{octets: shareOctets, edge: areaOctets, words: true, pages: true}
		if kind == sharedAtomic {
			at.octets, at.edge, at.pages = 8*sharedWords, 4*sharedWords, false
		}
		b.place(&at)
		for _, d := range domains {
			at.placeTO(b.rand)
			index, row := b.row(memory.Region{Rights: shareRights[kind], ByDomain: true, Owner: d, Base: at.base, Length: at.octets, Address: at.address})
			b.shared[d][kind] = area{index: index, region: row, octets: int(at.octets)}
		}
	}
}

// share is memory that all streams share, as a stream names it. Of words whose order nobody knows, some streams have one of their
// own, and the others none.
func (l *layout) share(stream uint32, kind int) area {
	a := l.shared[l.domains[stream]][kind]
	if kind == sharedAtomic && l.apart {
		a.edges, a.octets = nil, 0
		if i := slices.Index(l.active[:min(sharedWords, len(l.active))], stream); i >= 0 {
			a.from, a.octets = uint64(memory.WordOctets*i), memory.WordOctets
		}
	}
	return a
}

// clone is a copy that shares nothing: regions change when they are set anew.
func (l layout) clone() layout {
	rows := map[int]*memory.Region{}
	for index, r := range l.rows {
		region := *r
		rows[index] = &region
	}
	repoint := func(list []area) []area {
		out := append([]area(nil), list...)
		for i := range out {
			out[i].region = rows[out[i].index]
		}
		return out
	}
	of := l.areas
	l.rows, l.areas = rows, make([][]area, len(of))
	for i := range of {
		l.areas[i] = repoint(of[i])
	}
	shared := l.shared
	l.shared = map[uint16]*[shares]area{}
	for d, list := range shared {
		l.shared[d] = (*[shares]area)(repoint(list[:]))
	}
	return l
}

// any is memory that all share, as some domain names it.
func (l *layout) any(kind int) area { return l.shared[l.domains[l.active[0]]][kind] }

// faulty are the ranges in which memory answers with errors.
func (l *layout) faulty() []simulator.Range {
	part := func(share int, from uint64, reads bool) simulator.Range {
		r := l.any(share).region
		return simulator.Range{First: r.Address + from, Last: r.Address + (r.Length - 1), Reads: reads, Writes: true}
	}
	return append(scatter(part(sharedHalf, areaOctets, true)), part(sharedBroken, 0, true), part(sharedRefusing, 0, false))
}

// bounds are what the engine may touch: what the regions' rights say. It has no business in decoys.
func (l *layout) bounds() (list []simulator.Range) {
	add := func(a area) {
		r := a.region
		list = append(list, simulator.Range{First: r.Address, Last: r.Address + (r.Length - 1),
			Reads:  r.Rights&(memory.LocalRead|memory.RemoteRead|memory.RemoteAtomic) != 0,
			Writes: r.Rights&(memory.LocalWrite|memory.RemoteWrite|memory.RemoteAtomic) != 0})
	}
	for _, s := range l.active {
		for _, a := range l.areas[s] {
			if a.from == 0 {
				add(a)
			}
		}
	}
	for kind := range shares {
		add(l.any(kind))
	}
	return list
}

// guard is how many octets before and behind a region are looked at.
const guard = 64

// ranges are all octets that traffic can change, by streams, and behind them those that all streams share.
func (l *layout) ranges() (list [][]Range) {
	list = make([][]Range, len(l.areas), len(l.areas)+1)
	var common []Range
	for _, s := range l.active {
		for _, a := range l.areas[s] {
			list[s] = append(list[s], Range{a.address(), a.octets})
			if a.from > 0 {
				continue
			}
			if first := a.region.Address; first >= guard {
				common = append(common, Range{first - guard, guard})
			}
			if end := a.region.Address + a.region.Length; end != 0 {
				common = append(common, Range{end, guard})
			}
		}
		if a := l.share(s, sharedAtomic); l.apart && a.octets > 0 {
			list[s] = append(list[s], Range{a.address(), a.octets})
		}
	}
	return append(list, append(common, Range{l.any(sharedAtomic).region.Address, 8 * sharedWords}))
}

// prepare sets the end up: rows, octets, streams.
func (l *layout) prepare(e End, r *rand.Rand) error {
	for _, index := range l.order {
		if err := e.SetRegion(index, *l.rows[index]); err != nil {
			return err
		}
	}
	octets := make([]byte, max(shareOctets, areaOctets))
	fill := func(a area) error {
		for i := 0; i < len(octets); i += 8 {
			binary.LittleEndian.PutUint64(octets[i:], r.Uint64())
		}
		return e.Write(a.address(), octets[:a.octets])
	}
	for _, s := range l.active {
		for _, a := range l.areas[s] {
			if err := fill(a); err != nil {
				return err
			}
		}
		if err := e.Open(s, l.domains[s]); err != nil {
			return err
		}
	}
	for kind := range shares {
		if err := fill(l.any(kind)); err != nil {
			return err
		}
	}
	return nil
}
