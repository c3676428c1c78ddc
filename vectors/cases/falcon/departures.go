package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, departures, departureSizes, reads, atomics) }

// departures: every push of the table leaves an initiator, in messages of one, two and three packets, from a source of two
// elements.
func departures(l *list) {
	for _, w := range worldsOf(every, nil) {
		for _, m := range messages {
			for n := 1; n <= 3; n++ {
				if m.permits(w, n) {
					l.departure(w, fmt.Sprintf("send/%02x/%d_packets", m.last, n), m, (n-1)*l.config.MTU+37, flags(Basic))
				}
			}
		}
	}
}

// departureSizes: the octets of a message around the MTU. UD takes at most one.
func departureSizes(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		for _, m := range []message{messages[0], messages[3]} {
			for _, z := range sizesOf(l.config.MTU) {
				if m.permits(w, (z.octets+l.config.MTU-1)/l.config.MTU) {
					l.departure(w, fmt.Sprintf("send_size/%02x/%s", m.last, z.name), m, z.octets, flags(Size)).
						cite(map[string]string{strong: "6.4-06", weak: "6.4-12", unordered: "6.4-18"}[w.ordering])
				}
			}
		}
	}
	for _, w := range worldsOf([]string{ud}, nil) {
		for _, z := range sizesOf(l.config.MTU)[:4] {
			l.departure(w, "send_size/04/"+z.name, messages[0], z.octets, flags(Size))
		}
	}
}

// kindOf returns the kind and suffix of a message's work request.
func (m message) kindOf() (kind, suffix string) {
	kind = "send"
	if m.write {
		kind = "write"
	}
	suffix = map[uint8]string{sendOnlyImmediate: "immediate", writeOnlyImmediate: "immediate", sendOnlyInvalidate: "invalidate"}[m.last]
	return kind, suffix
}

func (l *list) departure(w world, key string, m message, octets int, f []string) *Case {
	n := max(1, (octets+l.config.MTU-1)/l.config.MTU)
	c := l.add(w, key, fmt.Sprintf("a %s of %d octets leaves in %d packets, and is complete with the last completion of Falcon", m.name, octets, n), f, func(t *T) {
		kind, suffix := m.kindOf()
		half := octets / 3
		work := t.work(0x10, kind, suffix, t.buffer(3, half), t.buffer(t.slot(2)+1, octets-half))
		work.Solicited = m.takes()
		first := t.out[cid].rsn
		s := t.post(work)
		for _, p := range t.push(work, m) {
			s.sends(cid, p)
		}
		for i := range n {
			s = t.complete(cid, first+uint32(i), 0, 0)
		}
		s.done(work)
	}).cite("6.1-03", "6.7-02", "6.7-03", "7.2-03", "7.2-09", "8-03", "FTP-6.1-01", "FTP-6.1.1-01", "FTP-7.5-01", "8-01", "FTP-5-01").cite("6.7-01", "8.2-18", "8.2-25").cite(w.services()...).cite(m.figures(n)...).decide("I-107")
	if m.write && n > 1 {
		c.cite(w.orderedFlow("7.2-01")...)
	}
	if m.takes() {
		c.cite("8.3.2-04", "8.3.2-06")
	}
	return c
}

// orderedFlow is the requirement of a flow that is drawn for an ordered connection, if the world has one.
func (w world) orderedFlow(id string) []string {
	if isStrong(w) {
		return []string{id}
	}
	return nil
}

// figures are the requirements of section 6.7 that a message of n packets shows.
func (m message) figures(n int) (ids []string) {
	switch {
	case m.write && n > 1:
		ids = append(ids, "6.7-11", "6.7-12", "6.7-13", "7.2-02")
	case n > 1:
		ids = append(ids, "6.7-06", "6.7-07", "6.7-08", "8.3.3-04")
	}
	if n == 4 {
		ids = append(ids, map[bool]string{true: "6.7-10", false: "6.7-05"}[m.write])
	}
	return ids
}

// reads: READ Requests of one to six packets, whose responses have the opcodes of their place, or are all Only (I-62).
func reads(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, z := range append(sizesOf(l.config.MTU), size{"3mtu+5", 3*l.config.MTU + 5}) {
			for _, only := range []bool{false, true} {
				name := map[bool]string{false: "first_middle_last", true: "only"}[only]
				if z.octets == 0 || only && w.service == xrc {
					continue
				}
				l.add(w, "read/"+z.name+"/"+name, fmt.Sprintf("a Read of %d octets: a pull for each MTU, complete with the last response", z.octets), flags(Basic), func(t *T) {
					t.readAll(only, t.buffer(t.slot(1), z.octets))
				}).cite("6.1-03", "FTP-6.1.1-01", "6.7-01", "6.7-02", "6.7-18", "6.7-22", "8.3.1-09", "8.3.2-04", "8.3.4-06", "8.3.4-07", "7.1-02", "7.1-03", "7.1-10", "FTP-6.1-01", "FTP-6.1.1.2-01", "FTP-7.3-02", "8.3.2-07").cite(w.orderedFlow("7.1-01")...).decide("I-62", "I-107")
			}
		}
		l.add(w, "read/elements", "a Read into five elements with two L-Keys, of which the first is longer than one MTU: six pulls, as in the figure of section 6.7", flags(Basic), func(t *T) {
			mtu := t.config.MTU
			ofQP := suite.Element{Key: own, VA: remoteVA + 5, Length: 33}
			if w.service == xrc { // the region belongs to the target
				ofQP = t.buffer(5, 33)
			}
			more := ofQP
			more.VA += 100
			t.readAll(false, t.buffer(t.slot(1), mtu+100), ofQP, t.buffer(t.slot(2)+1, 1), more, t.buffer(t.slot(2)+9, mtu))
		}).cite("6.7-15", "6.7-16", "6.7-17", "6.7-19", "6.7-20", "6.7-21", "6.7-24").decide("I-26")
	}
}

// readAll posts a Read and answers its pulls.
func (t *T) readAll(only bool, local ...suite.Element) {
	work := t.work(0x11, "read", "", local...)
	first := t.out[cid].rsn
	s := t.post(work)
	pulls := t.pulls(work)
	for _, p := range pulls {
		s.sends(cid, p)
	}
	for i, p := range pulls {
		op := uint8(readResponseOnly)
		switch last := len(pulls) - 1; {
		case only || last == 0:
		case i == 0:
			op = readResponseFirst
		case i < last:
			op = readResponseMiddle
		default:
			op = readResponseLast
		}
		r := t.dataFor(p, op)
		s = t.respond(first+uint32(i), r)
		t.land(r)
	}
	s.done(work)
}

// atomics: both kinds, at an initiator.
func atomics(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, kind := range []string{"cmp_swap", "fetch_add"} {
			l.add(w, "atomic/"+kind, "an Atomic and its response: Original Data is in the completion, and little-endian in memory", flags(Basic), func(t *T) {
				work := t.work(0x12, kind, "", t.buffer(t.slot(1)+8, 8))
				first := t.out[cid].rsn
				p := t.atomic(work)
				t.post(work).sends(cid, p)
				r := t.dataFor(p, atomicResponse)
				s := t.respond(first, r)
				t.land(r)
				s.doneAtomic(work, r.Original)
			}).cite("FTP-6.1-01", "FTP-6.1.1.2-01", "8.3.7-05").decide("I-22", "I-73", "I-107")
		}
	}
}
