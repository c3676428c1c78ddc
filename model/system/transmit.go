package system

import "slices"

// message is one or more segments of a stream that leave in order.
type message struct {
	stream  uint32
	packets []packet // that have not had their turn
	fetches bool     // their payload is read from memory
	address uint64   // of the payload of the next one
	sent    func(now Cycle)
}

// sender is the transmit side: streams take turns by octets, a segment in a cycle; payload is read; segments leave in the order of
// their turns, a beat in a cycle.
type sender struct {
	turns   []uint32     // streams that have something to send, in the order of their turns
	running bool         // the first of turns has its turn
	alone   [crowd]bool  // of the latest segments: they were all that their stream had
	latest  int          // of these
	leaving []*departure // segments that have had their turn
	free    Cycle        // when the bus is free
	sent    uint64       // segments, for their tasks
}

// departure is a segment on its way out.
type departure struct {
	packet
	stream uint32
	beats  int
	first  Cycle // earliest cycle of its first beat; never: payload is missing
	sent   func(now Cycle)
	task   string // of akita's tracers
}

// turnRoom is what a turn has for a header beside the largest payload, in octets.
const turnRoom = 128

// With so many streams that have something to send, of which some have one short message at a time, turns are short: by shortTurn.
const (
	crowd     = 16
	shortTurn = 8
)

// crowds reports whether the hardware has short turns at all.
func (n *rnic) crowds() bool {
	c := n.site.Config
	return c.Streams > crowd && c.MaxPayload >= shortTurn*c.BusBytes
}

// enough is the credit with less than which a segment is the last one of a turn.
func (n *rnic) enough() int {
	if n.crowds() {
		return n.site.Config.MaxPayload / shortTurn
	}
	return n.site.Config.MaxPayload
}

// grant gives the stream whose turn comes its credit. It returns false if the stream owes more, so that its turn passes.
func (n *rnic) grant(s *stream) bool {
	t := &n.sender
	if n.crowds() && len(t.turns) >= crowd && slices.Contains(t.alone[:], true) {
		s.credit += n.site.Config.MaxPayload/shortTurn + turnRoom/2
	} else {
		s.credit += n.site.Config.MaxPayload + turnRoom
	}
	return !n.crowds() || s.credit >= 0
}

// When nothing of a stream waits, its next request or response goes straight on. Those that come so many cycles later, less one, go
// through the list of the stream, which takes until then.
const listed = 3

// enqueue adds a request or response to the messages of its stream.
func (n *rnic) enqueue(m *message, now Cycle) {
	s := &n.streams[m.stream]
	switch {
	case len(s.held) > 0:
		s.held = append(s.held, m)
	case now < s.passes:
		s.held = append(s.held, m)
		n.agenda.enter(s.passes, func(Cycle) {
			for _, m := range s.held {
				n.list(m)
			}
			s.held = nil
		})
	default:
		if !s.listed {
			s.passes = now + listed
		}
		n.list(m)
	}
}

// list adds a message to those of its stream.
func (n *rnic) list(m *message) {
	s := &n.streams[m.stream]
	s.messages = append(s.messages, m)
	if !s.listed {
		s.listed = true
		n.sender.turns = append(n.sender.turns, m.stream)
	}
}

// turnsAhead is the number of segments that have had their turn and wait behind those that hide the latency of memory.
const turnsAhead = 5

// waits reports whether so many segments have had their turn and not begun to leave that the next one waits: as many as hide a latency of
// memory, two, and turnsAhead.
func (n *rnic) waits(now Cycle) bool {
	t, c := &n.sender, n.site.Config
	ahead, room := 0, 176+2*(c.MaxPayload/c.BusBytes+1)
	for i, d := range t.leaving {
		if i == 0 && d.first != never && max(d.first, t.free) <= now {
			continue
		}
		if ahead >= room {
			return len(t.leaving)-i >= turnsAhead
		}
		ahead += d.beats
	}
	return false
}

// turn takes the next segment: of the stream that has its turn while it has credit, else of the next one.
func (n *rnic) turn(now Cycle) (next Cycle) {
	t := &n.sender
	if len(t.turns) == 0 {
		return never
	}
	number := t.turns[0]
	s := &n.streams[number]
	m := s.messages[0]
	x := m.packets[0]
	if n.waits(now) {
		if first := t.leaving[0].first; first != never && max(first, t.free) > now {
			return max(first, t.free)
		}
		return never // until the first leaves, or memory wakes the RNIC
	}
	if !t.running && !n.grant(s) {
		t.turns = append(t.turns[1:], number)
		return now + 1
	}
	t.running = true
	ends := s.credit < n.enough() && len(t.turns) > 1
	if len(t.turns) > 1 {
		s.credit -= len(x.octets) // without another stream nothing is spent
	}
	m.packets = m.packets[1:]
	d := &departure{packet: x, stream: number, beats: Beats(len(x.octets), n.site.Config.BusBytes), first: now + Cycle(n.timing.turnToBeat())}
	if len(m.packets) == 0 {
		d.sent = m.sent
		s.messages = s.messages[1:]
	}
	t.leaving = append(t.leaving, d)
	n.traceTurn(d)
	if m.fetches {
		n.fetch(d, m, now)
	}

	t.latest = (t.latest + 1) % crowd
	t.alone[t.latest] = len(s.messages) == 0
	if len(s.messages) == 0 {
		s.listed, s.credit = false, 0
	}
	if len(s.messages) == 0 || ends {
		t.turns, t.running = t.turns[1:], false
		if s.listed {
			t.turns = append(t.turns, number)
		}
	}
	return now + 1
}

// fetch reads the payload of a segment. The segment leaves when all of it is there, since it does not leave if memory fails.
func (n *rnic) fetch(d *departure, m *message, now Cycle) {
	if d.payload == 0 {
		return
	}
	d.first = never
	left := Cycle(n.timing.FetchToBeatLong)
	if d.beats == 1 {
		left = Cycle(n.timing.FetchToBeat)
	}
	address := m.address
	m.address += uint64(d.payload)
	n.later(now, turnToFetch, func(Cycle) {
		n.accesses.read(address, uint64(d.payload), func(now Cycle) { d.first = now + left })
	})
}

// leave sends the oldest segment when its last beat leaves.
func (n *rnic) leave(now Cycle) (next Cycle) {
	t := &n.sender
	if len(t.leaving) == 0 || t.leaving[0].first == never {
		return never // memory wakes the RNIC
	}
	d := t.leaving[0]
	last := max(d.first, t.free) + Cycle(d.beats-1)
	if last > now {
		return last
	}
	if !n.speaks.canSend() {
		return never // the link wakes the RNIC
	}
	n.speaks.send(d, now)
	n.traffic.SegmentsOut++
	n.traffic.BeatsOut += uint64(d.beats)
	t.free = now + 1
	t.leaving = t.leaving[1:]
	n.traceLeft(d)
	if d.sent != nil {
		d.sent(now)
	}
	return now + 1
}
