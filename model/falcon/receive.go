package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// request is a request at the target while it is checked, or while it waits.
type request struct {
	Request
	packet packet.Packet
	row    *spec.Operation
	q      *qp
	m      *message // that takes a receive; nil until it is found

	refused bool
}

// errs reports whether the request is the end of a message in error: CE (I-113).
func (r *request) errs() bool {
	return r.packet.CE && r.row.Packet == spec.PushRequest && r.row.Position&spec.Ends != 0
}

// Receive is a push or pull request from Falcon; the result is the answer to it. The response to a pull that is
// acknowledged follows from Respond.
func (e *Engine) Receive(in Request) Answer {
	r := &request{Request: in}
	rule := e.check(r)
	if rule == spec.None {
		rule = e.accept(r)
		if rule == spec.None {
			return Answer{CID: in.CID, RSN: in.RSN, Reply: spec.Ack}
		}
	}
	return e.refuse(r, rule)
}

// check returns the first rule that the request breaks, in the order of spec.Rules (I-60).
func (e *Engine) check(r *request) spec.Rule {
	for _, group := range []func(*request) spec.Rule{e.addressed, e.formed, e.sequenced, e.placed, e.permitted} {
		if rule := group(r); rule != spec.None {
			return rule
		}
	}
	return spec.None
}

// addressed finds the QP, before anything can change its state (I-30). CIDs are compared by the type of the QP (I-68).
func (e *Engine) addressed(r *request) spec.Rule {
	p := &r.packet
	if rule := p.DecodeBase(r.Octets, e.config.BitOrder); rule != spec.None {
		return rule // I-99
	}
	q := e.qps[p.DestinationQP]
	if q == nil || !q.Type.Targets() {
		return spec.UnknownQP
	}
	r.q = q
	switch {
	case q.conn != nil && q.CID != r.CID:
		return spec.WrongCID
	case p.Version != spec.Version:
		return spec.WrongVersion
	case q.failed:
		return spec.QPInError // I-100
	case q.strong() && q.conn.rnr && before(q.conn.arrived.next, p.SN):
		return spec.BehindRNR // I-101
	}
	return spec.None
}

// strong reports whether requests arrive in order.
func (q *qp) strong() bool { return q.conn != nil && q.Ordering == spec.Strong }

// weak reports whether they arrive in any order, and take effect in order.
func (q *qp) weak() bool { return q.conn != nil && q.Ordering == spec.Weak }

// formed checks the request alone. A packet with CE may have any payload (I-27).
func (e *Engine) formed(r *request) spec.Rule {
	p, q := &r.packet, r.q
	row, known := p.Opcode.Operation()
	if !known || row.Packet != r.Type || p.Opcode.Service() != q.Type.Service() || !row.Orderings.Has(q.Ordering) {
		return spec.BadOpcode
	}
	r.row = row
	rule := p.DecodeHeaders(r.Octets, e.config.BitOrder)
	switch n := len(p.Payload); {
	case rule == spec.ShortHeaders:
		return rule
	case r.errs():
		return spec.None
	case rule != spec.None:
		return rule
	case n > q.MTU, row.Position&spec.Whole != 0 && n != q.MTU, row.Position == spec.Last && n == 0,
		!row.Carries() && len(r.Octets) != row.HeaderOctets():
		return spec.BadPayload
	case row.Kind == spec.Write && p.Length != uint32(n), row.Kind == spec.Read && p.Length > uint32(q.MTU):
		return spec.BadLength
	}
	return spec.None
}

// sequenced checks SN (I-29). UD and unordered QPs do not.
func (e *Engine) sequenced(r *request) spec.Rule {
	sn, q := r.packet.SN, r.q
	switch {
	case !q.strong() && !q.weak():
	case q.conn.arrived.has(sn):
		return spec.SNRepeated
	case q.strong() && sn != q.conn.arrived.next, q.weak() && !q.conn.arrived.fits(sn, q.conn.Window): // I-102
		return spec.SNGap
	}
	return spec.None
}

// accept executes a request that breaks no rule, or lets an Atomic wait (I-70). The rule is that of a pull whose execution
// fails.
func (e *Engine) accept(r *request) spec.Rule {
	if r.row.Packet == spec.PushRequest {
		e.take(r)
		e.received(r, spec.Ack)
		return spec.None
	}
	q := r.q
	q.pulled.add(r.packet.RMSN)
	q.unanswered++
	if q.weak() && r.row.Kind&spec.Atomic != 0 {
		q.waiting = append(q.waiting, r)
		e.received(r, spec.Ack)
		return spec.None
	}
	if rule := e.execute(r); rule != spec.None {
		q.unanswered-- // refuse counts it again
		return rule
	}
	e.received(r, spec.Ack)
	return spec.None
}

// refuse answers a request that breaks a rule.
func (e *Engine) refuse(r *request, rule spec.Rule) Answer {
	r.refused = true
	if instead := e.failMessage(r, rule); instead != spec.None {
		rule = instead
	}
	e.broken[rule]++
	a := Answer{CID: r.CID, RSN: r.RSN}
	row, q := rule.Row(), r.q
	if q == nil {
		a.Reply = row.Class.Consequence(spec.Verbs).Reply(r.Type, spec.QPRC)
		return a
	}
	c := row.Class.Consequence(q.Errors)
	a.Reply = c.Reply(r.Type, q.Type)
	ends := c.Error && q.conn != nil
	switch a.Reply {
	case spec.RNR:
		a.Timeout = q.RNRTimeout
		if q.strong() && r.packet.SN == q.conn.arrived.next {
			q.conn.rnr = true
		}
	case spec.CEResponse: // of which Falcon sees the acknowledgement first
		if r.row != nil && q.expects(&q.pulled, r.packet.RMSN) {
			q.pulled.add(r.packet.RMSN)
		}
		q.unanswered++
		e.answerCE(r)
		a.Reply = spec.Ack
	case spec.CIE, spec.NRE:
		a.Code = row.Code
	}
	if ends {
		if r.m != nil && r.m.status == Success {
			r.m.status = receiveStatus(rule)
		}
		e.fail(q, Event{Rule: rule}, true)
	}
	e.received(r, a.Reply)
	return a
}

// received counts the SN of a request as received, unless the reply does not use it (I-61), and lets what waited for it take
// effect.
func (e *Engine) received(r *request, reply spec.Reply) {
	q, sn := r.q, r.packet.SN
	if !reply.UsesSN() || q.conn == nil {
		return
	}
	seen := &q.conn.arrived
	switch {
	case q.strong() && sn == seen.next:
		seen.add(sn)
		q.conn.rnr = false
		q.follow(r)
	case q.weak() && seen.fits(sn, q.conn.Window):
		low := seen.next
		seen.add(sn)
		for q.ahead[sn] = r; low != seen.next; low++ {
			q.follow(q.ahead[low])
			delete(q.ahead, low)
		}
	}
	if !q.failed {
		e.progress(q)
	}
}
