package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// request is one of the peer that is not answered yet.
type request struct {
	msn     uint32
	address uint64 // in memory of what it names
	target
	operation
	opcode wire.Opcode
	length int // octets of body
	body   [mostBody]byte
}

// mostBody is the longest header of a request.
const mostBody = 52

func (r *request) payload() []byte { return r.body[:r.length] }

// takeRequest queues a request of QN 1, RFC 5040 section 5.2 and RFC 7306 section 5.2.1.
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
	if broken := o.breaks(e, parts.Payload); broken != spec.None {
		return broken
	}
	r := request{msn: h.MSN, opcode: h.Opcode, operation: o.operation, target: o.names(parts.Payload)}
	address, fault := e.table.Check(s.peer, r.stag, r.to, r.octets, o.right)
	if fault != memory.Granted {
		return ofRequest[fault]
	}
	if broken := o.misfits(address); broken != spec.None {
		return broken
	}
	r.address, r.length = address, copy(r.body[:], parts.Payload)
	s.requests.push(r)
	s.expected[wire.QueueRequest]++
	if s.incomplete() {
		s.waiting++
	}
	return spec.None
}

// incomplete reports whether a message of several segments has begun and not ended. A request that comes then is not
// Delivered before that message is, and not processed before it is Delivered: RFC 7306 section 5.4, rules 3 and 5, and
// section 7; for Reads RFC 5040 section 5.5 (I-77).
func (s *endpoint) incomplete() bool { return s.begun || s.writing || s.answering }

// Incomplete tells the same of a stream.
func (e *Engine) Incomplete(stream uint32) bool { return e.streams[stream].incomplete() }

// release lets the requests that wait be executed, when no message is incomplete any more.
func (s *endpoint) release() {
	if !s.incomplete() {
		s.waiting = 0
	}
}

// Queued is how many requests are queued for a stream, and how many of these, the latest ones, wait for the rest of a message.
func (e *Engine) Queued(stream uint32) (requests, waiting int) {
	s := &e.streams[stream]
	return s.requests.len(), s.waiting
}

// ExecutedKind tells what Execute took from the queue of a stream.
type ExecutedKind uint8

const (
	ExecutedRequest   ExecutedKind = iota // of an Atomic, Address to ResponseMSN say how
	ExecutedTerminate                     // the stream's Terminate, its last segment
	ExecutedShut                          // the end of a stream that sends no Terminate
)

// Executed is one item of a stream's queue that took effect.
type Executed struct {
	Stream     uint32
	Kind       ExecutedKind
	Request    wire.Opcode // of a request
	RequestMSN uint32

	// Of an Atomic Operation.
	Address     uint64 // in memory
	Opcode      wire.AOpCode
	Original    uint64 // word before it
	Result      uint64 // word after it
	ResponseMSN uint32

	// Of the end of a stream: why, if it is a request that failed; and, if a segment or Fail has ended the stream before, the
	// Terminate that would have told of the request. Where the two raced, the peer may get either.
	Error   spec.Rule
	Instead []byte
}

// Execute answers the oldest item that is queued for a stream: a request of the peer, or, behind all of them, the
// Terminate. It gives the segments that leave, and what happened; nil when nothing is queued, or what is waits for the rest
// of a message. Both are good until the next Execute or Transmit.
//
// A request whose STag has become invalid since it was received is not executed, nor is any behind it: the stream ends
// with a Terminate in its place, or with the one that is queued for it already. So it is when memory fails; the segments
// of a Read Response before the failure have left then.
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
	e.executed.Request, e.executed.RequestMSN = r.opcode, r.msn
	kind := spec.RequestSTag
	if e.valid(r) {
		kind = r.execute(e, s, r)
	}
	if kind != spec.None {
		e.failRequest(s, kind)
	}
	return e.segments, &e.executed
}

// Is reports whether it is a request of one of the classes.
func (x *Executed) Is(c spec.Class) bool { return x.Kind == ExecutedRequest && x.Request.Is(c) }

// valid reports whether the STag of a request is still valid. One that reaches no memory needs none.
func (e *Engine) valid(r *request) bool { return r.octets == 0 || e.table.Known(r.stag) }
