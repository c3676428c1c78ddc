package memory

import "fmt"

// Rights says what an STag permits. Local rights are for the node's own work requests and receive buffers, remote
// ones for the peer's messages.
type Rights uint8

const (
	LocalRead    Rights = 1 << iota // source of a Write or Send
	LocalWrite                      // receive buffer; sink of a Read or Atomic
	RemoteRead                      // source of the peer's Read
	RemoteWrite                     // sink of the peer's Write
	RemoteAtomic                    // target of the peer's Atomic
	Invalidate                      // the peer's Send with Invalidate may end the STag
)

// Region is one row of the STag table: a piece of memory, what may be done with it, and for whom. TO Base + i is the
// octet at memory address Address + i.
type Region struct {
	Valid    bool
	Key      uint8 // low 8 bits of the STag
	Rights   Rights
	ByDomain bool   // Owner is a protection domain, else a stream
	Owner    uint16 // who may use the STag
	Base     uint64 // TO of the first octet
	Length   uint64 // octets
	Address  uint64 // address of the first octet in memory
}

// Peer is who uses an STag: a stream, and the protection domain in which it is.
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

// STag is the name of row index with a key: index in the upper 24 bits, key in the lower 8 (RFC 5040 section 7).
func STag(index int, key uint8) uint32 { return uint32(index)<<8 | uint32(key) }

// MaxSTags bounds a table: the index has 24 bits.
const MaxSTags = 1 << 24

// Table is the STag table of a node.
type Table struct{ rows []Region }

// NewTable makes a table of rows that are not valid.
func NewTable(rows int) (*Table, error) {
	if rows < 1 || rows > MaxSTags {
		return nil, fmt.Errorf("memory: %d STags; allowed: 1..%d", rows, MaxSTags)
	}
	return &Table{rows: make([]Region, rows)}, nil
}

// Rows is the number of rows.
func (t *Table) Rows() int { return len(t.rows) }

// Set replaces a row. A valid region must end at 2^64 at the latest, in TO and in memory.
func (t *Table) Set(index int, r Region) error {
	if index < 0 || index >= len(t.rows) {
		return fmt.Errorf("memory: STag index %d; allowed: 0..%d", index, len(t.rows)-1)
	}
	if r.Valid && (wraps(r.Base, r.Length) || wraps(r.Address, r.Length)) {
		return fmt.Errorf("memory: STag index %d: TO 0x%X and address 0x%X with %d octets; allowed: regions that end at 2^64 at the latest",
			index, r.Base, r.Address, r.Length)
	}
	t.rows[index] = r
	return nil
}

// Get is a row, false when there is none of that index.
func (t *Table) Get(index int) (Region, bool) {
	if index < 0 || index >= len(t.rows) {
		return Region{}, false
	}
	return t.rows[index], true
}

// wraps reports whether length octets from start on reach beyond 2^64; octet 2^64 - 1 is the last there is.
func wraps(start, length uint64) bool { return length > 0 && start > -length }

// named finds the row of an STag: the index is in the table, the row is valid, the key is its own.
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

// Fault is what is wrong with an access to memory under an STag.
type Fault uint8

const (
	Granted       Fault = iota // nothing
	BadSTag                    // no valid row has the STag
	NotAssociated              // the row is another stream's or domain's
	NoRight                    // the right is missing
	TOWraps                    // TO + length is above 2^64
	OutOfBounds                // not all octets are in the region
)

// Check finds the memory address of length octets at TO to under stag, or the first that is wrong of, in this order:
// the STag, its association with the peer, the access right, the wrap of TO, the bounds (RFC 5040 section 7, RFC 5041
// section 7). An access of no octets is not checked, and its address means nothing.
func (t *Table) Check(p Peer, stag uint32, to, length uint64, right Rights) (address uint64, fault Fault) {
	if length == 0 {
		return 0, Granted
	}
	r, known := t.named(stag)
	switch {
	case !known:
		return 0, BadSTag
	case !r.owns(p):
		return 0, NotAssociated
	case r.Rights&right == 0:
		return 0, NoRight
	case wraps(to, length):
		return 0, TOWraps
	case to < r.Base || length > r.Length || to-r.Base > r.Length-length:
		return 0, OutOfBounds
	}
	return r.Address + (to - r.Base), Granted
}

// Faults lists all that is wrong of what Check looks at, in the same order. An STag with another key names the row all the same.
func (t *Table) Faults(p Peer, stag uint32, to, length uint64, right Rights) []Fault {
	if length == 0 {
		return nil
	}
	list := t.FaultsOfSTag(p, stag, right)
	if wraps(to, length) {
		list = append(list, TOWraps)
	}
	if r, _ := t.named(stag); r != nil && r.Valid && (to < r.Base || length > r.Length || to-r.Base > r.Length-length) {
		list = append(list, OutOfBounds)
	}
	return list
}

// FaultsOfSTag lists those of the STag itself: it names no valid row, or one that is not the peer's, or has not the right.
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
	if r.Rights&right == 0 {
		list = append(list, NoRight)
	}
	return list
}

// Address is where in memory a TO would be, in the row that an STag names, whatever else is wrong; false when it names none.
func (t *Table) Address(stag uint32, to uint64) (address uint64, known bool) {
	r, known := t.named(stag)
	if !known {
		return 0, false
	}
	return r.Address + (to - r.Base), true
}

// MayInvalidate reports whether the peer's Send with Invalidate may end the STag: it is valid, the peer's, and permits
// it.
func (t *Table) MayInvalidate(p Peer, stag uint32) bool {
	r, known := t.named(stag)
	return known && r.owns(p) && r.Rights&Invalidate != 0
}

// Invalidate ends a valid STag at once.
func (t *Table) Invalidate(stag uint32) {
	if r, known := t.named(stag); known {
		r.Valid = false
	}
}
