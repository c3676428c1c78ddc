package system

import (
	"fmt"
	"time"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/sarchlab/akita/v3/sim"
)

// framingOctets is the overhead per FPDU: Ethernet preamble, header, FCS and gap (38), IPv4 (20), TCP (20).
const framingOctets = 78

// link is a full-duplex connection of two ports. It never loses or reorders packets and accepts each immediately;
// packets wait inside it for transmission.
type link struct {
	sim.HookableBase
	engine  sim.Engine
	latency time.Duration
	rate    int // Gbit/s, i.e. bits per nanosecond; 0: no limit
	ways    []*way
}

// way is one direction of a link.
type way struct {
	engine sim.Engine
	from   sim.Port
	free   time.Duration // when the wire becomes idle
	queue  []flight      // in order of sending and arrival
}

type flight struct {
	arrival time.Duration
	packet  sim.Msg
}

func connect(engine sim.Engine, c Config, a, b sim.Port) *link {
	l := &link{engine: engine, latency: c.LinkLatency, rate: c.LinkRate}
	l.PlugIn(a, c.ORD)
	l.PlugIn(b, c.ORD)
	return l
}

// PlugIn connects one of the two ports.
func (l *link) PlugIn(port sim.Port, _ int) {
	l.ways = append(l.ways, &way{engine: l.engine, from: port})
	port.SetConnection(l)
}

// Unplug disconnects a port; packets already sent still arrive.
func (l *link) Unplug(port sim.Port) {
	for i, w := range l.ways {
		if w.from == port {
			l.ways = append(l.ways[:i:i], l.ways[i+1:]...)
			return
		}
	}
}

// CanSend is always true for a connected port.
func (l *link) CanSend(port sim.Port) bool { return l.way(port) != nil }

func (l *link) way(from sim.Port) *way {
	for _, w := range l.ways {
		if w.from == from {
			return w
		}
	}
	return nil
}

// Send transmits a packet after those before it.
func (l *link) Send(msg sim.Msg) *sim.SendError {
	meta := msg.Meta()
	w := l.way(meta.Src)
	if w == nil {
		return sim.NewSendError()
	}
	w.free = max(w.free, nanoseconds(meta.SendTime)) + l.sendingTime(msg)
	arrival := w.free + l.latency
	w.queue = append(w.queue, flight{arrival, msg})
	schedule(l.engine, arrival, w)
	return nil
}

// sendingTime returns the time that the packet occupies the wire, rounded up to a nanosecond.
func (l *link) sendingTime(msg sim.Msg) time.Duration {
	if l.rate == 0 {
		return 0
	}
	bits := 8 * msg.Meta().TrafficBytes
	return time.Duration((bits + l.rate - 1) / l.rate)
}

// NotifyAvailable is called when a full port has room again.
func (l *link) NotifyAvailable(now sim.VTimeInSec, port sim.Port) {
	for _, w := range l.ways {
		if w.from != port {
			schedule(l.engine, nanoseconds(now), w)
		}
	}
}

// Handle delivers all packets that have arrived, as far as the port has room for them.
func (w *way) Handle(e sim.Event) error {
	for len(w.queue) > 0 && w.queue[0].arrival <= nanoseconds(e.Time()) {
		msg := w.queue[0].packet
		msg.Meta().RecvTime = e.Time()
		if msg.Meta().Dst.Recv(msg) != nil {
			return nil
		}
		w.queue = w.queue[1:]
	}
	return nil
}

// newPacket returns a packet sent now.
func newPacket(now time.Duration, from, to sim.Port, segment []byte) *packet {
	p := &packet{segment: segment}
	p.Src, p.Dst, p.SendTime = from, to, seconds(now)
	p.TrafficBytes = wire.FPDUOctets(len(segment)) + framingOctets
	return p
}

func portName(component string, number int) string {
	return fmt.Sprintf("%s.Link[%d]", component, number)
}
