package wire

import (
	"encoding/binary"
	"fmt"
)

// Field positions without names, for the codec. Most fields are words or lie within one octet; these have their own
// types, whose methods the compiler inlines. All methods expect a header whose length has been checked.

// word32 is the octet offset of an octet-aligned 32-bit field.
type word32 int

func (p word32) value(b []byte) uint32  { return binary.BigEndian.Uint32(b[p:]) }
func (p word32) put(b []byte, v uint32) { binary.BigEndian.PutUint32(b[p:], v) }

// word64 is the octet offset of an octet-aligned 64-bit field.
type word64 int

func (p word64) value(b []byte) uint64  { return binary.BigEndian.Uint64(b[p:]) }
func (p word64) put(b []byte, v uint64) { binary.BigEndian.PutUint64(b[p:], v) }

// octetBits is a field within one octet.
type octetBits struct {
	octet int
	below uint8 // bits of the octet below the field
	max   uint8 // the largest value
}

func (p octetBits) value(b []byte) uint8 { return b[p.octet] >> p.below & p.max }
func (p octetBits) bit(b []byte) bool    { return p.value(b) != 0 }

func (p octetBits) put(b []byte, v uint8) {
	b[p.octet] = b[p.octet]&^(p.max<<p.below) | v&p.max<<p.below
}

func (p octetBits) putBit(b []byte, v bool) {
	if v {
		p.put(b, 1)
	} else {
		p.put(b, 0)
	}
}

// at32, at64 and atBits return a field of the given form; if the table disagrees, the program panics at start.
func (t *Table) at32(name string) word32 { return word32(t.must(name, 32).Octet()) }
func (t *Table) at64(name string) word64 { return word64(t.must(name, 64).Octet()) }

func (t *Table) atBits(name string) octetBits {
	f := t.MustField(name)
	if f.Offset%8+f.Width > 8 {
		panic(fmt.Sprintf("wire: field %s.%s is not within one octet", t.Name, name))
	}
	return octetBits{octet: f.Octet(), below: uint8(8 - f.Offset%8 - f.Width), max: uint8(f.Max())}
}

func (t *Table) must(name string, width int) Field {
	f := t.MustField(name)
	if f.Width != width || f.Offset%8 != 0 {
		panic(fmt.Sprintf("wire: field %s.%s is not a word of %d bits", t.Name, name, width))
	}
	return f
}

// bits is a field of any position and width.
type bits struct{ offset, width int }

func (p bits) inside(b []byte) bool {
	return p.offset >= 0 && p.width > 0 && p.width <= 64 && p.offset <= 8*len(b)-p.width
}

func (p bits) get(b []byte) (uint64, bool) {
	if !p.inside(b) {
		return 0, false
	}
	return p.value(b), true
}

func (p bits) value(b []byte) uint64 {
	first, last := p.offset/8, (p.offset+p.width-1)/8
	below := 7 - (p.offset+p.width-1)%8 // bits of the last octet below the field
	v := uint64(b[first]) & (0xFF >> (p.offset % 8))
	if first == last {
		return v >> below
	}
	for _, octet := range b[first+1 : last] {
		v = v<<8 | uint64(octet)
	}
	return v<<(8-below) | uint64(b[last])>>below
}

func (p bits) max() uint64 { return ^uint64(0) >> (64 - p.width) }

func (p bits) set(b []byte, v uint64) bool {
	if !p.inside(b) || v > p.max() {
		return false
	}
	p.put(b, v)
	return true
}

// put writes the low bits of v from the last octet of the field to the first; the lowest remaining bits of v always
// belong to the current octet.
func (p bits) put(b []byte, v uint64) {
	octet := (p.offset + p.width - 1) / 8
	below := 7 - (p.offset+p.width-1)%8
	for left := p.width; left > 0; octet-- {
		take := min(8-below, left)
		mask := byte(0xFF>>(8-take)) << below
		b[octet] = b[octet]&^mask | byte(v)<<below&mask
		v >>= take
		left -= take
		below = 0
	}
}

func (p bits) bit(b []byte) bool { return p.value(b) != 0 }

func (p bits) putBit(b []byte, v bool) {
	if v {
		p.put(b, 1)
	} else {
		p.put(b, 0)
	}
}
