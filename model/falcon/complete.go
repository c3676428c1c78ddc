package falcon

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Complete is the completion of a push, or of a pull without a response. One without an open transaction is ignored: its QP
// has gone to Error.
func (e *Engine) Complete(c Completed) {
	t := e.connections[c.CID].open[c.RSN]
	if t == nil {
		e.broken[spec.NotOutstanding]++
		return
	}
	e.close(t, c.CID, c.RSN)
	row, status := c.Code.Row(), statusOf(c)
	fits := row.Push && !t.work.pulls() || row.Pull && t.work.pulls()
	switch {
	case !fits: // Falcon breaks its contract
		row.Fatal, status = true, TransportError
	case c.Code == spec.CompletedAck:
		e.settle(t.q)
		return
	}
	fatal := row.Fatal || t.q.Errors == spec.Verbs
	e.failWork(t, status, Event{Code: c.Code}, fatal && t.q.conn != nil) // I-105
}

// close ends a transaction.
func (e *Engine) close(t *transaction, cid, rsn uint32) {
	delete(e.connections[cid].open, rsn)
	t.work.open--
	if t.work.pulls() {
		t.q.pulls--
	}
}

// failWork ends a transaction's work request in error, with fatal also its QP. The first error of a work request counts.
func (e *Engine) failWork(t *transaction, s Status, v Event, fatal bool) {
	if t.work.status == Success {
		t.work.status = s
	}
	if t.work.pulls() {
		t.work.sent = true // I-111
	}
	if fatal {
		e.fail(t.q, v, true)
	}
	e.settle(t.q)
}

func statusOf(c Completed) Status {
	switch c.Code {
	case spec.CompletedCIE:
		switch c.ULP {
		case spec.InvalidRequest:
			return RemoteInvalid
		case spec.AccessError:
			return RemoteAccess
		case spec.OperationError:
			return RemoteOperation
		}
		return RemoteError
	case spec.CompletedNRE, spec.CompletedCID:
		return RemoteError
	}
	return TransportError
}

// Answered is a pull response from Falcon. It is never answered.
func (e *Engine) Answered(r Response) {
	t, p, rule := e.checkResponse(r)
	if rule == spec.None {
		e.close(t, r.CID, r.RSN)
		e.deliver(t, p)
		e.settle(t.q)
		return
	}
	e.broken[rule]++
	if rule.Row().Class != spec.Found { // I-106
		return
	}
	e.close(t, r.CID, r.RSN)
	status := BadResponse
	switch rule {
	case spec.ResponseCE:
		status = RemoteError // I-63: the cause is not known
	case spec.SinkBuffer:
		status = LocalProtection
	}
	e.failWork(t, status, Event{Rule: rule}, rule.Row().Class.Consequence(t.q.Errors).Error)
}

// checkResponse returns the transaction of a response, and the first rule that it breaks. CID and RSN select the transaction:
// one that waits is over, whatever the packet says (I-118). CE is looked at before the opcode and the headers (I-108).
func (e *Engine) checkResponse(r Response) (*transaction, packet.Packet, spec.Rule) {
	var p packet.Packet
	t := e.connections[r.CID].open[r.RSN]
	if t != nil && !t.work.pulls() {
		t = nil
	}
	short := p.DecodeBase(r.Octets, e.config.BitOrder) != spec.None
	q := e.qps[p.DestinationQP]
	switch {
	case short && t != nil:
		return t, p, spec.ResponseShort
	case t != nil && (t.q != q || p.Version != spec.Version || p.SN != t.sn):
		return t, p, spec.ResponseWrong
	case t == nil && !short && (q == nil || q.conn == nil):
		return nil, p, spec.UnknownQP
	case t == nil && !short && q.CID != r.CID:
		return nil, p, spec.WrongCID
	case t == nil:
		return nil, p, spec.NotOutstanding
	case p.CE:
		return t, p, spec.ResponseCE
	}
	row, known := p.Opcode.Operation()
	if !known || row.Packet != spec.PullData || row.Kind&t.kind == 0 || p.Opcode.Service() != q.Type.Service() {
		return t, p, spec.ResponseWrong
	}
	lengths := p.DecodeHeaders(r.Octets, e.config.BitOrder)
	want := t.sink.Length
	if !row.Carries() {
		want = 0
	}
	switch {
	case lengths == spec.ShortHeaders:
		return t, p, spec.ResponseShort
	case p.SinkVA != t.sink.VA || p.SinkKey != t.sink.Key:
		return t, p, spec.ResponseSink
	case lengths != spec.None || uint32(len(p.Payload)) != want:
		return t, p, spec.ResponseLength
	case !e.permits(q, []Element{t.sink}, memory.LocalWrite):
		return t, p, spec.SinkBuffer
	}
	return t, p, spec.None
}

// deliver places the data of a response. The result of an Atomic is little-endian in memory (I-73).
func (e *Engine) deliver(t *transaction, p packet.Packet) {
	data := p.Payload
	if t.kind&spec.Atomic != 0 {
		t.work.original = p.Original
		data = binary.LittleEndian.AppendUint64(nil, p.Original)
	}
	e.scatter(t.q, []Element{t.sink}, data)
}
