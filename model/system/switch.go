package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// switchDepth is the number of segments that an input of a switch holds. What waits there for a busy output holds up what follows.
const switchDepth = 16

// netSwitch forwards segments between the links of all nodes. The input that is first in a cycle changes from cycle to cycle. Latency is from the arrival of a segment to when
// it waits for the link to its receiver.
type netSwitch struct {
	*Clocked
	ports   []sim.Port // by node
	peers   []sim.Port // at the other end of the links, by node
	latency Cycle
}

func newSwitch(engine sim.Engine, f sim.Freq, nodes int, latency Cycle) *netSwitch {
	s := &netSwitch{latency: latency}
	s.Clocked = NewClocked("Switch", engine, f, s.forward)
	for i := range nodes {
		p := sim.NewLimitNumMsgPort(s, switchDepth, fmt.Sprintf("Switch.Port[%d]", i))
		s.AddPort(fmt.Sprintf("Port[%d]", i), p)
		s.ports = append(s.ports, p)
	}
	return s
}

func (s *netSwitch) forward(now Cycle) (next Cycle) {
	next = never
	n := len(s.ports)
	for i := range n {
		in := s.ports[(int(now%Cycle(n))+i)%n]
		for {
			m := in.Peek()
			if m == nil {
				break
			}
			segment := m.(*Segment)
			if ready := s.Freq.Cycle(segment.RecvTime) + s.latency; ready > now {
				next = min(next, ready)
				break
			}
			out := s.ports[segment.To]
			if !out.CanSend() {
				break // the link wakes this switch
			}
			in.Retrieve(at(s.Freq, now))
			forwarded := &Segment{To: segment.To, Stream: segment.Stream, Octets: segment.Octets}
			forwarded.Src, forwarded.Dst, forwarded.SendTime = out, s.peers[segment.To], at(s.Freq, now)
			out.Send(forwarded)
		}
	}
	return next
}
