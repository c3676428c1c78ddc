package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// delivery is the effect of a segment, which waits until its payload and that of all earlier segments of the stream is in memory. Those of
// all streams take effect in the order in which they arrived.
type delivery struct {
	stream uint32
	number int       // of the segment, among those of the stream
	done   []sim.Msg // what it completes
	do     func(now Cycle)
}

// placements are those of a stream: segments that have arrived, those whose payload is in memory as is that of all before, and which of the
// later ones are.
type placements struct {
	arrived, placed int
	early           map[int]bool
}

// add counts a segment, and place that its payload is in memory.
func (p *placements) add() (number int) {
	p.arrived++
	return p.arrived
}

func (p *placements) place(number int) {
	if p.early == nil {
		p.early = map[int]bool{}
	}
	p.early[number] = true
	for p.early[p.placed+1] {
		p.placed++
		delete(p.early, p.placed)
	}
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
	s := &n.streams[number]
	d := &delivery{stream: number, number: s.placements.add(), done: n.finished(number)}
	if n.site.Config.Extensions.Is(v.Opcode, spec.Requests) {
		r := n.requestOf(octets)
		d.do = func(when Cycle) { n.queue(number, r, when, when > now) }
	} else if v.Last && !n.site.Config.Extensions.Is(v.Opcode, spec.Write) {
		done := n.timing.PlaceToDone
		if v.Octets == 0 {
			done = n.timing.ReplyToDone - n.timing.ArriveToPlace
		} else if n.site.Config.Extensions.Is(v.Opcode, spec.Receives) {
			done = n.timing.PlaceToReceive
		}
		d.do = func(now Cycle) {
			n.report(number, d.done, now, done)
			n.start(number, now)
		}
	}
	if d.do != nil {
		n.deliveries = append(n.deliveries, d)
	}
	if v.Octets == 0 {
		n.placed(d, now)
		return
	}
	n.memory.write(v.Address, n.model.Memory().Append(nil, v.Address, v.Octets), func(now Cycle) { n.placed(d, now) })
}

// placed says that the payload of a segment is in memory, and lets segments take effect.
func (n *rnic) placed(d *delivery, now Cycle) {
	n.streams[d.stream].placements.place(d.number)
	for len(n.deliveries) > 0 {
		first := n.deliveries[0]
		if n.streams[first.stream].placements.placed < first.number {
			return
		}
		n.deliveries = n.deliveries[1:]
		first.do(now)
	}
}
