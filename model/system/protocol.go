package system

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// protocol is the golden model of an RNIC, and what its messages are on the network. The rest of an RNIC decides when: requests of the host
// and segments take effect, requests of the peer are executed, and segments leave, when it says so.
type protocol interface {
	setRegion(index int, r memory.Region) error
	open(stream uint32) error
	memory() *memory.Space

	// postReceive takes a receive request, and post a work request, which begins in its turn. Next returns what a stream sends next;
	// nil if there is nothing, or if it has to wait.
	postReceive(r rdmap.ReceiveRequest) error
	post(w rdmap.WorkRequest) error
	begin(w rdmap.WorkRequest) error
	next(stream uint32) (*message, error)

	// arrival returns the next segment that the network offers; nil if there is none. Accept takes it.
	arrival(now Cycle) *Segment
	accept(now Cycle)

	// receive lets a segment take effect, in the cycle in which its first octets are written.
	receive(s *Segment, now Cycle)

	// execute executes the oldest request of a stream that is not, and returns its response and the address of the word of an Atomic.
	execute(stream uint32) (response []packet, word uint64, err error)

	// canSend reports whether a segment may leave, and otherwise wakes the RNIC when it may. Send lets it leave with its last beat.
	canSend() bool
	send(d *departure, now Cycle)

	// flush ends a cycle, and returns the next one in which there is something to do.
	flush(now Cycle) (next Cycle)

	// title names a packet for akita's tracers.
	title(p packet) string
}

// packet is what a segment carries, and what it is.
type packet struct {
	octets  []byte
	payload int // octets of it, where these are read from memory
	falcon  Transaction
}
