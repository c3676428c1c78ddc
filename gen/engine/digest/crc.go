package digest

// crc is a reflected cyclic redundancy check: bit 0 of the state is the coefficient of the highest power. The state begins with all ones;
// the check is its complement. It is a polynomial over GF(2), so that whatever moves it is linear.
type crc struct {
	name       string
	width      int    // bits of the state
	polynomial uint64 // reflected, without the highest power
}

var (
	crc32c = crc{"crc32", 32, 0x82F63B78}
	crc64  = crc{"crc64", 64, 0x9A6C9329AC4BC9B5}
)

// ones is the state at the beginning of a message.
func (c crc) ones() uint64 { return 1<<c.width - 1 }

// one is the state that is the polynomial 1.
func (c crc) one() uint64 { return 1 << (c.width - 1) }

// move is the state after so many octets of zeros, or before them if there are fewer than none: the state times x^(8 octets).
func (c crc) move(state uint64, octets int) uint64 {
	for range 8 * octets {
		state = state>>1 ^ state&1*c.polynomial
	}
	for range -8 * octets {
		top := state >> (c.width - 1) // the polynomial has the lowest power: it was added if this bit is set
		state = (state^top*c.polynomial)<<1&c.ones() | top
	}
	return state
}

// linear is a linear function: element i is the result if of all inputs only bit i is 1.
type linear []uint64

// ofState is the state after a number of octets that are zero, as a function of the state before.
func (c crc) ofState(octets int) (f linear) {
	for bit := range c.width {
		f = append(f, c.move(1<<bit, octets))
	}
	return f
}

// ofOctets is what the octets of a beat from number from on contribute to the state after it. The octets before are those to which the
// state before the beat is added.
func (c crc) ofOctets(from, busBytes int) (f linear) {
	for octet := from; octet < busBytes; octet++ {
		for bit := range 8 {
			f = append(f, c.move(1<<bit, busBytes-octet))
		}
	}
	return f
}

// classes sorts the inputs by which of count outputs, from number from on, they change: element p has those that change the outputs
// whose bits are set in p. Inputs that change none of them are in element 0.
func (f linear) classes(from, count int) [][]int {
	of := make([][]int, 1<<count)
	for input, outputs := range f {
		p := outputs >> from & (1<<count - 1)
		of[p] = append(of[p], input)
	}
	return of
}
