package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// follow looks at a request of an ordered QP once all before it have arrived, in the order of SN. Packets of a weakly ordered
// QP are placed on arrival, but only here it is seen whether they make up messages (I-117), and here what waited for the order
// takes effect.
func (e *Engine) follow(r *request) {
	q, row := r.q, r.row
	if r.refused || row.Kind == spec.Write && row.Position&spec.Starts != 0 {
		q.refused = r.refused
	}
	if rule := q.misplaced(r); rule != spec.None {
		e.broken[rule]++
		e.fail(q, Event{Rule: rule}, true)
		return
	}
	q.inside = 0
	if row.Position&spec.Ends == 0 {
		q.inside = row.Kind
	}
	switch {
	case slices.Contains(q.waiting, r):
		e.resume(q, r)
	case r.m != nil:
		e.add(q, r)
	}
}

// misplaced checks the place and RMSN of a request.
func (q *qp) misplaced(r *request) spec.Rule {
	switch {
	case !q.follows(r.row):
		return spec.OutOfPlace
	case r.row.Receives() && r.packet.RMSN != q.over.next:
		return spec.BadRMSN
	}
	return spec.None
}

// add adds a packet to its message and ends the message with its last one. A Write's first packets have no RMSN: all SNs from
// its First to its Last are of it, and if one was refused, the receive of a Write with Immediate ends in error (I-103). A packet
// of a Send continues the octets before it (I-104).
func (e *Engine) add(q *qp, r *request) {
	p, m := &r.packet, r.m
	switch {
	case m.status != Success:
	case r.row.Kind == spec.Write && q.refused:
		m.status = PeerError
	case r.row.Kind == spec.Send && uint64(p.Offset) != m.octets:
		m.status = LengthError
		e.broken[spec.Incomplete]++
		if spec.Incomplete.Row().Class.Consequence(q.Errors).Error {
			e.fail(q, Event{Rule: spec.Incomplete}, true)
			return
		}
	}
	m.octets += uint64(q.MTU)
	if r.row.Position&spec.Ends != 0 {
		e.finish(q, m)
	}
}

// finish ends a message.
func (e *Engine) finish(q *qp, m *message) {
	delete(q.messages, m.rmsn)
	q.over.add(m.rmsn)
	e.completeReceive(q, m)
}
