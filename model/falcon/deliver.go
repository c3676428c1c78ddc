package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// datagram finds the receive of a UD packet, in the order of arrival (I-110). It does not take it, since a datagram that breaks
// another rule is dropped (I-67).
func (e *Engine) datagram(r *request) spec.Rule {
	queue := *r.q.queue(e, &r.packet)
	if len(queue) == 0 {
		return spec.NoReceive
	}
	r.m = &message{receive: queue[0]}
	return spec.None
}

// resume executes an Atomic that waited. It has been acknowledged, so it gets a response in any case.
func (e *Engine) resume(q *qp, r *request) {
	q.waiting = slices.DeleteFunc(q.waiting, func(other *request) bool { return other == r })
	rule := e.executable(r)
	if rule == spec.None {
		e.execute(r)
		return
	}
	e.broken[rule]++
	e.answerCE(r)
	if rule.Row().Class.Consequence(q.Errors).Error {
		e.fail(q, Event{Rule: rule}, true)
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

// failMessage lets the receive of a message end in error after an error of a packet of it (I-103), but not after one of a datagram
// that would fit (I-110). A message for an unknown shared queue has no receive.
func (e *Engine) failMessage(r *request, rule spec.Rule) {
	m, status := r.m, receiveStatus(rule)
	if m == nil || !rule.Row().Message || r.q.conn == nil && status == PeerError {
		return
	}
	if m.status == Success {
		m.status = status
	}
	e.step(r)
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
