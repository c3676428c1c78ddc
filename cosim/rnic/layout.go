package rnic

import (
	"math/rand/v2"
	"slices"

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
