package wire

// Field is one field of a header. Offset counts bits from the header's first transmitted bit, Width is in
// bits, 1 to 64. No alignment is assumed: a field may start and end inside an octet.
type Field struct {
	Name     string // lower snake case of the specification's name, unique in its table
	Offset   int    // bits
	Width    int    // bits
	Reserved bool   // zero on transmit, ignored on receive
	Doc      string // meaning of the field, for readers
}

// Octet returns the octet of the header in which the field starts.
func (f Field) Octet() int { return f.Offset / 8 }

// Max returns the largest value of the field.
func (f Field) Max() uint64 { return ^uint64(0) >> (64 - f.Width) }

// Get reads the field from the header that starts at b[0]. It returns 0 and false if the header ends before the field
// does.
func (f Field) Get(b []byte) (uint64, bool) { return f.bits().get(b) }

// Set writes v into the header that starts at b[0] and leaves all other bits unchanged. It returns false, and changes
// nothing, if the header ends before the field does or v needs more than Width bits.
func (f Field) Set(b []byte, v uint64) bool { return f.bits().set(b, v) }

func (f Field) bits() bits { return bits{f.Offset, f.Width} }
