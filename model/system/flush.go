package system

import "slices"

// flushPage is the octets of memory that a flush reads one line of: no smaller unit may be behind another bridge.
const flushPage = 4096

// flushReads is how many reads of flushes are on their way, and flushAgain the cycles from the answer to one until another may take its
// place.
const (
	flushReads = 17
	flushAgain = 2
)

// flushes are those that are not done, in their order. A flush reads when all writes that memory has been asked for before it are
// answered, and is done when all its pages have been read and the flush before it is done.
type flushes struct {
	queue   []*flush
	reading int // lines
}

// flush is one of a range of octets.
type flush struct {
	address, end uint64 // of the next page; of the last octet, plus 1
	writes       int    // that it waits for
	reading      int
	read         bool // all pages are asked for
	done         func(now Cycle)
}

// flush begins to flush some octets; done is called when they are.
func (a *accesses) flush(address, octets uint64, now Cycle, done func(now Cycle)) {
	f := &flush{address: address, end: address + octets, done: done}
	wait := func(x *access) {
		f.writes++
		x.flushes = append(x.flushes, f)
	}
	for _, x := range a.waiting {
		if !x.read {
			wait(x)
		}
	}
	if w := a.writes.queue; len(w) > 0 && w[0].due != 0 && w[0].due < now+w[0].lines { // its address has been sent
		wait(w[0])
	}
	a.flushes.queue = append(a.flushes.queue, f)
	a.readPages()
}

// readPages asks for pages of the first flushes, as far as they may read.
func (a *accesses) readPages() {
	q := &a.flushes
	for _, f := range q.queue {
		for ; !f.read && f.writes == 0 && q.reading < flushReads; f.read = f.address >= f.end {
			q.reading, f.reading = q.reading+1, f.reading+1
			a.read(f.address, 1, func(now Cycle) {
				a.agenda.enter(now+flushAgain, func(Cycle) {
					q.reading--
					a.readPages()
				})
				f.reading--
				a.endFlushes(now)
			})
			f.address = f.address&^(flushPage-1) + flushPage
		}
		if !f.read {
			return
		}
	}
}

// endFlushes ends the first flushes whose pages have been read.
func (a *accesses) endFlushes(now Cycle) {
	q := &a.flushes
	for len(q.queue) > 0 && q.queue[0].read && q.queue[0].reading == 0 {
		f := q.queue[0]
		q.queue = slices.Delete(q.queue, 0, 1)
		f.done(now)
	}
}
