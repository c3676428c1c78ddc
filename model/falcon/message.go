package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// message is a Send or a Write with Immediate that takes a receive.
type message struct {
	rmsn    uint32
	queue   *[]*receive // that the first packet names (I-112); nil: unknown
	receive *receive    // nil: none taken, since the message has failed
	octets  uint64      // of payload that were placed
	status  Status

	ended  bool // the last packet has arrived; the following are of it
	sn     uint32
	length uint64
	row    *spec.Operation
	packet packet.Packet
}

// placed checks the place of a request in the sequence of messages and pulls, and takes the receive of a message.
func (e *Engine) placed(r *request) spec.Rule {
	p, q, row := &r.packet, r.q, r.row
	if q.conn == nil {
		return e.datagram(r)
	}
	if q.strong() && !q.follows(row) {
		return spec.OutOfPlace
	}
	switch {
	case row.Packet == spec.PullRequest && !q.expects(&q.pulled, p.RMSN):
		return spec.BadRMSN
	case row.Packet == spec.PullRequest && q.unanswered >= q.IRRQ:
		return spec.NoIRRQ
	case row.Packet == spec.PullRequest || !row.Receives():
		return spec.None
	}
	m, rule := e.messageOf(r)
	if rule == spec.None && !e.takeReceive(r, m) {
		rule = spec.NoReceive
	}
	return rule
}

// follows reports whether a packet may follow those before it on a strongly ordered QP.
func (q *qp) follows(row *spec.Operation) bool {
	if q.inside == 0 {
		return row.Position&spec.Starts != 0
	}
	return row.Packet == spec.PushRequest && row.Kind == q.inside && row.Position&spec.Starts == 0
}

// expects reports whether an RMSN may come: the next one, or, unless the QP is strongly ordered, one of the window (I-72).
func (q *qp) expects(w *window, rmsn uint32) bool {
	return w.fits(rmsn, spec.MessageWindow) && (!q.strong() || rmsn == w.next)
}

// messageOf finds or begins the message of a packet.
func (e *Engine) messageOf(r *request) (*message, spec.Rule) {
	rmsn, q := r.packet.RMSN, r.q
	if !q.expects(&q.over, rmsn) {
		return nil, spec.BadRMSN
	}
	m := q.messages[rmsn]
	if m == nil {
		m = &message{rmsn: rmsn, queue: q.queue(e, &r.packet)}
	}
	if m.ended && r.row.Position&spec.Ends != 0 {
		return nil, spec.BadRMSN
	}
	r.m = m
	if m.queue == nil {
		return m, spec.UnknownSRQ
	}
	return m, spec.None
}

// takeReceive gives a message its receive, unless it has one, and reports whether there is one: the one with its number, or
// of a shared queue the oldest (I-72, I-112). The message is kept from then on.
func (e *Engine) takeReceive(r *request, m *message) bool {
	q := r.q
	if queue := m.queue; m.receive == nil && queue != nil {
		i := slices.IndexFunc(*queue, func(posted *receive) bool { return q.shares() || posted.rmsn == m.rmsn })
		if i >= 0 {
			m.receive = (*queue)[i]
			*queue = slices.Delete(*queue, i, i+1)
		}
	}
	if m.receive != nil {
		q.messages[m.rmsn] = m
	}
	return m.receive != nil
}

func (q *qp) shares() bool { return q.SharedReceive || q.Type == spec.QPXRCTarget }

// queue is the receive queue for a packet; nil if the packet names an unknown one.
func (q *qp) queue(e *Engine, p *packet.Packet) *[]*receive {
	switch {
	case q.Type == spec.QPXRCTarget && e.srqs[p.SRQ] == nil:
		return nil
	case q.Type == spec.QPXRCTarget:
		return &e.srqs[p.SRQ].receives
	case q.SharedReceive:
		return &e.srqs[q.SRQ].receives
	}
	return &q.receives
}

// offset checks Message Offset (I-104). After an error in the message the number of octets so far means nothing.
func (q *qp) offset(r *request) bool {
	at := uint64(r.packet.Offset)
	switch {
	case q.strong():
		return r.m.status != Success || at == r.m.octets
	case r.row.Position&spec.Starts != 0:
		return at == 0
	}
	return at > 0 && at%uint64(q.MTU) == 0
}

// permitted checks the memory that a push names: the receive's buffers, the region of a Write, the R-Key to invalidate. What
// a pull names is checked when it is executed. A packet with CE names nothing (I-74).
func (e *Engine) permitted(r *request) spec.Rule {
	p, q, row := &r.packet, r.q, r.row
	octets := uint64(len(p.Payload))
	switch {
	case row.Packet == spec.PullRequest || r.errs():
		return spec.None
	case row.Kind == spec.Write:
		return e.remote(q, p.RKey, p.VA, octets, memory.RemoteWrite)
	case q.conn != nil && !q.offset(r):
		return spec.BadOffset
	case uint64(p.Offset)+octets > length(r.m.receive.Local):
		return spec.TooLong
	case !e.permits(q, slice(r.m.receive.Local, uint64(p.Offset), octets), memory.LocalWrite):
		return spec.ReceiveBuffer
	case row.Suffix == spec.Invalidate && !e.table.MayInvalidate(q.peer, p.Invalidate):
		return spec.CannotInvalidate
	}
	return spec.None
}

// remote checks an access of the peer to a region; one of 0 octets is not checked.
func (e *Engine) remote(q *qp, key uint32, va, octets uint64, right memory.Rights) spec.Rule {
	_, fault := e.table.Check(q.peer, key, va, octets, right)
	return map[memory.Fault]spec.Rule{memory.Granted: spec.None, memory.BadSTag: spec.RKeyUnknown, memory.NotAssociated: spec.RKeyOwner,
		memory.NoRight: spec.RKeyRight, memory.TOWraps: spec.VAWrap, memory.OutOfBounds: spec.OutOfBounds}[fault]
}

// take places the payload of a push and adds the packet to its message.
func (e *Engine) take(r *request) {
	p, q, m := &r.packet, r.q, r.m
	octets := uint64(len(p.Payload))
	switch {
	case r.errs():
		if m != nil && m.status == Success {
			m.status = PeerError
		}
	case r.row.Kind == spec.Write:
		if octets > 0 {
			address, _ := e.table.Address(p.RKey, p.VA)
			e.space.Write(address, p.Payload)
		}
	default:
		e.scatter(q, slice(m.receive.Local, uint64(p.Offset), octets), p.Payload)
		m.octets += octets
	}
	e.step(r)
}

// step records that a packet of a message has arrived, whether it is accepted or gets CIE.
func (e *Engine) step(r *request) {
	q, row := r.q, r.row
	if q.strong() {
		q.inside = 0
		if row.Position&spec.Ends == 0 {
			q.inside = row.Kind
		}
	}
	if m := r.m; m != nil && row.Position&spec.Ends != 0 {
		m.ended, m.sn, m.row, m.packet = true, r.packet.SN, row, r.packet
		m.length = uint64(r.packet.Offset) + uint64(len(r.packet.Payload))
		if q.conn == nil {
			e.completeReceive(q, m)
		}
	}
}

// follow looks at a request in the order of SN. A Write's first packets have no RMSN: all SNs from its First to its Last are
// of it, and if one was refused, the receive of a Write with Immediate ends in error (I-103).
func (q *qp) follow(r *request) {
	writes := r.row != nil && r.row.Kind == spec.Write
	switch {
	case r.refused:
		q.refused = true
	case writes && r.row.Position&spec.Starts != 0:
		q.refused = false
	}
	if q.refused && writes && r.m != nil && r.m.status == Success {
		r.m.status = PeerError
	}
}
