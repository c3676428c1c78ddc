package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// faults collects what is wrong with a segment.
type faults []wire.ErrorKind

func (f *faults) add(kind wire.ErrorKind, wrong bool) {
	if wrong {
		*f = append(*f, kind)
	}
}

// Faults lists all that is wrong with the next segment of a stream, in no order. RFC 5040 and RFC 5041 do not order their checks, so
// that a design may report any of them (I-36, I-41); Receive reports one.
func (e *Engine) Faults(stream uint32, segment []byte) []wire.ErrorKind {
	s := &e.streams[stream]
	parts, kind := wire.Classify(segment)
	if kind == wire.ErrShortHeader {
		return []wire.ErrorKind{kind}
	}
	h, f := &parts.Header, faults{}
	m, known := h.Opcode.Message()
	f.add(wire.ErrDDPVersion, h.DV != wire.DDPVersion)
	f.add(wire.ErrQueueNumber, !h.Tagged && h.QueueNumber > wire.QueueMax)
	f.add(wire.ErrRDMAPVersion, h.RV != wire.RDMAPVersion)
	f.add(wire.ErrOpcode, !known)
	f.add(wire.ErrTaggedFlag, known && h.Tagged != m.Tagged)
	if h.Tagged {
		e.faultsOfTagged(s, &parts, &f)
		return f
	}
	e.faultsOfQueue(s, &parts, &f)
	if !known || m.Tagged {
		return f
	}
	length := m.FixedLength != 0 && len(parts.Payload) != m.FixedLength || len(parts.Payload) < m.MinLength
	f.add(wire.ErrQueueMismatch, h.QueueNumber <= wire.QueueMax && h.QueueNumber != m.Queue)
	f.add(wire.ErrLength, length || m.SingleSegment && (!h.Last || !m.ZeroMO && h.MO != 0))
	if length {
		return f
	}
	switch h.Opcode {
	case wire.OpReadRequest, wire.OpAtomicRequest:
		e.faultsOfRequest(s, &parts, &f)
	case wire.OpAtomicResponse:
		e.faultsOfAtomicResponse(s, &parts, &f)
	case wire.OpTerminate, wire.OpImmediate, wire.OpImmediateSE:
	default:
		if h.Last && (h.Opcode == wire.OpSendInv || h.Opcode == wire.OpSendSEInv) && !e.table.MayInvalidate(s.peer, h.InvalidateSTag) {
			f.add(wire.ErrInvalidate, true)
			f = append(f, e.table.FaultsOfSTag(s.peer, h.InvalidateSTag, memory.Invalidate)...) // why, for I-44
		}
	}
	return f
}

// Ahead tells whether a segment is one that DDP may take although it is not the next (RFC 5041 section 7.1, I-37, I-84): of a later
// message for which there is a buffer, or further on in its own. It gives the place of its payload.
func (e *Engine) Ahead(stream uint32, segment []byte) (address uint64, octets int, ahead bool) {
	s := &e.streams[stream]
	parts, kind := wire.Classify(segment)
	h := &parts.Header
	if kind != wire.ErrNone || h.Tagged {
		return 0, 0, false
	}
	later := h.MSN - s.expected[h.QueueNumber] // messages
	switch h.QueueNumber {
	case wire.QueueRequest:
		return 0, 0, later > 0 && uint64(later) < uint64(e.config.IRD-s.requests.len())
	case wire.QueueAtomicResponse:
		return 0, 0, later > 0 && uint64(later) < uint64(s.outstanding.len())
	case wire.QueueTerminate:
		return 0, 0, false
	}
	if uint64(later) >= uint64(s.receives.len()) || later == 0 && h.MO <= s.octets {
		return 0, 0, false
	}
	r := s.receives.at(s.receives.first + uint64(later))
	if uint64(h.MO)+uint64(len(parts.Payload)) > uint64(r.Length) {
		return 0, 0, false
	}
	if h.Opcode == wire.OpImmediate || h.Opcode == wire.OpImmediateSE {
		return 0, 0, true
	}
	address, kind = e.table.Check(s.peer, r.Buffer.STag, r.Buffer.TO+uint64(h.MO), uint64(len(parts.Payload)), memory.LocalWrite)
	return address, len(parts.Payload), kind == wire.ErrNone
}

// faultsOfTagged are those of RFC 5041 section 7.1, and of a Read Response.
func (e *Engine) faultsOfTagged(s *endpoint, parts *wire.Segment, f *faults) {
	h, octets, right := &parts.Header, uint64(len(parts.Payload)), memory.RemoteWrite
	if h.Opcode == wire.OpReadResponse {
		right = memory.LocalWrite
		if s.outstanding.len() == 0 || s.work.at(*s.outstanding.front()).Opcode != wire.OpReadRequest {
			f.add(wire.ErrResponse, true)
		} else {
			w := s.work.at(*s.outstanding.front())
			missing := uint64(w.Length - w.octets)
			f.add(wire.ErrReadTooLong, octets > missing)
			f.add(wire.ErrReadLast, h.Last != (octets == missing))
			f.add(wire.ErrSinkSTag, octets > 0 && h.STag != w.Local.STag)
			f.add(wire.ErrSinkTO, octets > 0 && h.TO != w.Local.TO+uint64(w.octets))
		}
		f.add(wire.ErrInterleaved, !s.answering && (s.begun || s.writing))
	}
	*f = append(*f, e.table.Faults(s.peer, h.STag, h.TO, octets, right)...)
}

// faultsOfQueue are those of the queue that an untagged segment names, RFC 5041 section 7.1.
func (e *Engine) faultsOfQueue(s *endpoint, parts *wire.Segment, f *faults) {
	h := &parts.Header
	if h.QueueNumber > wire.QueueMax {
		return
	}
	f.add(wire.ErrMSN, h.MSN != s.expected[h.QueueNumber])
	switch h.QueueNumber {
	case wire.QueueSend:
		f.add(wire.ErrSendOffset, h.MO != s.octets)
		f.add(wire.ErrSendOpcode, s.begun && h.MSN == s.expected[wire.QueueSend] && h.Opcode != s.opcode)
		f.add(wire.ErrInterleaved, !s.begun && (s.writing || s.answering))
		if f.add(wire.ErrNoBuffer, s.receives.len() == 0); s.receives.len() == 0 || h.Opcode == wire.OpImmediate || h.Opcode == wire.OpImmediateSE {
			return
		}
		r := s.receives.front()
		f.add(wire.ErrMessageTooLong, uint64(h.MO)+uint64(len(parts.Payload)) > uint64(r.Length))
		_, kind := e.table.Check(s.peer, r.Buffer.STag, r.Buffer.TO+uint64(h.MO), uint64(len(parts.Payload)), memory.LocalWrite)
		f.add(wire.ErrLocal, kind != wire.ErrNone)
	case wire.QueueRequest:
		f.add(wire.ErrMessageOffset, h.MO != 0)
		f.add(wire.ErrIRD, s.requests.len() >= e.config.IRD)
	case wire.QueueTerminate:
		f.add(wire.ErrMessageOffset, h.MO != 0)
	case wire.QueueAtomicResponse:
		f.add(wire.ErrMessageOffset, h.MO != 0)
		f.add(wire.ErrNoRequest, s.outstanding.len() == 0)
	}
}

// faultsOfRequest are those of a Read or Atomic Request: RFC 5040 section 7.2, RFC 7306 section 8.2.
func (e *Engine) faultsOfRequest(s *endpoint, parts *wire.Segment, f *faults) {
	if parts.Header.Opcode == wire.OpReadRequest {
		var r wire.ReadRequest
		_ = r.Decode(parts.Payload) // the length is right
		*f = append(*f, e.table.Faults(s.peer, r.DataSourceSTag, r.DataSourceTO, uint64(r.ReadMessageSize), memory.RemoteRead)...)
		return
	}
	var r wire.AtomicRequest
	_ = r.Decode(parts.Payload)
	f.add(wire.ErrAtomicOpcode, !r.AOpCode.Supported(e.config.Draft00))
	*f = append(*f, e.table.Faults(s.peer, r.RemoteSTag, r.RemoteTO, memory.WordOctets, memory.RemoteAtomic)...)
	f.add(wire.ErrAlignment, e.table.Misaligned(r.RemoteSTag, r.RemoteTO))
}

// faultsOfAtomicResponse are those beyond its queue's: RFC 7306 section 5.2.2.
func (e *Engine) faultsOfAtomicResponse(s *endpoint, parts *wire.Segment, f *faults) {
	f.add(wire.ErrInterleaved, s.incomplete())
	if s.outstanding.len() == 0 {
		return
	}
	w := s.work.at(*s.outstanding.front())
	if w.Opcode != wire.OpAtomicRequest {
		f.add(wire.ErrResponse, true)
		return
	}
	var r wire.AtomicResponse
	_ = r.Decode(parts.Payload)
	f.add(wire.ErrIdentifier, r.OriginalRequestIdentifier != w.msn)
	_, kind := e.table.Check(s.peer, w.Local.STag, w.Local.TO, memory.WordOctets, memory.LocalWrite)
	f.add(wire.ErrLocal, kind != wire.ErrNone)
}
