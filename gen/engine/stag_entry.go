package engine

import "github.com/rnicgen/rnicgen/hdl"

// STagEntry is one row of the STag table: a region of memory, its owner and its access rights. The octet with tagged offset
// Base + i is at Address + i in memory, for i below Length.
type STagEntry struct {
	Valid    hdl.Value `doc:"the STag may be used"`
	Key      hdl.Value `doc:"low octet of the STag, chosen by the consumer"`
	Rights   Rights    // allowed accesses
	ByDomain hdl.Value `doc:"1: owner is a protection domain, 0: owner is a stream"`
	Owner    hdl.Value `doc:"stream or domain that the STag is associated with"`
	Base     hdl.Value `doc:"tagged offset of the first octet"`
	Length   hdl.Value `doc:"octets; base + length is at most 2^64"`
	Address  hdl.Value `doc:"address of the first octet in memory"`
	Tag      any       // what the profile needs of the region
}

// Rights are the accesses that a region allows (RFC 5040 section 5; Remote Atomic is a right of its own, I-06).
type Rights struct {
	LocalRead    hdl.Value `doc:"source of Sends and Writes of this node"`
	LocalWrite   hdl.Value `doc:"buffer for Sends to this node and for results of its RDMA Reads and Atomics"`
	RemoteRead   hdl.Value `doc:"source of RDMA Reads of the peer"`
	RemoteWrite  hdl.Value `doc:"sink of RDMA Writes of the peer"`
	RemoteAtomic hdl.Value `doc:"target of Atomic Operations of the peer"`
	Invalidate   hdl.Value `doc:"the peer may invalidate it by Send with Invalidate"`
}

func rights() Rights {
	return Rights{LocalRead: hdl.Bits(1), LocalWrite: hdl.Bits(1), RemoteRead: hdl.Bits(1), RemoteWrite: hdl.Bits(1),
		RemoteAtomic: hdl.Bits(1), Invalidate: hdl.Bits(1)}
}

func STagEntryOf(c Config) STagEntry {
	return STagEntry{Valid: hdl.Bits(1), Key: hdl.Bits(8), Rights: rights(), ByDomain: hdl.Bits(1), Owner: hdl.Bits(DomainBits),
		Base: hdl.Bits(64), Length: hdl.Bits(64), Address: hdl.Bits(64), Tag: c.Profile.RegionTag()}
}

// STagLookup is a read port of the STag table on the side of its user: Entry is the packed STagEntry of the index in the last cycle
// with Enable. An index outside the table gives an invalid entry.
type STagLookup struct {
	Enable hdl.Out `doc:"look index up in this cycle"`
	Index  hdl.Out `doc:"upper 24 bits of an STag"`
	Entry  hdl.In  `doc:"packed STagEntry, from the next cycle on"`
}

// STagPort is the same port on the side of the table.
type STagPort struct {
	Enable hdl.In  `doc:"look index up in this cycle"`
	Index  hdl.In  `doc:"upper 24 bits of an STag"`
	Entry  hdl.Out `doc:"packed STagEntry, from the next cycle on"`
}

func STagLookupOf(c Config) STagLookup {
	return STagLookup{Enable: hdl.NewOut(1), Index: hdl.NewOut(24), Entry: hdl.NewIn(hdl.PackedWidth(STagEntryOf(c)))}
}

func STagPortOf(c Config) STagPort {
	return STagPort{Enable: hdl.NewIn(1), Index: hdl.NewIn(24), Entry: hdl.NewOut(hdl.PackedWidth(STagEntryOf(c)))}
}

// Withdrawal invalidates an STag for a request that has been executed.
type Withdrawal struct {
	STag hdl.Value `hdl:"stag" doc:"the STag"`
}

// WithdrawalOf is the prototype.
func WithdrawalOf() Withdrawal { return Withdrawal{hdl.Bits(32)} }
