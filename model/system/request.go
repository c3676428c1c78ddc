package system

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// request is a request of the peer.
type request struct {
	class   spec.Class // ReadRequest, AtomicRequest
	address uint64     // of the memory that it names
}

func (n *rnic) requestOf(octets []byte) *request {
	x := n.site.Config.Extensions
	s, _ := wire.ClassifyWith(x, octets)
	r := &request{class: spec.ReadRequest}
	if x.Is(s.Header.Opcode, spec.AtomicRequest) {
		r.class = spec.AtomicRequest
	}
	stag, to, _ := rdmap.Names(s.Header.Opcode, s.Payload)
	r.address = n.address(rdmap.Buffer{STag: stag, TO: to})
	return r
}

// queue adds a request to those of its stream.
func (n *rnic) queue(number uint32, r *request, now Cycle) {
	s := &n.streams[number]
	s.requests = append(s.requests, r)
	n.execute(number, now, 0)
}

// execute starts the requests of a stream that may start: the next one, if it is of the kind of the latest or all earlier ones are over.
// Wait is the time that its start takes beyond that of a request that finds its stream idle.
func (n *rnic) execute(number uint32, now Cycle, wait int) {
	s := &n.streams[number]
	for len(s.requests) > 0 && (s.started == 0 || s.requests[0].class == s.latest.class) {
		r := s.requests[0]
		s.requests, s.latest = s.requests[1:], r
		s.started++
		if r.class == spec.AtomicRequest {
			n.later(now, wait+n.timing.ArriveToWord-n.timing.ArriveToPlace, func(now Cycle) { n.atomic(number, r.address, now) })
		} else {
			n.later(now, wait+n.timing.ArriveToRead-n.timing.ArriveToPlace, func(now Cycle) { n.read(number, r.address, now) })
		}
	}
}

// over ends a request, whose response leaves.
func (n *rnic) over(number uint32, now Cycle) {
	s := &n.streams[number]
	if s.started--; s.started > 0 || len(s.requests) == 0 {
		return
	}
	arrive := n.timing.ArriveToWord
	if s.requests[0].class != spec.AtomicRequest {
		arrive = n.timing.ArriveToRead
	}
	n.execute(number, now, n.timing.BeatToNextKind-(arrive-n.timing.ArriveToPlace))
}

// read executes a Read Request in the cycle in which its response may have its turn.
func (n *rnic) read(number uint32, address uint64, now Cycle) {
	segments, done := n.model.Execute(number)
	if !n.executed(number, done) {
		return
	}
	n.enqueue(&message{stream: number, segments: cloned(segments), fetches: true, address: address, sent: func(now Cycle) { n.over(number, now) }}, now)
}

// executed reports whether the model has executed a request; anything else ends the simulation.
func (n *rnic) executed(number uint32, x *rdmap.Executed) bool {
	if x == nil || x.Kind != rdmap.ExecutedRequest || x.Error != spec.None {
		n.fail("stream %d: a request of the peer failed", number)
		return false
	}
	return true
}
