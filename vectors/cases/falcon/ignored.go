package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

func init() { families = append(families, reservedBits, padOctets, solicited, invalidation) }

// setBit sets a bit by its number in the figures. As drawn, bit i of a word is bit 7 - i mod 8 of octet i / 8; mirrored, it has the
// weight 2^i of the big-endian word (I-24).
func (t *T) setBit(octets []byte, word, bit int) {
	at := bit
	if t.order == spec.Mirrored {
		at = 31 - bit
	}
	octets[4*word+at/8] |= 0x80 >> (at % 8)
}

// reservedBits: each reserved bit is ignored.
func reservedBits(l *list) {
	add := func(w world, header string, first, word, bit int) {
		l.add(w, fmt.Sprintf("reserved_bit/%s/%d_%d", header, word, bit), fmt.Sprintf("%s: reserved bit %d of word %d is set", header, bit, word), flags(Ignored), func(t *T) {
			t.receive(1, 1)
			p := carrying(t.packet(sendOnly), t.octets(8))
			octets := t.octetsOf(p)
			t.setBit(octets[first:], word, bit)
			s := t.raw(pushRequest, octets).ack()
			t.put(p, 1)
			s.gotten(1, p, 8)
		}).decide("I-24", "I-60")
	}
	w := world{service: rc, ordering: strong, errors: verbs}
	for bit := 4; bit <= 18; bit++ {
		add(w, "rbth", 0, 0, bit)
	}
	add(w, "rbth", 0, 0, 22)
	for bit := 24; bit < 32; bit++ {
		add(w, "rbth", 0, 1, bit)
		add(world{service: xrc, ordering: weak, errors: inBand}, "xrceth", rbth, 0, bit)
		add(world{service: ud, ordering: weak, errors: inBand}, "deth", rbth, 1, bit)
	}
}

// padOctets: pad of any value is ignored, for each number of octets (I-71).
func padOctets(l *list) {
	for _, w := range worldsOf(every, nil) {
		for n := 1; n < 4; n++ {
			l.add(w, fmt.Sprintf("pad/%d", n), fmt.Sprintf("%d octets of pad that are not zero", n), flags(Ignored), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(sendOnly), t.octets(8-n))
				octets := t.octetsOf(p)
				for i := range n {
					octets[len(octets)-1-i] = 0xFF
				}
				s := t.raw(pushRequest, octets).ack()
				t.put(p, 1)
				s.gotten(1, p, 8-n)
			}).cite("8.2-16").decide("I-71")
		}
	}
}

// solicited: SE in the last packet is in the completion; in others it is ignored.
func solicited(l *list) {
	for _, w := range worldsOf(every, nil) {
		for _, m := range messages {
			if !m.takes() || !m.permits(w, 1) || m.last == sendOnlyInvalidate { // which invalidates its region once
				continue
			}
			l.add(w, "solicited/"+names[m.last], "SE is reported with the completion, and only where it is set", flags(Basic), func(t *T) {
				for id := range uint64(2) {
					t.receive(id+1, 1)
					p := carrying(t.packet(m.last), t.octets(8))
					p.SE = id == 0
					s := t.request(p).ack()
					t.put(p, 1)
					s.gotten(id+1, p, 8)
				}
			}).cite("8.2-19", "8.2-20", "8.2-21")
		}
		if !w.connected() || !isOrdered(w) {
			continue
		}
		l.add(w, "solicited/first", "SE in a First means nothing", flags(Ignored), func(t *T) {
			t.receive(1, 1)
			for i, p := range t.packets(messages[0], t.config.MTU+8) {
				p.SE = i == 0
				s := t.request(p).ack()
				t.put(p, 1)
				if i == 1 {
					s.gotten(1, p, t.config.MTU+8)
				}
			}
		}).cite("8.2-21")
	}
}

// invalidation: after a SEND with Invalidate the region is gone; a second one finds nothing to invalidate.
func invalidation(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, again := range []uint8{writeOnly, sendOnlyInvalidate} {
			l.add(w, "invalidated/"+names[again], "a region is invalidated when the SEND with Invalidate is delivered, and not before", flags(Basic), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				use := func() packet.Packet {
					p := carrying(t.packet(writeOnly), t.octets(8))
					p.RKey = spare
					return p
				}
				p := use()
				t.request(p).ack()
				t.put(p, 0)
				p = carrying(t.packet(sendOnlyInvalidate), t.octets(8))
				s := t.request(p).ack()
				t.put(p, 1)
				s.gotten(1, p, 8)
				if again == writeOnly {
					p = use()
					t.request(p).refused("r_key_unknown", accessError, p)
					return
				}
				p = carrying(t.packet(sendOnlyInvalidate), t.octets(8))
				t.request(p).lost(2, "peer_error").refused("cannot_invalidate", accessError, p)
			}).cite("8.3.8-05", "8.3.8-04").decide("I-114")
		}
	}
}
