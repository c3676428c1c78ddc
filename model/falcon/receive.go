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

	padding spec.Rule // BadPayload, or None
	refused bool
}

// errs reports whether the request is the end of a message in error: CE (I-27, I-113).
func (r *request) errs() bool {
	return r.packet.CE && r.row.Packet == spec.PushRequest && r.row.Position&spec.Ends != 0
}

// Receive is a push or pull request from Falcon; the result is the answer to it. The response to a pull that is
// acknowledged follows from Respond.
func (e *Engine) Receive(in Request) Answer {
	r := &request{Request: in}
	if rule := e.check(r); rule != spec.None {
		return e.refuse(r, rule)
	}
	e.accept(r)
	return Answer{CID: in.CID, RSN: in.RSN, Reply: spec.Ack}
}

// check returns the first rule that the request breaks, in the order of spec.Rules: where it belongs, then the operation that
// it belongs to, then what concerns only that operation (I-60, I-116).
func (e *Engine) check(r *request) spec.Rule {
	for _, group := range []func(*request) spec.Rule{e.addressed, e.formed, e.sequenced, e.placed, e.provided, e.filled, e.permitted} {
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
	case r.Type == spec.PullRequest && q.conn != nil && q.unanswered >= q.IRRQ:
		return spec.NoIRRQ // I-120
	case q.failed:
		return spec.QPInError // I-100
	case q.strong() && q.conn.rnr && p.SN != q.conn.arrived.next:
		return spec.BehindRNR // I-101
	}
	return spec.None
}

// strong reports whether requests arrive in order.
func (q *qp) strong() bool { return q.conn != nil && q.Ordering == spec.Strong }

// weak reports whether they arrive in any order, and take effect in order.
func (q *qp) weak() bool { return q.conn != nil && q.Ordering == spec.Weak }

// formed checks opcode and headers.
func (e *Engine) formed(r *request) spec.Rule {
	p, q := &r.packet, r.q
	row, known := p.Opcode.Operation()
	if !known || row.Packet != r.Type || p.Opcode.Service() != q.Type.Service() || !row.Orderings.Has(q.Ordering) {
		return spec.BadOpcode
	}
	r.row = row
	if r.padding = p.DecodeHeaders(r.Octets, e.config.BitOrder); r.padding == spec.ShortHeaders {
		return spec.ShortHeaders
	}
	return spec.None
}

// filled checks the length of the payload. The end of a message in error may have any (I-27).
func (e *Engine) filled(r *request) spec.Rule {
	p, q, row := &r.packet, r.q, r.row
	switch n := len(p.Payload); {
	case r.errs():
		return spec.None
	case r.padding != spec.None, n > q.MTU, row.Position&spec.Whole != 0 && n != q.MTU, row.Position == spec.Last && n == 0,
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
	case q.strong() && sn != q.conn.arrived.next, q.weak() && !q.conn.arrived.fits(sn, q.conn.Window): // I-121
		return spec.SNGap
	}
	return spec.None
}

// accept executes a request that breaks no rule, or lets an Atomic wait (I-70).
func (e *Engine) accept(r *request) {
	q := r.q
	switch {
	case r.row.Packet == spec.PushRequest:
		e.take(r)
	case q.weak() && r.row.Kind&spec.Atomic != 0:
		q.waiting = append(q.waiting, r)
	default:
		e.execute(r)
	}
	if r.row.Packet == spec.PullRequest {
		q.pulled.add(r.packet.RMSN)
		q.unanswered++
	}
	e.received(r)
}

// refuse answers a request that breaks a rule.
func (e *Engine) refuse(r *request, rule spec.Rule) Answer {
	r.refused = true
	e.failMessage(r, rule)
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
		q.conn.rnr = true
	case spec.CEResponse: // of which Falcon sees the acknowledgement first
		if q.expectsPull(r.packet.RMSN) {
			q.pulled.add(r.packet.RMSN)
		}
		q.unanswered++
		e.answerCE(r)
		a.Reply = spec.Ack
	case spec.CIE, spec.NRE:
		a.Code = row.Code
	}
	if ends {
		e.fail(q, Event{Rule: rule}, true)
	}
	if row.Class.UsesSN(a.Reply) {
		e.received(r)
	}
	return a
}

// received counts the SN of a request as received, and lets what waited for it take effect. On an unordered QP nothing waits.
func (e *Engine) received(r *request) {
	q, sn := r.q, r.packet.SN
	if q.conn == nil || q.failed {
		return
	}
	seen := &q.conn.arrived
	switch {
	case q.Ordering == spec.Unordered && r.m != nil:
		e.finish(q, r.m)
	case q.weak() && sn-seen.next >= 2*uint32(q.conn.Window): // acknowledged, but more than a target has to keep (I-121)
		e.broken[spec.SNGap]++
		e.fail(q, Event{Rule: spec.SNGap}, true)
	case q.strong() && sn == seen.next, q.weak() && seen.fits(sn, q.conn.Window):
		low := seen.next
		seen.add(sn)
		q.conn.rnr = false
		for q.ahead[sn] = r; low != seen.next && !q.failed; low++ {
			e.follow(q.ahead[low])
			delete(q.ahead, low)
		}
	}
}
