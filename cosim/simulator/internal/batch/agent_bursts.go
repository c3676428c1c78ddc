package batch

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

func (a *agent) driveWrites(cycle uint64) (held bool) {
	w := &a.writes
	if b := w.due(cycle); b != nil {
		a.store(b)
		a.log(Effect{cycle, 1, b.id, b.address, b.beats * a.bytes, number(b.response != okay)})
		held = true
	}
	held = held || w.applied < len(w.order)

	s := &a.driver.streams[a.layout.B.Stream]
	stall := s.stall()
	switch {
	case s.Valid != 0: // still offered
	case w.applied > 0 && !stall:
		b := &w.bursts[w.order[0]]
		a.driver.set(a.layout.B.ID, b.id)
		a.driver.set(a.layout.B.Resp, b.response)
		a.driver.raise(a.layout.B.Stream)
	default:
		a.driver.withdraw(a.layout.B.Stream)
		held = held || w.applied > 0
	}

	room := w.room(a.Outstanding)
	a.invite(&a.aw, room || w.addressed < w.opened)
	a.invite(&a.w, room || w.filled < w.opened)
	return held
}

// store is the effect of a write.
func (a *agent) store(b *burst) {
	at := b.address % pageBytes
	page := a.pages.touch(b.address)
	words := (a.bytes + 63) / 64
	for i := range b.beats {
		if response := a.response(b.address+i*a.bytes, a.bytes, true); response != okay {
			if b.response == okay {
				b.response = response
			}
			continue
		}
		for j := range a.bytes {
			if b.strobes[i*words+j/64]>>(j%64)&1 != 0 {
				page[at+i*a.bytes+j] = b.data[i*a.bytes+j]
			}
		}
	}
}

func (a *agent) sampleWrites(cycle uint64) (moved bool) {
	address, moved, handed := a.address(&a.layout.AW, &a.aw, cycle)
	if handed {
		a.acceptAddress(address, cycle)
	}
	valid, handed := a.observe(&a.w, cycle)
	if handed {
		a.acceptData(cycle)
	}
	moved = moved || a.w.moves(valid, handed)
	w := &a.writes
	if w.complete < min(w.addressed, w.filled) && a.Rule == 0 { // a burst that breaks rules may have no slot
		slot := w.slots[w.complete%simulator.MaxOutstanding]
		w.complete++
		if at := a.strays(&w.bursts[slot]); at > 0 {
			a.violate(simulator.RuleBounds, a.w.stream, cycle, w.bursts[slot].address, at)
		}
		b := &w.bursts[slot]
		w.schedule(slot, cycle+a.writeLatency(b.address, b.beats*a.bytes))
	}
	if a.responded(a.layout.B.Stream) {
		w.release(0)
		moved = true
	}
	return moved
}

// open returns the burst with this number; a new one if neither its address nor any data was accepted yet.
func (w *writes) open(number uint64) *burst {
	if number == w.opened {
		slot := w.take()
		w.slots[number%simulator.MaxOutstanding] = slot
		w.bursts[slot].response = okay
		w.opened++
	}
	return &w.bursts[w.slots[number%simulator.MaxOutstanding]]
}

func (a *agent) acceptAddress(address burstAddress, cycle uint64) {
	w := &a.writes
	b := w.open(w.addressed)
	b.id, b.address = address.id, address.address
	whole, begun := w.addressed < w.filled, w.addressed == w.filled
	got := w.beat // accepted data beats
	if whole {
		got = b.beats
	}
	if whole && got != address.beats || begun && got >= address.beats {
		a.violate(simulator.RuleLast, a.w.stream, cycle, address.address, got)
	}
	b.beats = address.beats
	w.addressed++
}

func (a *agent) acceptData(cycle uint64) {
	w := &a.writes
	b := w.open(w.filled)
	g := a.driver
	g.model.Get(a.layout.W.Data, a.data)
	g.model.Get(a.layout.W.Strb, a.strb)
	last := g.get(a.layout.W.Last) != 0
	putWords(b.data[w.beat*a.bytes:], a.data)
	copy(b.strobes[w.beat*uint64(len(a.strb)):], a.strb)
	w.beat++
	if w.filled < w.addressed {
		if last != (w.beat == b.beats) {
			a.violate(simulator.RuleLast, a.w.stream, cycle, b.address, w.beat)
		}
	} else if !last && (w.beat == 256 || w.beat*a.bytes == pageBytes) {
		a.violate(simulator.RuleLast, a.w.stream, cycle, 0, w.beat) // longer than any burst
	}
	if last {
		if w.filled >= w.addressed {
			b.beats = w.beat // until the address gives the expected number
		}
		w.filled, w.beat = w.filled+1, 0
	}
}

func (a *agent) driveReads(cycle uint64) (held bool) {
	r := &a.reads
	if b := r.due(cycle); b != nil {
		failed := a.fetch(b)
		a.log(Effect{cycle, 0, b.id, b.address, b.beats * a.bytes, number(failed)})
		held = true
	}
	held = held || r.applied < len(r.order)

	s := &a.driver.streams[a.layout.R.Stream]
	stall := s.stall()
	switch {
	case s.Valid != 0: // still offered
	case r.applied > 0 && !stall:
		r.turn = a.chooseTurn()
		b := &r.bursts[r.order[r.turn]]
		getWords(a.data, b.data[b.next*a.bytes:])
		a.driver.set(a.layout.R.ID, b.id)
		a.driver.model.Set(a.layout.R.Data, a.data)
		a.driver.set(a.layout.R.Resp, uint64(b.responses[b.next]))
		a.driver.set(a.layout.R.Last, number(b.next+1 == b.beats))
		a.driver.raise(a.layout.R.Stream)
	default:
		a.driver.withdraw(a.layout.R.Stream)
		held = held || r.applied > 0
	}
	a.invite(&a.ar, r.room(a.Outstanding))
	return held
}

// fetch is the effect of a read.
func (a *agent) fetch(b *burst) (failed bool) {
	n := b.beats * a.bytes
	a.pages.read(b.address, b.data[:n])
	b.next = 0
	for i := range b.beats {
		response := a.response(b.address+i*a.bytes, a.bytes, false)
		b.responses[i] = uint8(response)
		if response == okay {
			continue
		}
		failed = true
		for j := range a.bytes {
			b.data[i*a.bytes+j] ^= 0xFF
		}
	}
	return failed
}

// chooseTurn returns the position of the burst that sends the next beat on R: the first one or, with interleaving, the first
// of some ID.
func (a *agent) chooseTurn() int {
	r := &a.reads
	if a.Interleave == 0 {
		return 0
	}
	var places [64]int
	var seen uint64
	n := 0
	for i, slot := range r.order[:r.applied] {
		if id := r.bursts[slot].id; seen>>id&1 == 0 {
			seen |= 1 << id
			places[n] = i
			n++
		}
	}
	if n == 1 {
		return places[0]
	}
	return places[Draw(&a.TurnRandom)>>32*uint64(n)>>32]
}

func (a *agent) sampleReads(cycle uint64) (moved bool) {
	r := &a.reads
	address, moved, handed := a.address(&a.layout.AR, &a.ar, cycle)
	if handed {
		slot := r.take()
		b := &r.bursts[slot]
		b.id, b.address, b.beats = address.id, address.address, address.beats
		if at := a.peeks(b); at > 0 {
			a.violate(simulator.RuleBounds, a.ar.stream, cycle, b.address, at)
		}
		r.schedule(slot, cycle+a.readLatency(b.address, b.beats*a.bytes))
	}
	if a.responded(a.layout.R.Stream) {
		moved = true
		b := &r.bursts[r.order[r.turn]]
		if b.next++; b.next == b.beats {
			r.release(r.turn)
		}
	}
	return moved
}
