package rnic

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
)

// Uses of a stream's areas. Traffic keeps to them so that no octet depends on an order that the standard leaves open.
const (
	areaSource  = iota // Writes and Sends are sent from here; never written
	areaTarget         // the peer's Writes
	areaMailbox        // the peer's Writes, and its Reads while no later Write is in flight
	areaSink           // results of Reads
	areaReceive        // receive buffers
	areaAtomic         // the peer's Atomics on this stream alone, and its Reads
	areaResult         // results of Atomics
	areaVictim         // the peer's Reads and Atomics until it invalidates the STag
	areaVictim2        // the same
	areas
)

// Uses of the memory shared by all streams. Each domain has its own STags for it.
const (
	sharedAtomic   = iota // Atomics of all streams
	sharedBroken          // memory responds with errors
	sharedRefusing        // memory responds to writes with errors
	sharedHalf            // memory responds with errors in the upper half; never written
	shares
)

const (
	areaOctets   = 16 << 10       // of an area, if there is room
	leastOctets  = 512            // of an area if there are many; Atomics use only this many octets of any area
	shareOctets  = 2 * areaOctets // of shared, failing memory
	sharedWords  = 16             // words accessed by Atomics of all streams
	layoutOctets = 64 << 20       // limit for all areas, unless all have leastOctets
	mostOwners   = 256            // limit of streams with their own regions: memory searches its bounds linearly
	mostDecoys   = 256
)

// area is a part of a memory region with its STag: all of it, or the part of one of the streams that share it.
type area struct {
	index  int
	region *memory.Region
	from   uint64 // offset in the region
	octets int
	edges  []int // offsets of edges: its ends, and multiples of 2^32 in memory and in TO
}

func (a area) stag() uint32 { return memory.STag(a.index, a.region.Key) }

// to returns the tagged offset of an octet of the area.
func (a area) to(offset int) uint64 { return a.region.Base + a.from + uint64(offset) }

// address returns the memory address of the area.
func (a area) address() uint64 { return a.region.Address + a.from }

// past returns a tagged offset so close to the end of the region that octets starting there exceed it.
func (a area) past(r *rand.Rand, octets int) uint64 {
	return a.region.Base + a.region.Length - uint64(r.IntN(octets))
}

// layout is the memory of one end: the areas of each active stream, the shared memory, and decoys.
type layout struct {
	active  []uint32 // streams in use
	apart   bool     // the order of atomics of different streams is unobservable
	octets  int      // of an area
	areas   [][]area // by stream; empty if not active
	domains []uint16 // of each stream
	shared  map[uint16]*[shares]area
	decoys  map[uint32][]int // almost valid rows, by stream
	rows    map[int]*memory.Region
	order   []int // in which rows are set
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

// hasWords reports whether Atomics can use an area: it is aligned to words.
func hasWords(rights memory.Rights) bool { return rights&memory.RemoteAtomic != 0 }

// domains returns the number of protection domains for a number of STag table rows.
func domains(stags int) int {
	if stags < 64 {
		return 1
	}
	return 4
}

// STags returns the number of STag table rows with which each stream has its own regions in random traffic. With fewer, some
// streams share regions.
func STags(streams int) int { return streams*areas + 4*shares + 8 }

// activeStreams draws the streams in use: all, or the given number, including the last ones and some whose number has a single bit set.
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

// share returns shared memory as a stream names it. If the order of Atomics is unobservable, some streams have a word of their
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

// clone returns a deep copy: regions change when they are set again.
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

// any returns shared memory as some domain names it.
func (l *layout) any(kind int) area { return l.shared[l.domains[l.active[0]]][kind] }
