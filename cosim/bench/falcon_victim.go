package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconKind is an operation of a victim: of its peer, one packet, or of its host.
type falconKind struct {
	name   string
	kind   spec.Kind
	octets int
	posted spec.Opcode // of the host's work request; 0: the peer's request
}

// falconMix lists the operations of the victims, which take turns.
type falconMix struct {
	name  string
	kinds []falconKind
}

var (
	falconInbound = falconMix{"FetchAdd, Reads, Writes, Sends of the peers",
		[]falconKind{{"FetchAdd", spec.FetchAdd, 8, 0}, {"Read", spec.Read, 8, 0}, {"Write", spec.Write, 32, 0}, {"Send", spec.Send, 32, 0}}}
	falconOutbound = falconMix{"FetchAdd, Reads, Writes, Sends of the host",
		[]falconKind{{"FetchAdd posted", spec.FetchAdd, 8, 0x14}, {"Read posted", spec.Read, 8, 0x0C}, {"Write posted", spec.Write, 32, 0x0A}, {"Send posted", spec.Send, 32, 0x04}}}
)

// falconReceives is the number of receive requests that are always posted on a QP.
const falconReceives = 64

// falconVictim requests one kind of operation and measures the duration of each: one of its peer ends when it is acknowledged or its response
// is sent, one of its host when it is completed. Request n of the peer has RSN n+1.
type falconVictim struct {
	quiet
	pace
	kind    falconKind
	measure func(stream uint32, kind string, began, now uint64)
	err     error
}

func (v *falconVictim) begin(p *falconParty) {
	for id := range uint64(falconReceives) {
		if v.kind.kind == spec.Send && v.kind.posted == 0 {
			p.receives = append(p.receives, id)
		}
	}
}

func (v *falconVictim) step(p *falconParty, now uint64) {
	v.start(now, func(n uint64) {
		if k := v.kind; k.posted != 0 {
			p.post(n, k.posted, k.octets)
		} else {
			p.request(k.kind, k.octets, nil)
		}
	})
}

func (v *falconVictim) answered(p *falconParty, now uint64, a model.Answer) {
	if a.Reply != spec.Ack {
		v.err = fmt.Errorf("%s: RSN %d is answered with %v; allowed: ack", v.kind.name, a.RSN, a.Reply)
	} else if v.kind.kind&(spec.Read|spec.Atomic) == 0 {
		v.ended(p, uint64(a.RSN)-1, now)
	}
}

func (v *falconVictim) sent(p *falconParty, now uint64, packet falcon.Packet) {
	if packet.Type == spec.PullData {
		v.ended(p, uint64(packet.RSN)-1, now)
		return
	}
	v.quiet.sent(p, now, packet)
}

func (v *falconVictim) completed(p *falconParty, now uint64, c falcon.Completion) {
	switch {
	case c.Status != model.Success:
		v.err = fmt.Errorf("%s: a completion with status %v; allowed: success", v.kind.name, c.Status)
	case c.Receive:
		p.receives = append(p.receives, c.ID)
	default:
		v.ended(p, c.ID, now)
	}
}

func (v *falconVictim) reported(_ *falconParty, e falcon.Event) {
	v.err = fmt.Errorf("%s: event %+v; allowed: none", v.kind.name, e)
}

func (v *falconVictim) ended(p *falconParty, n, now uint64) {
	began, is := v.pace.finish(n)
	if !is {
		v.err = fmt.Errorf("%s: request %d has ended but is not in progress", v.kind.name, n)
		return
	}
	v.measure(p.qp, v.kind.name, began, now)
}

// request queues the next request of the peer.
func (p *falconParty) request(kind spec.Kind, octets int, edit func(*packet.Packet)) falcon.Packet {
	x := p.arena.request(int(p.qp), kind, octets, edit)
	p.packets = append(p.packets, x)
	return x
}

// post queues a work request.
func (p *falconParty) post(n uint64, opcode spec.Opcode, octets int) {
	p.work = append(p.work, falcon.Work{QP: p.qp, ID: n, Opcode: opcode, Local: []model.Element{{Key: falconKey, VA: uint64(p.qp) << 12, Length: uint32(octets)}}, VA: uint64(p.qp) << 12, RKey: falconKey})
}
