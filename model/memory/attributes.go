package memory

import "fmt"

// Attributes are the attributes of a region for Flush and Verify beside its rights: draft-talpey-rdma-commit-01 section
// 3.2.1. They are local; no message shows them.
type Attributes struct {
	Type Type
	Mode Mode
	Hash Algorithm // of a Verify
	Read ReadNeed  // of a Verify
}

// Type is the type of the memory behind a region, MemType of the draft.
type Type uint8

const (
	Plain      Type = iota // cannot be persistent
	Flushable              // persistent once flushed
	PeerToPeer             // the same, in a device on the bus
	types
)

// Mode is what happens to octets that are placed through a region, MemMode of the draft.
type Mode uint8

const (
	WriteBack    Mode = iota // they stay in a cache until it is flushed or needs room
	WriteThrough             // they go to storage at once: a hint for performance, not a guarantee (I-94)
	modes
)

// ReadNeed is whether a Verify needs Remote Read beside Verifiable (I-06).
type ReadNeed uint8

const (
	ReadIfReversible ReadNeed = iota // with an algorithm that gives octets away
	ReadNeeded
	ReadNotNeeded
	readNeeds
)

// needs returns the rights that an access needs of a region that has these attributes.
func (a Attributes) needs(right Rights) Rights {
	if right&Verifiable != 0 && (a.Read == ReadNeeded || a.Read == ReadIfReversible && a.Hash.Reversible()) {
		return right | RemoteRead
	}
	return right
}

// check returns an error if the attributes do not exist or do not support the rights (I-94).
func (a Attributes) check(r Rights) error {
	switch {
	case a.Type >= types:
		return fmt.Errorf("type is %d; allowed: 0..%d", a.Type, types-1)
	case a.Mode >= modes:
		return fmt.Errorf("mode is %d; allowed: 0..%d", a.Mode, modes-1)
	case a.Hash >= algorithms:
		return fmt.Errorf("algorithm is %d; allowed: 0..%d", a.Hash, algorithms-1)
	case a.Read >= readNeeds:
		return fmt.Errorf("need of Remote Read is %d; allowed: 0..%d", a.Read, readNeeds-1)
	case r&FlushPersistent != 0 && a.Type == Plain:
		return fmt.Errorf("Flush to Persistence of plain memory; allowed: of memory that can be persistent")
	case r&Verifiable != 0 && a.Hash == NoAlgorithm:
		return fmt.Errorf("Verifiable without an algorithm; allowed: with one")
	}
	return nil
}
