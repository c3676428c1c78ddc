package rnic

import (
	"bytes"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// wireEnd is one direction of a stream on the link.
type wireEnd struct {
	within   bool   // in the middle of a message of several segments
	spoil    bool   // a segment of this message is to be spoiled
	requests uint32 // MSN of the next message on queue 1
}

// faults corrupts segments on their way to an end.
type faults struct {
	rand   *rand.Rand
	noise  *rand.Rand // for ignored fields
	rate   float64    // fraction of messages
	config gen.Config
	target layout // memory of the end that the segments go to
	wires  []wireEnd
}

// carry returns the segments that arrive in place of a sent one, and whether they are faulty. In every fourth segment, the fields
// that the receiver ignores are filled with noise.
func (f *faults) carry(stream uint32, segment []byte) (arriving [][]byte, spoiled bool) {
	if f.noise.IntN(4) == 0 {
		segment = disregard(f.config.Protocol(), f.noise, segment)
	}
	if f.rate == 0 {
		return [][]byte{segment}, false
	}
	w, r := &f.wires[stream], f.rand
	view, _ := wire.ClassifyWith(f.config.Protocol(), segment)
	h := view.Header
	if !h.Tagged && h.QueueNumber == wire.QueueRequest {
		w.requests = h.MSN + 1
	}
	if !w.within {
		w.spoil = r.Float64() < f.rate
	}
	first := !w.within
	w.within = !h.Last
	if !w.spoil || !h.Last && r.IntN(3) > 0 {
		return [][]byte{segment}, false
	}
	w.spoil = false
	for list := changesOf(f.config); ; {
		change := list[r.IntN(len(list))]
		if out := change(f, stream, view, segment, first); out != nil {
			return out, true
		}
	}
}

// change corrupts a segment: it returns what arrives instead, or nil if the fault does not apply. first is set if the segment begins a message.
type change func(f *faults, stream uint32, s wire.Segment, octets []byte, first bool) [][]byte

// again reassembles a segment from a header and payload that may have been changed. A Read Response has payload, so that it
// is never valid by chance.
func again(h wire.DDPHeader, payload []byte) [][]byte {
	if h.Opcode.Is(spec.ReadResponse) && len(payload) == 0 {
		payload = []byte{0}
	}
	return [][]byte{wire.AppendSegment(nil, h, payload)}
}

var changes = []change{
	// Malformed: each header field that is checked.
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		s.Header.DV ^= uint8(1 + f.rand.IntN(3))
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		s.Header.RV ^= uint8(1 + f.rand.IntN(3))
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		s.Header.Opcode ^= wire.Opcode(1 + f.rand.IntN(1<<f.config.Protocol().OpcodeBits()-1))
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		if s.Header.Opcode.Is(spec.Tagged) {
			return nil
		}
		octets = bytes.Clone(octets)
		octets[0] ^= 0x80
		return [][]byte{octets}
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		if s.Header.Tagged {
			return nil
		}
		s.Header.QueueNumber ^= 1 << f.rand.IntN(32)
		return again(s.Header, s.Payload)
	},
	// Lengths: truncated anywhere, including in the header; extended.
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		return [][]byte{octets[:f.rand.IntN(len(octets))]}
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		return [][]byte{octets[:f.rand.IntN(min(len(octets), 72))]}
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		return [][]byte{append(bytes.Clone(octets), make([]byte, 1+f.rand.IntN(100))...)}
	},
	// Protection: STag, TO, alignment, operation.
	func(f *faults, stream uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		return f.readdress(s, func(stag *uint32, to *uint64, octets uint64, right memory.Rights) {
			*stag, *to = f.target.wrong(f.rand, stream, *stag, *to, int(min(octets, decoyOctets)), right)
		})
	},
	func(f *faults, stream uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		r := f.rand
		return f.readdress(s, func(stag *uint32, to *uint64, octets uint64, _ memory.Rights) {
			was := *to
			*to = [...]uint64{-uint64(1 + r.IntN(20)), was + areaOctets, was - areaOctets, was ^ 1<<r.IntN(64), was + uint64(1+r.IntN(7))}[r.IntN(5)]
			if !f.target.keeps(stream, *stag, *to, octets) {
				*to = was ^ 1<<63
			}
		})
	},
	func(f *faults, stream uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		var a wire.AtomicRequest
		if !s.Header.Opcode.Is(spec.AtomicRequest) || a.Decode(s.Payload) != nil {
			return nil
		}
		a.AOpCode = wire.AOpCode(1 + f.rand.IntN(15))
		if a.AOpCode.Supported(f.config.Draft00()) {
			a.AOpCode = 3
		}
		return again(s.Header, a.AppendEncode(nil))
	},
	// Queues: MSN, MO, L, duplicated and lost messages.
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		if s.Header.Tagged {
			return nil
		}
		s.Header.MSN += [...]uint32{1, ^uint32(0), 1 << 31, f.rand.Uint32() | 1}[f.rand.IntN(4)]
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		if s.Header.Tagged {
			return nil
		}
		s.Header.MO += [...]uint32{1, ^uint32(0), 1 << 31, 1024}[f.rand.IntN(4)]
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		s.Header.Last = !s.Header.Last
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		if s.Header.Tagged {
			return nil
		}
		return [][]byte{octets, octets}
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		if s.Header.Opcode.Is(spec.ReadResponse) && len(s.Payload) == 0 {
			return nil
		}
		return [][]byte{}
	},
	// A Send that changes its opcode or never ends.
	func(f *faults, _ uint32, s wire.Segment, _ []byte, first bool) [][]byte {
		if !isSend(s.Header.Opcode) || first {
			return nil
		}
		s.Header.Opcode = spec.Send.Opcode() + (s.Header.Opcode-spec.Send.Opcode()+wire.Opcode(1+f.rand.IntN(3)))%4
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
		if !isSend(s.Header.Opcode) || !s.Header.Last {
			return nil
		}
		s.Header.Last = false
		out := again(s.Header, s.Payload)
		s.Header.MO += uint32(len(s.Payload))
		for range 1 + f.rand.IntN(3) {
			_, most := f.target.receiveSlots()
			more := make([]byte, f.rand.IntN(most))
			out = append(out, wire.AppendSegment(nil, s.Header, more))
			s.Header.MO += uint32(len(more))
		}
		return out
	},
	// Responses that do not match.
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		if !s.Header.Opcode.Is(spec.ReadResponse) {
			return nil
		}
		switch f.rand.IntN(3) {
		case 0:
			return again(s.Header, append(bytes.Clone(s.Payload), make([]byte, 1+f.rand.IntN(1000))...))
		case 1:
			s.Header.STag ^= 1 << f.rand.IntN(32)
		default:
			s.Header.TO ^= 1 << f.rand.IntN(64)
		}
		return again(s.Header, s.Payload)
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		if !s.Header.Opcode.Is(spec.Replies) { // the others have no identifier
			return nil
		}
		identifier, payload := identifierOf(s.Header.Opcode), bytes.Clone(s.Payload)
		was, is := identifier.Get(payload)
		if !is {
			return nil
		}
		identifier.Set(payload, was^1<<f.rand.IntN(32))
		return again(s.Header, payload)
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, first bool) [][]byte {
		unasked := wire.AppendReadResponse(nil, 0xFFFFFF00, f.rand.Uint64(), f.rand.IntN(2) == 0, make([]byte, 1+f.rand.IntN(300)))
		return [][]byte{unasked, octets}
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, first bool) [][]byte {
		msn, replies := 1+f.rand.Uint32N(8), spec.Replies.All()
		op := replies[int(msn)%len(replies)]
		row, _ := op.Operation()
		payload := make([]byte, row.FixedLength)
		identifierOf(op).Set(payload, 1<<31)
		return [][]byte{wire.AppendSegment(nil, wire.UntaggedHeader(op, msn, 0), payload), octets}
	},
	// A Terminate, possibly in the middle of a message; garbage.
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		row := spec.TerminateCodes[f.rand.IntN(len(spec.TerminateCodes))]
		t := wire.AppendTerminate(nil, wire.Terminate{Code: row.TerminateCode, LengthValid: f.rand.IntN(2) == 0, HasDDP: f.rand.IntN(2) == 0})
		return [][]byte{t, octets}
	},
	func(f *faults, _ uint32, s wire.Segment, octets []byte, _ bool) [][]byte {
		garbage := make([]byte, f.rand.IntN(300))
		for i := range garbage {
			garbage[i] = byte(f.rand.Uint32())
		}
		if len(garbage) > 1 && garbage[1]&0xF == byte(spec.ReadResponse.Opcode()) {
			garbage[1] ^= 8
		}
		return [][]byte{garbage, octets}
	},
	// More requests than IRD allows.
	func(f *faults, stream uint32, s wire.Segment, octets []byte, first bool) [][]byte {
		w := &f.wires[stream]
		a := f.target.areas[stream][areaAtomic]
		msn := max(1, w.requests)
		out := [][]byte{octets}
		for range f.config.IRD + f.rand.IntN(2*f.config.IRD) {
			out = append(out, wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, ReadMessageSize: 1 + f.rand.Uint32N(64),
				DataSourceSTag: a.stag(), DataSourceTO: a.to(f.rand.IntN(a.octets - 64))}))
			msn++
		}
		w.requests = msn
		return out
	},
}

// identifierOf returns the field of a response on queue 3 that identifies its request.
func identifierOf(op wire.Opcode) wire.Field {
	row, _ := op.Operation()
	return wire.HeaderOf(row).MustField("original_request_identifier")
}

func isSend(op wire.Opcode) bool {
	switch op.Class() {
	case spec.Send, spec.SendInvalidate:
		return true
	}
	return false
}

// readdress changes the address of a Write, Read Request or Atomic Request. edit gets the number of octets accessed and the
// access right required.
func (f *faults) readdress(s wire.Segment, edit func(stag *uint32, to *uint64, octets uint64, right memory.Rights)) [][]byte {
	h := s.Header
	var read wire.ReadRequest
	var atomic wire.AtomicRequest
	switch {
	case h.Opcode.Is(spec.Write):
		edit(&h.STag, &h.TO, uint64(len(s.Payload)), memory.RemoteWrite)
		return again(h, s.Payload)
	case h.Opcode.Is(spec.ReadRequest) && read.Decode(s.Payload) == nil:
		edit(&read.DataSourceSTag, &read.DataSourceTO, uint64(read.ReadMessageSize), memory.RemoteRead)
		return again(h, read.AppendEncode(nil))
	case h.Opcode.Is(spec.AtomicRequest) && atomic.Decode(s.Payload) == nil:
		edit(&atomic.RemoteSTag, &atomic.RemoteTO, memory.WordOctets, memory.RemoteAtomic)
		return again(h, atomic.AppendEncode(nil))
	case isOf(h.Opcode, spec.Committing):
		return readdressSink(s, edit)
	}
	return nil
}
