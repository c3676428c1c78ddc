package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// queueKey is the first Queue Key: that of QP 0.
const queueKey = 0x5EED0000

// aim gives a datagram the address of the other end.
func (p *pair) aim(end int, o *operation) {
	if p.service == datagrams {
		o.VA, o.RKey = uint64(p.cid[end])<<32|uint64(p.ends[1-end].Number(p.qp[1-end])), queueKey+p.qp[1-end]
	}
}

// ready is how many receives the QP of an end has, for datagrams on their way to it.
func (p *pair) ready(end int) (n int) {
	_, taken := p.ends[end].Receives()
	for _, r := range p.side[end].receives {
		if r.beats <= taken {
			n++
		}
	}
	return n
}

// datagram makes a Send of UD. With another Queue Key its target drops it, and acknowledges it (I-67).
func (p *pair) datagram(end int, o *operation, wrong bool) {
	o.row = spec.Find(spec.UD, spec.PushRequest, spec.Send, spec.Only, []spec.Suffix{spec.Plain, spec.Immediate}[p.rand.IntN(2)])
	o.Data = p.rand.Uint64() >> 32
	p.aim(end, o)
	if o.lost = wrong; wrong {
		o.RKey ^= 1 << p.rand.IntN(32)
	}
}

// completeDatagram finds the datagram of a receive: they take receives in the order of arrival (I-110), which may be any.
func (p *pair) completeDatagram(end int, c Completion, local []falcon.Element) error {
	s := p.side[end]
	for i, m := range s.messages {
		if row, _ := c.Opcode.Operation(); c.Status != falcon.Success || row != m.row || c.Length != uint32(len(m.payload)) || m.row.Suffix == spec.Immediate && uint32(c.Data) != uint32(m.Data) ||
			c.SourceQP != p.ends[1-end].Number(p.qp[1-end]) || p.placed(end, local, m.payload, "") != nil {
			continue
		}
		s.messages = append(s.messages[:i], s.messages[i+1:]...)
		if p.Receives++; m.Solicited {
			p.solicited[end]++
		}
		return nil
	}
	return differs("receive %+v; allowed: success with one of %d datagrams on their way", c, len(s.messages))
}
