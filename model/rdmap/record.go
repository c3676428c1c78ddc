package rdmap

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// HeaderOctets is how many octets of a segment a record holds: the longest header, that of an Atomic
// Request.
const HeaderOctets = 70

// Record is what becomes known of a segment that is not executed: valid ones that are somebody else's to
// process, and errors.
type Record struct {
	Stream        uint32
	Rule          spec.Rule          // that it breaks by itself
	SegmentLength int                // octets, at most wire.MaxSegment
	PayloadLength int                // octets of the payload that goes with the record
	Header        [HeaderOctets]byte // the first octets of the segment; zero where it has none
}

// RecordOf gives the record and the payload of a segment as the parser sees it, on a stream without a past:
// rules of the header only. It is the model of the parser alone; every segment has a record, an Atomic Request
// too. The payload shares memory with the segment and is nil when there is none.
func RecordOf(stream uint32, segment []byte) (r Record, payload []byte) {
	s, broken := wire.Classify(segment)
	payload = r.take(stream, segment, &s, broken)
	return r, payload
}

// take fills the record in and gives the payload.
func (r *Record) take(stream uint32, segment []byte, s *wire.Segment, broken spec.Rule) (payload []byte) {
	r.Stream, r.Rule, r.SegmentLength = stream, broken, len(segment)
	copy(r.Header[:], segment)
	if !hasPayload(s, broken) {
		return nil
	}
	r.PayloadLength = len(s.Payload)
	return s.Payload
}

// hasPayload reports whether the octets after the DDP header are payload. They are when the segment's operation is
// known and carries some; operations that are all header have them in the record. Until WrongQueue has been ruled out
// the operation is not known. A Terminate with a later error still delivers its octets, and whoever takes them discards
// them, as he does with everything that has an error.
func hasPayload(s *wire.Segment, broken spec.Rule) bool {
	m, known := s.Header.Opcode.Operation()
	settled := broken == spec.None || broken > spec.WrongQueue
	return settled && known && m.CarriesPayload && len(s.Payload) > 0
}
