package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// HeaderOctets is how many octets of a segment a record holds: the longest header, that of an Atomic
// Request.
const HeaderOctets = 70

// Record is what becomes known of a segment that is not executed: valid ones that are somebody else's to
// process, and errors.
type Record struct {
	Stream        uint32
	Error         wire.ErrorKind
	Term          wire.TerminateCode // zero when the error has no Terminate
	SegmentLength int                // octets, at most wire.MaxSegment
	PayloadLength int                // octets of the payload that goes with the record
	Header        [HeaderOctets]byte // the first octets of the segment; zero where it has none
}

// RecordOf gives the record and the payload of a segment as the parser sees it, on a stream without a past:
// errors 1 to 9 only. It is the model of the parser alone; every segment has a record, an Atomic Request
// too. The payload shares memory with the segment and is nil when there is none.
func RecordOf(stream uint32, segment []byte) (r Record, payload []byte) {
	s, kind := wire.Classify(segment)
	payload = r.take(stream, segment, &s, kind)
	return r, payload
}

// take fills the record in and gives the payload.
func (r *Record) take(stream uint32, segment []byte, s *wire.Segment, kind wire.ErrorKind) (payload []byte) {
	r.Stream, r.Error, r.SegmentLength = stream, kind, len(segment)
	r.Term, _ = kind.Terminate(s.Header.Tagged)
	copy(r.Header[:], segment)
	if !hasPayload(s, kind) {
		return nil
	}
	r.PayloadLength = len(s.Payload)
	return s.Payload
}

// hasPayload tells whether the octets after the DDP header are payload. They are when the segment's kind is
// known and carries some; kinds that are all header have them in the record. Until ErrQueueMismatch has been
// ruled out the kind is not known. A Terminate with a later error still delivers its octets, and whoever
// takes them discards them, as he does with everything that has an error.
func hasPayload(s *wire.Segment, kind wire.ErrorKind) bool {
	m, known := s.Header.Opcode.Message()
	settled := kind == wire.ErrNone || kind > wire.ErrQueueMismatch
	return settled && known && m.CarriesPayload && len(s.Payload) > 0
}
