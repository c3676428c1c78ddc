package system

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"
)

// switchDepth is the number of segments that wait at an input of a switch for busy outputs. What waits there holds up what follows.
const switchDepth = 16

// netSwitch forwards segments between the links of all nodes. The input that is first in a cycle changes from cycle to cycle. Latency is
// from the arrival of a segment to when it waits for the link to its receiver.
type netSwitch struct {
	*Clocked
	ports   []sim.Port // by node
	peers   []sim.Port // at the other end of the links, by node
	latency Cycle
	inputs  map[sim.Port]int
	busy    []uint64 // bits of the inputs that hold segments
}

func newSwitch(engine sim.Engine, f sim.Freq, nodes int, n Network) *netSwitch {
	s := &netSwitch{latency: n.SwitchLatency.cycles(f), inputs: map[sim.Port]int{}, busy: make([]uint64, (nodes+63)/64)}
	s.Clocked = NewClocked("Switch", engine, f, s.forward)
	passing := int(float64(s.latency) * n.rate(f) / float64((&Segment{}).linkOctets())) // the most that arrive within the latency
	for i := range nodes {
		p := sim.NewLimitNumMsgPort(s, switchDepth+passing, fmt.Sprintf("Switch.Port[%d]", i))
		s.AddPort(fmt.Sprintf("Port[%d]", i), p)
		s.ports = append(s.ports, p)
		s.inputs[p] = i
	}
	return s
}

// NotifyRecv notes which input has a segment.
func (s *netSwitch) NotifyRecv(now sim.VTimeInSec, p sim.Port) {
	i := s.inputs[p]
	s.busy[i/64] |= 1 << (i % 64)
	s.Clocked.NotifyRecv(now, p)
}

func (s *netSwitch) forward(now Cycle) (next Cycle) {
	next = never
	first := int(now % Cycle(len(s.ports)))
	s.each(first, len(s.ports), func(i int) { next = min(next, s.pass(i, now)) })
	s.each(0, first, func(i int) { next = min(next, s.pass(i, now)) })
	return next
}

// each calls do with the inputs from one up to another that hold segments.
func (s *netSwitch) each(from, to int, do func(i int)) {
	for i := from; i < to; i++ {
		rest := s.busy[i/64] >> (i % 64)
		if rest == 0 {
			i |= 63
			continue
		}
		if i += bits.TrailingZeros64(rest); i < to {
			do(i)
		}
	}
}

// pass forwards the segments of an input that are through the switch, as far as the links to their receivers have room.
func (s *netSwitch) pass(i int, now Cycle) (next Cycle) {
	in := s.ports[i]
	for m := in.Peek(); m != nil; m = in.Peek() {
		segment := m.(*Segment)
		if ready := s.Freq.Cycle(segment.RecvTime) + s.latency; ready > now {
			return ready
		}
		out := s.ports[segment.To]
		if !out.CanSend() {
			return never // the link wakes this switch
		}
		in.Retrieve(at(s.Freq, now))
		forwarded := &Segment{To: segment.To, Stream: segment.Stream, Octets: segment.Octets, Falcon: segment.Falcon}
		forwarded.Src, forwarded.Dst, forwarded.SendTime = out, s.peers[segment.To], at(s.Freq, now)
		out.Send(forwarded)
	}
	s.busy[i/64] &^= 1 << (i % 64)
	return never
}
