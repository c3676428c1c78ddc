package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, sharedQueues, xrcDomains) }

// sharedQueues: a message takes the oldest receive of a shared queue when its first packet arrives (I-72, I-112).
func sharedQueues(l *list) {
	share := func(g *suite.Group, _ suite.Config) { g.QPs[0].SRQ = new(uint32(srq)) }
	for _, w := range worldsOf(every, nil) {
		variant := func(c *Case) {
			if w.service != xrc {
				c.inSetUp("srq", share)
			}
			c.decide("I-72", "I-112")
		}
		variant(l.add(w, "shared/two", "two messages take the two receives of a shared queue; a third finds none", flags(Shared), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			t.next(1)
			t.next(2)
			s := t.request(carrying(t.packet(sendOnly), t.octets(8))).breaks("no_receive")
			if w.connected() {
				s.rnr()
			} else {
				s.ack()
			}
		}))
		if w.connected() && !isStrong(w) {
			variant(l.add(w, "shared/overtake", "the second of two messages arrives first and takes the first receive", flags(Shared, Order), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				first, second := carrying(t.packet(sendOnly), t.octets(10)), carrying(t.packet(sendOnly), t.octets(11))
				s := t.request(second).ack()
				t.put(second, 1)
				if isUnordered(w) {
					s.gotten(1, second, 11)
				}
				s = t.request(first).ack().gotten(2, first, 10)
				t.put(first, 2)
				if !isUnordered(w) {
					s.gotten(1, second, 11)
				}
			}))
		}
		if isWeak(w) && w.connected() {
			variant(l.add(w, "shared/rmsn_left_out", "a SEND Only with the RMSN after the next one takes the receive, and ends the QP since no lower SN is missing", flags(Shared, Message), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(sendOnly), t.octets(8))
				p.RMSN++
				s := t.request(p).breaks("bad_rmsn").ack()
				t.put(p, 1)
				s.lost(1, "flushed").ended("bad_rmsn")
			}).decide("I-117"))
			variant(l.add(w, "shared/rmsn_window", "an RMSN 256 ahead is beyond the window of a shared queue, whatever is posted", flags(Shared, Limit), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(sendOnly), t.octets(8))
				p.RMSN += 256
				t.request(p).fatal("bad_rmsn", invalidRequest, p)
			}).decide("I-116"))
		}
		if w.connected() && w.errors == verbs {
			variant(l.add(w, "shared/error", "the QP goes to Error: the receives of a shared queue stay there", flags(Shared, Refused), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(writeOnly), t.octets(8))
				p.RKey = readable
				t.request(p).refused("r_key_right", accessError, p)
			}))
		}
		if w.service != xrc {
			continue
		}
		l.add(w, "shared/number", "XRCETH selects the shared queue of each message", flags(Shared), func(t *T) {
			for i, queue := range []uint32{otherSRQ, srq} {
				t.give(suite.Step{Receive: &suite.Receive{SRQ: new(queue), ID: suite.Hex64(i + 1), Local: []suite.Element{t.buffer(t.slot(i+1), 64)}}})
			}
			for i, queue := range []uint32{otherSRQ, srq} {
				p := carrying(t.packet(sendOnly), t.octets(8))
				p.SRQ = queue
				s := t.request(p).ack()
				t.put(p, i+1)
				s.gotten(uint64(i+1), p, 8)
			}
		}).cite("8.3.9-06", "6.6.2-01", "6.6.2-02", "6.6.2-03").decide("I-112")
		if isOrdered(w) {
			l.add(w, "shared/later_packets", "only the first packet of a message selects its queue", flags(Shared, Ignored), func(t *T) {
				t.receive(1, 1)
				for i, p := range t.packets(messages[0], t.config.MTU+8) {
					if i == 1 {
						p.SRQ = 0x999
					}
					s := t.request(p).ack()
					t.put(p, 1)
					if i == 1 {
						s.gotten(1, p, t.config.MTU+8)
					}
				}
			}).cite("8.3.9-06").decide("I-112")
		}
	}
}

// xrcDomains: a peer may name the shared queues of its target QP's XRC domain. One of another domain is as unknown as one that does not
// exist, and its receive stays (I-119).
func xrcDomains(l *list) {
	apart := func(g *suite.Group, _ suite.Config) { g.XRCDomains = []suite.XRCDomain{{SRQ: otherSRQ, Domain: 1}} }
	moved := func(g *suite.Group, _ suite.Config) {
		apart(g, suite.Config{})
		g.QPs[0].XRCDomain = 1
	}
	for _, w := range worldsOf([]string{xrc}, nil) {
		for _, op := range []uint8{sendOnly, writeOnlyImmediate} {
			for variant, change := range []func(g *suite.Group, c suite.Config){apart, moved} {
				name := [...]string{"apart", "moved"}[variant]
				l.add(w, "shared/domain/"+names[op], operationIn(names[op])+"the first names a shared queue of the QP's XRC domain, the second one of another domain", flags(Shared, Refused), func(t *T) {
					queues := [...]uint32{srq, otherSRQ}
					for i, n := range queues {
						t.give(suite.Step{Receive: &suite.Receive{SRQ: new(n), ID: suite.Hex64(i + 1), Local: []suite.Element{t.buffer(t.slot(i+1), 64)}}})
					}
					good := carrying(t.packet(op), t.octets(8))
					good.SRQ = queues[variant]
					s := t.request(good).ack().gotten(uint64(variant+1), good, 8)
					s.t.put(good, variant+1)
					bad := carrying(t.packet(op), t.octets(8))
					bad.SRQ = queues[1-variant]
					t.request(bad).refused("unknown_srq", invalidRequest, bad)
				}).cite("8.3.9-06").decide("I-112", "I-119").inSetUp(name, change)
			}
		}
		if isOrdered(w) && w.errors == inBand {
			l.add(w, "shared/unknown_first", "the First names a shared queue that does not exist: CIE for every packet of its message, whatever queue the others name", flags(Shared, Refused, Message), func(t *T) {
				t.receive(1, 1)
				list := t.packets(messages[0], 2*t.config.MTU+8)
				list[0].SRQ = 0x999
				for _, p := range list {
					t.request(p).refused("unknown_srq", invalidRequest, p)
				}
				t.next(1)
			}).cite("8.3.9-06").decide("I-112", "I-119")
		}
		for _, op := range []uint8{sendOnly, writeOnlyImmediate} {
			l.add(w, "shared/unknown_payload/"+names[op], operationIn(names[op])+"XRCETH names a shared queue that does not exist, and the payload is above one MTU: the queue counts", flags(Shared, Refused), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(op), t.octets(t.config.MTU+4))
				p.SRQ = 0x999
				t.request(p).refused("unknown_srq", invalidRequest, p)
			}).decide("I-60", "I-119")
		}
	}
}
