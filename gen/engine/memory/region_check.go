package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RegionQuery is an access to a region of memory: Length octets from TO on, by a stream in a domain. Right is the region's bit for
// this kind of access.
type RegionQuery struct {
	Entry  engine.STagEntry // the row of STag's index
	STag   hdl.Value        // 32 bits; only the key is used
	TO     hdl.Value        // 64 bits
	Length hdl.Value        // 32 bits, octets
	Right  hdl.Value        // 1 bit
	Stream hdl.Value        // number of the stream
	Domain hdl.Value        // its protection domain
}

// RegionFaults say whether the access is allowed. Both are for the stage after the one with the row.
type RegionFaults struct {
	Any     *block.Signal // it is not; 0 for a length of 0, which accesses no memory
	Address *block.Signal // of TO in memory; undefined if it is not
}

// RegionCheck decides whether an access is allowed (RFC 5040 section 7, RFC 7306 section 8.2): the row is valid and has the key of
// the STag, the region belongs to the stream or its domain, has the right, and has all octets; TO + Length is at most 2^64. All of the
// query is of stage; name prefixes the signals.
//
// Sums are made in that stage, and compared in the next.
func RegionCheck(m *hdl.Module, pipe *block.Pipeline, name string, stage int, q RegionQuery) RegionFaults {
	signal := func(what string, stage int, v hdl.Value) *block.Signal { return pipe.Signal(name+"_"+what, stage, v) }
	stag := STagCheck(q.Entry, q.STag, q.Stream, q.Domain)
	some := signal("reaches_memory", stage, q.Length.Any())
	refused := signal("refuses", stage, hdl.AnyOf(stag.STag, stag.Association, q.Right.Not()))
	end := signal("end", stage, q.TO.ZeroExtend(65).Add(q.Length.ZeroExtend(65)))
	m.Note("Distance of the first octet from the start of the region, and its maximum; either is negative if out of bounds.")
	distance := signal("distance", stage, q.TO.ZeroExtend(65).Sub(q.Entry.Base.ZeroExtend(65)))
	most := signal("most_distance", stage, q.Entry.Length.ZeroExtend(65).Sub(q.Length.ZeroExtend(65)))
	row := pipe.Holds(name+"_row_address", stage, q.Entry.Address)

	at := func(s *block.Signal) hdl.Value { return s.At(stage + 1) }
	d, w := at(distance), at(most)
	wraps := m.Let(name+"_to_wraps", at(end).Bit(64).And(at(end).Truncate(64).Any()))
	bounds := m.Let(name+"_out_of_bounds", hdl.AnyOf(d.Bit(64), w.Bit(64), w.Truncate(64).Lt(d.Truncate(64))))
	return RegionFaults{
		Any:     signal("fails", stage+1, at(some).And(hdl.AnyOf(at(refused), wraps, bounds))),
		Address: signal("address", stage+1, at(row).Add(d.Truncate(64))),
	}
}

// stagFaults are the failed checks of an STag that apply to every kind of access.
type stagFaults struct {
	STag        hdl.Value // the row is not valid, or has another key
	Association hdl.Value // the region belongs to another stream or domain
}

// STagCheck decides whether a stream may use an STag at all.
func STagCheck(entry engine.STagEntry, stag, stream, domain hdl.Value) stagFaults {
	owner := hdl.Mux(entry.ByDomain, domain, stream.ZeroExtend(engine.DomainBits))
	return stagFaults{
		STag:        entry.Valid.Not().Or(entry.Key.Ne(stag.Truncate(8))),
		Association: entry.Owner.Ne(owner),
	}
}
