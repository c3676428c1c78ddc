package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// request is a request of the peer that has not been answered.
type request struct {
	msn     uint32
	address uint64 // memory address of its target
	target
	operation
	header wire.DDPHeader
	region memory.Region // of a named target, as it was on arrival
	begun  bool          // the platform has been asked for this Flush
	length int           // octets of body
	body   [mostBody]byte
}

// mostBody is the length of the longest request header, in octets.
const mostBody = 52

func (r *request) payload() []byte { return r.body[:r.length] }

// takeRequest queues a request received on QN 1: RFC 5040 section 5.2, RFC 7306 section 5.2.1,
// draft-talpey-rdma-commit-01 section 5.2, with the checks in the order of I-53.
func (e *Engine) takeRequest(s *endpoint, parts *wire.Segment) spec.Rule {
	h := &parts.Header
	if h.MSN != s.expected[wire.QueueRequest] {
		return spec.MSNOutOfRange
	}
	if s.requests.len() >= e.config.IRD {
		return spec.IRDExceeded
	}
	if e.config.RefuseInside && s.incomplete() {
		return spec.Interleaved
	}
	o := byRequest[h.Opcode]
	if rule := o.checkRequest(e, parts.Payload); rule != spec.None {
		return rule
	}
	r := request{msn: h.MSN, header: *h, operation: o.operation, target: o.names(parts.Payload)}
	address, fault := uint64(0), memory.Granted
	if r.named || r.octets > 0 {
		address, fault = e.table.CheckNamed(s.peer, r.stag, r.to, r.octets, r.right)
	}
	if r.named {
		r.region, _ = e.table.Named(r.stag)
	}
	if fault != memory.Granted {
		return requestRules[fault]
	}
	if rule := o.checkTarget(parts.Payload, address, r.region); rule != spec.None {
		return rule
	}
	if !e.mayInvalidate(s, h) {
		return spec.CannotInvalidate
	}
	r.address, r.length = address, copy(r.body[:], parts.Payload)
	s.requests.push(r)
	s.expected[wire.QueueRequest]++
	if s.incomplete() {
		s.waiting++
	}
	return spec.None
}

// incomplete reports whether a message of several segments is incomplete. A request received meanwhile is not Delivered
// before that message, and not processed before it is Delivered: RFC 7306 section 5.4, rules 3 and 5, and section 7;
// for Reads RFC 5040 section 5.5 (I-77).
func (s *endpoint) incomplete() bool { return s.inSend || s.inWrite || s.inReadResponse }

// Incomplete reports the same for a stream.
func (e *Engine) Incomplete(stream uint32) bool { return e.streams[stream].incomplete() }

// release allows waiting requests to execute once no message is incomplete.
func (s *endpoint) release() {
	if !s.incomplete() {
		s.waiting = 0
	}
}

// Queued returns the number of requests queued for a stream, and how many of these, the latest, wait for the rest of a
// message.
func (e *Engine) Queued(stream uint32) (requests, waiting int) {
	s := &e.streams[stream]
	return s.requests.len(), s.waiting
}

// ExecutedKind is the kind of item that Execute took from a stream's queue.
type ExecutedKind uint8

const (
	ExecutedRequest   ExecutedKind = iota // for an Atomic, Address to ResponseMSN hold the result
	ExecutedTerminate                     // the stream's Terminate, its last segment
	ExecutedShut                          // the end of a stream without a Terminate
)

// Executed describes one item of a stream's queue that has taken effect.
type Executed struct {
	Stream     uint32
	Kind       ExecutedKind
	Request    wire.Opcode // of a request
	RequestMSN uint32

	// For an Atomic Operation; Address and ResponseMSN also for Flush, Verify and Atomic Write.
	Address     uint64 // in memory
	Opcode      wire.AOpCode
	Original    uint64 // word before, also of an Atomic Write
	Result      uint64 // word after, also of an Atomic Write
	ResponseMSN uint32

	// For the end of a stream: the rule broken by a failed request; and, if a segment or Fail had already ended the
	// stream, the Terminate that would have reported the request. In such a race the peer may receive either.
	Error   spec.Rule
	Instead []byte
}

// Execute processes the oldest queued item of a stream: a request of the peer or, after all requests, the Terminate. It
// returns the segments to send and the result; nil if nothing is queued or the request waits for the rest of a message.
// Both are valid until the next Execute or Transmit.
//
// A request whose STag has been invalidated since its reception is not executed, nor is any later one: the stream ends
// with a Terminate in its place, or with the one already queued. The same applies to a memory error; the segments of a
// Read Response before the failure are still sent.
func (e *Engine) Execute(stream uint32) ([][]byte, *Executed) {
	e.begin()
	s := &e.streams[stream]
	e.executed = Executed{Stream: stream}
	if s.waiting > 0 && s.waiting == s.requests.len() {
		return nil, nil
	}
	if s.requests.len() == 0 {
		if s.last == nil {
			return nil, nil
		}
		e.finish(s)
		return e.segments, &e.executed
	}
	r := s.requests.pop()
	e.executed.Request, e.executed.RequestMSN = r.header.Opcode, r.msn
	if rule := e.perform(s, r); rule != spec.None {
		e.failRequest(s, r, rule)
	}
	return e.segments, &e.executed
}

// perform executes a request that has its turn. Its STags may have been invalidated while it waited; those of a request
// that is being executed matter no longer (I-56).
func (e *Engine) perform(s *endpoint, r *request) spec.Rule {
	if r.begun {
		return r.execute(e, s, r)
	}
	if !e.valid(r) {
		return spec.RequestSTag
	}
	if !e.mayInvalidate(s, &r.header) {
		return spec.CannotInvalidate
	}
	return r.execute(e, s, r)
}

// Is reports whether x is a request of one of the classes.
func (x *Executed) Is(c spec.Class) bool {
	return x.Kind == ExecutedRequest && spec.AllExtensions.Is(x.Request, c)
}

// valid reports whether the STag of a request is still valid. A Read Request of 0 octets needs none.
func (e *Engine) valid(r *request) bool {
	return r.octets == 0 && !r.named || e.table.Known(r.stag)
}
