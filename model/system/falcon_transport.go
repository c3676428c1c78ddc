package system

import (
	"fmt"
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// FalconTransport is the Falcon of a node, between its RNIC and its link. It passes on requests and responses, on ordered connections in the order
// of RSN, on others as they arrive; completes requests when they are acknowledged or answered; lets an RNR NACK be followed by another
// attempt; and returns credits. It takes no time itself: only what it sends does.
//
// The network loses and duplicates nothing, so there are no retransmissions but those. Whatever is lost or duplicated nevertheless is an error.
type FalconTransport struct {
	site        Site
	net         sim.Port
	connections []*falconConnection
	agenda      agenda     // arrivals that the network delays, and retries
	random      *rand.Rand // delays
	out         []*Segment // of the RNIC, that wait for the link
	owing       []uint32   // connections that have something to acknowledge, in the order in which they got it
	nacks       []*Segment

	ready    []*Segment         // for the RNIC
	complete []falcon.Completed // for the RNIC
	credits  func(cid uint32, c spec.Credits)
	err      error
}

// NewFalconTransport returns that of a site, whose network is at a port. It calls credits when those of a connection return.
func NewFalconTransport(site Site, net sim.Port, credits func(cid uint32, c spec.Credits)) *FalconTransport {
	t := &FalconTransport{site: site, net: net, credits: credits, random: rand.New(rand.NewPCG(site.Seed, uint64(site.Node)))}
	for cid, p := range site.Peers {
		t.connections = append(t.connections, newFalconConnection(t, uint32(cid), p))
	}
	return t
}

// Err is the first error.
func (t *FalconTransport) Err() error { return t.err }

func (t *FalconTransport) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("falcon: "+format, args...)
	}
}

// Collect takes what has arrived by a cycle. Each packet is delayed by a random number of cycles up to Reorder.
func (t *FalconTransport) Collect(now Cycle) {
	for m := t.net.Retrieve(at(t.site.Freq, now)); m != nil; m = t.net.Retrieve(at(t.site.Freq, now)) {
		s := m.(*Segment)
		when := now
		if t.site.Reorder > 0 {
			when += t.random.Uint64N(t.site.Reorder + 1)
		}
		t.agenda.enter(when, func(now Cycle) { t.receive(s, now) })
	}
	t.agenda.run(now)
}

func (t *FalconTransport) receive(s *Segment, now Cycle) {
	c := t.connections[s.Stream]
	switch h := s.Falcon; {
	case h.kind == ack:
		for _, a := range h.acknowledged {
			c.acknowledged(a)
		}
	case h.kind == nack:
		t.agenda.enter(now+rnrCycles(t.site.Freq, h.refused.Timeout), func(Cycle) { c.sendAgain(h.refused.RSN) })
	case h.Type == spec.PullData:
		c.answered(s)
	default:
		c.requested(s)
	}
}

// rnrCycles is the delay of an RNR NACK timeout code, in units of 10 microseconds.
func rnrCycles(f sim.Freq, code uint8) Cycle {
	return Cycle(float64(spec.RNRTimeouts[code]) * 10e-6 * float64(f))
}

// Packet returns the next packet for the RNIC; nil if there is none. PacketTaken says that the RNIC has taken it.
func (t *FalconTransport) Packet() *Segment {
	if len(t.ready) == 0 {
		return nil
	}
	return t.ready[0]
}

func (t *FalconTransport) PacketTaken() { t.ready = t.ready[1:] }

// Completed takes the next completion for the RNIC; false if there is none.
func (t *FalconTransport) Completed() (c falcon.Completed, some bool) {
	if len(t.complete) == 0 {
		return c, false
	}
	c, t.complete = t.complete[0], t.complete[1:]
	return c, true
}

// Send takes a packet of the RNIC, and Answer its answer to a request.
func (t *FalconTransport) Send(cid uint32, x Transaction, octets []byte) {
	t.connections[cid].send(x, octets)
}

func (t *FalconTransport) Answer(a falcon.Answer, now Cycle) { t.connections[a.CID].answer(a, now) }

// CanSend reports whether the RNIC may hand over a packet: one waits for the link.
func (t *FalconTransport) CanSend() bool { return len(t.out) == 0 }

// Flush sends the next packet to the other end of the network: acknowledgements before packets of the RNIC. It returns the cycle in which
// there is more to do.
func (t *FalconTransport) Flush(other sim.Port, now Cycle) (next Cycle) {
	next = t.agenda.next()
	if len(t.ready)+len(t.complete) > 0 {
		next = now + 1
	}
	if !t.net.CanSend() {
		return next // the link wakes the RNIC
	}
	var s *Segment
	switch {
	case len(t.nacks) > 0:
		s, t.nacks = t.nacks[0], t.nacks[1:]
	case len(t.owing) > 0:
		c := t.connections[t.owing[0]]
		t.owing = t.owing[1:]
		s = c.segment(FalconHeader{kind: ack, acknowledged: c.owed}, nil)
		c.owed = nil
	case len(t.out) > 0:
		s, t.out = t.out[0], t.out[1:]
	default:
		return next
	}
	s.Src, s.Dst, s.SendTime = t.net, other, at(t.site.Freq, now)
	s.TrafficBytes = len(s.Octets)
	t.net.Send(s)
	return now + 1
}
