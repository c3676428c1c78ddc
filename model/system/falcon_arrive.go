package system

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/rdmap"
	opcodes "github.com/rnicgen/rnicgen/model/rdmap/spec"
	numbers "github.com/rnicgen/rnicgen/model/wire"
)

// atomicKinds are the kinds of Atomics by AOpCode.
var atomicKinds = map[numbers.AOpCode]spec.Kind{numbers.FetchAdd: spec.FetchAdd, numbers.CmpSwap: spec.CmpSwap}

// arrival returns the next packet of Falcon, and before that takes a completion, one in a cycle.
func (p *overFalcon) arrival(now Cycle) *Segment {
	t := p.transport
	t.Collect(now)
	if c, some := t.Completed(); some {
		p.engine.Complete(c)
		p.completed(c.CID, p.finished(), now)
		p.later(now, p.timing.CompletedToFetch-turnToFetch, func(now Cycle) { p.start(c.CID, now) })
	}
	return t.Packet()
}

// completed reports what the completion of a push completes: on an ordered QP behind what an earlier pull completes, whose payload is not in
// memory yet.
func (p *overFalcon) completed(cid uint32, list []sim.Msg, now Cycle) {
	if p.site.Peers[cid].Ordering != Unordered {
		for _, d := range slices.Backward(p.deliveries) {
			if d.stream == cid && len(d.done) > 0 {
				d.done = append(d.done, list...)
				return
			}
		}
	}
	p.report(cid, list, now, p.timing.CompletedToDone)
}

func (p *overFalcon) accept(Cycle) { p.transport.PacketTaken() }

func (p *overFalcon) receive(s *Segment, now Cycle) {
	number, x := s.Stream, s.Falcon.Transaction
	d := &delivery{stream: number, number: p.streams[number].placements.add()}
	p.written = nil
	if x.Type == spec.PullData {
		p.engine.Answered(falcon.Response{CID: number, RSN: x.RSN, Octets: s.Octets})
		d.do = func(now Cycle) {
			p.report(number, d.done, now, p.timing.PlaceToDone)
			p.later(now, p.timing.PlaceToMore-p.timing.turnToBeat(), func(now Cycle) { p.resume(number, now) })
		}
	} else {
		p.request(s, d, now)
	}
	d.done = p.finished()
	p.deliver(d)
	p.place(d, now)
}

// request lets the model take a request. Its answer comes once its payload, and all before it, is in memory; that of a pull at once, since
// its effect comes with its response.
func (p *overFalcon) request(s *Segment, d *delivery, now Cycle) {
	number, x := s.Stream, s.Falcon.Transaction
	answer := func(now Cycle, cycles int, a falcon.Answer) {
		p.later(now, cycles, func(now Cycle) { p.transport.Answer(a, now) })
	}
	if x.Type == spec.PullRequest {
		p.asked[pull{number, x.RSN}] = p.requestOf(s.Octets)
	}
	a := p.engine.Receive(falcon.Request{CID: number, RSN: x.RSN, Type: x.Type, Length: x.Length, Octets: s.Octets})
	switch {
	case a.Reply != spec.Ack && a.Reply != spec.RNR:
		p.fail("QP %d: a request with RSN %d breaks a rule: it is answered with %v", number, x.RSN, a.Reply)
		return
	case a.Reply == spec.RNR || x.Type == spec.PullRequest:
		answer(now, p.timing.ArriveToAnswer-p.timing.ArriveToPlace, a)
	}
	list := p.responses()
	d.do = func(when Cycle) {
		if x.Type == spec.PushRequest && a.Reply == spec.Ack {
			answer(when, p.timing.PlaceToAnswer, a)
		}
		p.report(number, d.done, when, p.timing.PlaceToReceive)
		for _, r := range list {
			p.queue(r.cid, r.request, when, when > now)
		}
	}
}

func (p *overFalcon) requestOf(octets []byte) *request {
	x := p.decoded(octets)
	r := &request{class: opcodes.ReadRequest, address: p.address(rdmap.Buffer{STag: x.RKey, TO: x.VA}), octets: uint64(x.Length)}
	if row, known := x.Opcode.Operation(); known && row.Kind&spec.Atomic != 0 {
		r.class, r.octets = opcodes.AtomicRequest, 8
	}
	return r
}

// asked is a request of a peer.
type asked struct {
	cid uint32
	*request
}

// responses takes those of the model, and returns their requests. Their memory is accessed when they are executed.
func (p *overFalcon) responses() (list []asked) {
	for r, some := p.engine.Respond(); some; r, some = p.engine.Respond() {
		key := pull{r.CID, r.RSN}
		of := p.asked[key]
		delete(p.asked, key)
		x := response{packet: packet{octets: r.Octets, falcon: Transaction{Type: spec.PullData, RSN: r.RSN}}}
		if of.class == opcodes.AtomicRequest {
			x.word = of.address
			p.written = slices.DeleteFunc(p.written, func(s span) bool { return s.address == of.address && s.octets == 8 })
		} else {
			x.payload = int(of.octets)
		}
		q := &p.qps[r.CID]
		q.responses = append(q.responses, x)
		list = append(list, asked{r.CID, of})
	}
	return list
}

func (p *overFalcon) execute(number uint32) ([]packet, uint64, error) {
	q := &p.qps[number]
	r := q.responses[0]
	q.responses = q.responses[1:]
	return []packet{r.packet}, r.word, nil
}

// place writes what the model has written.
func (p *overFalcon) place(d *delivery, now Cycle) {
	missing := len(p.written)
	if missing == 0 {
		p.placed(d, now)
		return
	}
	for _, s := range p.written {
		p.accesses.write(s.address, p.engine.Memory().Append(nil, s.address, s.octets), func(now Cycle) {
			if missing--; missing == 0 {
				p.placed(d, now)
			}
		})
	}
}

// resume notices that a pull is over, which may let another one leave: more of the same Read, or later another work request.
func (p *overFalcon) resume(number uint32, now Cycle) {
	q := &p.qps[number]
	if len(q.works) > 0 && q.works[0].begun {
		q.pulls--
		p.start(number, now)
		return
	}
	p.later(now, p.timing.PlaceToNext-p.timing.PlaceToMore, func(now Cycle) {
		p.agenda.enter(q.resumes.next(now, p.nexts), func(now Cycle) {
			q.pulls--
			p.start(number, now)
		})
	})
}
