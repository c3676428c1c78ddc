package wire

// Field is one field of a header. Offset counts bits from the header's first transmitted bit, Width is in
// bits, 1 to 64. No alignment is assumed: a field may start and end inside an octet.
type Field struct {
	Name     string // lower snake case of the specification's name, unique in its table
	Offset   int    // bits
	Width    int    // bits
	Reserved bool   // zero on transmit, ignored on receive
	Doc      string // what the field means, for readers
}

// Octet is the octet of the header in which the field starts.
func (f Field) Octet() int { return f.Offset / 8 }

// Max is the largest value that the field holds.
func (f Field) Max() uint64 { return ^uint64(0) >> (64 - f.Width) }

// Get reads the field from the header that starts at b[0]. It reports false, and 0, when the header ends
// before the field does.
func (f Field) Get(b []byte) (uint64, bool) { return f.bits().get(b) }

// Set writes v into the header that starts at b[0] and leaves all other bits alone. It reports false, and
// changes nothing, when the header ends before the field does or v needs more than Width bits.
func (f Field) Set(b []byte, v uint64) bool { return f.bits().set(b, v) }

func (f Field) bits() bits { return bits{f.Offset, f.Width} }

// bits is the position of a field without its names: what the codec needs, in two words.
type bits struct{ offset, width int }

func (p bits) inside(b []byte) bool {
	return p.offset >= 0 && p.width > 0 && p.width <= 64 && p.offset <= 8*len(b)-p.width
}

func (p bits) get(b []byte) (uint64, bool) {
	if !p.inside(b) {
		return 0, false
	}
	first, last := p.offset/8, (p.offset+p.width-1)/8
	below := 7 - (p.offset+p.width-1)%8 // bits of the last octet that belong to the next field
	v := uint64(b[first]) & (0xFF >> (p.offset % 8))
	if first == last {
		return v >> below, true
	}
	for _, octet := range b[first+1 : last] {
		v = v<<8 | uint64(octet)
	}
	return v<<(8-below) | uint64(b[last])>>below, true
}

func (p bits) set(b []byte, v uint64) bool {
	if !p.inside(b) || v > ^uint64(0)>>(64-p.width) {
		return false
	}
	// From the last octet back to the first: what is left of v always ends in the octet at hand.
	octet := (p.offset + p.width - 1) / 8
	below := 7 - (p.offset+p.width-1)%8
	for left := p.width; left > 0; octet-- {
		if below == 0 && left >= 8 {
			b[octet] = byte(v)
			v >>= 8
			left -= 8
			continue
		}
		take := min(8-below, left)
		mask := byte(0xFF>>(8-take)) << below
		b[octet] = b[octet]&^mask | byte(v)<<below&mask
		v >>= take
		left -= take
		below = 0
	}
	return true
}
