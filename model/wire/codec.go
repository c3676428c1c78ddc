package wire

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// grow appends a header of zeros to dst and returns both the result and the header.
func (t *Table) grow(dst []byte) (whole, header []byte) {
	whole = append(dst, zeros[:t.Octets]...)
	return whole, whole[len(dst):]
}

// zeros is as long as the longest header.
var zeros [64]byte

// exact returns an error unless b is exactly one header of the table.
func (t *Table) exact(b []byte) error {
	if len(b) == t.Octets {
		return nil
	}
	e := wrongLength(spec.WrongLength, t, 0, len(b), fmt.Sprintf("exactly %d octets", t.Octets))
	return &e
}

// atLeast returns an error if b ends inside a header of the table.
func (t *Table) atLeast(rule spec.Rule, base int, b []byte) error {
	if len(b) >= t.Octets {
		return nil
	}
	e := wrongLength(rule, t, base, len(b), fmt.Sprintf("at least %d octets", t.Octets))
	return &e
}
