package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
)

// message is a Send or Write of some packets.
type message struct {
	name  string
	last  uint8 // operation of a message of one packet
	write bool
}

// messages lists the kinds of pushes.
var messages = []message{
	{"SEND", sendOnly, false}, {"SEND with Immediate", sendOnlyImmediate, false}, {"SEND with Invalidate", sendOnlyInvalidate, false},
	{"WRITE", writeOnly, true}, {"WRITE with Immediate", writeOnlyImmediate, true},
}

// takes reports whether the message takes a receive.
func (m message) takes() bool { return numbered(m.last) }

// lastOf is the operation of the last packet of a longer message.
var lastOf = map[uint8]uint8{sendOnly: sendLast, sendOnlyImmediate: sendLastImmediate, sendOnlyInvalidate: sendLastInvalidate,
	writeOnly: writeLast, writeOnlyImmediate: writeLastImmediate}

// permits reports whether a world has the message with a number of packets (RoF 6.4, 8.1.3).
func (m message) permits(w world, packets int) bool {
	switch {
	case w.service == ud:
		return packets == 1 && (m.last == sendOnly || m.last == sendOnlyImmediate)
	case w.ordering == unordered:
		return packets == 1 || m.last == writeOnly
	}
	return true
}

// operation is that of packet i of n.
func (m message) operation(i, n int) uint8 {
	first, middle := uint8(sendFirst), uint8(sendMiddle)
	if m.write {
		first, middle = writeFirst, writeMiddle
	}
	switch {
	case n == 1:
		return m.last
	case i == 0:
		return first
	case i < n-1:
		return middle
	}
	return lastOf[m.last]
}

// packets segments a message of random octets at the MTU: every packet but the last carries one MTU (RoF 6.7).
func (t *T) packets(m message, octets int) (list []packet.Packet) {
	payload, mtu := t.octets(octets), t.config.MTU
	n := max(1, (octets+mtu-1)/mtu)
	for i := range n {
		p := t.packet(m.operation(i, n))
		p.VA += uint64(i * mtu)
		p.Offset = uint32(i * mtu)
		list = append(list, carrying(p, payload[i*mtu:min(octets, (i+1)*mtu)]))
	}
	return list
}

// put places a packet's payload: in the region remote, or in the slot of the message's receive.
func (t *T) put(p packet.Packet, slot int) {
	op := uint8(p.Opcode) & 0x1F
	if op >= writeFirst && op <= writeOnlyImmediate {
		t.place(remoteAt+p.VA-remoteVA, p.Payload)
		return
	}
	t.place(uint64(localAt+t.slot(slot))+uint64(p.Offset), p.Payload)
}

func init() { families = append(families, arrivals, sizes) }

// arrivals: every push of the table of operations reaches a target, in messages of one, two and three packets.
func arrivals(l *list) {
	for _, w := range worldsOf(every, nil) {
		for _, m := range messages {
			for n := 1; n <= 3; n++ {
				if m.permits(w, n) {
					l.arrival(w, fmt.Sprintf("arrive/%02x/%d_packets", m.last, n), m, (n-1)*l.config.MTU+37, flags(Basic))
				}
			}
		}
	}
}

// sizes: the octets of a message around the MTU.
func sizes(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		for _, m := range []message{messages[0], messages[3]} {
			for _, z := range sizesOf(l.config.MTU) {
				if m.permits(w, (z.octets+l.config.MTU-1)/l.config.MTU) {
					l.arrival(w, fmt.Sprintf("size/%02x/%s", m.last, z.name), m, z.octets, flags(Size))
				}
			}
		}
	}
	for _, w := range worldsOf([]string{ud}, nil) {
		for _, z := range sizesOf(l.config.MTU)[:4] {
			l.arrival(w, "size/04/"+z.name, messages[0], z.octets, flags(Size))
		}
	}
}

// size is a number of octets.
type size struct {
	name   string
	octets int
}

// sizesOf returns sizes around the MTU: the first four fit a packet.
func sizesOf(mtu int) []size {
	return []size{{"0", 0}, {"1", 1}, {"mtu-1", mtu - 1}, {"mtu", mtu}, {"mtu+1", mtu + 1}, {"4mtu", 4 * mtu}}
}

func (l *list) arrival(w world, key string, m message, octets int, f []string) {
	n := max(1, (octets+l.config.MTU-1)/l.config.MTU)
	c := l.add(w, key, fmt.Sprintf("a %s of %d octets arrives in %d packets", m.name, octets, n), f, func(t *T) {
		if m.takes() {
			t.receive(1, 1)
		}
		for i, p := range t.packets(m, octets) {
			p.SE = i == n-1 && m.takes()
			s := t.request(p).ack()
			t.put(p, 1)
			if ends(uint8(p.Opcode) & 0x1F) {
				s.gotten(1, p, octets)
			}
		}
	})
	c.cite(w.services()...)
	if m.takes() {
		c.cite("8.2-20").decide("I-109")
	}
}
