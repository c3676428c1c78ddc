package falcon

import (
	"slices"

	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() {
	families = append(families, permuted, overtaken, waiting, completedOutOfOrder, answeredOutOfOrder)
}

func isUnordered(w world) bool { return w.ordering == unordered }

// orders are the orders of three packets other than their own.
var orders = [][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// permuted: the three packets of a message in every other order. Each is placed when it arrives. The receive completes with the
// last one to arrive.
func permuted(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return !isStrong(w) }) {
		for _, m := range messages {
			for _, o := range orders {
				if !m.permits(w, 3) || w.service == xrc && o != orders[4] {
					continue
				}
				c := l.add(w, fmt.Sprintf("permute/%02x/%d%d%d", m.last, o[0], o[1], o[2]), fmt.Sprintf("the packets of a %s arrive in the order %v", m.name, o), flags(Order), func(t *T) {
					octets := 2*t.config.MTU + 21
					if m.takes() {
						t.receive(1, 1)
					}
					p := t.packets(m, octets)
					for i, at := range o {
						s := t.request(p[at]).ack()
						t.put(p[at], 1)
						if i == 2 && m.takes() {
							s.gotten(1, p[2], octets)
						}
					}
				}).cite("6.7-09", "6.7-14", "6.7-23", "8.2-27", "8.3.2-03", "8.3.3-03", "8.3.3-05")
				if w.ordering == weak {
					c.cite("6.2-03", "6.4-10")
				} else {
					c.cite("6.2-04", "6.4-16")
				}
			}
		}
	}
}

// overtaken: a later message arrives first. On a weakly ordered QP its completion waits for the earlier one, on an unordered one
// it does not.
func overtaken(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return !isStrong(w) }) {
		l.overtake(w, messages[0], messages[0])
		for _, m := range messages[1:3] {
			l.overtake(w, m, messages[0])
			l.overtake(w, messages[0], m)
		}
		l.overtake(w, messages[4], messages[4])
		if w.service == xrc {
			continue
		}
		l.add(w, "overtake/window", "messages arrive in the opposite order, as far apart as eight SNs", flags(Order), func(t *T) {
			var list []packet.Packet
			for i := range 8 {
				t.receive(uint64(i+1), 1)
			}
			for range 8 {
				list = append(list, carrying(t.packet(sendOnly), nil))
			}
			for i := 7; i >= 0; i-- {
				s := t.request(list[i]).ack()
				if isUnordered(w) {
					s.gotten(uint64(i+1), list[i], 0)
				} else if i == 0 {
					for j, p := range list {
						s.gotten(uint64(j+1), p, 0)
					}
				}
			}
		}).cite("8.3.2-05", "8.2-27").decide("I-72")
	}
}

func (l *list) overtake(w world, a, b message) {
	if w.service == xrc {
		return // a shared queue gives its receives in the order of arrival
	}
	l.add(w, "overtake/"+names[a.last]+"/"+names[b.last], "the second of two messages arrives first: RMSN selects its receive", flags(Order), func(t *T) {
		t.receive(1, 1)
		t.receive(2, 2)
		first, second := carrying(t.packet(a.last), t.octets(10)), carrying(t.packet(b.last), t.octets(11))
		second.VA += 100
		s := t.request(second).ack()
		t.put(second, 2)
		if isUnordered(w) {
			s.gotten(2, second, 11)
		}
		s = t.request(first).ack().gotten(1, first, 10)
		t.put(first, 1)
		if !isUnordered(w) {
			s.gotten(2, second, 11)
		}
	}).cite("8.3.2-03", "8.3.2-05", "8.3.3-05").decide("I-72", "I-114")
}

// waiting: on a weakly ordered QP an Atomic is executed once every lower SN has arrived, a Read at once; on an unordered QP both
// at once (I-70).
func waiting(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return !isStrong(w) }) {
		for _, op := range []uint8{cmpSwap, fetchAdd, readRequest} {
			l.add(w, "early/"+names[op], "a pull arrives before a Write to the same word with a lower SN", flags(Order), func(t *T) {
				write, pull := t.packet(writeOnly), t.packet(op)
				write.VA += atomicWord
				write = carrying(write, t.octets(8))
				if op == readRequest {
					pull.VA, pull.Length = write.VA, 8
				}
				if isUnordered(w) || op == readRequest {
					t.request(pull).served(pull)
					t.request(write).ack()
					t.put(write, 0)
					return
				}
				s := t.request(pull).ack()
				t.put(write, 0)
				t.request(write).ack().answerOf(s.get().Request, t.execute(pull))
			}).cite("6.2-08", "6.2-09").decide("I-70", "I-73")
		}
		l.add(w, "early/two_atomics", "two Atomics arrive in the opposite order: a weakly ordered QP executes them in the order of SN", flags(Order), func(t *T) {
			first, second := t.packet(fetchAdd), t.packet(fetchAdd)
			if isUnordered(w) {
				t.request(second).served(second)
				t.request(first).served(first)
				return
			}
			late := t.request(second).ack().get().Request
			s := t.request(first).served(first)
			s.answerOf(late, t.execute(second))
		}).cite("6.2-09", "8.3.2-08").decide("I-70")
		if !isWeak(w) {
			continue
		}
		l.add(w, "early/refused_atomic", "an Atomic that waits finds its right gone in its turn: a response with CE", flags(Order, Refused), func(t *T) {
			write, pull := t.packet(writeOnly), t.packet(fetchAdd)
			late := t.request(pull).ack().get().Request
			less := t.group.Regions[1]
			less.Rights = []string{"remote_read", "remote_write"}
			t.give(suite.Step{Region: &less})
			write = carrying(write, t.octets(8))
			s := t.request(write).ack().breaks("r_key_right")
			t.put(write, 0)
			s.answerOf(late, t.failing(pull))
			if w.errors == verbs {
				s.ended("r_key_right")
			}
		}).cite("6.2-09").decide("I-70", "I-63")
		l.add(w, "early/invalidated_atomic", "an Atomic that waits finds its R-Key invalidated by the Send ahead of it: a response with CE", flags(Order, Refused), func(t *T) {
			t.receive(1, 1)
			region := t.group.Regions[slices.IndexFunc(t.group.Regions, func(r suite.Region) bool { return r.Key == spare })]
			region.Rights = []string{"remote_atomic", "invalidate"}
			t.give(suite.Step{Region: &region})
			send, pull := carrying(t.packet(sendOnlyInvalidate), t.octets(8)), t.packet(fetchAdd)
			pull.RKey = spare
			late := t.request(pull).ack().get().Request
			s := t.request(send).ack().breaks("r_key_unknown").gotten(1, send, 8).answerOf(late, t.failing(pull))
			t.put(send, 1)
			next := carrying(t.packet(writeOnly), t.octets(8))
			if w.errors == verbs {
				s.ended("r_key_unknown")
				t.request(next).breaks("qp_in_error").nre(operationError)
				return
			}
			t.request(next).ack()
			t.put(next, 0)
		}).cite("6.2-09").decide("I-70", "I-63")
		l.add(w, "early/refused_at_once", "an Atomic arrives early, and its region does not permit it: a response with CE at once", flags(Order, Refused), func(t *T) {
			write, pull := carrying(t.packet(writeOnly), t.octets(8)), t.packet(fetchAdd)
			pull.RKey = readable
			t.request(pull).refused("r_key_right", accessError, pull)
			if w.errors == verbs {
				t.request(write).breaks("qp_in_error").nre(operationError)
				return
			}
			t.request(write).ack()
			t.put(write, 0)
		}).decide("I-70")
	}
}

// completedOutOfOrder: Falcon completes the second of two work requests first, as an unordered connection may.
func completedOutOfOrder(l *list) {
	for _, w := range append(worldsOf(connected, func(w world) bool { return !isStrong(w) }), worldsOf([]string{ud}, nil)...) {
		l.add(w, "complete_order/send", "Falcon completes the second of two Sends first: only an unordered QP reports it at once", flags(Order), func(t *T) {
			a, b := t.work(0x80, "send", "", t.buffer(0, 8)), t.work(0x81, "send", "", t.buffer(8, 9))
			first := t.out[cid].rsn
			t.post(a).sends(cid, t.push(a, messages[0])[0])
			t.post(b).sends(cid, t.push(b, messages[0])[0])
			s := t.complete(cid, first+1, 0, 0)
			if isUnordered(w) {
				s.done(b)
			}
			s = t.complete(cid, first, 0, 0).done(a)
			if !isUnordered(w) {
				s.done(b)
			}
		}).cite(map[bool]map[string][]string{
			true:  {unordered: {"6.2-04", "6.4-16"}, weak: {"6.2-03", "6.4-10"}},
			false: {unordered: {"6.4-19"}, weak: {"6.4-13"}, strong: {"6.4-07"}},
		}[w.connected()][w.ordering]...).cite("FTP-8.4.2-02", "FTP-6.1.1-02").decide("I-107")
		if !w.connected() {
			continue
		}
		l.add(w, "complete_order/parts", "Falcon completes the packets of a WRITE in the opposite order: it is complete with the First", flags(Order), func(t *T) {
			a := t.work(0x82, "write", "", t.buffer(0, 3*t.config.MTU))
			first := t.out[cid].rsn
			s := t.post(a)
			for _, p := range t.push(a, messages[3]) {
				s.sends(cid, p)
			}
			for i := range 3 {
				s = t.complete(cid, first+uint32(2-i), 0, 0)
			}
			s.done(a)
		}).cite("6.7-03", "7.2-09", "FTP-6.1-02")
	}
	for _, w := range worldsOf([]string{rc}, isStrong) {
		l.add(w, "complete_order/mixed", "a Write, a Read and a Send complete in the order of posting", flags(Order), func(t *T) {
			a, b, c := t.work(0x83, "write", "", t.buffer(0, 8)), t.work(0x84, "read", "", t.buffer(16, 8)), t.work(0x85, "send", "", t.buffer(32, 8))
			first := t.out[cid].rsn
			t.post(a).sends(cid, t.push(a, messages[3])[0])
			p := t.pulls(b)[0]
			t.post(b).sends(cid, p)
			t.post(c).sends(cid, t.push(c, messages[0])[0])
			t.complete(cid, first, 0, 0).done(a)
			r := t.dataFor(p, readResponseOnly)
			s := t.respond(first+1, r)
			t.land(r)
			s.done(b)
			t.complete(cid, first+2, 0, 0).done(c)
		}).cite("6.2-02", "6.4-04", "8.3.2-09")
	}
}

// answeredOutOfOrder: the responses to a Read arrive in every order; STETH places each (RoF 6.7, 8.3.4).
func answeredOutOfOrder(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return !isStrong(w) }) {
		for _, o := range orders {
			l.add(w, fmt.Sprintf("answer_order/%d%d%d", o[0], o[1], o[2]), fmt.Sprintf("the responses to a Read arrive in the order %v", o), flags(Order), func(t *T) {
				work := t.work(0x86, "read", "", t.buffer(7, 2*t.config.MTU+9))
				first := t.out[cid].rsn
				s := t.post(work)
				p := t.pulls(work)
				for _, one := range p {
					s.sends(cid, one)
				}
				for _, i := range o {
					r := t.dataFor(p[i], readResponseOnly)
					s = t.respond(first+uint32(i), r)
					t.land(r)
				}
				s.done(work)
			}).cite("6.7-24", "8.3.4-04", "8.3.4-05", "7.1-10").decide("I-26", "I-62")
		}
	}
}
