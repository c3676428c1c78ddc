package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

func init() { families = append(families, inside, failedParts, marked, incomplete) }

// inside: on a strongly ordered QP nothing but a Middle or Last of the same kind may follow a First (RoF 6.7).
func inside(l *list) {
	for _, w := range worldsOf([]string{rc}, isStrong) {
		for _, first := range []uint8{sendFirst, writeFirst} {
			for _, op := range []uint8{sendFirst, sendOnly, sendOnlyImmediate, sendOnlyInvalidate, sendMiddle, sendLast, writeFirst, writeOnly, writeOnlyImmediate, writeMiddle, writeLast, writeLastImmediate, readRequest, cmpSwap, fetchAdd} {
				if first == sendFirst && (op == sendMiddle || op == sendLast) || first == writeFirst && (op == writeMiddle || op == writeLast || op == writeLastImmediate) {
					continue
				}
				l.add(w, "inside/"+names[first]+"/"+names[op], "inside a message, a request that is neither its Middle nor its Last ends the QP", flags(Message), func(t *T) {
					t.receive(1, 1)
					p := carrying(t.packet(first), t.octets(t.config.MTU))
					t.request(p).ack()
					t.put(p, 1)
					p = t.packet(op)
					if !isPull(op) {
						p = carrying(p, t.octets(t.config.MTU))
					}
					t.request(p).fatal("out_of_place", invalidRequest, p)
				}).cite("6.7-25").decide("I-116")
			}
		}
	}
}

// failedParts: in complete-in-error mode a First or Middle of a message gets CIE. Its receive ends in error with the last packet,
// which is acknowledged (I-103).
func failedParts(l *list) {
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return w.errors == inBand && isOrdered(w) }) {
		for bad := range 2 {
			name := [...]string{"first", "middle"}[bad]
			l.add(w, "part/write_"+name, "the "+name+" of a WRITE with Immediate gets CIE: its receive ends in error with the Last, which is placed", flags(Message), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				for i, p := range t.packets(messages[4], 3*t.config.MTU) {
					if i == bad {
						p.RKey = readable
						t.request(p).refused("r_key_right", accessError, p)
						continue
					}
					s := t.request(p).ack()
					t.put(p, 1)
					if i == 2 {
						s.lost(1, "peer_error")
					}
				}
				t.next(2)
			}).decide("I-103", "I-109")
			l.add(w, "part/send_"+name, "the "+name+" of a SEND finds a buffer that may not be written: CIE; its receive ends in error with the Last", flags(Message, Buffer), func(t *T) {
				mtu := t.config.MTU
				hole := t.buffer(t.slot(1)+bad*mtu, mtu)
				hole.Key = hidden
				if bad == 0 {
					t.receiveInto(1, hole, t.buffer(t.slot(1)+mtu, 2*mtu))
				} else {
					t.receiveInto(1, t.buffer(t.slot(1), mtu), hole, t.buffer(t.slot(1)+2*mtu, mtu))
				}
				t.receive(2, 2)
				for i, p := range t.packets(messages[0], 3*mtu) {
					if i == bad {
						t.request(p).refused("receive_buffer", operationError, p)
						continue
					}
					if i == 2 { // as an initiator does that has seen the CIE
						p.CE, p.Payload = true, nil
					}
					s := t.request(p).ack()
					t.put(p, 1)
					if i == 2 {
						s.lost(1, "local_protection")
					}
				}
				t.next(2)
			}).cite("6.3-06").decide("I-74", "I-103")
		}
	}
}

// next is a SEND Only of 8 octets for a receive, as it should be.
func (t *T) next(id uint64) {
	p := carrying(t.packet(sendOnly), t.octets(8))
	s := t.request(p).ack()
	t.put(p, int(id))
	s.gotten(id, p, 8)
}

// marked: CE in the last packet ends the receive in error, in both error modes, and places nothing; in other packets it is ignored
// (I-74, I-113).
func marked(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, m := range messages {
			for n := 1; n <= 2; n++ {
				if !m.permits(w, n) {
					continue
				}
				l.add(w, "ce/"+names[m.operation(n-1, n)], "CE in the last packet: the push is acknowledged, nothing of it is placed, and its receive ends in error", flags(Message), func(t *T) {
					t.receive(1, 1)
					t.receive(2, 2)
					for i, p := range t.packets(m, (n-1)*t.config.MTU+12) {
						if i < n-1 {
							t.request(p).ack()
							t.put(p, 1)
							continue
						}
						p.CE = true
						s := t.request(p).ack()
						if m.takes() {
							s.lost(1, "peer_error")
							t.next(2)
						} else {
							t.next(1)
						}
					}
				}).cite("8.2-14", "8.2-15").decide("I-74", "I-103")
			}
		}
		l.add(w, "ce/no_receive", "CE in a SEND Only without a receive: RNR; when it arrives again and there is one, that ends in error", flags(Message, Retry), func(t *T) {
			p := t.packet(sendOnly)
			p.CE = true
			t.request(p).breaks("no_receive").rnr()
			t.receive(1, 1)
			t.request(p).ack().lost(1, "peer_error")
		}).cite("8.2-15").decide("I-61", "I-74")
		for _, op := range []uint8{readRequest, fetchAdd} {
			l.add(w, "ce_ignored/"+names[op], "CE in a pull request is ignored", flags(Ignored), func(t *T) {
				p := t.packet(op)
				p.CE = true
				t.request(p).served(p)
			}).decide("I-113")
		}
		if !isOrdered(w) {
			continue
		}
		l.add(w, "ce_ignored/send_first", "CE in a First and a Middle is ignored", flags(Ignored), func(t *T) {
			t.receive(1, 1)
			var s step
			var p packet.Packet
			for i, one := range t.packets(messages[0], 3*t.config.MTU) {
				p = one
				p.CE = i < 2
				s = t.request(p).ack()
				t.put(p, 1)
			}
			s.gotten(1, p, 3*t.config.MTU)
		}).decide("I-113")
	}
}

// incomplete: on a weakly ordered QP every SN up to the Last has arrived, but not all octets: the receive ends in a length error
// (I-104).
func incomplete(l *list) {
	for _, w := range worldsOf(connected, isWeak) {
		l.add(w, "incomplete", "First and Last of a SEND whose Message Offset skips one MTU, without a Middle", flags(Message), func(t *T) {
			t.receive(1, 1)
			p := t.packets(messages[0], 3*t.config.MTU)
			t.request(p[0]).ack()
			t.put(p[0], 1)
			p[2].SN--
			t.sn--
			s := t.request(p[2]).breaks("incomplete").ack()
			t.put(p[2], 1)
			s.lost(1, "length")
			if w.errors == verbs {
				s.ended("incomplete")
			}
		}).cite("8.2-27").decide("I-104")
	}
}
