package falcon

import (
	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// pending is a response that has not been handed to Falcon.
type pending struct {
	Response
	q *qp
}

// Respond returns the next pull response for Falcon: the oldest whose connection has credits for it and has no older one
// that waits. False if there is none. Xoff does not stop responses (I-76).
func (e *Engine) Respond() (Response, bool) {
	stopped := map[*connection]bool{}
	for i, p := range e.responses {
		cost := e.cost(spec.PullData, len(p.Octets))
		conn := p.q.conn
		if stopped[conn] || !e.affords(conn, cost) {
			stopped[conn] = true
			continue
		}
		e.charge(conn, cost)
		e.responses = append(e.responses[:i:i], e.responses[i+1:]...)
		p.q.unanswered--
		return p.Response, true
	}
	return Response{}, false
}

// executable checks the memory that a pull names.
func (e *Engine) executable(r *request) spec.Rule {
	p, q := &r.packet, r.q
	if r.row.Kind == spec.Read {
		return e.remote(q, p.RKey, p.VA, uint64(p.Length), memory.RemoteRead)
	}
	if rule := e.remote(q, p.RKey, p.VA, memory.WordOctets, memory.RemoteAtomic); rule != spec.None {
		return rule
	}
	if address, _ := e.table.Address(p.RKey, p.VA); address%memory.WordOctets != 0 { // I-25
		return spec.Misaligned
	}
	return spec.None
}

// execute executes a pull and responds: with the opcode of the only response in each case (I-62).
func (e *Engine) execute(r *request) {
	p := &r.packet
	address, _ := e.table.Address(p.RKey, p.VA)
	answer := r.response()
	switch {
	case r.row.Kind&spec.Atomic != 0:
		answer.Original = e.space.Word(address)
		e.space.SetWord(address, operate(r.row.Kind, answer.Original, p.Data, p.Compare))
	case p.Length > 0:
		answer.Payload = e.space.Append(nil, address, int(p.Length))
	}
	e.respond(r, answer)
}

func operate(k spec.Kind, original, data, compare uint64) uint64 {
	if k == spec.FetchAdd {
		return atomic.FetchAdd(original, data, 0)
	}
	return atomic.CmpSwap(original, data, ^uint64(0), compare, ^uint64(0))
}

// response returns the response to a pull without its data.
func (r *request) response() packet.Packet {
	kind := spec.Read
	if r.row != nil {
		kind = r.row.Kind
	}
	answer := packet.New(spec.Find(r.q.Type.Service(), spec.PullData, kind, spec.Only, spec.Plain))
	answer.DestinationQP, answer.SN = r.q.Remote, r.packet.SN
	answer.SinkVA, answer.SinkKey = r.packet.SinkVA, r.packet.SinkKey
	return answer
}

func (e *Engine) respond(r *request, answer packet.Packet) {
	e.responses = append(e.responses, pending{Response{r.CID, r.RSN, answer.Encode(nil, e.config.BitOrder)}, r.q})
}

// answerCE responds to a pull that fails: CE, no payload, Original Data 0, and the STETH of the request if it could be read
// (I-63, I-108).
func (e *Engine) answerCE(r *request) {
	row, known := r.packet.Opcode.Operation()
	if r.row == nil && known && row.Packet == spec.PullRequest && r.packet.Opcode.Service() == r.q.Type.Service() {
		r.row = row // of a QP in Error, whose requests are not checked
		r.packet.DecodeHeaders(r.Octets, e.config.BitOrder)
	}
	answer := r.response()
	answer.CE = true
	e.respond(r, answer)
}
