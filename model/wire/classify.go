package wire

// Segment is a DDP segment taken apart: its DDP header and the octets after it.
type Segment struct {
	Header  DDPHeader
	Payload []byte // the octets after the DDP header; shares memory with the segment
}

// Classify decides whether a segment is valid in itself. The first error in the order of Errors is the
// one reported: DDP's checks, then RDMAP's, as the segment climbs the layers. Without ErrNone only the DDP
// header is to be relied on, and with ErrShortHeader not even that.
//
// A segment has at most MaxSegment octets; whether it does is the business of the layer below.
func Classify(segment []byte) (Segment, ErrorKind) {
	s, e := examine(segment)
	return s, e.Kind
}

// Diagnose is Classify for people: an *Error that tells field, value and what is allowed, or nil.
func Diagnose(segment []byte) error {
	if _, e := examine(segment); e.Kind != ErrNone {
		return &e
	}
	return nil
}

func examine(b []byte) (s Segment, e Error) {
	// RFC 5041: the segment has a header of the form that T names, ...
	h := &s.Header
	if e = h.decode(b); e.Kind != ErrNone {
		return s, e
	}
	s.Payload = b[h.Length():]
	ddp := ddpTable(h.Tagged)

	// ... of a version that is spoken here, ...
	if h.DV != DDPVersion {
		return s, wrong(ErrDDPVersion, ddp, "dv", 0, uint64(h.DV), "1")
	}
	// ... and its queue exists.
	if !h.Tagged && h.QueueNumber > QueueMax {
		return s, wrong(ErrQueueNumber, ddp, "queue_number", 0, uint64(h.QueueNumber), "0..3")
	}

	// RFC 5040 section 4.1: version and opcode; the opcode decides T and the queue.
	if h.RV != RDMAPVersion {
		return s, wrong(ErrRDMAPVersion, ddp, "rv", 0, uint64(h.RV), "1")
	}
	m, known := h.Opcode.Message()
	if !known {
		return s, wrong(ErrOpcode, ddp, "opcode", 0, uint64(h.Opcode), "0..11")
	}
	if h.Tagged != m.Tagged {
		return s, wrongT(ddp, m.Tagged)
	}
	if !h.Tagged && h.QueueNumber != m.Queue {
		return s, wrong(ErrQueueMismatch, ddp, "queue_number", 0, uint64(h.QueueNumber), queueName(m.Queue))
	}

	// A request, a response or a Terminate is one segment, so that its Message Offset can only be 0, ...
	if m.ZeroMO && h.MO != 0 {
		return s, wrong(ErrMessageOffset, ddp, "mo", 0, uint64(h.MO), "0")
	}
	// ... and it is as long as its header. Immediate Data has a rule of its own, exactly 8 octets (RFC 7306
	// section 6.3), which covers its Message Offset too (I-07).
	if m.SingleSegment && !h.Last {
		return s, wrong(ErrLength, ddp, "l", 0, 0, "1, the message is one segment")
	}
	if m.SingleSegment && h.MO != 0 {
		return s, wrong(ErrLength, ddp, "mo", 0, uint64(h.MO), "0, the message is one segment")
	}
	if m.FixedLength != 0 && len(s.Payload) != m.FixedLength || len(s.Payload) < m.MinLength {
		return s, wrongLength(ErrLength, m.Header, h.Length(), len(s.Payload), m.Length)
	}
	return s, Error{}
}
