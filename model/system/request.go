package system

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// request is a request of the peer.
type request struct {
	class   spec.Class // of its opcode, or of that which is alike
	address uint64     // of the memory that it names
	octets  uint64
}

// queue adds a request to those of its stream. Placed says that it had to wait until earlier payload was in memory.
func (n *rnic) queue(number uint32, r *request, now Cycle, placed bool) {
	s := &n.streams[number]
	s.requests = append(s.requests, r)
	if placed {
		n.begin(number, now, n.timing.afterPlace())
	} else {
		n.begin(number, now, -n.timing.ArriveToPlace)
	}
}

// mayStart reports whether the next request of a stream may start: it is of the kind of the latest one, or all earlier ones are over.
func (n *rnic) mayStart(s *stream) bool {
	return len(s.requests) > 0 && (s.started == 0 || s.requests[0].class == s.latest)
}

// turnOfOne is the cycles from one request to the next of a stream whose waiting requests are of several kinds: they start one by one. If
// they are of one kind, they start together, one in a cycle.
const turnOfOne = 8

// begin starts the requests of a stream that may start, in order. Their accesses of memory begin as long after now as after an arrival, and
// so many cycles.
func (n *rnic) begin(number uint32, now Cycle, cycles int) {
	for s := &n.streams[number]; n.mayStart(s); {
		r := s.requests[0]
		gap := Cycle(1)
		if slices.ContainsFunc(s.requests, func(x *request) bool { return x.class != r.class }) {
			gap = turnOfOne
		}
		s.requests, s.latest = s.requests[1:], r.class
		s.started++
		s.access = max(s.access, now+Cycle(n.timing.arrive(r.class)+cycles))
		switch r.class {
		case spec.ReadRequest:
			n.agenda.enter(s.access-turnToFetch, func(now Cycle) { n.read(number, r.address, now) })
		case spec.AtomicRequest:
			n.agenda.enter(s.access, func(now Cycle) { n.startAtomic(&atomicRequest{stream: number, address: r.address}, now) })
		default:
			n.agenda.enter(s.access, func(now Cycle) { n.commit(number, r, now) })
		}
		s.access += gap
	}
}

// over ends a request. One of another kind that waited for that accesses memory as long afterwards as after an arrival, and so many cycles.
func (n *rnic) over(number uint32, now Cycle, cycles int) {
	s := &n.streams[number]
	s.started--
	n.begin(number, now, cycles)
}

// read executes a Read Request in the cycle in which its response may have its turn.
func (n *rnic) read(number uint32, address uint64, now Cycle) {
	response, _, err := n.speaks.execute(number)
	n.check(err)
	if err != nil {
		return
	}
	n.enqueue(&message{stream: number, packets: response, fetches: true, address: address, sent: func(now Cycle) { n.over(number, now, n.timing.afterBeat()) }}, now)
}
