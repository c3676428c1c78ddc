package cosim

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// stimulus makes random segments: about half of them atomics, half of those on a few words that everybody hits, the rest
// all other messages, and now and then one that is wrong in one of the ways in which a segment can be wrong.
type stimulus struct {
	rng    *random
	config gen.Config
	stag   uint32
	base   uint64
	msn    uint32
	dead   []bool // streams that had an error
	deaths int
	sound  bool // nothing is wrong
	data   [2048]byte
}

// errorEvery is how many segments there are for one that is wrong.
const errorEvery = 96

func newStimulus(c gen.Config, seed uint64) *stimulus {
	s := &stimulus{rng: newRandom(seed), config: c, dead: make([]bool, c.Streams)}
	s.stag = s.rng.Uint32()
	s.base = s.rng.Uint64() % (^uint64(0) - uint64(8*c.WindowWords)) // any octet: the window may start at an odd TO
	for i := range s.data {
		s.data[i] = byte(s.rng.Uint32())
	}
	return s
}

// pick takes a stream; one that had an error is of little use and is taken rarely.
func (s *stimulus) pick() uint32 {
	for {
		n := uint32(s.rng.IntN(s.config.Streams))
		if !s.dead[n] || s.rng.IntN(16) == 0 {
			return n
		}
	}
}

// next appends a segment to dst.
func (s *stimulus) next(dst []byte) (stream uint32, longer []byte) {
	stream = s.pick()
	s.msn++
	if !s.sound && s.rng.IntN(errorEvery) == 0 {
		dst = s.wrong(dst)
		if !s.dead[stream] {
			s.dead[stream] = true
			s.deaths++
		}
	} else if s.rng.IntN(2) == 0 {
		dst = wire.AppendAtomicRequest(dst, s.msn, s.atomic())
	} else {
		dst = s.other(dst)
	}
	return stream, dst
}

// revive lists the streams that had an error and forgets it.
func (s *stimulus) revive(f func(stream, msn uint32)) {
	for i, dead := range s.dead {
		if dead {
			s.dead[i] = false
			f(uint32(i), s.rng.Uint32())
		}
	}
	s.deaths = 0
}

// mask is nothing, everything, one bit, or anything.
func (s *stimulus) mask() uint64 {
	switch s.rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	case 2:
		return 1 << s.rng.IntN(64)
	}
	return s.rng.Uint64()
}

func (s *stimulus) atomic() wire.AtomicRequest {
	word := uint64(s.rng.IntN(s.config.WindowWords))
	if s.rng.IntN(2) == 0 {
		word &= 1
	}
	r := wire.AtomicRequest{
		Reserved: s.rng.Uint32() >> 4, AOpCode: wire.FetchAdd, RequestIdentifier: s.rng.Uint32(), RemoteSTag: s.stag,
		RemoteTO: s.base + 8*word, Data: s.rng.Uint64(), Mask: s.mask(), CompareData: s.rng.Uint64(), CompareMask: s.mask(),
	}
	switch n := s.rng.IntN(5); {
	case n < 2:
		r.AOpCode = wire.CmpSwap
		if s.rng.IntN(2) == 0 { // few bits compared: it often matches
			r.CompareMask = 1 << s.rng.IntN(64)
		}
	case n == 2 && s.config.Draft00():
		r.AOpCode = wire.Swap
	}
	return r
}

// length is short, around the width of the bus, or anything up to an Ethernet frame's worth.
func (s *stimulus) length() int {
	switch s.rng.IntN(4) {
	case 0:
		return s.rng.IntN(9)
	case 1:
		return s.rng.IntN(3 * s.config.BusBytes)
	}
	return s.rng.IntN(1460)
}

func (s *stimulus) payload() []byte {
	n := s.length()
	at := s.rng.IntN(len(s.data) - n)
	return s.data[at : at+n]
}

var sends = [...]wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv}

func (s *stimulus) other(dst []byte) []byte {
	r := s.rng
	last := r.IntN(2) == 0
	switch r.IntN(8) {
	case 0:
		return wire.AppendWrite(dst, r.Uint32(), r.Uint64(), last, s.payload())
	case 1:
		return wire.AppendReadResponse(dst, r.Uint32(), r.Uint64(), last, s.payload())
	case 2, 3:
		return wire.AppendSend(dst, sends[r.IntN(len(sends))], r.Uint32(), s.msn, r.Uint32(), last, s.payload())
	case 4:
		return wire.AppendReadRequest(dst, s.msn, wire.ReadRequest{DataSinkSTag: r.Uint32(), DataSinkTO: r.Uint64(),
			ReadMessageSize: r.Uint32(), DataSourceSTag: r.Uint32(), DataSourceTO: r.Uint64()})
	case 5:
		return wire.AppendImmediate(dst, last, s.msn, r.Uint64())
	case 6:
		return wire.AppendAtomicResponse(dst, s.msn, wire.AtomicResponse{OriginalRequestIdentifier: r.Uint32(), OriginalRemoteDataValue: r.Uint64()})
	}
	h := wire.UntaggedHeader(wire.OpTerminate, 1, 0)
	return wire.AppendSegment(dst, h, s.data[:4+r.IntN(48)])
}

// wrong makes a segment that is very likely to be refused: a good one with a bad header bit, a bad length or a bad
// operand, or mere noise.
func (s *stimulus) wrong(dst []byte) []byte {
	r := s.rng
	start := len(dst)
	switch r.IntN(6) {
	case 0: // noise of any small length
		n := r.IntN(80)
		return append(dst, s.data[r.IntN(1024):][:n]...)
	case 1: // cut short
		dst = s.other(dst)
		return dst[:start+r.IntN(len(dst)-start)]
	case 2, 3: // a bad control, queue or offset octet
		if r.IntN(2) == 0 {
			dst = s.other(dst)
		} else {
			dst = wire.AppendAtomicRequest(dst, s.msn, s.atomic())
		}
		at := [...]int{0, 0, 1, 1, 6, 9, 9, 14, 17}[r.IntN(9)]
		if start+at < len(dst) {
			dst[start+at] ^= 1 << r.IntN(8)
		}
		return dst
	case 4: // longer or shorter than its header
		dst = wire.AppendAtomicRequest(dst, s.msn, s.atomic())
		if r.IntN(2) == 0 {
			return dst[:len(dst)-1-r.IntN(8)]
		}
		return append(dst, s.data[:1+r.IntN(70)]...)
	}
	a := s.atomic()
	switch r.IntN(5) {
	case 0:
		a.AOpCode = wire.AOpCode(3 + r.IntN(13))
	case 1:
		a.RemoteSTag ^= 1 << r.IntN(32)
	case 2:
		a.RemoteTO = -uint64(1 + r.IntN(7))
	case 3:
		a.RemoteTO = s.base + uint64(8*s.config.WindowWords) - 7 + uint64(r.IntN(16))
	default:
		a.RemoteTO += uint64(1 + r.IntN(7))
	}
	return wire.AppendAtomicRequest(dst, s.msn, a)
}

// Traffic is the random traffic of Run, for those who send it themselves.
type Traffic struct {
	s      *stimulus
	octets []byte
}

// NewTraffic makes the traffic of a seed.
func NewTraffic(c gen.Config, seed uint64) *Traffic { return &Traffic{s: newStimulus(c, seed)} }

// Next is the next segment; it is valid until the call after.
func (t *Traffic) Next() (stream uint32, segment []byte) {
	if t.s.deaths > t.s.config.Streams/2 {
		t.s.revive(func(uint32, uint32) {})
	}
	stream, t.octets = t.s.next(t.octets[:0])
	return stream, t.octets
}
