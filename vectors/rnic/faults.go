package rnic

import "github.com/rnicgen/rnicgen/model/wire"

// faults lists all that is wrong with a segment by itself. RFC 5040 and RFC 5041 do not order their checks against each other
// (I-36), so that a design may report any of them.
func faults(segment []byte) (list []wire.ErrorKind) {
	s, kind := wire.Classify(segment)
	if kind == wire.ErrShortHeader {
		return []wire.ErrorKind{kind}
	}
	h := &s.Header
	add := func(kind wire.ErrorKind, wrong bool) {
		if wrong {
			list = append(list, kind)
		}
	}
	m, known := h.Opcode.Message()
	add(wire.ErrDDPVersion, h.DV != wire.DDPVersion)
	add(wire.ErrQueueNumber, !h.Tagged && h.QueueNumber > wire.QueueMax)
	add(wire.ErrRDMAPVersion, h.RV != wire.RDMAPVersion)
	add(wire.ErrOpcode, !known)
	if !known {
		return list
	}
	add(wire.ErrTaggedFlag, h.Tagged != m.Tagged)
	if h.Tagged || m.Tagged {
		return list
	}
	add(wire.ErrQueueMismatch, h.QueueNumber <= wire.QueueMax && h.QueueNumber != m.Queue)
	add(wire.ErrMessageOffset, m.ZeroMO && h.MO != 0)
	add(wire.ErrLength, m.SingleSegment && !h.Last || m.SingleSegment && !m.ZeroMO && h.MO != 0 ||
		m.FixedLength != 0 && len(s.Payload) != m.FixedLength || len(s.Payload) < m.MinLength)
	return list
}
