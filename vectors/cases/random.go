package cases

import (
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Numbers of random cases.
const (
	randomValid  = 60
	randomBroken = 80
)

// randomTraffic draws cases from the seed of the file.
func randomTraffic(l *list) {
	for i := range randomValid {
		l.add(fmt.Sprintf("random/valid/%d", i), fmt.Sprintf("random valid traffic, number %d", i), flags(Random), func(t *T) {
			streams, words := min(4, t.Config.Streams), min(4, t.Config.WindowWords)
			for s := range streams {
				t.open(s, t.Rand.Uint32())
			}
			for w := range words {
				t.word(w, operand(t.Rand))
			}
			for range 4 + t.Rand.IntN(9) {
				s := t.Rand.IntN(streams)
				if t.Rand.IntN(4) == 0 {
					t.send(s, t.randomOther())
				} else {
					t.request(s, t.randomRequest(words))
				}
			}
		}).cite("RFC7306-5.3-01", "RFC7306-5.4-12")
	}
	for i := range randomBroken {
		l.add(fmt.Sprintf("random/broken/%d", i), fmt.Sprintf("random traffic with broken segments, number %d", i), flags(RandomMalformed), func(t *T) {
			streams, words := min(3, t.Config.Streams), min(2, t.Config.WindowWords)
			for w := range words {
				t.word(w, operand(t.Rand))
			}
			n := 3 + t.Rand.IntN(6)
			sure := t.Rand.IntN(n) // one at least has an error
			for i := range n {
				s := t.Rand.IntN(streams)
				switch {
				case i == sure:
					t.send(s, failures[t.Rand.IntN(len(failures))].segment(t))
				case t.Rand.IntN(3) == 0:
					t.send(s, t.damaged(words))
				case t.Rand.IntN(3) == 0:
					t.send(s, t.randomOther())
				default:
					t.request(s, t.randomRequest(words))
				}
			}
		})
	}
}

// operand is often a number at which something happens.
func operand(r *rand.Rand) uint64 {
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return allOnes
	case 2:
		return 1 << r.IntN(64)
	case 3:
		return 1<<r.IntN(64) - 1
	}
	return r.Uint64()
}

func (t *T) randomRequest(words int) wire.AtomicRequest {
	word := t.Rand.IntN(words)
	switch {
	case t.Config.Draft00() && t.Rand.IntN(4) == 0:
		return t.swap(word, operand(t.Rand))
	case t.Rand.IntN(2) == 0:
		return t.fetchAdd(word, operand(t.Rand), operand(t.Rand))
	}
	compareMask := operand(t.Rand)
	if t.Rand.IntN(2) == 0 {
		compareMask = 1 << t.Rand.IntN(64) // holds half of the time
	}
	return t.cmpSwap(word, operand(t.Rand), operand(t.Rand), operand(t.Rand), compareMask)
}

// randomOther is a valid message that is not an Atomic Request.
func (t *T) randomOther() []byte {
	r := t.Rand
	data := pattern(r.IntN(150))
	switch op := wire.Opcode(r.IntN(int(wire.OpAtomicResponse) + 1)); op {
	case wire.OpWrite:
		return wire.AppendWrite(nil, r.Uint32(), r.Uint64(), r.IntN(2) == 0, data)
	case wire.OpReadResponse:
		return wire.AppendReadResponse(nil, r.Uint32(), r.Uint64(), r.IntN(2) == 0, data)
	case wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv:
		return wire.AppendSend(nil, op, r.Uint32(), r.Uint32(), r.Uint32(), r.IntN(2) == 0, data)
	case wire.OpAtomicRequest:
		return t.plain(wire.OpImmediate)
	default:
		return t.plain(op)
	}
}

// damaged is a message with one bit of its DDP header inverted, or with octets lost or added at its end.
func (t *T) damaged(words int) []byte {
	segment := t.randomOther()
	if t.Rand.IntN(2) == 0 {
		segment = wire.AppendAtomicRequest(nil, t.Rand.Uint32(), t.randomRequest(words))
	}
	switch t.Rand.IntN(4) {
	case 0:
		return segment[:t.Rand.IntN(len(segment))]
	case 1:
		return append(segment, pattern(1+t.Rand.IntN(20))...)
	}
	segment[t.Rand.IntN(taggedOctets)] ^= 1 << t.Rand.IntN(8)
	return segment
}
