package rdmap

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Names of areas, with their use and owner.
const (
	source    = "source"    // stream 0 sends from here
	sink      = "sink"      // stream 0 receives, and gets its results, here
	target    = "target"    // all streams write and read here; no Atomics, no local rights
	words     = "words"     // stream 0: Atomics, Reads and Writes, aligned
	alias     = "alias"     // the memory of words, for all streams, through another STag and at TOs that end in 3
	shared    = "shared"    // all rights but Invalidate, for all streams
	top       = "top"       // the same rights; its last octet has the TO 2^64 - 1
	bottom    = "bottom"    // the same rights; its first octet has the TO 0
	foreign   = "foreign"   // all rights, for stream 1 alone, which receives and gets its results here
	strange   = "strange"   // all rights, for a domain without streams
	removable = "removable" // all rights, stream 0 may invalidate it
	common    = "common"    // all rights, all streams may invalidate it
	private   = "private"   // local rights only, for all streams
	broken    = "broken"    // all rights, for all streams; at the end of memory
	unstored  = "unstored"  // an invalid row
)

const all = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic

// Area is a region with a name.
type Area struct {
	Index  int
	Region memory.Region
}

// stag returns the STag of the area.
func (a Area) stag() uint32 { return memory.STag(a.Index, a.Region.Key) }

// to returns the tagged offset of an octet.
func (a Area) to(offset int) uint64 { return a.Region.Base + uint64(offset) }

// size returns the length of the area.
func (a Area) size() int { return int(a.Region.Length) }

// Layout is the initial state of a group.
type Layout struct {
	Streams []suite.Stream
	Areas   map[string]Area
	Memory  []suite.Octets // in the order of the addresses
	Places  map[string]Place
	Failing []suite.Failing
}

// Rows of the STag table that a layout uses.
const layoutRows = 16

// guard is the number of octets between areas.
const guard = 64

// long returns the size of areas for messages of several segments.
func long(c gen.Config) int { return max(2048, 2*c.MaxPayload+512) }

// NewLayout returns the layout of a group. Streams, rows, keys, tagged offsets and addresses depend on number; a world
// adds more memory.
func NewLayout(c gen.Config, number int, world World) *Layout {
	r := rand.New(rand.NewPCG(uint64(number), 7306))
	l := &Layout{Areas: map[string]Area{}, Places: map[string]Place{}}
	streams := min(4, c.Streams)
	first := number * 5 % c.Streams
	domain := uint16(r.Uint32() | 1)
	for i := range streams {
		l.Streams = append(l.Streams, suite.Stream{Stream: uint32((first + i) % c.Streams), Domain: domain})
	}
	row := 0
	if spare := c.STags - layoutRows; spare > 0 {
		row = [...]int{spare, 0, r.IntN(spare + 1), r.IntN(spare + 1)}[number%4]
	}
	address := uint64(number+1)<<32 + uint64(r.IntN(8))*4096
	switch {
	case world != plain && world != failing:
		address = 0x5_A000_0000_0000 + uint64(number)<<24 // away from the world's own places
	case number%8 == 5:
		address = 0xFFFF_FFFF_FFFC_1000
	}
	end := address

	// add appends an area, odd octets after a multiple of 64.
	add := func(name string, size, odd int, base uint64, rights memory.Rights) {
		at := (end+guard+63)&^63 + uint64(odd)
		end = at + uint64(size)
		l.Areas[name] = Area{row + len(l.Areas), memory.Region{Valid: true, Key: uint8(r.Uint32()), Rights: rights, ByDomain: true, Owner: domain,
			Base: base, Length: uint64(size), Address: at}}
	}
	only := func(name string, stream int) {
		a := l.Areas[name]
		a.Region.ByDomain, a.Region.Owner = false, uint16(l.Streams[stream].Stream)
		l.Areas[name] = a
	}
	anywhere := func() uint64 { return r.Uint64() >> (1 + r.IntN(40)) }
	n := long(c)
	add(source, n, r.IntN(64), anywhere(), memory.LocalRead)
	only(source, 0)
	add(sink, n, r.IntN(64), anywhere(), memory.LocalWrite)
	only(sink, 0)
	add(target, n, r.IntN(64), anywhere(), memory.RemoteRead|memory.RemoteWrite)
	add(words, 256, 8*r.IntN(8), 0x7_FFFF_F000+uint64(number)<<40, memory.RemoteAtomic|memory.RemoteRead|memory.RemoteWrite)
	only(words, 0)
	add(alias, 256, 0, 0x0123_4567_89AB_C003, memory.RemoteAtomic|memory.RemoteRead)
	add(shared, 256, 0, 0xFFFF_FFFF_0000_0000+uint64(number)<<12, all)
	add(top, 256, 0, ^uint64(255), all)
	add(bottom, 64, 0, 0, all)
	add(foreign, 512, r.IntN(8), anywhere(), all)
	only(foreign, 1)
	add(strange, 64, 0, anywhere(), all|memory.Invalidate)
	a := l.Areas[strange]
	a.Region.Owner = domain ^ 0x8000
	l.Areas[strange] = a
	add(removable, 64, 0, anywhere(), all|memory.Invalidate)
	only(removable, 0)
	add(common, 64, 0, anywhere(), all|memory.Invalidate)
	add(private, 64, r.IntN(64), anywhere(), memory.LocalRead|memory.LocalWrite)
	add(broken, 128, 0, anywhere(), all)
	end = (end + guard + 63) &^ 63
	l.Areas[unstored] = Area{row + len(l.Areas), memory.Region{Key: uint8(r.Uint32()), Length: 64}}

	same := l.Areas[alias]
	same.Region.Address = l.Areas[words].Region.Address
	l.Areas[alias] = same
	if c.Protocol()&spec.Commit != 0 {
		l.commit()
	}
	if world == failing {
		b := l.Areas[broken].Region
		l.Failing = []suite.Failing{{First: suite.Hex64(b.Address), Last: suite.Hex64(b.Address + b.Length - 1), Reads: true, Writes: true,
			Flushes: c.Protocol()&spec.Commit != 0}}
	}
	l.reserve(r, address, int(end-address))
	l.furnish(c, r, world)
	slices.SortFunc(l.Memory, func(a, b suite.Octets) int { return cmp.Compare(a.Address, b.Address) })
	return l
}

// reserve adds memory with random contents.
func (l *Layout) reserve(r *rand.Rand, address uint64, size int) {
	m := suite.Octets{Address: suite.Hex64(address), Hex: make([]byte, size)}
	for i := range m.Hex {
		m.Hex[i] = byte(r.Uint32())
	}
	l.Memory = append(l.Memory, m)
}

// Group returns the layout in the form of the file.
func (l *Layout) Group() suite.Group {
	g := suite.Group{Streams: l.Streams, Regions: []suite.Region{}, Memory: l.Memory, Failing: []suite.Failing{}, Tests: []suite.Test{}}
	g.Failing = append(g.Failing, l.Failing...)
	for index := 0; ; index++ { // in the order of the rows
		found, name := false, ""
		for n, a := range l.Areas {
			if a.Index == index+l.first() {
				found, name = true, n
			}
		}
		if !found {
			return g
		}
		if a := l.Areas[name]; a.Region.Valid {
			g.Regions = append(g.Regions, suite.RegionOf(a.Index, a.Region))
		}
	}
}

func (l *Layout) first() int {
	first := 1 << 30
	for _, a := range l.Areas {
		first = min(first, a.Index)
	}
	return first
}
