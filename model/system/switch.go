package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// switchDepth is the number of segments that wait at an input of a switch for busy outputs. What waits there holds up what follows.
const switchDepth = 16

// netSwitch forwards segments between the links of all nodes. Inputs that have a segment for the same link have it in turn. Latency is
// from the arrival of a segment to when it waits for the link to its receiver.
type netSwitch struct {
	*Clocked
	ports   []sim.Port // by node
	peers   []sim.Port // at the other end of the links, by node
	latency Cycle
	inputs  map[sim.Port]int
	busy    set   // inputs that hold segments
	offered set   // those whose first segment waits for a link
	wanted  []set // by link: the inputs whose first segment waits for it
	links   set   // those that inputs wait for
	turn    []int // by link: the input that comes first
}

func newSwitch(engine sim.Engine, f sim.Freq, nodes int, n Network) *netSwitch {
	s := &netSwitch{latency: n.SwitchLatency.cycles(f), inputs: map[sim.Port]int{}, busy: newSet(nodes), offered: newSet(nodes), links: newSet(nodes), turn: make([]int, nodes)}
	s.Clocked = NewClocked("Switch", engine, f, s.forward)
	passing := int(float64(s.latency) * n.rate(f) / float64((&Segment{}).linkOctets())) // the most that arrive within the latency
	for i := range nodes {
		p := sim.NewLimitNumMsgPort(s, switchDepth+passing, fmt.Sprintf("Switch.Port[%d]", i))
		s.AddPort(fmt.Sprintf("Port[%d]", i), p)
		s.ports = append(s.ports, p)
		s.inputs[p] = i
		s.wanted = append(s.wanted, newSet(nodes))
	}
	return s
}

// NotifyRecv notes which input has a segment.
func (s *netSwitch) NotifyRecv(now sim.VTimeInSec, p sim.Port) {
	s.busy.add(s.inputs[p])
	s.Clocked.NotifyRecv(now, p)
}

func (s *netSwitch) forward(now Cycle) (next Cycle) {
	next = never
	for i := s.busy.next(0); i >= 0; i = s.busy.next(i + 1) {
		next = min(next, s.offer(i, now))
	}
	for passed := true; passed; {
		passed = false
		for out := s.links.next(0); out >= 0; out = s.links.next(out + 1) {
			for i := s.first(out); i >= 0 && s.ports[out].CanSend(); i = s.first(out) { // if it cannot, the link wakes this switch
				s.pass(i, out, now)
				next = min(next, s.offer(i, now))
				passed = true
			}
		}
	}
	return next
}

// first returns the input whose turn it is on a link, or -1.
func (s *netSwitch) first(out int) int {
	if i := s.wanted[out].next(s.turn[out]); i >= 0 {
		return i
	}
	return s.wanted[out].next(0)
}

// offer lets the first segment of an input wait for its link, once it is through the switch.
func (s *netSwitch) offer(i int, now Cycle) (next Cycle) {
	if s.offered.has(i) {
		return never
	}
	m := s.ports[i].Peek()
	if m == nil {
		s.busy.remove(i)
		return never
	}
	segment := m.(*Segment)
	if ready := s.Freq.Cycle(segment.RecvTime) + s.latency; ready > now {
		return ready
	}
	s.offered.add(i)
	s.wanted[segment.To].add(i)
	s.links.add(segment.To)
	return never
}

// pass forwards the first segment of an input.
func (s *netSwitch) pass(i, out int, now Cycle) {
	segment := s.ports[i].Retrieve(at(s.Freq, now)).(*Segment)
	forwarded := &Segment{To: segment.To, Stream: segment.Stream, Octets: segment.Octets, Falcon: segment.Falcon}
	forwarded.Src, forwarded.Dst, forwarded.SendTime = s.ports[out], s.peers[out], at(s.Freq, now)
	s.ports[out].Send(forwarded)
	s.offered.remove(i)
	if s.wanted[out].remove(i); s.wanted[out].next(0) < 0 {
		s.links.remove(out)
	}
	s.turn[out] = i + 1
}
