package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RegionAccess is an access to a region of memory in a pipeline that reports which check fails (RFC 5040 section 7, RFC 7306 section 8.2).
type RegionAccess struct {
	pipe           *block.Pipeline
	stage          int // with the row
	entry          engine.STagEntry
	distance, most *block.Signal
	reaches        *block.Signal
	some           hdl.Value // it reaches memory, in stage
}

// AccessFaults are the failed checks of an access, in the stage with the row except Bounds, Any and Address, which are one later. All
// are 0 for an access that reaches no memory.
type AccessFaults struct {
	STag, Association, Access, Wrap, Bounds *block.Signal
	Any                                     *block.Signal
	Address                                 *block.Signal // of the first octet in memory; undefined if a check fails
}

// NewRegionAccess measures an access of length octets, 32 bits, from to on, 64 bits; reaches is 1 if it reaches memory.
func NewRegionAccess(pipe *block.Pipeline, stage int, entry engine.STagEntry, to, length, reaches *block.Signal) RegionAccess {
	return RegionAccess{pipe: pipe, stage: stage, entry: entry, reaches: reaches,
		distance: pipe.Signal("distance", stage, to.At(stage).ZeroExtend(65).Sub(entry.Base.ZeroExtend(65))),
		most:     pipe.Signal("most_distance", stage, entry.Length.ZeroExtend(65).Sub(length.At(stage).ZeroExtend(65))),
		some:     reaches.At(stage)}
}

// Faults checks it. check is that of the STag, right the region's bit for this kind of access, end its TO plus its length, 65 bits.
func (a RegionAccess) Faults(check stagFaults, right hdl.Value, end *block.Signal) (f AccessFaults) {
	p, stage := a.pipe, a.stage
	f.STag = p.Signal("region_bad_stag", stage, a.some.And(check.STag))
	f.Association = p.Signal("region_bad_association", stage, a.some.And(check.Association))
	f.Access = p.Signal("region_bad_access", stage, a.some.And(right.Not()))
	wraps := end.At(stage)
	f.Wrap = p.Signal("region_to_wraps", stage, hdl.AllOf(a.some, wraps.Bit(64), wraps.Truncate(64).Any()))
	next := stage + 1
	d, w := a.distance.At(next), a.most.At(next)
	f.Bounds = p.Signal("region_out_of_bounds", next, a.reaches.At(next).And(hdl.AnyOf(d.Bit(64), w.Bit(64), w.Truncate(64).Lt(d.Truncate(64)))))
	f.Address = p.Signal("region_address", next, p.Holds("row_address", stage, a.entry.Address).At(next).Add(d.Truncate(64)))
	f.Any = p.Signal("region_fails", next, hdl.AnyOf(f.STag.At(next), f.Association.At(next), f.Access.At(next), f.Wrap.At(next), f.Bounds.At(next)))
	return f
}
