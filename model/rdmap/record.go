package rdmap

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// HeaderOctets is the number of header octets in a record: the longest header, that of an Atomic Request.
const HeaderOctets = 70

// Record is the parser's output for a segment, valid or not.
type Record struct {
	Stream        uint32
	Rule          spec.Rule          // header rule that it breaks
	SegmentLength int                // octets, at most wire.MaxSegment
	PayloadLength int                // octets of payload delivered with the record
	Header        [HeaderOctets]byte // the first octets of the segment, padded with zeros
}

// RecordOf returns the record and payload of a segment on a stream without state: it checks header rules only. It
// models the parser alone; every segment has a record. The payload shares memory with the segment and is nil if there
// is none.
func RecordOf(stream uint32, segment []byte) (r Record, payload []byte) {
	s, rule := wire.Classify(segment)
	payload = r.take(stream, segment, &s, rule)
	return r, payload
}

// take fills in the record and returns the payload.
func (r *Record) take(stream uint32, segment []byte, s *wire.Segment, rule spec.Rule) (payload []byte) {
	r.Stream, r.Rule, r.SegmentLength = stream, rule, len(segment)
	copy(r.Header[:], segment)
	if !hasPayload(s, rule) {
		return nil
	}
	r.PayloadLength = len(s.Payload)
	return s.Payload
}

// hasPayload reports whether the octets after the DDP header are payload. They are if the operation is known and
// carries payload; operations with only a header have it in the record. The operation is not known until WrongQueue has
// been ruled out. A Terminate with a later error still delivers its octets; the receiver discards them, as for every
// error.
func hasPayload(s *wire.Segment, rule spec.Rule) bool {
	m, known := s.Header.Opcode.Operation()
	settled := rule == spec.None || rule > spec.WrongQueue
	return settled && known && m.CarriesPayload && len(s.Payload) > 0
}
