package system

import (
	"github.com/sarchlab/akita/v3/sim"
)

// framingOctets is what a segment occupies on a link beside its FPDU: Ethernet preamble, header, FCS and gap (38), IPv4 (20), TCP (20).
const framingOctets = 78

// nicBuffer is the number of octets that wait behind an RNIC for its link, so that the RNIC decides what goes first.
const nicBuffer = 2048

// link is a full-duplex connection of two ports that loses and reorders nothing. A segment arrives whole, latency after its last bit
// was sent.
type link struct {
	sim.HookableBase
	name  string
	lanes [2]*lane // from its first port, and from its second
}

// plug is an end of a link.
type plug struct {
	engine sim.Engine // of the component there
	port   sim.Port
	buffer int // octets that may wait there for the wire; one segment always may
}

// newLink returns a link between two ports.
func newLink(name string, f sim.Freq, n Network, a, b plug) *link {
	l := &link{name: name, lanes: [2]*lane{newLane(f, n, a, b), newLane(f, n, b, a)}}
	a.port.SetConnection(l)
	b.port.SetConnection(l)
	return l
}

// Name returns the name of the link.
func (l *link) Name() string { return l.name }

// PlugIn is not used: a link has its ports from the start.
func (l *link) PlugIn(sim.Port, int) { panic("a link has two ports") }

// Unplug is not used: a network does not change.
func (l *link) Unplug(sim.Port) { panic("a link cannot be unplugged") }

// from returns the direction that begins at a port.
func (l *link) from(port sim.Port) *lane {
	if l.lanes[0].sender.port == port {
		return l.lanes[0]
	}
	return l.lanes[1]
}

// CanSend reports whether there is room for a segment, and otherwise wakes the sender when there is.
func (l *link) CanSend(port sim.Port) bool { return l.from(port).sender.hasRoom() }

// Send puts a segment behind those that wait for the wire.
func (l *link) Send(m sim.Msg) *sim.SendError {
	s := m.(*Segment)
	return l.from(s.Src).sender.send(s)
}

// NotifyAvailable is called when a full port has room again.
func (l *link) NotifyAvailable(now sim.VTimeInSec, port sim.Port) {
	w := l.lanes[0]
	if w.sender.port == port {
		w = l.lanes[1]
	}
	w.receiver.schedule(w.freq.Cycle(now))
}

// upTo returns the first cycle that is not before a moment.
func upTo(moment float64) Cycle {
	c := Cycle(moment)
	if float64(c) < moment {
		c++
	}
	return c
}
