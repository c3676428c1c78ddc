package rdmap

import (
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// World selects memory in addition to the areas. Tests create regions in it with T.lay.
type World string

// Worlds.
const (
	plain    World = ""
	failing  World = "failing"  // the areas at the end respond with errors
	crossing World = "crossing" // memory around powers of two, where addresses carry, and up to 2^64
	twins    World = "twins"    // memory at 0 and at 2^n for n >= 12: addresses that differ in one bit
	spacious World = "spacious" // contiguous areas of more than 64 KiB
	cracked  World = "cracked"  // single beats of memory respond with errors
	torn     World = "torn"     // one beat of several pages refuses writes
	flawed   World = "flawed"   // single beats fail one kind of access, or cannot be flushed
)

// Place is memory outside the areas.
type Place struct {
	Address uint64
	Size    int // octets
}

// Boundaries of the world crossing: names of places with the boundary in their middle. The last one ends at its
// boundary.
var boundaryPlaces = []struct {
	name string
	at   uint64 // 0 is 2^64
}{
	{"2^12", 0x5A5_A000}, {"2^32", 1 << 32}, {"2^40", 1 << 40}, {"2^48", 1 << 48}, {"2^63", 1 << 63}, {"2^64", 0},
}

// reach is the number of octets of a place of the world crossing on either side of its boundary.
func reach(c gen.Config) int { return 2*c.MaxPayload + 256 }

// twinOctets is the size of a twin; the one at 0 has two more pages.
const twinOctets = 256

// lowestTwin is the lowest address bit with its own twin.
const lowestTwin = 12

// twin names the place at 2^bit; the place at 0 is the twin of all of them.
func twin(bit int) string { return fmt.Sprintf("twin%d", bit) }

const origin = "origin" // the place at address 0

// spaciousOctets is the size of each place of the world spacious.
const spaciousOctets = 1<<16 + 64

// crack is a place of the world cracked, with one failing beat.
type crack struct {
	name, what    string
	reads, writes bool
	response      string
}

// cracks lists the places of the world cracked: each has crackOctets octets, of which one beat, at offset crackAt,
// fails.
var cracks = []crack{
	{"reads", "SLVERR to reads", true, false, "slverr"}, {"writes", "SLVERR to writes", false, true, "slverr"},
	{"decode_reads", "DECERR to reads", true, false, "decerr"}, {"decode_writes", "DECERR to writes", false, true, "decerr"},
}

const (
	crackOctets = 4 * 4096
	crackAt     = 2 * 4096 // a multiple of every bus width, and of the page size that bounds bursts
)

// The place of the world torn: tornOctets octets, of which one beat, at offset tornAt in a middle page, refuses writes.
const (
	tornOctets = 5 * 4096
	tornAt     = 2*4096 + 1024
)

// furnish adds the memory of a world.
func (l *Layout) furnish(c gen.Config, r *rand.Rand, world World) {
	add := func(name string, address uint64, size int) {
		l.Places[name] = Place{address, size}
		l.reserve(r, address, size)
	}
	switch world {
	case crossing:
		n := reach(c)
		for _, b := range boundaryPlaces {
			size := 2 * n
			if b.at == 0 {
				size = n
			}
			add(b.name, b.at-uint64(n), size)
		}
	case twins:
		add(origin, 0, 2<<lowestTwin)
		for bit := lowestTwin + 1; bit < 64; bit++ {
			add(twin(bit), 1<<bit, twinOctets)
		}
	case spacious:
		for i, name := range []string{"one", "two"} {
			add(name, 0x7_0000_0000_0000+uint64(i)<<20, spaciousOctets+c.MaxPayload)
		}
	case torn:
		address := uint64(0x3_0000_0000_0000)
		add(string(torn), address, tornOctets)
		first := address + tornAt
		l.Failing = append(l.Failing, suite.Failing{First: suite.Hex64(first), Last: suite.Hex64(first + uint64(c.BusBytes) - 1), Writes: true, Response: suite.Responses[0]})
	case flawed:
		for i, f := range flaws {
			address := 0x4_0000_0000_0000 + uint64(i)<<20
			add(f.name, address, crackOctets)
			first := address + crackAt
			l.Failing = append(l.Failing, suite.Failing{First: suite.Hex64(first), Last: suite.Hex64(first + uint64(c.BusBytes) - 1), Reads: f.reads, Writes: f.writes, Flushes: f.flushes, Response: f.response})
		}
	case cracked:
		for i, k := range cracks {
			address := 0x6_0000_0000_0000 + uint64(i)<<20
			add(k.name, address, crackOctets)
			first := address + crackAt
			l.Failing = append(l.Failing, suite.Failing{First: suite.Hex64(first), Last: suite.Hex64(first + uint64(c.BusBytes) - 1), Reads: k.reads, Writes: k.writes, Response: k.response})
		}
	}
}

// near and far are rows that no layout uses; tests place regions in them.
const (
	near = "near"
	far  = "far"
)

// loose holds their rows, relative to the first of the layout, and keys.
var loose = map[string]struct {
	row int
	key uint8
}{near: {layoutRows - 2, 0x5A}, far: {layoutRows - 1, 0xC3}}

// lay stores the row near or far, which the layout leaves free, as a valid region with its own key, and adds it as an
// area. Without an owner it belongs to all streams of the layout.
func (t *T) lay(name string, r memory.Region) {
	at := loose[name]
	r.Valid, r.Key = true, at.key
	if r.Owner == 0 && !r.ByDomain {
		r.ByDomain, r.Owner = true, t.layout.Streams[0].Domain
	}
	a := Area{t.layout.first() + at.row, r}
	t.laid[name] = a
	row := suite.RegionOf(a.Index, a.Region)
	t.joinControl()
	t.add(suite.Input{Port: suite.PortControl, Region: &row})
}

// place returns a place of the world.
func (t *T) place(name string) Place {
	p, is := t.layout.Places[name]
	if !is {
		panic("cases: no place " + name)
	}
	return p
}
