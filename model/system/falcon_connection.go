package system

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconConnection is one end of a connection, for the requests of this node and for those of its peer.
type falconConnection struct {
	*FalconTransport
	cid     uint32
	peer    Peer
	ordered bool

	// The initiator.
	open map[uint32]*openRequest // not complete, by RSN
	over uint32                  // ordered: RSN of the next one to complete

	// The target.
	next  uint32              // ordered: RSN of the next request for the RNIC
	held  map[uint32]*Segment // ordered: those that have overtaken it
	given map[uint32]*Segment // that the RNIC has, without an answer, or without the response of a pull
	owed  []acknowledgement
}

// openRequest is a request of this node, and what completes it.
type openRequest struct {
	Transaction
	octets   []byte
	done     bool     // a push is acknowledged
	response *Segment // of a pull
}

func newFalconConnection(t *FalconTransport, cid uint32, p Peer) *falconConnection {
	return &falconConnection{FalconTransport: t, cid: cid, peer: p, ordered: p.Ordering.Falcon() == spec.Strong, open: map[uint32]*openRequest{},
		held: map[uint32]*Segment{}, given: map[uint32]*Segment{}}
}

// segment returns a packet for the other end.
func (c *falconConnection) segment(h FalconHeader, octets []byte) *Segment {
	return &Segment{To: c.peer.Node, Stream: c.peer.Stream, Octets: octets, Falcon: &h}
}

// send takes a packet of the RNIC.
func (c *falconConnection) send(x Transaction, octets []byte) {
	if x.Type != spec.PullData {
		c.open[x.RSN] = &openRequest{Transaction: x, octets: octets}
	} else {
		if c.given[x.RSN] == nil {
			c.fail("CID %d: the RNIC responds to RSN %d, which is not in progress", c.cid, x.RSN)
		}
		delete(c.given, x.RSN)
	}
	c.out = append(c.out, c.segment(FalconHeader{Transaction: x}, octets))
}

// sendAgain sends a push once more after an RNR NACK.
func (c *falconConnection) sendAgain(rsn uint32) {
	if o := c.open[rsn]; o != nil {
		c.out = append(c.out, c.segment(FalconHeader{Transaction: o.Transaction}, o.octets))
	}
}

// requested takes a request of the peer.
func (c *falconConnection) requested(s *Segment) {
	rsn := s.Falcon.RSN
	if c.ordered && int32(rsn-c.next) < 0 || c.held[rsn] != nil || c.given[rsn] != nil {
		c.fail("CID %d: RSN %d arrives twice", c.cid, rsn)
		return
	}
	if !c.ordered {
		c.give(s)
		return
	}
	c.held[rsn] = s
	for s := c.held[c.next]; s != nil; s = c.held[c.next] {
		delete(c.held, c.next)
		c.next++
		c.give(s)
	}
}

// give hands a request to the RNIC.
func (c *falconConnection) give(s *Segment) {
	c.given[s.Falcon.RSN] = s
	c.ready = append(c.ready, s)
}

// answer takes the answer of the RNIC to a request: of a push its acknowledgement. A request with an RNR is given again, on an ordered
// connection with all that follow it, which get one as well; a push comes from the initiator again, a pull waits here (FTP 6.6).
func (c *falconConnection) answer(a falcon.Answer, now Cycle) {
	s := c.given[a.RSN]
	switch {
	case s == nil:
		c.fail("CID %d: the RNIC answers RSN %d, which is not in progress", c.cid, a.RSN)
	case a.Reply == spec.Ack && s.Falcon.Type == spec.PushRequest:
		delete(c.given, a.RSN)
		c.owe(acknowledgement{rsn: a.RSN})
	case a.Reply == spec.Ack:
	case a.Reply == spec.RNR:
		delete(c.given, a.RSN)
		if int32(a.RSN-c.next) < 0 {
			c.next = a.RSN
		}
		if s.Falcon.Type == spec.PushRequest {
			c.nacks = append(c.nacks, c.segment(FalconHeader{kind: nack, refused: a}, nil))
		} else {
			c.agenda.enter(now+rnrCycles(c.site.Freq, a.Timeout), func(Cycle) { c.requested(s) })
		}
	default:
		c.fail("CID %d: the RNIC answers RSN %d with %v", c.cid, a.RSN, a.Reply)
	}
}

// owe notes something to acknowledge.
func (c *falconConnection) owe(a acknowledgement) {
	if len(c.owed) == 0 {
		c.owing = append(c.owing, c.cid)
	}
	c.owed = append(c.owed, a)
}

// answered takes a response of the peer, and acknowledges it.
func (c *falconConnection) answered(s *Segment) {
	o := c.open[s.Falcon.RSN]
	if o == nil || o.Type != spec.PullRequest || o.response != nil {
		c.fail("CID %d: a response to RSN %d, which is not in progress", c.cid, s.Falcon.RSN)
		return
	}
	c.owe(acknowledgement{rsn: s.Falcon.RSN, response: true, octets: len(s.Octets)})
	o.done, o.response = true, s
	c.finish(s.Falcon.RSN)
}

// acknowledged takes an acknowledgement of the peer: of a push, or of a response, whose credits return.
func (c *falconConnection) acknowledged(a acknowledgement) {
	if a.response {
		c.credits(c.cid, spec.Cost(spec.PullData, a.octets, c.site.Config.Falcon.BufferOctets))
		return
	}
	o := c.open[a.rsn]
	if o == nil || o.Type != spec.PushRequest || o.done {
		c.fail("CID %d: an acknowledgement of RSN %d, which is not in progress", c.cid, a.rsn)
		return
	}
	o.done = true
	c.finish(a.rsn)
}

// finish completes a request that is done, on an ordered connection once all before it are, and those behind it that are done too.
func (c *falconConnection) finish(rsn uint32) {
	if c.ordered {
		rsn = c.over
	}
	for o := c.open[rsn]; o != nil && o.done; o = c.open[rsn] {
		delete(c.open, rsn)
		if o.response != nil {
			c.ready = append(c.ready, o.response)
		} else {
			c.complete = append(c.complete, falcon.Completed{CID: c.cid, RSN: rsn})
		}
		c.credits(c.cid, spec.Cost(o.Type, o.Length, c.site.Config.Falcon.BufferOctets))
		if !c.ordered {
			return
		}
		c.over++
		rsn = c.over
	}
}
