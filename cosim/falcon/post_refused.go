package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// postRefused posts a work request that the QP does not support, whatever its elements allow. Its QP continues; the peer would accept its packets.
func (p *pair) postRefused(end int, o *operation) {
	r, mtu := p.rand, uint32(p.plan.Config.MaxPayload)
	other := spec.XRC
	if p.code() == spec.XRC {
		other = spec.RC
	}
	kind := []spec.Kind{spec.Send, spec.Write, spec.Read, spec.FetchAdd, spec.CmpSwap}[r.IntN(5)]
	length, most := p.length(kind), p.room(end)
	switch which := r.IntN(6); {
	case which == 0 && p.service == xrcReceives:
		o.QP, o.Opcode = p.target[end], OpcodeOf(spec.XRC, kind, spec.Plain)
	case which <= 1:
		o.Opcode = OpcodeOf(other, kind, spec.Plain)
	case which == 2 && p.service == datagrams:
		o.Opcode = OpcodeOf(spec.UD, spec.Send, spec.Suffix(r.IntN(2)))
		length = mtu + 1 + uint32(r.IntN(int(mtu)))
	case which == 2:
		o.Opcode = OpcodeOf(spec.UD, spec.Send, spec.Plain)
	case which == 3:
		o.Opcode = unassigned(p.code())
	case which == 4 && p.ordering == spec.Unordered && p.service != datagrams:
		o.Opcode = OpcodeOf(p.code(), spec.Send, spec.Suffix(r.IntN(2)))
		if r.IntN(2) == 0 {
			o.Opcode = OpcodeOf(p.code(), spec.Write, spec.Immediate)
		}
		length = mtu + 1 + uint32(r.IntN(int(mtu)))
	default:
		o.Opcode = OpcodeOf(p.code(), []spec.Kind{spec.FetchAdd, spec.CmpSwap}[r.IntN(2)], spec.Plain)
		if length, most = uint32(r.IntN(64)), 1; length == memory.WordOctets {
			length++
		}
	}
	row, known := o.Opcode.Operation()
	from, area := rowSource, uint64(areaSource)
	o.VA, o.RKey = regionVA+p.at(areaTarget, o.slot), p.stag(rowTarget)
	if known && row.Packet == spec.PullRequest {
		from, area = rowSink, areaSink
		o.VA, o.RKey, o.Data = regionVA+p.at(areaWords, 0), p.stag(rowWords), step
	}
	o.Local = p.elements(from, p.at(int(area), o.slot), length, most)
	if r.IntN(4) == 0 {
		o.Local[r.IntN(len(o.Local))].Key = p.stag(rowWords) // of another right: it is refused all the same
	}
	o.SRQ, o.status, o.Refused = p.queues[1-end][0].number, falcon.LocalProtection, true
	p.aim(end, o)
	list := &p.side[end].work
	if p.service == xrcReceives && o.QP == p.target[end] {
		list = &p.side[end].targeted
	}
	*list = append(*list, o)
	p.ends[end].PostWork(o.Work)
}
