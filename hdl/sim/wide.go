package sim

import "math/bits"

// wide executes an instruction whose operands a and b have n words each.
func (in *instr) wide(w []uint64) {
	a, b, d := w[in.a:][:in.n], w[in.b:], w[in.d:]
	switch in.op {
	case wideAll, wideAny, wideParity:
		d[0] = in.reduce(a)
		return
	case wideEq:
		d[0] = bit(equal(a, b))
		return
	case wideNe:
		d[0] = bit(!equal(a, b))
		return
	case wideLt:
		d[0] = bit(less(a, b))
		return
	case wideLe:
		d[0] = bit(!less(b[:in.n], a))
		return
	}
	d = d[:in.n]
	switch in.op {
	case wideCopy:
		copy(d, a)
	case wideMux:
		if w[in.c] == 0 {
			a = b
		}
		copy(d, a)
	case wideNot:
		for i, x := range a {
			d[i] = ^x
		}
		d[in.n-1] &= in.k
	case wideAnd:
		for i, x := range a {
			d[i] = x & b[i]
		}
	case wideOr:
		for i, x := range a {
			d[i] = x | b[i]
		}
	case wideXor:
		for i, x := range a {
			d[i] = x ^ b[i]
		}
	case wideAdd:
		carry := uint64(0)
		for i, x := range a {
			d[i], carry = bits.Add64(x, b[i], carry)
		}
		d[in.n-1] &= in.k
	case wideSub:
		borrow := uint64(0)
		for i, x := range a {
			d[i], borrow = bits.Sub64(x, b[i], borrow)
		}
		d[in.n-1] &= in.k
	case wideReverse:
		for i, x := range a {
			d[int(in.n)-1-i] = bits.ReverseBytes64(x)
		}
		if in.sh != 0 { // the unused octets of the highest word are now at the bottom
			for i := range d[:in.n-1] {
				d[i] = d[i]>>(in.sh&63) | d[i+1]<<(-in.sh&63)
			}
			d[in.n-1] >>= in.sh & 63
		}
	}
}

func (in *instr) reduce(a []uint64) uint64 {
	all, anyBit, parity := ^uint64(0), uint64(0), uint64(0)
	last := len(a) - 1
	for _, x := range a[:last] {
		all &= x
		anyBit |= x
		parity ^= x
	}
	switch in.op {
	case wideAll:
		return bit(all == ^uint64(0) && a[last] == in.k)
	case wideAny:
		return bit(anyBit|a[last] != 0)
	}
	return uint64(bits.OnesCount64(parity^a[last]) & 1)
}

func equal(a, b []uint64) bool {
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

func less(a, b []uint64) bool {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func shiftLeft(d, a []uint64, count, top uint64) {
	word, sh := count/64, count%64
	if word >= uint64(len(a)) {
		clear(d)
		return
	}
	skip := int(word)
	clear(d[:skip])
	d[skip] = a[0] << sh
	for i := skip + 1; i < len(d); i++ {
		d[i] = a[i-skip]<<sh | a[i-skip-1]>>(64-sh)
	}
	d[len(d)-1] &= top
}

func shiftRight(d, a []uint64, count uint64) {
	word, sh := count/64, count%64
	if word >= uint64(len(a)) {
		clear(d)
		return
	}
	skip, last := int(word), len(a)-1
	for i := range d[:last-skip] {
		d[i] = a[i+skip]>>sh | a[i+skip+1]<<(64-sh)
	}
	d[last-skip] = a[last] >> sh
	clear(d[last-skip+1:])
}

// slice may read one word of a more than it needs; the mask removes its bits.
func slice(d, a []uint64, sh uint8, top uint64) {
	if sh == 0 {
		copy(d, a)
	} else {
		for i := range d {
			d[i] = a[i]>>sh | a[i+1]<<(64-sh)
		}
	}
	d[len(d)-1] &= top
}

func fill(d []uint64, v, top uint64) {
	for i := range d {
		d[i] = v
	}
	d[len(d)-1] &= top
}

// octets maps each octet to the word with every bit repeated 8 times.
var octets = func() (out [256]uint64) {
	for i := range out {
		spread(out[i:i+1], []uint64{uint64(i)}, 8, 8)
	}
	return out
}()

// spread8 repeats each bit of a 8 times.
func spread8(d, a []uint64, top uint64) {
	for i := range d {
		d[i] = octets[a[i/8]>>(i%8*8)&0xff]
	}
	d[len(d)-1] &= top
}

// spread repeats each of the width bits of a.
func spread(d, a []uint64, width, group uint) {
	clear(d)
	for i := range width {
		if a[i/64]>>(i%64)&1 == 0 {
			continue
		}
		for at, left := i*group, group; left > 0; {
			n := min(left, 64-at%64)
			d[at/64] |= ^uint64(0) >> (64 - n) << (at % 64)
			at, left = at+n, left-n
		}
	}
}

// put writes a, shifted up by sh bits; lower bits are kept, higher ones overwritten.
func put(d, a []uint64, sh uint8) {
	if sh == 0 {
		copy(d, a)
		return
	}
	d[0] |= a[0] << sh
	for i := 1; i < len(a); i++ {
		d[i] = a[i-1]>>(64-sh) | a[i]<<sh
	}
	if len(d) > len(a) {
		d[len(a)] = a[len(a)-1] >> (64 - sh)
	}
}
