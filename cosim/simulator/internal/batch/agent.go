package batch

import (
	"math/bits"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// agent drives the channels of a memory. It is the Go equivalent of shim/memory.h in C++: cycle- and bit-accurate, including draws
// of random numbers.
type agent struct {
	*Memory
	driver     *GoDriver
	layout     simulator.MemoryLayout
	bytes      uint64 // per beat
	pages      pages
	writes     writes
	reads      reads
	aw, w, ar  offer
	data, strb []uint64 // buffers of one beat
}

// offer is the state of a channel driven by the design.
type offer struct {
	stream  int
	room    bool     // the agent could take a beat
	waiting bool     // the beat was offered in the previous cycle but not taken
	fresh   bool     // a beat is offered for the first time
	beat    []uint64 // the offered beat
	now     []uint64
}

// burst is a held burst.
type burst struct {
	id, address uint64
	beats       uint64
	due         uint64
	next        uint64     // of a read: beats sent
	response    uint64     // of a write
	responses   [256]uint8 // of a read: per beat
	data        [pageBytes]byte
	strobes     [256]uint64 // whole words per beat
}

// held are the bursts of one direction, in the order in which they are due; those already in effect come first.
type held struct {
	bursts  []burst
	free    []int // the last one is used first
	order   []int
	applied int      // bursts in effect
	latest  []uint64 // by ID, when the last burst is due
}

type writes struct {
	held
	slots     [simulator.MaxOutstanding]int // by number of the burst, valid from complete to opened
	opened    uint64                        // bursts with an address or data accepted
	addressed uint64                        // bursts whose address was accepted
	filled    uint64                        // bursts whose data was accepted
	complete  uint64                        // bursts with both accepted
	beat      uint64                        // accepted beats of the burst being filled
}

type reads struct {
	held
	turn int // position in order of the burst whose beat is on R
}

func newHeld() held {
	h := held{bursts: make([]burst, simulator.MaxOutstanding), latest: make([]uint64, 64),
		free: make([]int, 0, simulator.MaxOutstanding), order: make([]int, 0, simulator.MaxOutstanding)}
	h.empty()
	return h
}

// empty discards all bursts.
func (h *held) empty() {
	h.free, h.order, h.applied = h.free[:0], h.order[:0], 0
	for i := range h.bursts {
		h.free = append(h.free, len(h.bursts)-1-i)
	}
	clear(h.latest)
}

// room reports whether another burst can be held.
func (h *held) room(outstanding uint64) bool { return uint64(len(h.bursts)-len(h.free)) < outstanding }

func (h *held) take() int {
	slot := h.free[len(h.free)-1]
	h.free = h.free[:len(h.free)-1]
	return slot
}

// schedule inserts a burst in due order, after those due in the same cycle.
func (h *held) schedule(slot int, due uint64) {
	b := &h.bursts[slot]
	b.due = max(due, h.latest[b.id])
	h.latest[b.id] = b.due
	at := len(h.order)
	for at > 0 && h.bursts[h.order[at-1]].due > b.due {
		at--
	}
	h.order = slices.Insert(h.order, at, slot)
}

// due returns the burst that takes effect in a cycle, nil if there is none.
func (h *held) due(cycle uint64) *burst {
	if h.applied == len(h.order) {
		return nil
	}
	if b := &h.bursts[h.order[h.applied]]; b.due <= cycle {
		h.applied++
		return b
	}
	return nil
}

// release removes the burst at a position of order.
func (h *held) release(at int) {
	h.free = append(h.free, h.order[at])
	h.order = slices.Delete(h.order, at, at+1)
	h.applied--
}

func newAgent(d *simulator.Design, memory int, g *GoDriver, shared *Memory) *agent {
	a := &agent{Memory: shared, driver: g, layout: d.MemoryLayout(memory), bytes: uint64(d.Memories[memory].Bytes)}
	a.writes.held, a.reads.held = newHeld(), newHeld()
	for _, c := range []struct {
		offer  *offer
		stream int
		used   bool
	}{{&a.aw, a.layout.AW.Stream, a.layout.Writes}, {&a.w, a.layout.W.Stream, a.layout.Writes}, {&a.ar, a.layout.AR.Stream, a.layout.Reads}} {
		if !c.used {
			continue
		}
		words := g.pins[c.stream].layout.Words
		*c.offer = offer{stream: c.stream, beat: make([]uint64, words), now: make([]uint64, words)}
	}
	a.data, a.strb = make([]uint64, a.bytes/8), make([]uint64, (a.bytes+63)/64)
	return a
}

// drive applies the bursts that are due and sets the pins of a cycle. It reports whether a burst waits for its latency or a stall.
func (a *agent) drive(cycle uint64) (held bool) {
	if a.layout.Writes {
		held = a.driveWrites(cycle)
	}
	if a.layout.Reads {
		held = a.driveReads(cycle) || held
	}
	return held
}

// sample samples the handshakes once the logic has settled. It reports whether there was one, or only a stall prevented one.
func (a *agent) sample(cycle uint64) (moved bool) {
	if a.layout.Writes {
		moved = a.sampleWrites(cycle)
	}
	if a.layout.Reads {
		moved = a.sampleReads(cycle) || moved
	}
	return moved
}

// reset discards all held bursts.
func (a *agent) reset() {
	a.writes.empty()
	a.writes.opened, a.writes.addressed, a.writes.filled, a.writes.complete, a.writes.beat = 0, 0, 0, 0, 0
	a.reads.empty()
	if a.layout.Writes {
		a.driver.ready(a.aw.stream, 0)
		a.driver.ready(a.w.stream, 0)
		a.driver.withdraw(a.layout.B.Stream)
	}
	if a.layout.Reads {
		a.driver.ready(a.ar.stream, 0)
		a.driver.withdraw(a.layout.R.Stream)
	}
	a.aw.waiting, a.w.waiting, a.ar.waiting = false, false, false
}

// pending reports whether any burst is in flight.
func (a *agent) pending() bool {
	return a.writes.opened > a.writes.complete || len(a.writes.order) > 0 || len(a.reads.order) > 0 ||
		a.aw.waiting || a.w.waiting || a.ar.waiting
}

// invite sets the ready of a channel.
func (a *agent) invite(o *offer, room bool) {
	o.room = room
	stall := a.driver.streams[o.stream].stall()
	late := a.LateReady != 0 && !o.waiting
	a.driver.ready(o.stream, number(room && !stall && !late))
}

// observe samples a channel of the design. It reports whether a beat is offered and whether it is transferred.
func (a *agent) observe(o *offer, cycle uint64) (valid, handed bool) {
	s, p := &a.driver.streams[o.stream], &a.driver.pins[o.stream]
	s.Valid = a.driver.get(p.valid)
	if s.Valid == 0 {
		if o.waiting {
			a.violate(simulator.RuleValid, o.stream, cycle, 0, 0)
		}
		o.waiting, o.fresh = false, false
		return false, false
	}
	s.Offered++
	a.driver.collectInto(o.now, o.stream)
	if o.waiting && !slices.Equal(o.now, o.beat) {
		a.violate(simulator.RuleStable, o.stream, cycle, 0, 0)
	}
	o.fresh = !o.waiting
	o.waiting = s.Ready == 0
	o.beat, o.now = o.now, o.beat
	if o.waiting {
		return true, false
	}
	s.Head++
	s.Tail++
	return true, true
}

// moves reports whether a channel moved, or would have without its stall.
func (o *offer) moves(valid, handed bool) bool { return handed || valid && o.room }

// address samples an address channel. It returns the burst that is offered for the first time, or transferred.
func (a *agent) address(c *simulator.AddressChannel, o *offer, cycle uint64) (b burstAddress, moved, handed bool) {
	valid, handed := a.observe(o, cycle)
	if !valid {
		return b, false, false
	}
	g := a.driver
	b = burstAddress{g.get(c.ID), g.get(c.Addr), g.get(c.Len) + 1}
	if o.fresh {
		rule := simulator.RuleNone
		switch {
		case g.get(c.Size) != uint64(bits.TrailingZeros64(a.bytes)):
			rule = simulator.RuleSize
		case g.get(c.Burst) != 1:
			rule = simulator.RuleBurst
		case b.address%a.bytes != 0:
			rule = simulator.RuleAligned
		case b.address%pageBytes+b.beats*a.bytes > pageBytes:
			rule = simulator.RuleBoundary
		}
		if rule != simulator.RuleNone {
			a.violate(rule, o.stream, cycle, b.address, b.beats)
		}
	}
	return b, o.moves(valid, handed), handed
}

type burstAddress struct{ id, address, beats uint64 }

// responded samples the handshake of a response.
func (a *agent) responded(stream int) (moved bool) {
	s, p := &a.driver.streams[stream], &a.driver.pins[stream]
	s.Ready = a.driver.get(p.ready)
	s.Offered += s.Valid
	if s.Valid&s.Ready == 0 {
		return false
	}
	s.Head++
	s.Tail++
	s.Valid = 0
	return true
}
