package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// faults collects the rules that a segment breaks.
type faults []spec.Rule

func (f *faults) add(kind spec.Rule, wrong bool) {
	if wrong {
		*f = append(*f, kind)
	}
}

// Faults lists every rule that the next segment of a stream breaks, in no order. RFC 5040 and RFC 5041 do not order
// their checks, so a design may report any of them (I-36, I-41); Receive reports one.
func (e *Engine) Faults(stream uint32, segment []byte) []spec.Rule {
	s := &e.streams[stream]
	parts, kind := wire.ClassifyWith(e.config.Extensions, segment)
	if kind == spec.ShortHeader {
		return []spec.Rule{kind}
	}
	h, f := &parts.Header, faults{}
	m, known := e.config.Extensions.Operation(h.Opcode)
	f.add(spec.TaggedDDPVersion, h.Tagged && h.DV != wire.DDPVersion)
	f.add(spec.UntaggedDDPVersion, !h.Tagged && h.DV != wire.DDPVersion)
	f.add(spec.NoSuchQueue, !h.Tagged && h.QueueNumber > wire.QueueMax)
	f.add(spec.BadRDMAPVersion, h.RV != wire.RDMAPVersion)
	f.add(spec.ReservedOpcode, !known)
	f.add(spec.WrongTBit, known && h.Tagged != m.Tagged)
	if h.Tagged {
		e.faultsOfTagged(s, &parts, &f)
		return f
	}
	e.faultsOfQueue(s, &parts, &f)
	if !known || m.Tagged {
		return f
	}
	length := !m.Fits(len(parts.Payload))
	f.add(spec.WrongQueue, h.QueueNumber <= wire.QueueMax && h.QueueNumber != m.Queue)
	f.add(spec.WrongLength, length || m.SingleSegment && (!h.Last || !m.ZeroMO && h.MO != 0))
	if length {
		return f
	}
	switch {
	case byRequest[h.Opcode] != nil:
		e.faultsOfRequest(s, &parts, &f)
	case byReply[h.Opcode] != nil:
		e.faultsOfReply(s, &parts, &f)
	case h.Opcode.Is(spec.SendInvalidate):
		if h.Last && !e.table.MayInvalidate(s.peer, h.InvalidateSTag) {
			f.add(spec.CannotInvalidate, true)
			f = append(f, rules(&requestRules, e.table.FaultsOfSTag(s.peer, h.InvalidateSTag, memory.Invalidate))...) // the cause, for I-44
		}
	}
	return f
}

// Ahead reports whether DDP may accept a segment that is not the next (RFC 5041 section 7.1, I-37, I-84): one of a
// later message with a buffer, or one further ahead in the current message. It returns the placement of its payload.
func (e *Engine) Ahead(stream uint32, segment []byte) (address uint64, octets int, ahead bool) {
	s := &e.streams[stream]
	parts, kind := wire.ClassifyWith(e.config.Extensions, segment)
	h := &parts.Header
	if kind != spec.None || h.Tagged {
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
	address, fault := e.table.Check(s.peer, r.Buffer.STag, r.Buffer.TO+uint64(h.MO), uint64(len(parts.Payload)), memory.LocalWrite)
	return address, len(parts.Payload), fault == memory.Granted
}

// faultsOfTagged adds the faults of a tagged segment: RFC 5041 section 7.1, and those of a Read Response.
func (e *Engine) faultsOfTagged(s *endpoint, parts *wire.Segment, f *faults) {
	h, octets, right := &parts.Header, uint64(len(parts.Payload)), memory.RemoteWrite
	if h.Opcode == wire.OpReadResponse {
		right = memory.LocalWrite
		if s.outstanding.len() == 0 || s.work.at(*s.outstanding.front()).Opcode != wire.OpReadRequest {
			f.add(spec.UnexpectedResponse, true)
		} else {
			w := s.work.at(*s.outstanding.front())
			missing := uint64(w.Length - w.octets)
			f.add(spec.ReadTooLong, octets > missing)
			f.add(spec.WrongReadLast, h.Last != (octets == missing))
			f.add(spec.WrongSinkSTag, octets > 0 && h.STag != w.Local.STag)
			f.add(spec.WrongSinkTO, octets > 0 && h.TO != w.Local.TO+uint64(w.octets))
		}
		f.add(spec.Interleaved, !s.inReadResponse && (s.inSend || s.inWrite))
	}
	*f = append(*f, rules(&taggedRules, e.table.Faults(s.peer, h.STag, h.TO, octets, right))...)
}

// faultsOfQueue adds the faults of the queue of an untagged segment, RFC 5041 section 7.1.
func (e *Engine) faultsOfQueue(s *endpoint, parts *wire.Segment, f *faults) {
	h := &parts.Header
	if h.QueueNumber > wire.QueueMax {
		return
	}
	f.add(spec.MSNOutOfRange, h.MSN != s.expected[h.QueueNumber])
	switch h.QueueNumber {
	case wire.QueueSend:
		f.add(spec.WrongMO, h.MO != s.octets)
		f.add(spec.OpcodeChanges, s.inSend && h.MSN == s.expected[wire.QueueSend] && h.Opcode != s.opcode)
		f.add(spec.Interleaved, !s.inSend && (s.inWrite || s.inReadResponse))
		if f.add(spec.NoReceiveBuffer, s.receives.len() == 0); s.receives.len() == 0 || h.Opcode == wire.OpImmediate || h.Opcode == wire.OpImmediateSE {
			return
		}
		r := s.receives.front()
		f.add(spec.MessageTooLong, uint64(h.MO)+uint64(len(parts.Payload)) > uint64(r.Length))
		_, fault := e.table.Check(s.peer, r.Buffer.STag, r.Buffer.TO+uint64(h.MO), uint64(len(parts.Payload)), memory.LocalWrite)
		f.add(spec.Local, fault != memory.Granted)
	case wire.QueueRequest:
		f.add(spec.MONotZero, h.MO != 0)
		f.add(spec.IRDExceeded, s.requests.len() >= e.config.IRD)
	case wire.QueueTerminate:
		f.add(spec.MONotZero, h.MO != 0)
	case wire.QueueAtomicResponse:
		f.add(spec.MONotZero, h.MO != 0)
		f.add(spec.NoAtomicOutstanding, s.outstanding.len() == 0)
	}
}

// faultsOfRequest adds the faults of a request: RFC 5040 section 7.2, RFC 7306 section 8.2.
func (e *Engine) faultsOfRequest(s *endpoint, parts *wire.Segment, f *faults) {
	o := byRequest[parts.Header.Opcode]
	if rule := o.checkRequest(e, parts.Payload); rule != spec.None {
		f.add(rule, true)
	}
	t := o.names(parts.Payload)
	faults := e.table.Faults
	if t.named {
		faults = e.table.FaultsNamed
	}
	*f = append(*f, rules(&requestRules, faults(s.peer, t.stag, t.to, t.octets, t.right))...)
	if address, is := e.table.Address(t.stag, t.to); is {
		region, _ := e.table.Named(t.stag)
		if rule := o.checkTarget(parts.Payload, address, region); rule != spec.None {
			f.add(rule, true)
		}
	}
	f.add(spec.CannotInvalidate, !e.mayInvalidate(s, &parts.Header))
}

// faultsOfReply adds the faults of a response on queue 3 other than those of the queue: RFC 7306 section 5.2.2.
func (e *Engine) faultsOfReply(s *endpoint, parts *wire.Segment, f *faults) {
	f.add(spec.Interleaved, s.incomplete())
	if s.outstanding.len() == 0 {
		return
	}
	w, o := s.work.at(*s.outstanding.front()), byReply[parts.Header.Opcode]
	if w.Opcode != o.row.Opcode {
		f.add(spec.UnexpectedResponse, true)
		return
	}
	_, rule := o.reply(w, parts.Payload)
	f.add(rule, rule != spec.None)
	buffer, _ := o.lengths(&w.WorkRequest)
	_, fault := e.table.Check(s.peer, w.Local.STag, w.Local.TO, uint64(buffer), memory.LocalWrite)
	f.add(spec.Local, fault != memory.Granted)
}
