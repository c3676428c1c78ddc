package rnic

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/engine"
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
	areaVictim         // the peer's Reads and Atomics until it invalidates the STag
	areaVictim2        // the same
	areas
)

// What the regions are for that all streams share.
const (
	sharedAtomic   = iota // Atomics of all streams
	sharedBroken          // memory answers with errors
	sharedRefusing        // memory answers writes with errors
	sharedHalf            // memory answers with errors here and there in the upper half; never written
	shares
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

// layout is the memory of one end: the areas of each stream, and those that all share.
type layout struct {
	areas  [][]area
	shared [shares]area
}

const victimRights = memory.RemoteRead | memory.RemoteAtomic | memory.LocalRead | memory.Invalidate

var areaRights = [areas]memory.Rights{
	areaSource: memory.LocalRead, areaTarget: memory.RemoteWrite, areaMailbox: memory.RemoteWrite | memory.RemoteRead,
	areaSink: memory.LocalWrite, areaReceive: memory.LocalWrite, areaAtomic: memory.RemoteAtomic | memory.RemoteRead, areaResult: memory.LocalWrite,
	areaVictim: victimRights, areaVictim2: victimRights,
}

const everything = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic

var shareRights = [shares]memory.Rights{sharedAtomic: memory.RemoteAtomic, sharedBroken: everything,
	sharedRefusing: memory.RemoteWrite | memory.RemoteAtomic, sharedHalf: memory.LocalRead | memory.RemoteRead}

// domainOf is the protection domain of a stream; all streams share it.
const domainOf = 9

// newLayout places areas at addresses of any alignment, and tagged offsets anywhere, also at the top.
func newLayout(streams int, r *rand.Rand) layout {
	var l layout
	address := uint64(1) << 20
	region := func(octets uint64, rights memory.Rights, alignment uint64) memory.Region {
		odd := uint64(r.IntN(64)) &^ (alignment - 1)
		base := r.Uint64() >> r.IntN(60)
		if r.IntN(8) == 0 || base > -octets {
			base = -octets // the last octet has the last TO
		}
		reg := memory.Region{Valid: true, Key: uint8(r.Uint32()), Rights: rights, Base: base, Length: octets, Address: address + odd}
		address += (octets + 8191) &^ 4095
		return reg
	}
	for s := range streams {
		var list []area
		for a := range areas {
			alignment := uint64(1)
			if areaRights[a]&memory.RemoteAtomic != 0 {
				alignment = 8
			}
			reg := region(areaOctets, areaRights[a], alignment)
			reg.Owner = uint16(s)
			if r.IntN(4) == 0 {
				reg.ByDomain, reg.Owner = true, domainOf
			}
			list = append(list, area{s*areas + a, reg})
		}
		l.areas = append(l.areas, list)
	}
	for i := range l.shared {
		octets, alignment := uint64(2*areaOctets), uint64(4096)
		if i == sharedAtomic {
			octets, alignment = 8*sharedWords, 8
		}
		reg := region(octets, shareRights[i], alignment)
		reg.ByDomain, reg.Owner = true, domainOf
		l.shared[i] = area{streams*areas + i, reg}
	}
	return l
}

// clone is a copy that shares nothing: regions change when they are set anew.
func (l layout) clone() layout {
	l.areas = slices.Clone(l.areas)
	for i := range l.areas {
		l.areas[i] = slices.Clone(l.areas[i])
	}
	return l
}

// STags is how many rows of the STag table random traffic on so many streams needs.
func STags(streams int) int { return streams*areas + shares }

// faulty are the ranges in which memory answers with errors.
func (l layout) faulty() []engine.Range {
	part := func(share int, from uint64, reads bool) engine.Range {
		r := l.shared[share].region
		return engine.Range{First: r.Address + from, Last: r.Address + r.Length - 1, Reads: reads, Writes: true}
	}
	return append(scatter(part(sharedHalf, areaOctets, true)), part(sharedBroken, 0, true), part(sharedRefusing, 0, false))
}

// bounds are what the engine may touch: what the regions' rights say.
func (l layout) bounds() (list []engine.Range) {
	for _, areas := range append(l.areas, l.shared[:]) {
		for _, a := range areas {
			r := a.region
			list = append(list, engine.Range{First: r.Address, Last: r.Address + r.Length - 1,
				Reads:  r.Rights&(memory.LocalRead|memory.RemoteRead|memory.RemoteAtomic) != 0,
				Writes: r.Rights&(memory.LocalWrite|memory.RemoteWrite|memory.RemoteAtomic) != 0})
		}
	}
	return list
}

// ranges are all octets that traffic can change, by streams, and behind them those that all streams share.
func (l layout) ranges() (list [][]Range) {
	for _, s := range l.areas {
		var own []Range
		for _, a := range s {
			own = append(own, Range{a.region.Address - 64, areaOctets + 128})
		}
		list = append(list, own)
	}
	return append(list, []Range{{l.shared[sharedAtomic].region.Address, 8 * sharedWords}})
}

// prepare sets the end up: rows, octets, streams.
func (l layout) prepare(e End, r *rand.Rand) error {
	octets := make([]byte, 2*areaOctets)
	fill := func(a area) error {
		for i := range octets {
			octets[i] = byte(r.Uint32())
		}
		return firstError(e.SetRegion(a.index, a.region), e.Write(a.region.Address, octets[:min(int(a.region.Length), len(octets))]))
	}
	for s, list := range l.areas {
		for _, a := range list {
			if err := fill(a); err != nil {
				return err
			}
		}
		if err := e.Open(uint32(s), domainOf); err != nil {
			return err
		}
	}
	for _, a := range l.shared {
		if err := fill(a); err != nil {
			return err
		}
	}
	return nil
}
