package bench

import (
	"context"
	"errors"
	"slices"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconAggressor is a QP that loads one resource of an engine of the profile falcon as heavily as it can.
type falconAggressor struct {
	name, resource string
	victims        falconMix
	shares         bool // it uses what limits the victims
	behave         func() falconBehavior
}

// falconAggressors are the rows of the profile falcon.
func falconAggressors() []falconAggressor {
	asks := func(kind spec.Kind, octets, ahead int, edit func(*packet.Packet)) func() falconBehavior {
		return func() falconBehavior { return &asker{kind: kind, octets: octets, ahead: ahead, edit: edit} }
	}
	posts := func(opcode spec.Opcode, octets int, completes bool) func() falconBehavior {
		return func() falconBehavior { return &falconPoster{opcode: opcode, octets: octets, completes: completes} }
	}
	return []falconAggressor{
		{"falcon-writes-1k", "payload buffer", falconInbound, true, asks(spec.Write, 1024, 32, nil)},
		{"falcon-writes-4", "placement", falconInbound, true, asks(spec.Write, 4, 32, nil)},
		{"falcon-sends-1k", "payload buffer, receive ring", falconInbound, true, asks(spec.Send, 1024, 32, nil)},
		{"falcon-receive-lists", "walk over lists of receives", falconInbound, true, func() falconBehavior { return &asker{kind: spec.Send, octets: 1024, ahead: 4, elements: 8} }},
		{"falcon-reads-1k", "m_axis_tx, memory reads", falconInbound, true, asks(spec.Read, 1024, 8, nil)},
		{"falcon-reads-8", "turns of the responder", falconInbound, true, asks(spec.Read, 8, 8, nil)},
		{"falcon-fetchadds", "one word", falconInbound, true, asks(spec.FetchAdd, 8, 8, nil)},
		{"falcon-starved-reads", "responses without credits", falconInbound, true, func() falconBehavior { return &asker{kind: spec.Read, octets: 1024, ahead: 8, starved: true} }},
		{"falcon-access-errors", "errors, answers", falconInbound, true, asks(spec.Write, 32, 32, func(p *packet.Packet) { p.RKey = 99 << 8 })},
		{"falcon-read-errors", "refusals", falconInbound, true, asks(spec.Read, 8, 8, func(p *packet.Packet) { p.RKey = 99 << 8 })},
		{"falcon-wrong-cid", "check of the connection", falconInbound, true, asks(spec.Write, 32, 32, func(p *packet.Packet) { p.DestinationQP = 1 })},
		{"falcon-rnr-storm", "receive ring, answers", falconInbound, true, func() falconBehavior { return &storm{} }},
		{"falcon-reordered", "order of SN", falconInbound, true, func() falconBehavior { return &asker{kind: spec.Write, octets: 32, ahead: 32, backwards: true} }},
		{"falcon-unknown-responses", "packets that are dropped", falconInbound, true, func() falconBehavior { return &impostor{} }},
		{"falcon-ends", "ends and openings", falconInbound, true, func() falconBehavior { return &mortal{} }},
		{"falcon-posted-sends", "work ring, completions", falconOutbound, true, posts(0x04, 32, true)},
		{"falcon-posted-writes-64k", "m_axis_tx", falconOutbound, true, posts(0x0A, 1<<16, true)},
		{"falcon-uncompleted", "window of a connection", falconOutbound, true, posts(0x04, 32, false)},
		{"falcon-unanswered", "pulls that wait", falconOutbound, true, posts(0x0C, 8, false)},
	}
}

// credits are those of its connection.
func (a falconAggressor) credits() spec.Credits {
	c := manyCredits
	if x, is := a.behave().(*asker); is && x.starved {
		c.DataTxPackets = 8
	}
	return c
}

// falconContest is that of an aggressor.
func (m *isolationMeasurement) falconContest(a falconAggressor) contest {
	c := contest{name: a.name, resource: a.resource, victims: a.victims.name, shares: a.shares, alone: aloneKey{victims: "falcon: " + a.victims.name}}
	for _, k := range a.victims.kinds {
		c.kinds = append(c.kinds, k.name)
	}
	c.run = func(ctx context.Context, attacked bool, rates map[string]float64) (out runResult, err error) {
		r, err := openFalconArena(ctx, a.credits())
		if err != nil {
			return out, err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		w := newWatch(m.silence)
		var victims []*falconVictim
		for i, p := range r.parties[1:] {
			k := a.victims.kinds[i%len(a.victims.kinds)]
			v := &falconVictim{kind: k, measure: w.finished, pace: m.pace(i, k.name, len(a.victims.kinds), rates, victimWindow)}
			p.falconBehavior = v
			victims = append(victims, v)
		}
		if attacked {
			r.parties[0].falconBehavior = a.behave()
		}
		if err := errors.Join(r.begin(), w.measure(r, "", m.cycles)); err != nil {
			return out, err
		}
		for _, v := range victims {
			if v.err != nil {
				return out, v.err
			}
			for _, began := range v.unfinished(w.end) {
				w.add(v.kind.name, began, r.now())
			}
		}
		out = w.result(m.cycles)
		out.acts = r.parties[0].acts
		return out, nil
	}
	return c
}

// asker is a peer that keeps so many requests of one kind in progress, which edit may spoil. Backwards, it waits until all are answered and
// sends the next ones from the last to the first.
type asker struct {
	quiet
	kind      spec.Kind
	octets    int
	ahead     int
	edit      func(*packet.Packet)
	backwards bool
	elements  int // of each receive
	starved   bool
	open      int
}

func (a *asker) begin(p *falconParty) {
	p.elements, p.starved = a.elements, a.starved
	for id := range uint64(falconReceives / max(1, a.elements)) {
		if a.kind == spec.Send {
			p.receives = append(p.receives, id)
		}
	}
}

func (a *asker) step(p *falconParty, _ uint64) {
	if a.backwards && a.open > 0 {
		return
	}
	for ; a.open < a.ahead; a.open++ {
		p.request(a.kind, a.octets, a.edit)
	}
	if a.backwards {
		slices.Reverse(p.packets)
	}
}

func (a *asker) answered(_ *falconParty, _ uint64, x model.Answer) {
	if pulls := a.kind&(spec.Read|spec.Atomic) != 0; !pulls || x.Reply != spec.Ack {
		a.open--
	}
}

func (a *asker) sent(p *falconParty, now uint64, x falcon.Packet) {
	if x.Type == spec.PullData {
		a.open--
	}
}

func (a *asker) completed(p *falconParty, _ uint64, c falcon.Completion) {
	p.receives = append(p.receives, c.ID)
}

// storm is a peer whose Sends find no receive request, and are sent again at once.
type storm struct {
	quiet
	sends map[uint32]falcon.Packet // by RSN
}

func (a *storm) step(p *falconParty, _ uint64) {
	if a.sends != nil {
		return
	}
	a.sends = map[uint32]falcon.Packet{}
	for range 32 {
		x := p.request(spec.Send, 32, nil)
		a.sends[x.RSN] = x
	}
}

func (a *storm) answered(p *falconParty, _ uint64, x model.Answer) {
	if again, is := a.sends[x.RSN]; is && x.Reply == spec.RNR {
		p.packets = append(p.packets, again)
	}
}

// impostor sends responses that nobody has asked for.
type impostor struct{ quiet }

func (*impostor) step(p *falconParty, _ uint64) {
	for len(p.packets) < ahead {
		x := packet.New(spec.Find(spec.RC, spec.PullData, spec.Read, spec.Only, spec.Plain))
		x.DestinationQP, x.SN, x.SinkKey, x.Payload = p.qp, 7, falconKey, make([]byte, 8)
		p.packets = append(p.packets, falcon.Packet{Type: spec.PullData, CID: p.qp, RSN: 7, Octets: x.Encode(nil, spec.Drawn)})
	}
}

// mortal is a QP that a packet without an operation ends (I-116). Its host opens it again when it has the event.
type mortal struct {
	quiet
	ends   bool // a packet is on its way
	dead   bool // the host has the event
	writes int  // of registers, in progress
}

func (a *mortal) step(p *falconParty, _ uint64) {
	switch {
	case a.writes > 0:
	case a.dead:
		for _, x := range []cosim.RegisterValue{{Name: "stream_number", Value: p.qp}, {Name: "stream_mode", Value: uint32(spec.Weak)<<2 | uint32(spec.CompleteInError)<<4},
			{Name: "stream_cid", Value: p.qp}, {Name: "stream_rsn", Value: 1}, {Name: "stream_command", Value: 4}, {Name: "stream_command", Value: 1}, {Name: "stream_command", Value: 0}} {
			p.commands = append(p.commands, cosim.Write{Addr: p.arena.address(x.Name), Value: uint64(x.Value)})
		}
		a.writes = len(p.commands)
		a.dead, a.ends = false, false
		p.arena.sn[p.qp], p.arena.rmsn[p.qp] = 0, 0
	case !a.ends:
		p.request(spec.Write, 32, nil).Octets[3] = 0x1F // the opcode, which is reserved
		a.ends = true
	}
}

func (a *mortal) reported(_ *falconParty, e falcon.Event) { a.dead = a.dead || e.Kind == falcon.Ended }

func (a *mortal) written(_ *falconParty, n int) { a.writes -= n }

// address is that of a register.
func (f *falconRig) address(name string) uint64 {
	i := slices.IndexFunc(f.config.Registers(), func(r engine.Register) bool { return r.Name == name })
	return uint64(f.config.Registers()[i].Offset)
}

// falconPoster is a host that keeps its work ring full; Falcon completes what it sends, or does not.
type falconPoster struct {
	quiet
	opcode    spec.Opcode
	octets    int
	completes bool
	open      int
	n         uint64
}

func (a *falconPoster) step(p *falconParty, _ uint64) {
	for ; a.open < p.arena.config.SendDepth; a.open++ {
		p.post(a.n, a.opcode, a.octets)
		a.n++
	}
}

func (a *falconPoster) sent(p *falconParty, now uint64, x falcon.Packet) {
	if a.completes {
		a.quiet.sent(p, now, x)
	}
}

func (a *falconPoster) completed(*falconParty, uint64, falcon.Completion) { a.open-- }
