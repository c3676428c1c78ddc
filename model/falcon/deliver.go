package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// datagram checks a UD packet: Queue Key, then a receive, in the order of arrival (I-110). It does not take the receive, since
// a datagram that breaks a later rule is dropped (I-67).
func (e *Engine) datagram(r *request) spec.Rule {
	if r.packet.QKey != r.q.QKey {
		return spec.BadQKey
	}
	queue := *r.q.queue(e, &r.packet)
	if len(queue) == 0 {
		return spec.NoReceive
	}
	r.m = &message{receive: queue[0]}
	return spec.None
}

// progress lets everything take effect that waited for SNs: of a weakly ordered QP the messages and Atomics before the first
// missing SN, in the order of SN; of others, all messages that have ended.
func (e *Engine) progress(q *qp) {
	if !q.weak() {
		for _, m := range q.messages {
			if m.ended {
				e.finish(q, m)
			}
		}
		return
	}
	for !q.failed {
		low := q.conn.arrived.next
		m := q.messages[q.over.next]
		if m != nil && (!m.ended || !before(m.sn, low)) {
			m = nil
		}
		r := q.firstWaiting(low)
		switch {
		case m == nil && r == nil:
			return
		case r == nil || m != nil && before(m.sn, r.packet.SN):
			e.finish(q, m)
		default:
			e.resume(q, r)
		}
	}
}

// firstWaiting returns the waiting Atomic with the lowest SN, if all before it have arrived.
func (q *qp) firstWaiting(low uint32) (first *request) {
	for _, r := range q.waiting {
		if before(r.packet.SN, low) && (first == nil || before(r.packet.SN, first.packet.SN)) {
			first = r
		}
	}
	return first
}

// resume executes an Atomic that waited. It has been acknowledged, so it gets a response in any case.
func (e *Engine) resume(q *qp, r *request) {
	q.waiting = slices.DeleteFunc(q.waiting, func(other *request) bool { return other == r })
	rule := e.execute(r)
	if rule == spec.None {
		return
	}
	e.broken[rule]++
	e.answerCE(r)
	if rule.Row().Class.Consequence(q.Errors).Error {
		e.fail(q, Event{Rule: rule}, true)
	}
}

// finish ends a message. On a weakly ordered QP octets of it may be missing (I-104).
func (e *Engine) finish(q *qp, m *message) {
	incomplete := m.status == Success && m.row.Kind == spec.Send && m.octets != m.length
	if incomplete {
		m.status = LengthError
		e.broken[spec.Incomplete]++
	}
	delete(q.messages, m.rmsn)
	q.over.add(m.rmsn)
	e.completeReceive(q, m)
	if incomplete && spec.Incomplete.Row().Class.Consequence(q.Errors).Error {
		e.fail(q, Event{Rule: spec.Incomplete}, true)
	}
}

// completeReceive completes a message's receive, and with success invalidates the R-Key of IETH first (I-114).
func (e *Engine) completeReceive(q *qp, m *message) {
	if m.receive == nil {
		return // of a message for an unknown shared queue
	}
	c := Completion{QP: q.Number, ID: m.receive.ID, Receive: true, Status: m.status}
	if q.conn == nil { // datagram has left it in the queue
		queue := q.queue(e, &m.packet)
		*queue = (*queue)[1:]
	}
	if m.status == Success {
		p := &m.packet
		c.Kind, c.Suffix, c.Immediate, c.Solicited, c.SourceQP = m.row.Kind, m.row.Suffix, p.Immediate, p.SE, p.SourceQP
		if m.row.Kind == spec.Send { // I-109
			c.Length = uint32(m.length)
		}
		if m.row.Suffix == spec.Invalidate {
			c.Invalidated = p.Invalidate
			e.table.Invalidate(p.Invalidate)
		}
	}
	e.completions = append(e.completions, c)
}

// failMessage lets the receive of a message end in error if a packet of it gets CIE (I-103). If the packet is the last one
// and no receive is posted, the rule is NoReceive instead. A message for an unknown shared queue has no receive.
func (e *Engine) failMessage(r *request, rule spec.Rule) (instead spec.Rule) {
	q := r.q
	if !rule.Row().Message || q.conn == nil || r.row.Packet != spec.PushRequest || q.strong() && !q.follows(r.row) {
		return spec.None
	}
	if r.m == nil && r.row.Receives() {
		if m, _ := e.messageOf(r); m == nil {
			return spec.None
		}
	}
	if q.Errors == spec.Verbs {
		return spec.None // to Error
	}
	if m := r.m; m != nil {
		if !e.takeReceive(r, m) && m.queue != nil && r.row.Position&spec.Ends != 0 {
			return spec.NoReceive
		}
		q.messages[m.rmsn] = m
		if m.status == Success {
			m.status = receiveStatus(rule)
		}
	}
	e.step(r)
	return spec.None
}

func receiveStatus(rule spec.Rule) Status {
	switch rule {
	case spec.TooLong:
		return LengthError
	case spec.ReceiveBuffer:
		return LocalProtection
	}
	return PeerError
}
