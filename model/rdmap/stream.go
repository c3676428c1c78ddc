package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// endpoint is this node's end of one RDMAP stream.
type endpoint struct {
	peer   memory.Peer // stream and domain for STag checks
	open   bool        // segments are accepted
	closed bool        // nothing is sent

	expected [4]uint32 // next MSN to receive on each untagged queue (RFC 5041 section 4.3)
	sent     [4]uint32 // next MSN to send on each untagged queue

	// QN 0: posted receives, and the message being received into the first.
	receives queue[ReceiveRequest]
	inSend   bool        // a segment of the message has been received
	opcode   wire.Opcode // opcode of its first segment
	octets   uint32      // octets received of it

	// QN 1: unanswered requests of the peer, and the item after them at the end of the stream.
	requests queue[request]
	waiting  int // number of these, the latest, that wait for an incomplete message
	last     *last

	// Incomplete tagged messages.
	inWrite        bool // an RDMA Write of the peer
	inReadResponse bool // an RDMA Read Response

	// The requester. Numbers index work.
	work        queue[work]
	next        uint64        // the next work request to start
	outstanding queue[uint64] // transmitted, unanswered Reads and Atomics
	leaving     queue[uint64] // other transmitted work requests that have not left the node
	halted      bool          // a work request failed; no later one starts

	received queue[Completion]
	done     queue[Completion]
	events   queue[Event]
}

// Open opens a stream: all MSNs are 1; nothing is posted, queued or outstanding. Unpolled completions and events
// remain.
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

// Shut closes a stream immediately without a Terminate: queued items are dropped, posted requests are flushed.
func (e *Engine) Shut(stream uint32) {
	s := &e.streams[stream]
	s.open = false
	s.last = nil
	s.requests.clear()
	s.waiting = 0
	e.flushReceives(s)
	e.close(s)
}

// IsOpen reports whether the stream accepts segments.
func (e *Engine) IsOpen(stream uint32) bool { return e.streams[stream].open }
