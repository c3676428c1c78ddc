package scenario

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
)

// area is a region registered at both ends.
type area struct {
	memory.Region
	index int
	free  uint64 // offset of the first unused octet
}

func (a *area) stag() uint32 { return memory.STag(a.index, a.Key) }

// next allocates unused octets at an alignment and returns their TO.
func (a *area) next(octets, alignment int) uint64 {
	at := (a.free + uint64(alignment) - 1) &^ uint64(alignment-1)
	a.free = at + uint64(octets)
	return a.Base + at
}

// everything combines all access rights.
const everything = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic

// region registers a region at both ends.
func (s *stage) region(octets uint64, rights memory.Rights) (*area, error) {
	a, err := s.regionAt(s.at, octets, rights)
	s.at += (octets + 0x1FFF) &^ 0xFFF
	return a, err
}

// nearRegion registers a region whose first octet is not in far memory.
func (s *stage) nearRegion(octets uint64, rights memory.Rights) (*area, error) {
	switch s.config.FarMemoryBit {
	case 0:
		return s.region(octets, rights)
	case 62:
		return s.regionAt(1<<61, octets, rights)
	}
	return s.regionAt(1<<62, octets, rights)
}

// regionAt registers a region at a given address.
func (s *stage) regionAt(address, octets uint64, rights memory.Rights) (*area, error) {
	a := &area{index: s.rows, Region: memory.Region{Valid: true, Key: uint8(s.rand.Uint32()), Rights: rights, ByDomain: true, Owner: domain,
		Base: s.rand.Uint64() >> 8 &^ 0xFFF, Length: octets, Address: address}}
	s.rows++
	return a, errors.Join(s.SetRegion(a.index, a.Region), s.peer.SetRegion(a.index, a.Region))
}

// fill writes random octets to both ends' memory.
func (s *stage) fill(a *area, octets int) error {
	for at := 0; at < octets; at += 1 << 16 {
		if err := errors.Join(s.Write(a.Address+uint64(at), s.octets(min(1<<16, octets-at))), s.peer.Write(a.Address+uint64(at), s.octets(min(1<<16, octets-at)))); err != nil {
			return err
		}
	}
	return nil
}

// touches records that octets of a region will change.
func (s *stage) touches(stream uint32, a *area, to uint64, octets int) {
	s.used[stream] = append(s.used[stream], rnic.Range{Address: a.Address + (to - a.Base), Octets: octets})
}
