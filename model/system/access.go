package system

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// accesses are those of an RNIC to its memory: a read and a write of a line of the bus in a cycle. An access of several lines takes as
// many cycles; memory is asked for all of them at once, since its answers come a line in a cycle as well.
type accesses struct {
	port    sim.Port
	memory  sim.Port
	freq    sim.Freq
	line    uint64 // octets of the bus
	most    uint64 // octets of an access
	reads   direction
	writes  direction
	waiting map[string]*access // for their answers, by the identifier of the message
	asked   uint64
	flushes flushes
	agenda  *agenda
	written map[uint64]bool // pages with octets that were written
	traffic *Traffic
}

// direction is the reads or the writes that wait, and when the port is free for the next one.
type direction struct {
	queue []*access
	free  Cycle
	lines int // of the queue
}

// access is a read or a write. Done is called when its last line is answered.
type access struct {
	order   uint64
	address uint64
	lines   uint64
	octets  []byte // to write
	due     Cycle  // when memory is asked, once it is the next; 0 before
	read    bool
	flushes []*flush // that wait for this write
	done    func(now Cycle)
}

// mostBurst is the octets of an access to an ideal memory.
const mostBurst = 4096

const pageOctets = 4096

// read reads the lines that hold some octets; done is called when all have been read.
func (a *accesses) read(address, octets uint64, done func(now Cycle)) {
	missing := 0
	for at, end := address&^(a.line-1), address+octets; at < end; {
		n := min(a.most, (end-at+a.line-1)&^(a.line-1))
		missing++
		a.reads.add(&access{order: a.next(), address: at, lines: n / a.line, read: true, done: func(now Cycle) {
			if missing--; missing == 0 {
				done(now)
			}
		}})
		at += n
	}
}

// write writes octets; done is called when all have been written.
func (a *accesses) write(address uint64, octets []byte, done func(now Cycle)) {
	missing := 0
	for len(octets) > 0 {
		n := min(uint64(len(octets)), a.most-address%a.most)
		missing++
		a.writes.add(&access{order: a.next(), address: address, lines: (address%a.line + n + a.line - 1) / a.line, octets: octets[:n], done: func(now Cycle) {
			if missing--; missing == 0 {
				done(now)
			}
		}})
		address, octets = address+n, octets[n:]
	}
}

func (a *accesses) next() uint64 {
	a.asked++
	return a.asked
}

func (d *direction) add(x *access) {
	d.queue = append(d.queue, x)
	d.lines += int(x.lines)
}

// issue sends what its turn comes to.
func (a *accesses) issue(now Cycle) (next Cycle) {
	return min(a.issueOne(&a.reads, now), a.issueOne(&a.writes, now))
}

// issueOne sends the next access of a direction: a read in the cycle of its first line, a write in that of its last.
func (a *accesses) issueOne(d *direction, now Cycle) (next Cycle) {
	if len(d.queue) == 0 {
		return never
	}
	x := d.queue[0]
	if x.due == 0 {
		x.due = max(now, d.free)
		if !x.read {
			x.due += x.lines - 1
		}
	}
	if x.due > now {
		return x.due
	}
	if !a.port.CanSend() {
		return never // the connection wakes the RNIC
	}
	d.queue = d.queue[1:]
	d.lines -= int(x.lines)
	d.free = now + 1
	if x.read {
		d.free = now + x.lines
	}
	a.send(x, now)
	if len(d.queue) > 0 {
		return now + 1
	}
	return never
}

func (a *accesses) send(x *access, now Cycle) {
	var m sim.Msg
	if x.read {
		m = mem.ReadReqBuilder{}.WithSrc(a.port).WithDst(a.memory).WithSendTime(at(a.freq, now)).WithAddress(x.address).WithByteSize(x.lines * a.line).Build()
		a.traffic.LinesRead += x.lines
	} else {
		m = mem.WriteReqBuilder{}.WithSrc(a.port).WithDst(a.memory).WithSendTime(at(a.freq, now)).WithAddress(x.address).WithData(x.octets).Build()
		a.traffic.LinesWrote += x.lines
		a.written[x.address&^(pageOctets-1)] = true
	}
	a.waiting[m.Meta().ID] = x
	if a.port.Send(m) != nil {
		panic("a port that can send refuses a message")
	}
}

// collect takes the answers of memory. Those of one cycle may arrive in any order, so they count in the order of the questions.
func (a *accesses) collect(now Cycle) error {
	var answered []*access
	for m := a.port.Retrieve(at(a.freq, now)); m != nil; m = a.port.Retrieve(at(a.freq, now)) {
		id := m.(mem.AccessRsp).GetRspTo()
		x, known := a.waiting[id]
		if !known {
			return fmt.Errorf("memory answers a request %s that was not asked", id)
		}
		delete(a.waiting, id)
		answered = append(answered, x)
	}
	slices.SortFunc(answered, func(x, y *access) int { return cmp.Compare(x.order, y.order) })
	for _, x := range answered {
		for _, f := range x.flushes {
			f.writes--
		}
		if x.read && x.lines > 1 {
			a.agenda.enter(now+x.lines-1, x.done)
		} else {
			x.done(now)
		}
	}
	a.readPages()
	return nil
}
