package system

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconPair is the transports of two nodes with one connection, and a wire that a test carries packets over.
type falconPair struct {
	t        *testing.T
	side     [2]*FalconTransport
	wire     [2][]*Segment // from each side
	returned [2]spec.Credits
}

// loose is a connection that keeps what is sent.
type loose struct {
	sim.HookableBase
	to *[]*Segment
}

func (*loose) Name() string                             { return "Wire" }
func (*loose) PlugIn(sim.Port, int)                     {}
func (*loose) Unplug(sim.Port)                          {}
func (*loose) CanSend(sim.Port) bool                    { return true }
func (*loose) NotifyAvailable(sim.VTimeInSec, sim.Port) {}
func (l *loose) Send(m sim.Msg) *sim.SendError {
	*l.to = append(*l.to, m.(*Segment))
	return nil
}

func newFalconPair(t *testing.T, o Ordering) *falconPair {
	p := &falconPair{t: t}
	for i := range 2 {
		site := Site{Node: i, Freq: testFreq, Config: falconOptions().Config, Peers: []Peer{{Node: 1 - i, Ordering: o}}}
		c := &sink{}
		c.Clocked = NewClocked("N", sim.NewSerialEngine(), testFreq, func(Cycle) Cycle { return never })
		c.port = sim.NewLimitNumMsgPort(c, 64, "N.Port")
		c.port.SetConnection(&loose{to: &p.wire[i]})
		p.side[i] = NewFalconTransport(site, c.port, func(_ uint32, c spec.Credits) { p.returned[i] = p.returned[i].Add(c) })
	}
	return p
}

// request sends one from side 0.
func (p *falconPair) request(x spec.PacketType, rsn uint32) {
	p.side[0].connections[0].send(Transaction{x, rsn, 10}, make([]byte, 10))
}

// flush sends what a side has.
func (p *falconPair) flush(side int, now Cycle) []*Segment {
	t := p.side[side]
	for before := -1; before != len(p.wire[side]); {
		before = len(p.wire[side])
		t.Flush(nil, now)
	}
	list := p.wire[side]
	p.wire[side] = nil
	return list
}

func (p *falconPair) errors(text string) {
	p.t.Helper()
	for _, s := range p.side {
		if s.err != nil {
			assert.EqualError(p.t, s.err, text)
			return
		}
	}
	assert.Empty(p.t, text)
}

// given are the RSNs that a side has for its RNIC.
func (p *falconPair) given(side int) (list []uint32) {
	for _, s := range p.side[side].ready {
		list = append(list, s.Falcon.RSN)
	}
	p.side[side].ready = nil
	return list
}

// An ordered connection hands over requests, and completes them, in the order of RSN; another one as they arrive.
func TestTransportOrders(t *testing.T) {
	for _, o := range []Ordering{Strong, Unordered} {
		p := newFalconPair(t, o)
		for rsn := range uint32(3) {
			p.request(spec.PushRequest, rsn)
		}
		list := p.flush(0, 1)
		require.Len(t, list, 3)
		var given []uint32
		for _, i := range []int{2, 0, 1} {
			p.side[1].receive(list[i], 1)
			given = append(given, p.given(1)...)
		}
		want := map[Ordering][]uint32{Strong: {0, 1, 2}, Unordered: {2, 0, 1}}[o]
		assert.Equal(t, want, given)
		var acks []*Segment
		for _, rsn := range []uint32{1, 2, 0} {
			p.side[1].connections[0].answer(falcon.Answer{RSN: rsn, Reply: spec.Ack}, 1)
			acks = append(acks, p.flush(1, 1)...)
		}
		require.Len(t, acks, 3)
		for _, a := range acks {
			p.side[0].receive(a, 1)
		}
		var done []uint32
		for _, c := range p.side[0].complete {
			done = append(done, c.RSN)
		}
		assert.Equal(t, map[Ordering][]uint32{Strong: {0, 1, 2}, Unordered: {1, 2, 0}}[o], done)
		cost := spec.Cost(spec.PushRequest, 10, 64)
		assert.Equal(t, cost.Add(cost).Add(cost), p.returned[0])
		p.errors("")
	}
}

// What waits for the link is acknowledged by one packet.
func TestTransportCoalesces(t *testing.T) {
	p := newFalconPair(t, Weak)
	for rsn := range uint32(3) {
		p.request(spec.PushRequest, rsn)
	}
	for _, s := range p.flush(0, 1) {
		p.side[1].receive(s, 1)
		p.side[1].connections[0].answer(falcon.Answer{RSN: s.Falcon.RSN, Reply: spec.Ack}, 1)
	}
	acks := p.flush(1, 1)
	require.Len(t, acks, 1)
	p.side[0].receive(acks[0], 1)
	assert.Len(t, p.side[0].complete, 3)
	p.errors("")
}

// A response completes its pull; its acknowledgement returns the credits of the target.
func TestTransportPulls(t *testing.T) {
	p := newFalconPair(t, Strong)
	p.request(spec.PullRequest, 0)
	p.side[1].receive(p.flush(0, 1)[0], 1)
	p.side[1].connections[0].answer(falcon.Answer{Reply: spec.Ack}, 1)
	p.side[1].connections[0].send(Transaction{Type: spec.PullData}, make([]byte, 100))
	response := p.flush(1, 1)
	require.Len(t, response, 1)
	p.side[0].receive(response[0], 1)
	assert.Equal(t, []uint32{0}, p.given(0))
	assert.Equal(t, spec.Cost(spec.PullRequest, 10, 64), p.returned[0])
	p.side[1].receive(p.flush(0, 1)[0], 1)
	assert.Equal(t, spec.Cost(spec.PullData, 100, 64), p.returned[1])
	p.errors("")
	p.side[0].receive(response[0], 1)
	p.errors("falcon: CID 0: a response to RSN 0, which is not in progress")
}

// After an RNR a push comes again from its initiator, a pull from the target's own Falcon; on an ordered connection so do all that follow it,
// in order, and on another one only it.
func TestTransportRetries(t *testing.T) {
	for _, o := range []Ordering{Strong, Weak} {
		p := newFalconPair(t, o)
		for rsn, x := range []spec.PacketType{spec.PushRequest, spec.PullRequest, spec.PushRequest} {
			p.request(x, uint32(rsn))
		}
		for _, s := range p.flush(0, 1) {
			p.side[1].receive(s, 1)
		}
		assert.Equal(t, []uint32{0, 1, 2}, p.given(1))
		for rsn := range uint32(3) {
			p.side[1].connections[0].answer(falcon.Answer{RSN: rsn, Reply: spec.RNR, Timeout: 1}, 1)
		}
		for _, s := range p.flush(1, 1) {
			assert.Equal(t, nack, s.Falcon.kind)
			p.side[0].receive(s, 1)
		}
		after := 1 + testFreq.Cycle(10e-6)
		p.side[0].Collect(after - 1)
		p.side[1].Collect(after - 1)
		assert.Empty(t, p.flush(0, after-1))
		p.side[1].Collect(after)
		p.side[0].Collect(after)
		again := p.flush(0, after)
		require.Len(t, again, 2, "the pushes")
		p.side[1].receive(again[1], after)
		p.side[1].receive(again[0], after)
		want := map[Ordering][]uint32{Strong: {0, 1, 2}, Weak: {1, 2, 0}}[o]
		assert.Equal(t, want, p.given(1))
		p.errors("")
	}
}

// Requests, acknowledgements and answers that are none are errors.
func TestTransportErrors(t *testing.T) {
	for message, do := range map[string]func(p *falconPair, s *Segment){
		"falcon: CID 0: RSN 0 arrives twice": func(p *falconPair, s *Segment) {
			p.side[1].receive(s, 1)
			p.side[1].receive(s, 1)
		},
		"falcon: CID 0: an acknowledgement of RSN 0, which is not in progress": func(p *falconPair, s *Segment) {
			p.side[1].receive(s, 1)
			p.side[1].connections[0].answer(falcon.Answer{Reply: spec.Ack}, 1)
			a := p.flush(1, 1)[0]
			p.side[0].receive(a, 1)
			p.side[0].receive(a, 1)
		},
		"falcon: CID 0: an acknowledgement of RSN 1, which is not in progress": func(p *falconPair, s *Segment) {
			p.request(spec.PushRequest, 1)
			p.side[1].receive(s, 1)
			p.side[1].receive(p.flush(0, 1)[0], 1)
			p.side[1].connections[0].answer(falcon.Answer{RSN: 1, Reply: spec.Ack}, 1)
			a := p.flush(1, 1)[0]
			p.side[0].receive(a, 1) // RSN 0 is not complete
			p.side[0].receive(a, 1)
		},
		"falcon: CID 0: the RNIC answers RSN 0, which is not in progress": func(p *falconPair, _ *Segment) {
			p.side[1].connections[0].answer(falcon.Answer{Reply: spec.Ack}, 1)
		},
		"falcon: CID 0: the RNIC answers RSN 0 with cie": func(p *falconPair, s *Segment) {
			p.side[1].receive(s, 1)
			p.side[1].connections[0].answer(falcon.Answer{Reply: spec.CIE}, 1)
		},
		"falcon: CID 0: the RNIC responds to RSN 5, which is not in progress": func(p *falconPair, _ *Segment) {
			p.side[1].connections[0].send(Transaction{Type: spec.PullData, RSN: 5}, nil)
		},
	} {
		p := newFalconPair(t, Strong)
		p.request(spec.PushRequest, 0)
		do(p, p.flush(0, 1)[0])
		p.errors(message)
	}
}

// Octets on a link, by hand: 38 of Ethernet, 20 of IPv4, 8 of UDP, 32 of PSP, the header of FTP 7.3 to 7.8, and what follows.
func TestFalconOctets(t *testing.T) {
	for _, c := range []struct {
		header FalconHeader
		rdma   int
		octets int
	}{
		{FalconHeader{Transaction: Transaction{Type: spec.PushRequest}}, 100, 98 + 28 + 100},
		{FalconHeader{Transaction: Transaction{Type: spec.PullRequest}}, 40, 98 + 32 + 40},
		{FalconHeader{Transaction: Transaction{Type: spec.PullData}}, 40, 98 + 24 + 40},
		{FalconHeader{kind: ack}, 0, 98 + 32},
		{FalconHeader{kind: nack}, 0, 98 + 40},
	} {
		assert.Equal(t, c.octets, (&Segment{Octets: make([]byte, c.rdma), Falcon: &c.header}).linkOctets())
	}
}

// RSNs wrap.
func TestTransportWraps(t *testing.T) {
	p := newFalconPair(t, Strong)
	const first = ^uint32(1)
	for _, s := range p.side {
		s.connections[0].next, s.connections[0].over = first, first
	}
	for n := range uint32(4) {
		p.request(spec.PushRequest, first+n)
	}
	list := p.flush(0, 1)
	for _, n := range []int{3, 1, 2, 0} {
		p.side[1].receive(list[n], 1)
	}
	assert.Equal(t, []uint32{first, first + 1, 0, 1}, p.given(1))
	for _, n := range []uint32{2, 3, 0, 1} {
		p.side[1].connections[0].answer(falcon.Answer{RSN: first + n, Reply: spec.Ack}, 1)
	}
	for _, s := range p.flush(1, 1) {
		p.side[0].receive(s, 1)
	}
	assert.Len(t, p.side[0].complete, 4)
	p.errors("")
}

// Acknowledgements leave before packets of the RNIC that were there first.
func TestAcknowledgementsLeaveFirst(t *testing.T) {
	p := newFalconPair(t, Strong)
	p.request(spec.PushRequest, 0)
	p.side[1].receive(p.flush(0, 1)[0], 1)
	p.side[1].connections[0].send(Transaction{spec.PushRequest, 0, 10}, make([]byte, 10))
	p.side[1].connections[0].answer(falcon.Answer{RSN: 0, Reply: spec.Ack}, 1)
	list := p.flush(1, 1)
	require.Len(t, list, 2)
	assert.Equal(t, []packetKind{ack, carried}, []packetKind{list[0].Falcon.kind, list[1].Falcon.kind})
	p.errors("")
}
