package rnic

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
)

// faulty returns the ranges in which memory responds with errors.
func (l *layout) faulty() []simulator.Range {
	part := func(share int, from uint64, reads bool) simulator.Range {
		r := l.any(share).region
		return simulator.Range{First: r.Address + from, Last: r.Address + (r.Length - 1), Reads: reads, Writes: true}
	}
	return append(scatter(part(sharedHalf, areaOctets, true)), part(sharedBroken, 0, true), part(sharedRefusing, 0, false))
}

// bounds returns the ranges the engine may access according to the regions' rights; decoys are excluded. reads are rights with which it
// reads, besides those that say so.
func (l *layout) bounds(reads memory.Rights) (list []simulator.Range) {
	add := func(a area) {
		r := a.region
		list = append(list, simulator.Range{First: r.Address, Last: r.Address + (r.Length - 1),
			Reads:  r.Rights&(reads|memory.LocalRead|memory.RemoteRead|memory.RemoteAtomic) != 0,
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

// farLatency is that of far memory.
var farLatency = simulator.Latency{Least: 1, Most: 900}

// far returns regions in memory whose addresses have a bit set, at most as many as can be slow; none if the bit is 0.
func (l *layout) far(bit int) (list []simulator.Range) {
	if bit == 0 {
		return nil
	}
	for _, r := range l.bounds(0) {
		if r.First>>bit&1 == 1 && len(list) < simulator.MaxErrorRanges {
			list = append(list, simulator.Range{First: r.First, Last: r.Last, Reads: true, Writes: true})
		}
	}
	return list
}

// guard is the number of octets checked before and after a region.
const guard = 64

// ranges returns all octets that traffic can change, by stream, followed by those shared by all streams.
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

// prepare sets up the end: rows, octets, streams and their weights.
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
		if err := errors.Join(e.Open(s, l.domains[s]), e.Weigh(s, uint8(r.IntN(1<<engine.WeightBits)))); err != nil {
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
