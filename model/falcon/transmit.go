package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Transmit returns the next request of a QP for Falcon; false if there is none, or while Xoff, credits, the windows or ORD
// prevent it.
func (e *Engine) Transmit(number uint32) (Request, bool) {
	q := e.qps[number]
	for !q.failed && !e.xoff {
		w := q.nextWork()
		if w == nil || w.Fence && !w.begun && q.pulls > 0 {
			break
		}
		if !e.prepare(q, w) {
			continue // to the next work request
		}
		n := e.next(q, w, q.connection(w, e))
		if !e.admits(q, w, n) {
			break
		}
		e.commit(q, w, n)
		return n.request, true
	}
	return Request{}, false
}

// next is a packet that a work request sends next.
type next struct {
	conn    *connection
	packet  packet.Packet
	octets  uint64 // of payload, or asked for
	ends    bool   // no packet of the work request follows
	t       *transaction
	request Request
}

// nextWork is the first work request with packets to send.
func (q *qp) nextWork() *work {
	for _, w := range q.work {
		if !w.sent {
			return w
		}
	}
	return nil
}

func (q *qp) connection(w *work, e *Engine) *connection {
	if q.conn != nil {
		return q.conn
	}
	return e.connections[w.Address.CID]
}

// prepare checks the buffers of the next packet, before the first one those of the whole work request, and reports whether
// the work request has a packet to send. One that fails before the first packet sends none; a push that fails later ends
// with a packet with CE, a Read sends no more pulls (I-74, I-111).
func (e *Engine) prepare(q *qp, w *work) bool {
	right := memory.LocalRead
	if w.pulls() {
		right = memory.LocalWrite
	}
	list := w.Local
	if w.begun {
		list = slice(w.Local, w.octets, uint64(q.MTU))
	}
	if w.status == Success && !e.permits(q, list, right) {
		w.status = LocalProtection
		if q.Errors == spec.Verbs {
			e.fail(q, Event{}, true)
			return false
		}
	}
	if w.status != Success && (w.pulls() || !w.begun) {
		w.sent = true
		e.settle(q)
		return false
	}
	return true
}

// next builds the next packet of a work request.
func (e *Engine) next(q *qp, w *work, conn *connection) *next {
	n := &next{conn: conn, t: &transaction{q: q, work: w, kind: w.Kind, sn: conn.sn}}
	n.request = Request{CID: conn.CID, RSN: conn.rsn, Type: spec.PushRequest}
	if w.pulls() {
		n.pull(q, w)
	} else {
		e.push(q, w, n)
	}
	n.request.Octets = n.packet.Encode(nil, e.config.BitOrder)
	if !w.pulls() {
		n.request.Length = len(n.request.Octets)
	}
	return n
}

// push builds a packet of a Send or Write: at most one MTU (RoF 6.7).
func (e *Engine) push(q *qp, w *work, n *next) {
	n.octets = min(w.length-w.octets, uint64(q.MTU))
	position := place(w.begun, w.octets+n.octets == w.length)
	if w.status != Success {
		n.octets, position = 0, spec.Last
	}
	n.ends = position&spec.Ends != 0
	suffix := w.Suffix
	if !n.ends {
		suffix = spec.Plain
	}
	p := q.header(w, n.conn, spec.Find(q.Type.Service(), spec.PushRequest, w.Kind, position, suffix))
	p.CE = w.status != Success
	p.SE = w.Solicited && w.receives() && n.ends
	p.RMSN, p.Offset = q.sendRMSN, uint32(w.octets)
	p.VA, p.RKey, p.Length = w.VA+w.octets, w.RKey, uint32(n.octets)
	p.Immediate, p.Invalidate = w.Immediate, w.Invalidate
	p.Payload = e.gather(q, slice(w.Local, w.octets, n.octets))
	n.packet = p
}

// place is the position of a packet in its message.
func place(begun, ends bool) spec.Position {
	switch {
	case begun && ends:
		return spec.Last
	case begun:
		return spec.Middle
	case ends:
		return spec.Only
	}
	return spec.First
}

// pull builds a pull request of a Read, or that of an Atomic: at most one MTU, within one element of the scatter-gather
// list (RoF 6.7).
func (n *next) pull(q *qp, w *work) {
	if part := slice(w.Local, w.octets, uint64(q.MTU)); len(part) > 0 {
		n.t.sink = part[0]
	} else if len(w.Local) > 0 { // no octets (I-122)
		n.t.sink = w.Local[0]
	}
	n.t.rmsn = q.pullRMSN
	n.octets = uint64(n.t.sink.Length)
	n.ends = w.octets+n.octets == w.length
	p := q.header(w, n.conn, spec.Find(q.Type.Service(), spec.PullRequest, w.Kind, spec.Only, spec.Plain))
	p.RMSN = n.t.rmsn
	p.VA, p.RKey, p.Length = w.VA+w.octets, w.RKey, n.t.sink.Length
	p.SinkVA, p.SinkKey = n.t.sink.VA, n.t.sink.Key
	p.Data, p.Compare = w.Data, w.Compare
	n.packet = p
	n.request.Type, n.request.Length = spec.PullRequest, responseOctets(q.Type.Service(), w.Kind, int(n.octets))
}

// header fills in RBTH and the headers of the service.
func (q *qp) header(w *work, conn *connection, row *spec.Operation) packet.Packet {
	p := packet.New(row)
	p.DestinationQP, p.SN, p.SRQ = q.Remote, conn.sn, w.SRQ
	if q.conn == nil {
		p.DestinationQP, p.QKey, p.SourceQP = w.Address.QP, w.Address.QKey, q.Number
	}
	return p
}

// responseOctets is the length of the response to a pull of n octets with its headers and pad, FTP 7.3.
func responseOctets(s spec.Service, k spec.Kind, n int) int {
	row := spec.Find(s, spec.PullData, k, spec.Only, spec.Plain)
	if !row.Carries() {
		n = 0
	}
	return row.HeaderOctets() + (n+3)&^3
}

// admits reports whether a packet may be sent now: SN and RMSN within their windows, ORD, credits. None of these applies to
// datagrams.
func (e *Engine) admits(q *qp, w *work, n *next) bool {
	if q.conn == nil {
		return true
	}
	conn := n.conn
	if oldest, some := conn.oldest(func(t *transaction) (uint32, bool) { return t.sn, true }); some && conn.sn-oldest >= uint32(conn.Window) {
		return false
	}
	if w.pulls() {
		oldest, some := conn.oldest(func(t *transaction) (uint32, bool) { return t.rmsn, t.work.pulls() })
		if some && q.pullRMSN-oldest >= uint32(q.ORD) { // not only their number (I-115)
			return false
		}
	} else if w.receives() && !w.numbered {
		for _, other := range q.work { // incomplete: the target may have its message open
			if other.numbered && q.sendRMSN-other.rmsn >= spec.MessageWindow {
				return false
			}
		}
	}
	return e.affords(conn, e.cost(n.request.Type, n.request.Length))
}

// oldest returns the smallest number of the open transactions that have one.
func (c *connection) oldest(number func(*transaction) (uint32, bool)) (oldest uint32, some bool) {
	for _, t := range c.open {
		if n, has := number(t); has && (!some || before(n, oldest)) {
			oldest, some = n, true
		}
	}
	return oldest, some
}

// commit hands a packet to Falcon.
func (e *Engine) commit(q *qp, w *work, n *next) {
	conn := n.conn
	if q.conn != nil {
		e.charge(conn, e.cost(n.request.Type, n.request.Length))
	}
	conn.open[conn.rsn] = n.t
	conn.rsn++
	conn.sn++
	w.begun, w.sent = true, n.ends
	w.octets += n.octets
	w.open++
	switch {
	case w.pulls():
		q.pulls++
		q.pullRMSN++
	case w.receives():
		w.numbered, w.rmsn = true, q.sendRMSN
		if n.ends {
			q.sendRMSN++
		}
	}
}
