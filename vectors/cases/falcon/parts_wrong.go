package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

func init() { families = append(families, wrongParts, longMessages, lateReceives) }

// wrongParts: Middles and Lasts whose payload or Message Offset is not that of their place.
func wrongParts(l *list) {
	for _, w := range worldsOf([]string{rc}, isOrdered) {
		for _, e := range []struct {
			name, comment, rule string
			permits             func(w world) bool
			change              func(t *T, p *packet.Packet)
		}{
			{"middle_offset_0", "a Middle with Message Offset 0", "bad_offset", nil, func(_ *T, p *packet.Packet) { p.Offset = 0 }},
			{"middle_offset_4", "a Middle with a Message Offset that is no multiple of the MTU", "bad_offset", nil, func(_ *T, p *packet.Packet) { p.Offset += 4 }},
			{"middle_offset_2mtu", "a Middle with a Message Offset one MTU too high", "bad_offset", isStrong, func(t *T, p *packet.Packet) { p.Offset += uint32(t.config.MTU) }},
			{"middle_short", "a Middle of less than one MTU", "bad_payload", nil, func(t *T, p *packet.Packet) { p.Payload = p.Payload[:t.config.MTU-4] }},
			{"middle_empty", "a Middle without payload", "bad_payload", nil, func(_ *T, p *packet.Packet) { p.Payload = nil }},
		} {
			if e.permits != nil && !e.permits(w) {
				continue
			}
			l.add(w, "part/"+e.name, e.comment+"; the Last follows with CE", flags(Message), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				p := t.packets(messages[0], 2*t.config.MTU+8)
				t.request(p[0]).ack()
				t.put(p[0], 1)
				e.change(t, &p[1])
				s := t.request(p[1])
				if w.errors == verbs {
					s.lost(1, "peer_error").refused(e.rule, invalidRequest, p[1])
					return
				}
				s.refused(e.rule, invalidRequest, p[1])
				p[2].CE, p[2].Payload = true, nil
				t.request(p[2]).ack().lost(1, "peer_error")
				t.next(2)
			}).cite("8.3.3-06").decide("I-74", "I-103", "I-104")
		}
		if w.errors != verbs {
			continue
		}
		l.add(w, "part/last_empty", "a Last without payload and without CE", flags(Message), func(t *T) {
			t.receive(1, 1)
			p := t.packets(messages[0], t.config.MTU+8)
			t.request(p[0]).ack()
			t.put(p[0], 1)
			p[1].Payload = nil
			t.request(p[1]).lost(1, "peer_error").refused("bad_payload", invalidRequest, p[1])
		})
	}
}

// longMessages: a SEND of three packets that does not fit its receive, from the Middle or from the Last on: what fits has been placed,
// the receive ends in a length error with the Last (RoF 8.3.3).
func longMessages(l *list) {
	for _, w := range worldsOf([]string{rc}, isOrdered) {
		for bad, name := range []string{1: "middle", 2: "last"} {
			if bad == 0 {
				continue
			}
			l.add(w, "part/long_"+name, "a SEND one octet too long for its receive, which shows in its "+name, flags(Message, Buffer), func(t *T) {
				mtu := t.config.MTU
				t.receiveInto(1, t.buffer(t.slot(1), []int{1: 2*mtu - 1, 2: 2*mtu + 7}[bad]))
				t.receive(2, 2)
				for i, p := range t.packets(messages[0], 2*mtu+8) {
					if i > bad { // as an initiator does that has seen the CIE
						p.CE, p.Payload = true, nil
						t.request(p).ack().lost(1, "length")
						continue
					}
					s := t.request(p)
					if i < bad {
						s.ack()
						t.put(p, 1)
						continue
					}
					if w.errors == verbs || bad == 2 {
						s.lost(1, "length")
					}
					s.refused("too_long", invalidRequest, p)
					if w.errors == verbs {
						return
					}
				}
				t.next(2)
			}).cite("8.3.3-07", "8.3.3-05").decide("I-74", "I-103")
		}
	}
}

// lateReceives: a message is wrong and no receive is posted: RNR in both error modes; when it arrives again and there is one, it is
// refused, and the receive ends in error (I-60, I-103).
func lateReceives(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, op := range []uint8{sendOnly, writeOnlyImmediate} {
			l.add(w, "late_receive/"+names[op], "the payload is above one MTU, and no receive is posted", flags(Retry, Refused), func(t *T) {
				p := carrying(t.packet(op), t.octets(t.config.MTU+4))
				t.request(p).breaks("no_receive").rnr()
				t.receive(1, 1)
				t.request(p).lost(1, "peer_error").refused("bad_payload", invalidRequest, p)
			}).decide("I-60", "I-61", "I-103")
		}
	}
}
