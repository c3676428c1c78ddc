package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// delivery is the effect of a segment, which waits until its payload and that of all earlier segments of the stream is in memory.
type delivery struct {
	placed bool      // its payload is in memory
	done   []sim.Msg // what it completes
	do     func(now Cycle)
}

// placeRoom is the number of lines that may wait to be written before the receive side stops.
const placeRoom = 256

// take takes a segment from the network; its beats take as many cycles.
func (n *rnic) take(now Cycle) (next Cycle) {
	if n.net.Peek() == nil {
		return never
	}
	if n.free > now {
		return n.free
	}
	if n.memory.writes.lines > placeRoom {
		return now + 1
	}
	m := n.net.Retrieve(at(n.Freq, now)).(*Segment)
	beats := Beats(len(m.Octets), n.site.Config.BusBytes)
	n.traffic.SegmentsIn++
	n.traffic.BeatsIn += uint64(beats)
	n.free = now + Cycle(beats)
	n.later(n.free-1, n.timing.ArriveToPlace, func(now Cycle) { n.receive(m.Stream, m.Octets, now) })
	return n.free
}

// receive lets the model take a segment, in the cycle in which its first octets are written.
func (n *rnic) receive(number uint32, octets []byte, now Cycle) {
	v := n.model.Receive(number, octets)
	if v.Error != spec.None {
		n.fail("stream %d: a segment of a %s breaks a rule: %v", number, n.site.Config.Extensions.Title(v.Opcode), v.Error)
		return
	}
	d := &delivery{placed: v.Octets == 0, done: n.finished(number)}
	s := &n.streams[number]
	s.deliveries = append(s.deliveries, d)
	if n.site.Config.Extensions.Is(v.Opcode, spec.Requests) {
		r := n.requestOf(octets)
		d.do = func(when Cycle) { n.queue(number, r, when, when > now) }
	} else if v.Last {
		done := n.timing.PlaceToDone
		if v.Octets == 0 && n.site.Config.Extensions.Is(v.Opcode, spec.Replies) {
			done = n.timing.ReplyToDone - n.timing.ArriveToPlace
		} else if v.Octets == 0 {
			done = n.timing.ArriveToDone - n.timing.ArriveToPlace
		} else if n.site.Config.Extensions.Is(v.Opcode, spec.Receives) {
			done = n.timing.PlaceToReceive
		}
		d.do = func(now Cycle) {
			n.report(number, d.done, now, done)
			n.start(number, now)
		}
	}
	if v.Octets > 0 {
		n.memory.write(v.Address, n.model.Memory().Append(nil, v.Address, v.Octets), func(now Cycle) {
			d.placed = true
			n.deliver(number, now)
		})
	}
	n.deliver(number, now)
}

// deliver lets the segments of a stream take effect whose payload, and that of all before, is in memory.
func (n *rnic) deliver(number uint32, now Cycle) {
	s := &n.streams[number]
	for len(s.deliveries) > 0 && s.deliveries[0].placed {
		d := s.deliveries[0]
		s.deliveries = s.deliveries[1:]
		if d.do != nil {
			d.do(now)
		}
	}
}
