package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
)

func init() { families = append(families, randomOrder) }

const randomTests = 8 // of each world

// randomOrder: messages and Reads of random sizes, whose packets arrive in a random order that the connection permits. Writes and
// Reads are of places of their own, so that their order does not matter.
func randomOrder(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		for i := range randomTests {
			l.add(w, fmt.Sprintf("random/%d", i), "five messages and Reads of random sizes, in a random order", flags(Random), func(t *T) { t.random() })
		}
	}
}

// piece is a packet of a random test.
type piece struct {
	packet.Packet
	message int // receive, from 1; 0: none
	octets  int // of the message
}

func (t *T) random() {
	var list []piece
	receives := 0
	for i := range 5 {
		if t.rand.IntN(4) == 0 {
			p := t.packet(readRequest)
			p.VA, p.Length = remoteVA+uint64(15*t.config.MTU), uint32(t.rand.IntN(t.config.MTU))
			list = append(list, piece{p, 0, 0})
			continue
		}
		m := messages[[]int{0, 1, 3, 4}[t.rand.IntN(4)]]
		octets := t.rand.IntN(2*t.config.MTU + 1)
		if !m.permits(t.world, 3) {
			octets = t.rand.IntN(t.config.MTU + 1)
		}
		number := 0
		if m.takes() {
			receives++
			number = receives
			t.receiveInto(uint64(number), t.buffer(2*number*t.config.MTU, 2*t.config.MTU))
		}
		for _, p := range t.packets(m, octets) {
			p.VA += uint64(3 * i * t.config.MTU)
			list = append(list, piece{p, number, octets})
		}
	}
	order := t.rand.Perm(len(list))
	if t.world.ordering == strong {
		for i := range order {
			order[i] = i
		}
	}
	t.arriveIn(list, order)
}

// arriveIn lets packets arrive in an order. On a weakly ordered QP a receive completes once every packet up to its Last has
// arrived; on an unordered QP, where it has one packet or its Last has the number, with that.
func (t *T) arriveIn(list []piece, order []int) {
	come := make([]bool, len(list))
	next := 0 // before it, all have arrived and been reported
	for _, at := range order {
		p := list[at]
		if p.Opcode == readRequest {
			s := t.request(p.Packet)
			s.served(p.Packet)
			next = t.report(s, list, come, at, next)
			continue
		}
		s := t.request(p.Packet).ack()
		if op := uint8(p.Opcode); op >= writeFirst && op <= writeOnlyImmediate {
			t.put(p.Packet, 0)
		} else {
			t.place(uint64(localAt+2*p.message*t.config.MTU)+uint64(p.Offset), p.Payload)
		}
		next = t.report(s, list, come, at, next)
	}
}

func (t *T) report(s step, list []piece, come []bool, at, next int) int {
	come[at] = true
	if t.world.ordering == unordered {
		if ends(uint8(list[at].Opcode)) {
			s.gotten(uint64(list[at].message), list[at].Packet, list[at].octets)
		}
		return next
	}
	for ; next < len(list) && come[next]; next++ {
		if ends(uint8(list[next].Opcode)) {
			s.gotten(uint64(list[next].message), list[next].Packet, list[next].octets)
		}
	}
	return next
}
