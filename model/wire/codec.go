package wire

import "fmt"

// value reads a field of a header whose length has been checked.
func (p bits) value(b []byte) uint64 {
	v, _ := p.get(b)
	return v
}

// bit reads a one-bit field of a header whose length has been checked.
func (p bits) bit(b []byte) bool { return p.value(b) != 0 }

// put writes the low bits of v, as many as the field has.
func (p bits) put(b []byte, v uint64) { p.set(b, v&(^uint64(0)>>(64-p.width))) }

// putBit writes a one-bit field.
func (p bits) putBit(b []byte, v bool) {
	if v {
		p.put(b, 1)
	} else {
		p.put(b, 0)
	}
}

// grow appends a header of zeros to dst and returns it as well as the whole.
func (t *Table) grow(dst []byte) (whole, header []byte) {
	var zeros [64]byte
	whole = append(dst, zeros[:t.Octets]...)
	return whole, whole[len(dst):]
}

// exact refuses octets that are not exactly one header of the table.
func (t *Table) exact(b []byte) error {
	if len(b) == t.Octets {
		return nil
	}
	e := wrongLength(ErrLength, t, 0, len(b), fmt.Sprintf("exactly %d octets", t.Octets))
	return &e
}

// atLeast refuses octets that end inside a header of the table.
func (t *Table) atLeast(kind ErrorKind, base int, b []byte) error {
	if len(b) >= t.Octets {
		return nil
	}
	e := wrongLength(kind, t, base, len(b), fmt.Sprintf("at least %d octets", t.Octets))
	return &e
}
