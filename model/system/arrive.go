package system

import "github.com/sarchlab/akita/v3/sim"

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
	m := n.speaks.arrival(now)
	if m == nil {
		return never
	}
	if n.free > now {
		return n.free
	}
	if n.accesses.writes.lines > placeRoom {
		return now + 1
	}
	n.speaks.accept(now)
	beats := Beats(len(m.Octets), n.site.Config.BusBytes)
	n.traffic.SegmentsIn++
	n.traffic.BeatsIn += uint64(beats)
	n.free = now + Cycle(beats)
	n.later(n.free-1, n.timing.ArriveToPlace, func(now Cycle) { n.speaks.receive(m, now) })
	return n.free
}

// deliver adds a delivery, if it has an effect, to those that wait.
func (n *rnic) deliver(d *delivery) {
	if d.do != nil {
		n.deliveries = append(n.deliveries, d)
	}
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
