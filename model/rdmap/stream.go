package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// endpoint is this node's end of one RDMAP stream.
type endpoint struct {
	peer memory.Peer // by which stream and domain STags know it
	open bool        // segments are taken
	over bool        // nothing leaves any more

	expected [4]uint32 // MSN of the message that comes next on each untagged queue (RFC 5041 section 4.3)
	sent     [4]uint32 // MSN of the message that leaves next on each untagged queue

	// QN 0: receives, and the message that is coming into the first of them.
	receives queue[ReceiveRequest]
	begun    bool        // a segment of the message has come
	opcode   wire.Opcode // of its first segment
	octets   uint32      // of it that have come

	// QN 1: requests of the peer that are not answered, and what follows them at the end of the stream.
	requests queue[request]
	waiting  int // of these, the latest ones, how many wait for an incomplete message
	last     *last

	// Tagged messages whose last segment is missing.
	writing   bool // an RDMA Write of the peer
	answering bool // an RDMA Read Response

	// The requester. Numbers are those of work.
	work        queue[work]
	next        uint64        // the work request that starts next
	outstanding queue[uint64] // Reads and Atomics that were transmitted and not answered
	leaving     queue[uint64] // all others that were transmitted and have not left
	halted      bool          // a work request failed; none after it starts

	received queue[Completion]
	done     queue[Completion]
	events   queue[Event]
}

// Open starts a stream: all MSNs are 1, nothing is posted, queued or outstanding. Completions and events that were not
// polled remain.
func (e *Engine) Open(stream uint32, domain uint16) {
	s := &e.streams[stream]
	*s = endpoint{
		peer: memory.Peer{Stream: stream, Domain: domain}, open: true,
		expected: [4]uint32{1, 1, 1, 1}, sent: [4]uint32{1, 1, 1, 1},
		receives: s.receives, requests: s.requests, work: s.work, outstanding: s.outstanding, leaving: s.leaving,
		received: s.received, done: s.done, events: s.events,
	}
	s.receives.clear()
	s.requests.clear()
	s.work.clear()
	s.outstanding.clear()
	s.leaving.clear()
	s.next = s.work.next
}

// Shut ends a stream at once and without a word to the peer: what is queued for it is dropped, what is posted is
// flushed.
func (e *Engine) Shut(stream uint32) {
	s := &e.streams[stream]
	s.open = false
	s.last = nil
	s.requests.clear()
	s.waiting = 0
	e.flushReceives(s)
	e.close(s)
}

// IsOpen reports whether the stream takes segments.
func (e *Engine) IsOpen(stream uint32) bool { return e.streams[stream].open }
