package simulator

// Layout describes the packed beat of a stream.
type Layout struct {
	Words  int // 64-bit words per beat
	Fields []Field
}

// Field is one port's place in a beat.
type Field struct {
	Port          int // index in Design.Ports
	Offset, Width int // bits
}

// Layout returns the layout of a stream of a design that passed Check.
func (d *Design) Layout(stream int) (Layout, error) {
	var l Layout
	bits := 0
	for _, name := range d.Streams[stream].Fields {
		i, err := d.Port(name)
		if err != nil {
			return Layout{}, err
		}
		l.Fields = append(l.Fields, Field{Port: i, Offset: bits, Width: d.Ports[i].Width})
		bits += d.Ports[i].Width
	}
	l.Words = (bits + 63) / 64
	return l, nil
}

// Bits returns up to 64 bits of packed words.
func Bits(words []uint64, offset, width int) uint64 {
	word, shift := offset/64, offset%64
	v := words[word] >> shift
	if shift+width > 64 {
		v |= words[word+1] << (64 - shift)
	}
	return v & mask(width)
}

// SetBits replaces up to 64 bits of packed words.
func SetBits(words []uint64, offset, width int, value uint64) {
	word, shift := offset/64, offset%64
	value &= mask(width)
	words[word] = words[word]&^(mask(width)<<shift) | value<<shift
	if shift+width > 64 {
		words[word+1] = words[word+1]&^(mask(width)>>(64-shift)) | value>>(64-shift)
	}
}

// CopyBits copies width bits, any number of them, from one place to another.
func CopyBits(to []uint64, toOffset int, from []uint64, fromOffset, width int) {
	for done := 0; done < width; done += 64 {
		n := min(64, width-done)
		SetBits(to, toOffset+done, n, Bits(from, fromOffset+done, n))
	}
}

func mask(width int) uint64 {
	return ^uint64(0) >> (64 - width)
}
