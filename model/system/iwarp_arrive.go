package system

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

func (p *iwarp) arrival(Cycle) *Segment {
	s, _ := p.net.Peek().(*Segment)
	return s
}

func (p *iwarp) accept(now Cycle) { p.net.Retrieve(at(p.Freq, now)) }

func (p *iwarp) receive(m *Segment, now Cycle) {
	number, x := m.Stream, p.site.Config.Extensions
	v := p.model.Receive(number, m.Octets)
	if v.Error != spec.None {
		p.fail("stream %d: a segment of a %s breaks a rule: %v", number, x.Title(v.Opcode), v.Error)
		return
	}
	d := &delivery{stream: number, number: p.streams[number].placements.add(), done: p.finished(number)}
	if x.Is(v.Opcode, spec.Requests) {
		r := p.requestOf(m.Octets)
		d.do = func(when Cycle) { p.queue(number, r, when, when > now) }
	} else if v.Last && !x.Is(v.Opcode, spec.Write) {
		done := p.timing.PlaceToDone
		if v.Octets == 0 {
			done = p.timing.ReplyToDone - p.timing.ArriveToPlace
		} else if x.Is(v.Opcode, spec.Receives) {
			done = p.timing.PlaceToReceive
		}
		d.do = func(now Cycle) {
			p.report(number, d.done, now, done)
			p.start(number, now)
		}
	}
	p.deliver(d)
	if v.Octets == 0 {
		p.placed(d, now)
		return
	}
	p.accesses.write(v.Address, p.model.Memory().Append(nil, v.Address, v.Octets), func(now Cycle) { p.placed(d, now) })
}

func (p *iwarp) requestOf(octets []byte) *request {
	x := p.site.Config.Extensions
	s := p.decoded(octets)
	r := &request{}
	for _, c := range []spec.Class{spec.ReadRequest, spec.AtomicRequest, spec.FlushRequest, spec.VerifyRequest, spec.AtomicWriteRequest} {
		if x.Is(s.Header.Opcode, c) {
			r.class = c
		}
	}
	stag, to, length := rdmap.Names(s.Header.Opcode, s.Payload)
	r.address, r.octets = p.address(rdmap.Buffer{STag: stag, TO: to}), length
	return r
}

// errRefused says that the model does not execute a request, which ends the simulation.
var errRefused = errors.New("a request of the peer failed")

func (p *iwarp) execute(number uint32) ([]packet, uint64, error) {
	segments, x := p.model.Execute(number)
	if x == nil || x.Kind != rdmap.ExecutedRequest || x.Error != spec.None {
		return nil, 0, fmt.Errorf("stream %d: %w", number, errRefused)
	}
	return p.packets(segments, true), x.Address, nil
}

func (p *iwarp) canSend() bool { return p.net.CanSend() }

func (p *iwarp) flush(Cycle) Cycle { return never }

func (p *iwarp) send(d *departure, now Cycle) {
	to := p.site.Peers[d.stream]
	m := &Segment{To: to.Node, Stream: to.Stream, Octets: d.octets}
	m.Src, m.Dst, m.SendTime = p.net, p.toOther, at(p.Freq, now)
	m.TrafficBytes = len(d.octets)
	p.net.Send(m)
}
