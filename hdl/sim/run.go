package sim

import "math/bits"

// execute executes the instructions in order. Operands of the narrow ones are one word each.
func execute(code []instr, w []uint64) {
	for i := range code {
		in := &code[i]
		switch in.op {
		case opCopy:
			w[in.d] = w[in.a]
		case opNot:
			w[in.d] = w[in.a] ^ in.k
		case opAnd:
			w[in.d] = w[in.a] & w[in.b]
		case opOr:
			w[in.d] = w[in.a] | w[in.b]
		case opXor:
			w[in.d] = w[in.a] ^ w[in.b]
		case opAdd:
			w[in.d] = (w[in.a] + w[in.b]) & in.k
		case opSub:
			w[in.d] = (w[in.a] - w[in.b]) & in.k
		case opEq:
			w[in.d] = bit(w[in.a] == w[in.b])
		case opNe:
			w[in.d] = bit(w[in.a] != w[in.b])
		case opLt:
			w[in.d] = bit(w[in.a] < w[in.b])
		case opLe:
			w[in.d] = bit(w[in.a] <= w[in.b])
		case opShl:
			w[in.d] = w[in.a] << w[in.b] & in.k
		case opShr:
			w[in.d] = w[in.a] >> w[in.b]
		case opMux:
			w[in.d] = w[in.b] ^ (w[in.a]^w[in.b])&-w[in.c]
		case opAll:
			w[in.d] = bit(w[in.a] == in.k)
		case opAny:
			w[in.d] = bit(w[in.a] != 0)
		case opParity:
			w[in.d] = uint64(bits.OnesCount64(w[in.a]) & 1)
		case opSlice: // from one word
			w[in.d] = w[in.a] >> (in.sh & 63) & in.k
		case opSlice2: // across two words
			w[in.d] = (w[in.a]>>(in.sh&63) | w[in.a+1]<<(-in.sh&63)) & in.k
		case opJoin:
			w[in.d] = w[in.a]<<(in.sh&63) | w[in.b]
		case opSpread1:
			w[in.d] = -w[in.a] & in.k
		case opReverse:
			w[in.d] = bits.ReverseBytes64(w[in.a]) >> (in.sh & 63)
		case opInsert:
			w[in.d] |= w[in.a] << (in.sh & 63)
		case wideShl:
			shiftLeft(w[in.d:][:in.n], w[in.a:][:in.n], w[in.b], in.k)
		case wideShr:
			shiftRight(w[in.d:][:in.n], w[in.a:][:in.n], w[in.b])
		case wideSlice:
			slice(w[in.d:][:in.n], w[in.a:][:in.n+1], in.sh&63, in.k)
		case wideSpread1:
			fill(w[in.d:][:in.n], -w[in.a], in.k)
		case wideSpread8:
			spread8(w[in.d:][:in.n], w[in.a:], in.k)
		case wideSpread:
			spread(w[in.d:][:in.n], w[in.a:], uint(in.b), uint(in.c))
		case widePut:
			put(w[in.d:][:in.c+1], w[in.a:][:in.n], in.sh&63)
		default:
			in.wide(w)
		}
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
