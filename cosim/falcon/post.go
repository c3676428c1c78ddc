package falcon

import (
	"encoding/binary"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// step is the addend of each FetchAdd.
const step = 3

// post posts a random work request of an end.
func (p *pair) post(end int) {
	r, s, peer := p.rand, p.side[end], p.side[1-end]
	p.id++
	slot := p.takeSlot(s)
	o := &operation{slot: slot, Work: Work{QP: p.qp[end], ID: p.id, Solicited: r.IntN(2) == 0, Fence: r.IntN(12) == 0}}
	wrong := r.Float64() < p.plan.ErrorRate && (p.mode == spec.CompleteInError || r.IntN(4) == 0)
	kinds := p.plan.Mix.Kinds
	kind := kinds[r.IntN(len(kinds))]
	if p.service == datagrams {
		kind = spec.Send
	} else if kind == spec.CmpSwap && (p.ordering == spec.Unordered || p.mode == spec.Verbs) { // one after the other, or lost
		kind = spec.FetchAdd
	}
	if wrong && r.IntN(4) == 0 {
		p.postUnfit(end, o, kind)
		return
	}
	if r.Float64() < p.plan.ErrorRate/4 { // which ends no QP
		p.postRefused(end, o)
		return
	}
	length := p.length(kind)
	key := func(row int) uint32 {
		if wrong {
			return p.stag(rowSource) // which the peer may not access
		}
		return p.stag(row)
	}
	switch kind {
	case spec.Send:
		if p.service == datagrams {
			p.datagram(end, o, wrong)
		} else {
			p.send(o, peer, length)
		}
	case spec.Write:
		suffix := []spec.Suffix{spec.Plain, spec.Plain, spec.Immediate}[r.IntN(3)]
		if suffix == spec.Immediate && p.ordering == spec.Unordered {
			length = min(length, uint32(p.plan.Config.MaxPayload))
		}
		o.row = spec.Find(p.code(), spec.PushRequest, kind, spec.Only, suffix)
		if wrong && length == 0 {
			length = 1
		}
		o.VA, o.RKey, o.Data = regionVA+p.at(areaTarget, slot)+uint64(r.IntN(64)), key(rowTarget), r.Uint64()>>32
		if wrong {
			o.status, o.receiver = falcon.RemoteAccess, falcon.PeerError
		}
	case spec.Read:
		o.row = spec.Find(p.code(), spec.PullRequest, kind, spec.Only, spec.Plain)
		if wrong && length == 0 {
			length = 1
		}
		o.VA, o.RKey = regionVA+p.at(areaReadable, r.IntN(slots-1))+uint64(r.IntN(64)), key(rowReadable)
		if wrong {
			o.status = falcon.RemoteError
		}
	default:
		length = memory.WordOctets
		o.row = spec.Find(p.code(), spec.PullRequest, kind, spec.Only, spec.Plain)
		o.VA, o.RKey, o.Data = regionVA+p.at(areaWords, 0), key(rowWords), step
		if wrong {
			o.status = falcon.RemoteError
		} else if kind == spec.FetchAdd {
			peer.added += step
		} else {
			p.swap(o, peer)
		}
	}
	if wrong && kind != spec.Send && p.mode == spec.Verbs {
		p.mayFail = true
		if kind == spec.Write {
			o.status = falcon.RemoteError // NACK NRE
		}
	}
	p.hand(end, o, length)
}

// takeSlot takes a slot, often one with a multiple of 2^32.
func (p *pair) takeSlot(s *side) (slot int) {
	at := 0
	if p.rand.IntN(4) == 0 {
		at = max(0, slices.Index(s.free, []int{crossedVA, crossedAddress}[p.rand.IntN(2)]))
	}
	slot = s.free[at]
	s.free = slices.Delete(s.free, at, at+1)
	return slot
}

// code is the service of its packets.
func (p *pair) code() spec.Service {
	switch p.service {
	case xrcReceives:
		return spec.XRC
	case datagrams:
		return spec.UD
	}
	return spec.RC
}

// length is that of a message.
func (p *pair) length(k spec.Kind) uint32 {
	r, mtu := p.rand, p.plan.Config.MaxPayload
	n := []int{0, 1 + r.IntN(8), r.IntN(mtu), mtu - 1 + r.IntN(3), 2 * mtu, r.IntN(6 * mtu)}[r.IntN(6)]
	if p.plan.Mix.Short || k == spec.Send && (p.ordering == spec.Unordered || p.service == datagrams) {
		n = min(n, mtu)
	}
	return min(uint32(n), p.mostOctets())
}

func (p *pair) send(o *operation, peer *side, length uint32) {
	suffix := []spec.Suffix{spec.Plain, spec.Immediate, spec.Invalidate}[p.rand.IntN(3)]
	if p.plan.Mix.Invalidates {
		suffix = spec.Invalidate
	}
	if peer.victim == victimGone {
		suffix = spec.Invalidate
	} else if suffix == spec.Invalidate && peer.victim != victimValid {
		suffix = spec.Plain
	}
	o.row = spec.Find(p.code(), spec.PushRequest, spec.Send, spec.Only, suffix)
	o.Data = p.rand.Uint64() >> 32
	if suffix != spec.Invalidate {
		return
	}
	o.RKey = p.stag(p.victimRow())
	if peer.victim++; peer.victim == victimProbed {
		o.status, o.receiver = falcon.RemoteAccess, falcon.PeerError
	}
}

// swap replaces the word; it compares with the value at the time of its turn, or with another one.
func (p *pair) swap(o *operation, peer *side) {
	o.VA += 8
	o.result, o.Compare, o.Data = peer.next, peer.next, p.rand.Uint64()
	if p.rand.IntN(3) == 0 {
		o.Compare = p.rand.Uint64()
		return
	}
	peer.next = o.Data
}

// hand gives the work request to its end.
func (p *pair) hand(end int, o *operation, length uint32) {
	r, peer := p.rand, p.side[1-end]
	o.Opcode = o.row.Opcode
	o.SRQ = p.queues[1-end][r.IntN(sharedQueues)].number
	area, row := areaSource, rowSource
	if o.row.Packet == spec.PullRequest {
		area, row = areaSink, rowSink
	}
	o.Local = p.elements(row, p.at(area, o.slot), length, mostOf(o.row, p.room(end)))
	o.payload = make([]byte, length)
	if o.row.Packet == spec.PushRequest {
		for i := 0; i < len(o.payload); i += 8 {
			copy(o.payload[i:], binary.LittleEndian.AppendUint64(nil, p.octets.Uint64()))
		}
		p.place(end, o)
	} else if o.row.Kind == spec.Read {
		peer.memory.Read(o.VA-regionVA, o.payload)
	}
	if o.row.Receives() && !o.lost {
		peer.messages = append(peer.messages, o)
		peer.numbered++
	}
	p.side[end].work = append(p.side[end].work, o)
	p.ends[end].PostWork(o.Work)
}
