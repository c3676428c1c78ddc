package system

import (
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/wire"
)

// framingOctets is what a segment occupies on a link beside its FPDU: Ethernet preamble, header, FCS and gap (38), IPv4 (20), TCP (20).
const framingOctets = 78

// link is a full-duplex connection of two ports that loses and reorders nothing. A segment arrives whole, latency after its last bit
// was sent. What the receiver cannot take waits, and then the sender does, as with priority flow control.
type link struct {
	sim.HookableBase
	name  string
	lanes []*lane
}

// lane is one direction of a link.
type lane struct {
	engine  sim.Engine
	freq    sim.Freq
	from    sim.Port
	latency Cycle
	rate    float64 // octets per cycle
	buffer  int     // octets that may wait for the wire; one segment always may

	lock    sync.Mutex
	free    float64  // cycle in which the wire is free
	waiting []flight // sent by the port, whole or in part not yet on the wire
	flying  []flight // on their way; the first may wait for the receiver
	refused bool     // the sender waits for room
	octets  int      // of waiting
	most    int      // the most octets that waited
	busy    float64  // cycles in which the wire was in use
}

type flight struct {
	segment *Segment
	octets  int
	left    float64 // cycle in which its last bit is sent
}

// nicBuffer is the number of octets that wait behind an RNIC for its link, so that the RNIC decides what goes first.
const nicBuffer = 2048

// newLink returns a link; in the direction from its first port, and from its second, so many octets may wait.
func newLink(name string, engine sim.Engine, f sim.Freq, n Network, first, second int) *link {
	l := &link{name: name}
	for _, buffer := range []int{first, second} {
		l.lanes = append(l.lanes, &lane{engine: engine, freq: f, latency: n.latency(f), rate: n.rate(f), buffer: buffer})
	}
	return l
}

// Name returns the name of the link.
func (l *link) Name() string { return l.name }

// PlugIn connects the next of the two ports.
func (l *link) PlugIn(port sim.Port, _ int) {
	for _, w := range l.lanes {
		if w.from == nil {
			w.from = port
			port.SetConnection(l)
			return
		}
	}
	panic("a link has two ports")
}

// Unplug is not used: a network does not change.
func (l *link) Unplug(sim.Port) { panic("a link cannot be unplugged") }

func (l *link) laneFrom(port sim.Port) *lane {
	for _, w := range l.lanes {
		if w.from == port {
			return w
		}
	}
	panic("the port is not of this link")
}

// CanSend reports whether there is room for a segment, and otherwise wakes the sender when there is.
func (l *link) CanSend(port sim.Port) bool {
	w := l.laneFrom(port)
	w.lock.Lock()
	defer w.lock.Unlock()
	w.refused = w.refused || w.full()
	return !w.full()
}

func (w *lane) full() bool { return w.octets > 0 && w.octets >= w.buffer }

// Send puts a segment behind those that wait for the wire.
func (l *link) Send(m sim.Msg) *sim.SendError {
	s := m.(*Segment)
	w := l.laneFrom(s.Src)
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.full() {
		w.refused = true
		return sim.NewSendError()
	}
	now := float64(w.freq.Cycle(s.SendTime))
	octets := wire.FPDUOctets(len(s.Octets)) + framingOctets
	time := float64(octets) / w.rate
	w.free = max(w.free, now) + time
	w.busy += time
	w.waiting = append(w.waiting, flight{s, octets, w.free})
	w.octets += octets
	w.most = max(w.most, w.octets)
	w.schedule(upTo(w.free))
	return nil
}

// upTo returns the first cycle that is not before a moment.
func upTo(moment float64) Cycle {
	c := Cycle(moment)
	if float64(c) < moment {
		c++
	}
	return c
}

func (w *lane) schedule(c Cycle) { w.engine.Schedule(newEvent(at(w.freq, c), w, true)) }

// NotifyAvailable is called when a full port has room again.
func (l *link) NotifyAvailable(now sim.VTimeInSec, port sim.Port) {
	for _, w := range l.lanes {
		if w.from != port {
			w.schedule(w.freq.Cycle(now))
		}
	}
}

// Handle moves what has left the wire, and delivers what has arrived as far as the receiver has room.
func (w *lane) Handle(e sim.Event) error {
	now := w.freq.Cycle(e.Time())
	w.lock.Lock()
	defer w.lock.Unlock()
	for len(w.waiting) > 0 && w.waiting[0].left <= float64(now) {
		f := w.waiting[0]
		w.waiting = w.waiting[1:]
		w.octets -= f.octets
		w.flying = append(w.flying, f)
		w.schedule(upTo(f.left) + w.latency)
	}
	for len(w.flying) > 0 && upTo(w.flying[0].left)+w.latency <= now {
		s := w.flying[0].segment
		s.RecvTime = e.Time()
		if s.Dst.Recv(s) != nil {
			break
		}
		w.flying = w.flying[1:]
	}
	if w.refused && !w.full() {
		w.refused = false
		w.from.NotifyAvailable(e.Time())
	}
	return nil
}
