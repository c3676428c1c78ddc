package system

import (
	"sync"

	"github.com/sarchlab/akita/v3/sim"
)

// lane is one direction of a link. Its two ends know of each other only what has crossed, which takes the latency of the link:
// segments, and, as with Ethernet's priority flow control, that the sender must pause and that it may go on. The sender pauses when the
// receiver's port has refused a segment, and goes on when the port has taken all that has arrived. Meanwhile nothing is lost: what is on
// its way waits at the receiver.
type lane struct {
	freq    sim.Freq
	latency Cycle
	rate    float64 // octets per cycle

	sender   laneSender
	receiver laneReceiver
	flights  crossing[*Segment]
	pauses   crossing[bool] // to the sender: pause, or go on
}

func newLane(f sim.Freq, n Network, from, to plug) *lane {
	w := &lane{freq: f, latency: n.latency(f), rate: n.rate(f)}
	w.sender = laneSender{lane: w, engine: from.engine, port: from.port, buffer: from.buffer}
	w.receiver = laneReceiver{lane: w, engine: to.engine, port: to.port}
	return w
}

// crossing is what is on its way from one end to the other, in the order in which it arrives.
type crossing[T any] struct {
	lock  sync.Mutex
	items []crosser[T]
}

type crosser[T any] struct {
	when Cycle // of its arrival
	item T
}

func (c *crossing[T]) add(when Cycle, item T) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.items = append(c.items, crosser[T]{when, item})
}

// next returns the first one if it has arrived.
func (c *crossing[T]) next(now Cycle) (item T, has bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(c.items) == 0 || c.items[0].when > now {
		return item, false
	}
	return c.items[0].item, true
}

// remove removes the first one.
func (c *crossing[T]) remove() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.items[0] = crosser[T]{}
	c.items = c.items[1:]
}

// laneSender is the end where segments wait for the wire.
type laneSender struct {
	*lane
	engine sim.Engine
	port   sim.Port
	buffer int

	waiting []queued // whole or in part not yet on the wire
	sending bool     // the first of them is on the wire
	free    float64  // moment at which the wire is free, or will be
	paused  bool
	since   Cycle   // when the pause began
	stopped Cycle   // in which it was paused
	refused bool    // the port waits for room
	octets  int     // of waiting
	most    int     // the most octets that waited
	busy    float64 // cycles in which the wire was in use
}

type queued struct {
	segment *Segment
	octets  int
	since   Cycle
}

func (s *laneSender) full() bool { return s.octets > 0 && s.octets >= s.buffer }

func (s *laneSender) hasRoom() bool {
	s.refused = s.refused || s.full()
	return !s.full()
}

func (s *laneSender) send(m *Segment) *sim.SendError {
	if !s.hasRoom() {
		return sim.NewSendError()
	}
	octets := m.linkOctets()
	s.waiting = append(s.waiting, queued{m, octets, s.freq.Cycle(m.SendTime)})
	s.octets += octets
	s.most = max(s.most, s.octets)
	if !s.sending && !s.paused {
		s.schedule(s.freq.Cycle(m.SendTime))
	}
	return nil
}

func (s *laneSender) schedule(c Cycle) {
	s.engine.Schedule(newEvent(at(s.freq, c), s, true))
}

// Handle puts segments on the wire.
func (s *laneSender) Handle(e sim.Event) error {
	now := s.freq.Cycle(e.Time())
	for pause, has := s.pauses.next(now); has; pause, has = s.pauses.next(now) {
		s.paused = pause
		if pause {
			s.since = now
		} else {
			s.stopped += now - s.since
			s.free = max(s.free, float64(now))
		}
		s.pauses.remove()
	}
	for len(s.waiting) > 0 {
		if s.sending {
			if s.free > float64(now) {
				break
			}
			s.sending = false
			s.octets -= s.waiting[0].octets
			s.waiting = s.waiting[1:]
		} else if s.paused {
			break
		} else {
			s.begin(now)
		}
	}
	if s.refused && !s.full() {
		s.refused = false
		s.port.NotifyAvailable(e.Time())
	}
	return nil
}

// begin sends the first segment, at the moment within the last cycle at which the wire became free if it waited for that.
func (s *laneSender) begin(now Cycle) {
	q := s.waiting[0]
	time := float64(q.octets) / s.rate
	s.sending, s.free, s.busy = true, max(s.free, float64(q.since))+time, s.busy+time
	left := upTo(s.free)
	arrival := max(left+s.latency, now+1)
	s.flights.add(arrival, q.segment)
	cross(s.receiver.engine, newEvent(at(s.freq, arrival), &s.receiver, true))
	if left > now {
		s.schedule(left)
	}
}

// laneReceiver is the end where segments arrive.
type laneReceiver struct {
	*lane
	engine sim.Engine
	port   sim.Port
	pause  bool // the sender has been told to pause
}

func (r *laneReceiver) schedule(c Cycle) {
	r.engine.Schedule(newEvent(at(r.freq, c), r, true))
}

// Handle delivers what has arrived, as far as the port has room.
func (r *laneReceiver) Handle(e sim.Event) error {
	now := r.freq.Cycle(e.Time())
	refused := false
	for s, has := r.flights.next(now); has && !refused; s, has = r.flights.next(now) {
		s.RecvTime = e.Time()
		if r.port.Recv(s) != nil {
			refused = true
		} else {
			r.flights.remove()
		}
	}
	if refused != r.pause {
		r.pause = refused
		arrival := now + max(1, r.latency)
		r.pauses.add(arrival, refused)
		cross(r.sender.engine, newEvent(at(r.freq, arrival), &r.sender, true))
	}
	return nil
}
