package memory

import "fmt"

// Rights is the set of accesses that an STag permits. Local rights apply to the node's own work requests and receive
// buffers, remote rights to the peer's messages.
type Rights uint16

const (
	LocalRead    Rights = 1 << iota // source of a Write or Send
	LocalWrite                      // receive buffer; sink of a Read or Atomic
	RemoteRead                      // source of the peer's Read
	RemoteWrite                     // sink of the peer's Write
	RemoteAtomic                    // target of the peer's Atomic
	Invalidate                      // the peer's Send with Invalidate may invalidate the STag

	FlushPersistent // the peer's Flush to Persistence; this and the following with the extension Commit
	FlushVisible    // the peer's Flush to Global Visibility
	Verifiable      // the peer's Verify
)

// Region is one row of the STag table: a range of memory, its rights and its owner. TO Base + i is the octet at memory
// address Address + i.
type Region struct {
	Valid    bool
	Key      uint8 // low 8 bits of the STag
	Rights   Rights
	ByDomain bool   // Owner is a protection domain; otherwise a stream
	Owner    uint16 // the stream or domain that may use the STag
	Base     uint64 // TO of the first octet
	Length   uint64 // octets
	Address  uint64 // address of the first octet in memory

	Attributes Attributes // with the extension Commit
}

// Peer identifies the user of an STag: a stream and its protection domain.
type Peer struct {
	Stream uint32
	Domain uint16
}

// owns reports whether the region is associated with the stream, directly or through its domain.
func (r *Region) owns(p Peer) bool {
	if r.ByDomain {
		return r.Owner == p.Domain
	}
	return uint32(r.Owner) == p.Stream
}

// permits reports whether the region permits an access.
func (r *Region) permits(right Rights) bool {
	right = r.Attributes.needs(right)
	return r.Rights&right == right
}

// holds reports whether length octets at TO to are in the region, for 0 octets the TO itself or the end.
func (r *Region) holds(to, length uint64) bool {
	return to >= r.Base && length <= r.Length && to-r.Base <= r.Length-length
}

// STag returns the STag of a row: index in the upper 24 bits, key in the lower 8 (RFC 5040 section 7).
func STag(index int, key uint8) uint32 { return uint32(index)<<8 | uint32(key) }

// MaxSTags bounds a table: the index has 24 bits.
const MaxSTags = 1 << 24

// Table is the STag table of a node.
type Table struct{ rows []Region }

// NewTable returns a table with all rows invalid.
func NewTable(rows int) (*Table, error) {
	if rows < 1 || rows > MaxSTags {
		return nil, fmt.Errorf("memory: the STag table has %d rows; allowed: 1..%d", rows, MaxSTags)
	}
	return &Table{rows: make([]Region, rows)}, nil
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.rows) }

// Set replaces a row. A valid region must not extend past 2^64, neither in TO nor in memory, and its attributes must
// support its rights.
func (t *Table) Set(index int, r Region) error {
	if index < 0 || index >= len(t.rows) {
		return fmt.Errorf("memory: STag index is %d; allowed: 0..%d", index, len(t.rows)-1)
	}
	if r.Valid && (wraps(r.Base, r.Length) || wraps(r.Address, r.Length)) {
		return fmt.Errorf("memory: STag index %d: TO is 0x%X, address 0x%X, length %d octets; allowed: TO and address + length at most 2^64",
			index, r.Base, r.Address, r.Length)
	}
	if err := r.Attributes.check(r.Rights); r.Valid && err != nil {
		return fmt.Errorf("memory: STag index %d: %w", index, err)
	}
	t.rows[index] = r
	return nil
}

// Get returns a row; false if the index is out of range.
func (t *Table) Get(index int) (Region, bool) {
	if index < 0 || index >= len(t.rows) {
		return Region{}, false
	}
	return t.rows[index], true
}

// wraps reports whether length octets from start extend past 2^64; octet 2^64 - 1 is the last.
func wraps(start, length uint64) bool { return length > 0 && start > -length }

// named returns the row that an STag names; false unless the row is valid and the key matches. The row is nil if the
// index is out of range.
func (t *Table) named(stag uint32) (*Region, bool) {
	index := int(stag >> 8)
	if index >= len(t.rows) {
		return nil, false
	}
	r := &t.rows[index]
	return r, r.Valid && r.Key == uint8(stag)
}

// Known reports whether the STag names a valid row.
func (t *Table) Known(stag uint32) bool {
	_, known := t.named(stag)
	return known
}

// Fault is the reason why an access through an STag is refused.
type Fault uint8

const (
	Granted       Fault = iota // no fault
	BadSTag                    // no valid row has the STag
	NotAssociated              // the row belongs to another stream or domain
	NoRight                    // the right is missing
	TOWraps                    // TO + length is above 2^64
	OutOfBounds                // not all octets are in the region
)

// Check returns the memory address of length octets at TO to in stag, or the first fault in this order: STag,
// association with the peer, access right, TO wrap, bounds (RFC 5040 section 7, RFC 5041 section 7). An access of 0
// octets is not checked and its address is meaningless.
func (t *Table) Check(p Peer, stag uint32, to, length uint64, right Rights) (address uint64, fault Fault) {
	if length == 0 {
		return 0, Granted
	}
	return t.CheckNamed(p, stag, to, length, right)
}

// CheckNamed is Check for a request that names a region even with 0 octets, whose TO is then in the region or at its end
// (I-20). With several rights it needs all of them.
func (t *Table) CheckNamed(p Peer, stag uint32, to, length uint64, right Rights) (address uint64, fault Fault) {
	r, known := t.named(stag)
	switch {
	case !known:
		return 0, BadSTag
	case !r.owns(p):
		return 0, NotAssociated
	case !r.permits(right):
		return 0, NoRight
	case wraps(to, length):
		return 0, TOWraps
	case !r.holds(to, length):
		return 0, OutOfBounds
	}
	return r.Address + (to - r.Base), Granted
}

// Faults lists all faults that Check looks for, in the same order. An STag with the wrong key is still checked against
// its row.
func (t *Table) Faults(p Peer, stag uint32, to, length uint64, right Rights) []Fault {
	if length == 0 {
		return nil
	}
	return t.FaultsNamed(p, stag, to, length, right)
}

// FaultsNamed lists all faults that CheckNamed looks for.
func (t *Table) FaultsNamed(p Peer, stag uint32, to, length uint64, right Rights) []Fault {
	list := t.FaultsOfSTag(p, stag, right)
	if wraps(to, length) {
		list = append(list, TOWraps)
	}
	if r, _ := t.named(stag); r != nil && r.Valid && !r.holds(to, length) {
		list = append(list, OutOfBounds)
	}
	return list
}

// FaultsOfSTag lists the faults of the STag itself: no valid row, not associated with the peer, right missing.
func (t *Table) FaultsOfSTag(p Peer, stag uint32, right Rights) (list []Fault) {
	r, known := t.named(stag)
	if !known {
		list = append(list, BadSTag)
	}
	if r == nil || !r.Valid {
		return list
	}
	if !r.owns(p) {
		list = append(list, NotAssociated)
	}
	if !r.permits(right) {
		list = append(list, NoRight)
	}
	return list
}

// Named returns the row that an STag names; false if it names none.
func (t *Table) Named(stag uint32) (Region, bool) {
	if r, known := t.named(stag); known {
		return *r, true
	}
	return Region{}, false
}

// Address returns the memory address of a TO in the row that an STag names, regardless of other faults; false if it
// names none.
func (t *Table) Address(stag uint32, to uint64) (address uint64, known bool) {
	r, known := t.named(stag)
	if !known {
		return 0, false
	}
	return r.Address + (to - r.Base), true
}

// MayInvalidate reports whether the peer's Send with Invalidate may invalidate the STag: it is valid, associated with
// the peer, and has the right.
func (t *Table) MayInvalidate(p Peer, stag uint32) bool {
	r, known := t.named(stag)
	return known && r.owns(p) && r.Rights&Invalidate != 0
}

// Invalidate invalidates an STag immediately.
func (t *Table) Invalidate(stag uint32) {
	if r, known := t.named(stag); known {
		r.Valid = false
	}
}
