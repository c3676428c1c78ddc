package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// sharedQueues is how many shared receive queues an end has, each with so many slots: more than messages can be open.
const (
	sharedQueues = 2
	sharedSlots  = 1 << 12
	xrcDomain    = 0x3C0F
)

// service is the type of a pair and the source of its receives.
type service int

const (
	ownReceives    service = iota // RC
	sharedReceives                // RC
	xrcReceives                   // XRC: an initiator and a target of each end
	datagrams                     // UD, with receives of the QP
	services       = iota
)

func (s service) String() string { return [...]string{"own", "shared", "xrc", "ud"}[s] }

// shares reports whether receives are those of shared queues.
func (s service) shares() bool { return s == sharedReceives || s == xrcReceives }

// sharedQueue is a shared receive queue of an end.
type sharedQueue struct {
	number   uint32
	index    int
	free     []int                    // slots
	receives map[uint64]sharedReceive // by ID, that are not complete
	lists    []uint64                 // of several elements, from the oldest one on that is not
	sizes    map[uint64]int           // elements of each list
	posted   int
	complete int
}

// sharedReceive is a receive that is posted.
type sharedReceive struct {
	slot  int
	local []falcon.Element
}

// elements is how many elements of lists are in use: their places become free in the order of posting.
func (q *sharedQueue) elements() (n int) {
	for len(q.lists) > 0 && q.receives[q.lists[0]].local == nil {
		q.lists = q.lists[1:]
	}
	for _, id := range q.lists {
		n += q.sizes[id]
	}
	return n
}

// openShared makes the queues of both ends.
func (w *world) openShared() error {
	for end := range w.ends {
		numbers := w.rand.Perm(w.plan.Config.Streams)
		for n := range sharedQueues {
			q := &sharedQueue{number: uint32(numbers[n]), index: n, free: w.rand.Perm(sharedSlots), receives: map[uint64]sharedReceive{}, sizes: map[uint64]int{}}
			w.queues[end] = append(w.queues[end], q)
			if err := w.ends[end].SetQueue(q.number, xrcDomain); err != nil {
				return err
			}
		}
	}
	return nil
}

// sharedAt is the address of a slot, after the memory of the pairs.
func (w *world) sharedAt(q *sharedQueue, slot int) uint64 {
	return uint64(w.plan.Pairs+q.index)*pairOctets + uint64(slot)*slotOctets
}

// postShared posts receives to the queues of an end; lazily, unless all is set. The ring has room for as many as no message is known to have taken.
func (w *world) postShared(end int, all bool) {
	for _, q := range w.queues[end] {
		taken := q.complete
		for _, p := range w.pairs {
			taken += p.side[end].taken[q.index]
		}
		for all && q.posted-taken < w.plan.Config.ReceiveDepth && len(q.free) > 0 {
			w.id++
			slot := q.free[0]
			r := sharedReceive{slot, w.receiveElements(w.sharedAt(q, slot), w.plan.Config.ReceiveDepth-q.elements())}
			if len(r.local) > 1 {
				q.lists, q.sizes[w.id] = append(q.lists, w.id), len(r.local)
			}
			q.free, q.receives[w.id] = q.free[1:], r
			q.posted++
			w.ends[end].PostShared(q.number, w.id, r.local...)
		}
	}
}

// accepted follows which messages have taken a receive of a shared queue: those of which a packet is accepted, or gets CIE.
func (w *world) accepted(end int, octets []byte) {
	order, _ := w.plan.Config.Order()
	var x packet.Packet
	x.Decode(octets, order)
	row, known := x.Opcode.Operation()
	if !known || !row.Receives() {
		return
	}
	for _, p := range w.pairs {
		if s := p.side[end]; p.service.shares() && w.ends[end].Number(p.target[end]) == x.DestinationQP && !s.begun[x.RMSN] {
			s.begun[x.RMSN] = true
			s.taken[p.queueOf(end, x.SRQ).index]++
		}
	}
}

// queueOf is the queue of a message of the other end.
func (p *pair) queueOf(end int, srq uint32) *sharedQueue {
	if p.service == xrcReceives {
		for _, q := range p.queues[end] {
			if q.number == srq {
				return q
			}
		}
	}
	return p.queues[end][p.queue[end]]
}

// completeShared takes the completion of a receive of a shared queue. One without success may be of no message that is known, if the QP has failed.
func (p *pair) completeShared(end int, c Completion) error {
	s := p.side[end]
	for _, q := range p.queues[end] {
		r, is := q.receives[c.ID]
		if !is {
			continue
		}
		delete(q.receives, c.ID)
		q.free = append(q.free, r.slot)
		q.complete++
		if c.Status != falcon.Success && p.mayFail {
			if p.failed = true; s.taken[q.index] > 0 {
				s.taken[q.index]--
			}
			return nil
		}
		s.taken[q.index]--
		at := 0
		if p.ordering == spec.Unordered {
			at = p.fitting(end, q, c, r.local)
		}
		if at >= len(s.messages) || p.queueOf(end, s.messages[at].SRQ) != q {
			return differs("receive %+v of queue %d; allowed: for a message of that queue, in order", c, q.number)
		}
		m := s.messages[at]
		s.messages = append(s.messages[:at], s.messages[at+1:]...)
		p.Receives++
		p.Shared++
		return p.received(end, c, m, r.local)
	}
	return differs("receive %+v; allowed: those that are posted", c)
}

// fitting finds the message of a completion of an unordered QP. One in error does not identify its message: a Send that would invalidate a region
// is tried last, since its completion makes the region valid again.
func (p *pair) fitting(end int, q *sharedQueue, c Completion, local []falcon.Element) int {
	messages := p.side[end].messages
	at := len(messages)
	for i, m := range messages {
		if !p.fits(end, m, q, c, local) {
			continue
		}
		if at = i; c.Status == falcon.Success || m.row.Suffix != spec.Invalidate {
			break
		}
	}
	return at
}

// fits reports whether a completion may be that of a message; those of an unordered QP arrive in any order.
func (p *pair) fits(end int, m *operation, q *sharedQueue, c Completion, local []falcon.Element) bool {
	row, _ := c.Opcode.Operation()
	switch {
	case p.queueOf(end, m.SRQ) != q, c.Status != m.receiver:
		return false
	case c.Status != falcon.Success:
		return true
	case row.Kind != m.row.Kind, row.Suffix != m.row.Suffix, m.row.Suffix == spec.Immediate && uint32(c.Data) != uint32(m.Data):
		return false
	}
	return m.row.Kind != spec.Send || c.Length == uint32(len(m.payload)) && p.placed(end, local, m.payload, "") == nil
}
