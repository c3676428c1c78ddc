package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// disregard fills fields that a receiver ignores with noise: reserved bits (RFC 5041 section 4.1, RFC 5040 section 4.1), the Invalidate STag of
// messages that invalidate nothing (RFC 5040 section 4.2), and the fields of an Atomic Request that its operation does not use (RFC 7306
// section 5.2.1). An invalid segment is not changed.
func disregard(x spec.Extensions, r *rand.Rand, octets []byte) []byte {
	s, kind := wire.ClassifyWith(x, octets)
	h := &s.Header
	if kind != spec.None || h.Opcode.Is(spec.Terminate) {
		return octets
	}
	h.DDPReserved, h.RDMAPReserved = uint8(r.IntN(16)), uint8(r.IntN(4))
	if x.OpcodeBits() == spec.MaxOpcodeBits {
		h.RDMAPReserved &^= 1 // bit 4 of the opcode
	}
	if !h.Tagged && !isOf(h.Opcode, spec.SendInvalidate|spec.Committing) {
		h.InvalidateSTag = r.Uint32()
	}
	payload := s.Payload
	var a wire.AtomicRequest
	if h.Opcode.Is(spec.AtomicRequest) && a.Decode(payload) == nil {
		a.Reserved = r.Uint32() >> 4
		if a.AOpCode != wire.CmpSwap {
			a.CompareData, a.CompareMask = r.Uint64(), r.Uint64()
		}
		if a.AOpCode == wire.Swap {
			a.Mask = r.Uint64()
		}
		payload = a.AppendEncode(nil)
	}
	return wire.AppendSegment(nil, *h, payload)
}
