package wire

import "github.com/rnicgen/rnicgen/model/rdmap/spec"

// Sink names octets of the responder: the first 16 octets of a Flush, Verify or Atomic Write Request,
// draft-talpey-rdma-commit-01 section 3.1.
type Sink struct {
	STag   uint32
	Length uint32 // octets
	TO     uint64 // octets
}

var (
	sinkSTag   = VerifyRequestTable.at32("data_sink_stag")
	sinkLength = VerifyRequestTable.at32("data_sink_length")
	sinkTO     = VerifyRequestTable.at64("data_sink_to")
)

func (s *Sink) decode(b []byte) { *s = Sink{sinkSTag.value(b), sinkLength.value(b), sinkTO.value(b)} }

func (s *Sink) put(b []byte) {
	sinkSTag.put(b, s.STag)
	sinkLength.put(b, s.Length)
	sinkTO.put(b, s.TO)
}

// commitHeader returns the header of a request or response of the extension Commit. invalidate is the Invalidate STag of
// a request, 0 if there is none, and 0 in a response.
func commitHeader(op Opcode, msn, invalidate uint32) DDPHeader {
	m, _ := spec.Commit.Operation(op)
	h := UntaggedHeader(op, msn, 0)
	h.QueueNumber, h.InvalidateSTag = m.Queue, invalidate
	return h
}
