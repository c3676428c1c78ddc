package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What the executors of the extension Commit share: draft-talpey-rdma-commit-01.

// CommitConfig configures the extension Commit.
type CommitConfig struct {
	Platform  memory.PlatformConfig
	HostOrder bool // an Atomic Write stores an integer as an Atomic does, not the octets of the wire (I-19)
	Strict    bool // later RDMA Writes, Sends and Immediate Data do not pass a Flush, section 3.2.2 (I-59): see Held
}

// Platform returns what lies behind the node's memory; nil without the extension Commit.
func (e *Engine) Platform() *memory.Platform { return e.platform }

// Held reports whether a segment of a stream must wait, with Strict: it is of an RDMA Write, Send or Immediate Data, and a
// Flush before it has not been executed. The caller receives it after the Flush. A Flush that itself waits for the rest of
// a message (I-77) holds nothing, or that rest would never arrive; a segment in error is not held.
func (e *Engine) Held(stream uint32, segment []byte) bool {
	s := &e.streams[stream]
	parts, rule := wire.ClassifyWith(e.config.Extensions, segment)
	if !e.config.Commit.Strict || rule != spec.None || !parts.Header.Opcode.Is(spec.Write|spec.Receives) {
		return false
	}
	for n := s.requests.first; n != s.requests.next-uint64(s.waiting); n++ {
		if s.requests.at(n).header.Opcode == wire.OpFlushRequest {
			return true
		}
	}
	return false
}

// NextFlush returns the octets that the stream's oldest request asks the platform to flush; false if it is none, waits for
// the rest of a message, or fails before.
func (e *Engine) NextFlush(stream uint32) (address, octets uint64, region memory.Region, flags wire.Disposition, is bool) {
	s := &e.streams[stream]
	if s.requests.len() == s.waiting {
		return
	}
	r := s.requests.front()
	if !e.config.Extensions.Is(r.header.Opcode, spec.FlushRequest) || r.octets == 0 || !r.begun && (!e.valid(r) || !e.mayInvalidate(s, &r.header)) {
		return
	}
	return r.address, r.octets, r.region, flushOf(r.payload()).Flags, true
}

// BeginFlush records that the platform has been asked for what NextFlush returns: from then on the request is being executed,
// and an invalidation of its STag does not stop it (I-56).
func (e *Engine) BeginFlush(stream uint32) { e.streams[stream].requests.front().begun = true }

// sinkOf returns the memory that a request names with its first 16 octets, even if it is of 0 octets (I-20).
func sinkOf(k wire.Sink, right memory.Rights) target {
	return target{stag: k.STag, to: k.TO, octets: uint64(k.Length), right: right, named: true}
}

// sink returns the octets that a work request names.
func (w *work) sink(octets uint32) wire.Sink {
	return wire.Sink{STag: w.Remote.STag, Length: octets, TO: w.Remote.TO}
}

// mayInvalidate reports whether the Invalidate STag of a request may be invalidated. A request without one passes, and
// so does one whose ULP word is not an Invalidate STag (I-52).
func (e *Engine) mayInvalidate(s *endpoint, h *wire.DDPHeader) bool {
	return !byRequest[h.Opcode].row.InvalidateSTag || h.InvalidateSTag == 0 || e.table.MayInvalidate(s.peer, h.InvalidateSTag)
}

// respond ends a request of the extension Commit that has succeeded: it invalidates the Invalidate STag, and then sends
// the response that the function appends for an MSN (I-52).
func (e *Engine) respond(s *endpoint, r *request, response func(tx []byte, msn uint32) []byte) {
	if stag := r.header.InvalidateSTag; stag != 0 && e.table.MayInvalidate(s.peer, stag) {
		e.table.Invalidate(stag)
		e.counters.Invalidations++
	}
	x := &e.executed
	x.Address, x.ResponseMSN = r.address, s.count(wire.QueueAtomicResponse)
	start := len(e.tx)
	e.tx = response(e.tx, x.ResponseMSN)
	e.emit(start)
}

// writeThrough moves octets that have been placed through the region of an STag to storage if its mode is WriteThrough
// (I-94).
func (e *Engine) writeThrough(stag uint32, address uint64, octets int) {
	if e.platform == nil || octets == 0 {
		return
	}
	if r, known := e.table.Named(stag); known && r.Attributes.Mode == memory.WriteThrough {
		e.platform.Flush(memory.Stored, address, uint64(octets))
	}
}

// noPayload is the reply of a response without payload.
func noPayload() (reply, spec.Rule) { return reply{}, spec.None }
