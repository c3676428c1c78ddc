package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// postUnfit posts a work request of which an element does not allow its access. Nothing of it is sent: its peer would take it.
func (p *pair) postUnfit(end int, o *operation, kind spec.Kind) {
	packet, area, row, length := spec.PushRequest, areaSource, rowSink, max(1, p.length(kind))
	o.VA, o.RKey = regionVA+p.at(areaTarget, o.slot), p.stag(rowTarget)
	switch kind {
	case spec.Read:
		packet, area, row = spec.PullRequest, areaSink, rowSource
		o.VA, o.RKey = regionVA+p.at(areaReadable, 0), p.stag(rowReadable)
	case spec.CmpSwap, spec.FetchAdd:
		packet, area, row, length = spec.PullRequest, areaSink, rowSource, memory.WordOctets
		o.VA, o.RKey, o.Data = regionVA+p.at(areaWords, 0), p.stag(rowWords), step
	}
	o.row = spec.Find(p.code(), packet, kind, spec.Only, spec.Plain)
	o.SRQ = p.queues[1-end][0].number
	o.Opcode, o.status = o.row.Opcode, falcon.LocalProtection
	right := rowSource
	if packet == spec.PullRequest {
		right = rowSink
	}
	o.Local = p.elements(right, p.at(area, o.slot), length, mostOf(o.row, p.room(end)))
	at := p.rand.IntN(len(o.Local))
	for o.Local[at].Length == 0 { // which needs no right
		at = p.rand.IntN(len(o.Local))
	}
	o.Local[at].Key = p.stag(row)
	p.aim(end, o)
	p.mayFail = p.mayFail || p.mode == spec.Verbs
	p.side[end].work = append(p.side[end].work, o)
	p.ends[end].PostWork(o.Work)
}
