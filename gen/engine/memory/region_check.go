package memory

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RegionQuery is an access to a region of memory: Length octets from TO on, by a stream that has a domain. Right is
// the region's bit for the access that is wanted.
type RegionQuery struct {
	Entry  engine.STagEntry // the row of STag's index
	STag   hdl.Value        // 32 bits, of which the key is read
	TO     hdl.Value        // 64 bits
	Length hdl.Value        // 32 bits, octets
	Right  hdl.Value        // 1 bit
	Stream hdl.Value        // number of the stream
	Domain hdl.Value        // its protection domain
}

// RegionFaults are the checks that fail, in the order in which they are reported, 1 bit each. All are 0 for a length
// of 0, which reaches no memory.
type RegionFaults struct {
	STag        hdl.Value // the row is not valid, or has another key
	Association hdl.Value // the region is another stream's or domain's
	Access      hdl.Value // the right is missing
	Wrap        hdl.Value // TO + Length is more than 2^64
	Bounds      hdl.Value // not all octets are in the region

	Any     hdl.Value // one of them
	Address hdl.Value // of TO in memory; it means nothing when a check fails
}

// RegionCheck decides whether an access is allowed (RFC 5040 section 7, RFC 7306 section 8.2). What it names begins with name.
//
// Nothing waits for a sum of what the table gives: TO + Length is known while the row is looked up, and what is left
// are three comparisons side by side.
func RegionCheck(m *hdl.Module, name string, q RegionQuery) RegionFaults {
	let := func(what string, v hdl.Value) hdl.Value { return m.Let(name+"_"+what, v) }
	some := let("reaches_memory", q.Length.Any())
	stag := STagCheck(q.Entry, q.STag, q.Stream, q.Domain)

	m.Note("Where the octets end, and how much of the region is left behind them: negative when they end outside.")
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

// stagFaults are the checks of an STag that hold whatever is done with it.
type stagFaults struct {
	STag        hdl.Value // the row is not valid, or has another key
	Association hdl.Value // the region is another stream's or domain's
}

// STagCheck decides whether a stream may name a region at all.
func STagCheck(entry engine.STagEntry, stag, stream, domain hdl.Value) stagFaults {
	owner := hdl.Mux(entry.ByDomain, domain, stream.ZeroExtend(engine.DomainBits))
	return stagFaults{
		STag:        entry.Valid.Not().Or(entry.Key.Ne(stag.Truncate(8))),
		Association: entry.Owner.Ne(owner),
	}
}
