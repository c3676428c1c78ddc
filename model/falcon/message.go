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
	receive *receive    // nil: of an unknown queue
	octets  uint64      // one MTU for each packet so far, in the order of SN
	status  Status

	ended  bool // the last packet has arrived; the following are of it
	sn     uint32
	length uint64
	row    *spec.Operation
	packet packet.Packet
}

// placed checks the place of a request in the sequence of messages and pulls, and finds the message of one that takes a
// receive.
func (e *Engine) placed(r *request) spec.Rule {
	p, q, row := &r.packet, r.q, r.row
	switch {
	case q.conn == nil && p.QKey != q.QKey:
		return spec.BadQKey
	case q.conn == nil:
		return spec.None
	case q.strong() && !q.follows(row):
		return spec.OutOfPlace
	case row.Packet == spec.PullRequest && !q.expectsPull(p.RMSN), row.Receives() && !e.findMessage(r):
		return spec.BadRMSN
	}
	return spec.None
}

// provided checks that there is a receive for a message, which takes it.
func (e *Engine) provided(r *request) spec.Rule {
	q := r.q
	switch {
	case q.conn == nil:
		return e.datagram(r)
	case r.m == nil:
		return spec.None
	case r.m.queue == nil:
		q.messages[r.m.rmsn] = r.m // so that no later packet names another (I-112)
		return spec.UnknownSRQ
	case !e.takeReceive(r.m, q):
		return spec.NoReceive
	}
	return spec.None
}

// follows reports whether a packet may follow those before it on an ordered QP.
func (q *qp) follows(row *spec.Operation) bool {
	if q.inside == 0 {
		return row.Position&spec.Starts != 0
	}
	return row.Packet == spec.PushRequest && row.Kind == q.inside && row.Position&spec.Starts == 0
}

// expectsPull reports whether the RMSN of a pull is allowed: the next one, or, unless the QP is strongly ordered, one of the
// window (I-121).
func (q *qp) expectsPull(rmsn uint32) bool {
	if q.strong() {
		return rmsn == q.pulled.next
	}
	return q.pulled.fits(rmsn, q.IRRQ)
}

// expectsMessage reports whether the RMSN of a message is allowed: the next one, or, unless the QP is strongly ordered, that of
// one that is not over. On a receive queue of its own the receives that are posted are the window (I-72).
func (q *qp) expectsMessage(rmsn uint32) bool {
	if q.strong() {
		return rmsn == q.over.next
	}
	return !q.over.has(rmsn) && (!q.shares() || rmsn-q.over.next < spec.MessageWindow)
}

// findMessage finds or begins the message of a packet, and reports whether its RMSN may be that of one.
func (e *Engine) findMessage(r *request) bool {
	rmsn, q := r.packet.RMSN, r.q
	m := q.messages[rmsn]
	switch {
	case !q.expectsMessage(rmsn), m != nil && !m.takes(r):
		return false
	case m == nil:
		m = &message{rmsn: rmsn, queue: q.queue(e, &r.packet)}
	}
	r.m = m
	return true
}

// takes reports whether a packet may be of the message: not if it ends it again, or follows its last packet (I-117).
func (m *message) takes(r *request) bool {
	return !m.ended || r.row.Position&spec.Ends == 0 && before(r.packet.SN, m.sn)
}

// takeReceive gives a message its receive, unless it has one, and reports whether there is one: the one with its number, or
// of a shared queue the oldest (I-72, I-112). The message is kept from then on.
func (e *Engine) takeReceive(m *message, q *qp) bool {
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

// queue is the receive queue for a packet; nil if the packet names one that does not exist in the QP's XRC domain (I-119).
func (q *qp) queue(e *Engine, p *packet.Packet) *[]*receive {
	switch {
	case q.Type == spec.QPXRCTarget:
		if s := e.srqs[p.SRQ]; s != nil && s.domain == q.XRCDomain {
			return &s.receives
		}
		return nil
	case q.SharedReceive:
		return &e.srqs[q.SRQ].receives
	}
	return &q.receives
}

// offset checks Message Offset on arrival (I-104).
func (q *qp) offset(r *request) bool {
	at := uint64(r.packet.Offset)
	switch {
	case q.strong():
		return at == r.m.octets
	case r.row.Position&spec.Starts != 0:
		return at == 0
	}
	return at > 0 && at%uint64(q.MTU) == 0
}

// permitted checks the memory that a request names: the receive's buffers, the region of a Write or pull, the R-Key to
// invalidate. The end of a message in error names nothing (I-74).
func (e *Engine) permitted(r *request) spec.Rule {
	p, q, row := &r.packet, r.q, r.row
	octets := uint64(len(p.Payload))
	switch {
	case row.Packet == spec.PullRequest:
		return e.executable(r)
	case r.errs():
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
	}
	e.step(r)
}

// step records that a packet of a message has arrived, whether it is accepted or gets CIE.
func (e *Engine) step(r *request) {
	q, row := r.q, r.row
	if m := r.m; m != nil && row.Position&spec.Ends != 0 {
		m.ended, m.sn, m.row, m.packet = true, r.packet.SN, row, r.packet
		m.length = uint64(r.packet.Offset) + uint64(len(r.packet.Payload))
		if q.conn == nil {
			e.completeReceive(q, m)
		}
	}
}
