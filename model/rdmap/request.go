package rdmap

import (
	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// request is a Read Request or Atomic Request of the peer that is not answered yet.
type request struct {
	msn     uint32
	address uint64 // of the source or target in memory
	isRead  bool
	read    wire.ReadRequest
	atomic  wire.AtomicRequest
}

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
	r := request{msn: h.MSN, isRead: h.Opcode == wire.OpReadRequest}
	var broken spec.Rule
	if r.isRead {
		_ = r.read.Decode(parts.Payload) // the length is right
		var fault memory.Fault
		r.address, fault = e.table.Check(s.peer, r.read.DataSourceSTag, r.read.DataSourceTO, uint64(r.read.ReadMessageSize), memory.RemoteRead)
		broken = ofRequest[fault]
	} else {
		_ = r.atomic.Decode(parts.Payload)
		r.address, broken = e.admit(s, &r.atomic)
	}
	if broken != spec.None {
		return broken
	}
	s.requests.push(r)
	s.expected[wire.QueueRequest]++
	if s.incomplete() {
		s.waiting++
	}
	return spec.None
}

// incomplete tells whether a message of several segments has begun and not ended. A request that comes then is not Delivered
// before that message is, and not processed before it is Delivered: RFC 7306 section 5.4, rules 3 and 5, and section 7; for Reads
// RFC 5040 section 5.5 (I-77).
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

// admit checks an Atomic Request: an operation that is executed here (RFC 7306 section 5.2.1, item 4), memory that the
// peer may use so, and an aligned address (RFC 7306 section 8.2, I-05).
func (e *Engine) admit(s *endpoint, r *wire.AtomicRequest) (address uint64, broken spec.Rule) {
	if !r.AOpCode.Supported(e.config.Draft00) {
		return 0, spec.AOpCodeNotSupported
	}
	address, fault := e.table.Check(s.peer, r.RemoteSTag, r.RemoteTO, memory.WordOctets, memory.RemoteAtomic)
	if fault == memory.Granted && address%memory.WordOctets != 0 {
		return address, spec.Misaligned
	}
	return address, ofRequest[fault]
}

// ExecutedKind tells what Execute took from the queue of a stream.
type ExecutedKind uint8

const (
	ExecutedRead      ExecutedKind = iota
	ExecutedAtomic                 // Address to ResponseMSN say how
	ExecutedTerminate              // the stream's Terminate, its last segment
	ExecutedShut                   // the end of a stream that sends no Terminate
)

// Executed is one item of a stream's queue that took effect.
type Executed struct {
	Stream     uint32
	Kind       ExecutedKind
	RequestMSN uint32 // of the Read or Atomic Request

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
	e.executed.RequestMSN = r.msn
	kind := spec.RequestSTag
	switch {
	case !e.valid(r):
	case r.isRead:
		e.executed.Kind = ExecutedRead
		kind = e.executeRead(s, r)
	default:
		e.executed.Kind = ExecutedAtomic
		kind = e.executeAtomic(s, r)
	}
	if kind != spec.None {
		e.failRequest(s, kind)
	}
	return e.segments, &e.executed
}

// valid tells whether the STag of a request is still valid. A Read of no octets needs none.
func (e *Engine) valid(r *request) bool {
	if r.isRead {
		return r.read.ReadMessageSize == 0 || e.table.Known(r.read.DataSourceSTag)
	}
	return e.table.Known(r.atomic.RemoteSTag)
}

// executeRead generates a Read Response, RFC 5040 section 5.2.
func (e *Engine) executeRead(s *endpoint, r *request) spec.Rule {
	for offset, left := uint64(0), int(r.read.ReadMessageSize); ; {
		n := min(left, e.config.MaxPayload)
		left -= n
		h := wire.TaggedHeader(wire.OpReadResponse, r.read.DataSinkSTag, r.read.DataSinkTO+offset, left == 0)
		if !e.emitData(s, &h, r.address+offset, n) {
			return spec.Local
		}
		offset += uint64(n)
		if left == 0 {
			e.counters.ReadsExecuted++
			return spec.None
		}
	}
}

// executeAtomic performs an Atomic Operation and answers it, RFC 7306 sections 5.1 and 5.2.2. The word is a number in
// the byte order of the memory (section 5.1.1).
func (e *Engine) executeAtomic(s *endpoint, r *request) spec.Rule {
	a := &r.atomic
	if !e.readable(s, r.address, memory.WordOctets) {
		return spec.Local
	}
	original := e.space.Word(r.address)
	result := atomic.Execute(a.AOpCode, original, a.Data, a.Mask, a.CompareData, a.CompareMask)
	if e.WriteError != nil && e.WriteError(s.peer.Stream, r.address, memory.WordOctets) {
		return spec.Local
	}
	e.space.SetWord(r.address, result)
	e.counters.AtomicsExecuted++

	x := &e.executed
	x.Address, x.Opcode, x.Original, x.Result, x.ResponseMSN = r.address, a.AOpCode, original, result, s.sent[wire.QueueAtomicResponse]
	start := len(e.tx)
	e.tx = wire.AppendAtomicResponse(e.tx, x.ResponseMSN, wire.AtomicResponse{
		OriginalRequestIdentifier: a.RequestIdentifier,
		OriginalRemoteDataValue:   original,
	})
	e.emit(start)
	s.sent[wire.QueueAtomicResponse]++
	return spec.None
}
