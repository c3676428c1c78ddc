package wire

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Segment is a decoded DDP segment: its DDP header and the octets after it.
type Segment struct {
	Header  DDPHeader
	Payload []byte // the octets after the DDP header; shares memory with the segment
}

// Classify decides whether a segment is valid by itself. It returns the first rule that the segment breaks: the checks
// of DDP, then those of RDMAP. If it is not spec.None, only the DDP header is meaningful, and with spec.ShortHeader not
// even that.
//
// A segment has at most MaxSegment octets; the layer below must ensure this.
func Classify(segment []byte) (s Segment, broken spec.Rule) { return ClassifyWith(0, segment) }

// ClassifyWith is Classify with extensions.
func ClassifyWith(x spec.Extensions, segment []byte) (s Segment, broken spec.Rule) {
	var e Error
	s.examine(segment, x, &e)
	return s, e.Rule
}

// Diagnose is Classify with a readable result: nil, or an *Error with field, value and what is allowed.
func Diagnose(segment []byte) error { return DiagnoseWith(0, segment) }

// DiagnoseWith is Diagnose with extensions.
func DiagnoseWith(x spec.Extensions, segment []byte) error {
	var s Segment
	var e Error
	if s.examine(segment, x, &e); e.Rule != spec.None {
		return &e
	}
	return nil
}

// knownOpcodes is formatted in advance, because Classify must not allocate.
var knownOpcodes = func() (text [spec.AllExtensions + 1]string) {
	for x := range text {
		text[x] = fmt.Sprintf("0..%d", spec.Extensions(x).Count()-1)
	}
	return text
}()

// examine decodes a segment and stores in e the first rule that it breaks.
func (s *Segment) examine(b []byte, x spec.Extensions, e *Error) {
	// RFC 5041: the segment has a complete header of the form that T selects, ...
	h := &s.Header
	if h.decode(b, x, e); e.Rule != spec.None {
		return
	}
	s.Payload = b[h.Length():]
	ddp := ddpTable(h.Tagged)
	m, known := x.Operation(h.Opcode)
	switch {
	// ... of the supported version, ...
	case h.DV != DDPVersion && h.Tagged:
		*e = wrong(spec.TaggedDDPVersion, ddp, "dv", 0, uint64(h.DV), "1")
	case h.DV != DDPVersion:
		*e = wrong(spec.UntaggedDDPVersion, ddp, "dv", 0, uint64(h.DV), "1")
	// ... and its queue exists.
	case !h.Tagged && h.QueueNumber > QueueMax:
		*e = wrong(spec.NoSuchQueue, ddp, "queue_number", 0, uint64(h.QueueNumber), "0..3")

	// RFC 5040 section 4.1: version and opcode; the opcode determines T and the queue.
	case h.RV != RDMAPVersion:
		*e = wrong(spec.BadRDMAPVersion, ddp, "rv", 0, uint64(h.RV), "1")
	case !known:
		*e = wrong(spec.ReservedOpcode, ddp, "opcode", 0, uint64(h.Opcode), knownOpcodes[x&spec.AllExtensions])
	case h.Tagged != m.Tagged:
		*e = wrongT(ddp, m.Tagged)
	case !h.Tagged && h.QueueNumber != m.Queue:
		*e = wrong(spec.WrongQueue, ddp, "queue_number", 0, uint64(h.QueueNumber), queueName(m.Queue))

	// A request, response or Terminate is a single segment, so its Message Offset must be 0, ...
	case m.ZeroMO && h.MO != 0:
		*e = wrong(spec.MONotZero, ddp, "mo", 0, uint64(h.MO), "0")
	// ... and its length must be that of its header. Immediate Data has its own rule, exactly 8 octets (RFC 7306
	// section 6.3), which also covers its Message Offset (I-07).
	case m.SingleSegment && !h.Last:
		*e = wrong(spec.WrongLength, ddp, "l", 0, 0, "1, the message is a single segment")
	case m.SingleSegment && h.MO != 0:
		*e = wrong(spec.WrongLength, ddp, "mo", 0, uint64(h.MO), "0, the message is a single segment")
	case !m.Fits(len(s.Payload)) && m.Header == "":
		*e = wrongLength(spec.WrongLength, ddp, h.Length(), len(s.Payload), m.Length)
	case !m.Fits(len(s.Payload)):
		*e = wrongLength(spec.WrongLength, HeaderOf(m), h.Length(), len(s.Payload), m.Length)
	}
}
