package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/memory"
)

// What the regions of a stream are for. Traffic keeps to these uses so that no octet's value depends on an order that the
// standard leaves free.
const (
	areaSource  = iota // Writes and Sends are sent from here; never written
	areaTarget         // the peer's Writes
	areaMailbox        // the peer's Writes, and its Reads when no later Write is under way
	areaSink           // results of Reads
	areaReceive        // receive buffers
	areaAtomic         // the peer's Atomics on this stream alone, and its Reads
	areaResult         // results of Atomics
	areas
)

// areaOctets is the size of an area; those of Atomics use their first 512.
const areaOctets = 16 << 10

// sharedWords are the words that Atomics of all streams hit.
const sharedWords = 16

// area is one region of memory with its STag.
type area struct {
	index  int
	region memory.Region
}

func (a area) stag() uint32 { return memory.STag(a.index, a.region.Key) }

// to is the tagged offset of an octet of the area.
func (a area) to(offset int) uint64 { return a.region.Base + uint64(offset) }

// layout is the memory of one end: the areas of each stream, and one that all share.
type layout struct {
	areas  [][]area
	shared area
}

var areaRights = [areas]memory.Rights{
	areaSource: memory.LocalRead, areaTarget: memory.RemoteWrite, areaMailbox: memory.RemoteWrite | memory.RemoteRead,
	areaSink: memory.LocalWrite, areaReceive: memory.LocalWrite, areaAtomic: memory.RemoteAtomic | memory.RemoteRead, areaResult: memory.LocalWrite,
}

// domainOf is the protection domain of a stream; all streams share it.
const domainOf = 9

// newLayout places areas at addresses of any alignment, and tagged offsets anywhere, also at the top.
func newLayout(streams int, r *rand.Rand) layout {
	var l layout
	address := uint64(1) << 20
	region := func(index int, octets uint64, rights memory.Rights, aligned bool) memory.Region {
		odd := uint64(r.IntN(64))
		base := r.Uint64() >> r.IntN(60)
		if r.IntN(8) == 0 || base > -octets {
			base = -octets // the last octet has the last TO
		}
		if aligned {
			odd &^= 7
		}
		reg := memory.Region{Valid: true, Key: uint8(r.Uint32()), Rights: rights, Base: base, Length: octets, Address: address + odd}
		address += (octets + 4096 + 63) &^ 63
		return reg
	}
	for s := range streams {
		var list []area
		for a := range areas {
			reg := region(s*areas+a, areaOctets, areaRights[a], a == areaAtomic)
			reg.Owner = uint16(s)
			if r.IntN(4) == 0 {
				reg.ByDomain, reg.Owner = true, domainOf
			}
			list = append(list, area{s*areas + a, reg})
		}
		l.areas = append(l.areas, list)
	}
	index := streams * areas
	reg := region(index, 8*sharedWords, memory.RemoteAtomic, true)
	reg.ByDomain, reg.Owner = true, domainOf
	l.shared = area{index, reg}
	return l
}

// stags is how many rows of the STag table a layout needs.
func stags(streams int) int { return streams*areas + 1 }

// ranges are all octets that traffic can change.
func (l layout) ranges() (list []Range) {
	for _, s := range l.areas {
		for _, a := range s {
			list = append(list, Range{a.region.Address - 64, areaOctets + 128})
		}
	}
	return append(list, Range{l.shared.region.Address, 8 * sharedWords})
}

// prepare sets the end up: rows, octets, streams.
func (l layout) prepare(e End, r *rand.Rand) error {
	octets := make([]byte, areaOctets)
	for s, list := range l.areas {
		for _, a := range list {
			for i := range octets {
				octets[i] = byte(r.Uint32())
			}
			if err := firstError(e.SetRegion(a.index, a.region), e.Write(a.region.Address, octets)); err != nil {
				return err
			}
		}
		if err := e.Open(uint32(s), domainOf); err != nil {
			return err
		}
	}
	return e.SetRegion(l.shared.index, l.shared.region)
}
