package memory

import (
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

// RegionFaults are the failed checks, in order of priority, 1 bit each. All are 0 for a length of 0, which accesses no memory.
type RegionFaults struct {
	STag        hdl.Value // the row is not valid, or has another key
	Association hdl.Value // the region belongs to another stream or domain
	Access      hdl.Value // the right is missing
	Wrap        hdl.Value // TO + Length is more than 2^64
	Bounds      hdl.Value // not all octets are in the region

	Any     hdl.Value // one of them
	Address hdl.Value // of TO in memory; undefined if a check fails
}

// RegionCheck decides whether an access is allowed (RFC 5040 section 7, RFC 7306 section 8.2). name prefixes its signals.
//
// TO + Length is computed during the lookup, so that only three parallel comparisons depend on the row.
func RegionCheck(m *hdl.Module, name string, q RegionQuery) RegionFaults {
	let := func(what string, v hdl.Value) hdl.Value { return m.Let(name+"_"+what, v) }
	some := let("reaches_memory", q.Length.Any())
	stag := STagCheck(q.Entry, q.STag, q.Stream, q.Domain)

	m.Note("End of the octets, and the rest of the region after them: negative if they end outside.")
	end := let("end", q.TO.ZeroExtend(65).Add(q.Length.ZeroExtend(65)))
	base := let("base", q.Entry.Base)
	slack := let("slack", base.ZeroExtend(66).Add(q.Entry.Length.ZeroExtend(66)).Sub(end.ZeroExtend(66)))
	m.Unused("only the sign matters", slack.Truncate(65))

	f := RegionFaults{
		STag:        let("bad_stag", some.And(stag.STag)),
		Association: let("bad_association", some.And(stag.Association)),
		Access:      let("bad_access", some.And(q.Right.Not())),
		Wrap:        let("to_wraps", hdl.AllOf(some, end.Bit(64), end.Truncate(64).Any())),
		Bounds:      let("out_of_bounds", some.And(slack.Bit(65).Or(q.TO.Lt(base)))),
		Address:     q.Entry.Address.Add(q.TO).Sub(base),
	}
	f.Any = hdl.AnyOf(f.STag, f.Association, f.Access, f.Wrap, f.Bounds)
	return f
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
