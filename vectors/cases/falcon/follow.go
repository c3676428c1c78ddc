package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
)

func init() { families = append(families, noMessages, overlapping, endedTwice) }

// part is a packet of what should be a message: its operation, RMSN from that of the first, and offset in MTUs.
type part struct {
	op           uint8
	rmsn, offset int
}

// noMessages: on a weakly ordered QP packets are answered and placed when they arrive. Those that are no messages in the order of SN
// end the QP in both error modes, once every SN up to the one at fault has arrived (I-117).
func noMessages(l *list) {
	for _, c := range []struct {
		name, comment, rule string
		parts               []part
	}{
		{"write_inside", "a WRITE with Immediate inside a SEND, with its RMSN", "out_of_place", []part{{sendFirst, 0, 0}, {writeOnlyImmediate, 0, 0}}},
		{"send_inside", "a SEND Only inside a SEND, with its RMSN", "out_of_place", []part{{sendFirst, 0, 0}, {sendOnly, 0, 0}}},
		{"send_ends_write", "a SEND Last after a WRITE First", "out_of_place", []part{{writeFirst, 0, 0}, {sendLast, 0, 1}}},
		{"write_ends_send", "a WRITE Last with Immediate after a SEND First, with its RMSN", "out_of_place", []part{{sendFirst, 0, 0}, {writeLastImmediate, 0, 1}}},
		{"read_inside", "a READ Request inside a SEND", "out_of_place", []part{{sendFirst, 0, 0}, {readRequest, 0, 0}}},
		{"atomic_inside", "an Atomic inside a SEND: it is not executed", "out_of_place", []part{{sendFirst, 0, 0}, {fetchAdd, 0, 0}}},
		{"no_first", "a Middle without its First", "out_of_place", []part{{writeOnly, 0, 0}, {sendMiddle, 0, 1}}},
		{"two_firsts", "a First after a First, with its RMSN", "out_of_place", []part{{sendFirst, 0, 0}, {sendFirst, 0, 0}}},
		{"no_end", "a SEND Only of the next RMSN after a First", "out_of_place", []part{{sendFirst, 0, 0}, {sendOnly, 1, 0}}},
		{"other_message", "a Last of the next RMSN after a First", "bad_rmsn", []part{{sendFirst, 0, 0}, {sendLast, 1, 1}}},
	} {
		for _, w := range worldsOf([]string{rc}, isWeak) {
			for _, backwards := range []bool{false, true} {
				order := map[bool]string{false: "in_order", true: "backwards"}[backwards]
				l.add(w, "no_message/"+c.name+"/"+order, c.comment+" ends the QP once it is found in the order of SN", flags(Message, Order), func(t *T) {
					t.receive(1, 1)
					t.receive(2, 2)
					list := t.parts(c.parts)
					if backwards {
						slices.Reverse(list)
					}
					var waiting step // an Atomic
					for i, p := range list {
						op := uint8(p.Opcode) & 0x1F
						s := t.request(p).ack()
						switch {
						case isAtomic(op):
							waiting = s
						case isPull(op):
							s.answer(t.execute(p))
						default:
							t.put(p, 1+int(p.RMSN-1)*map[bool]int{true: 1}[numbered(op)])
						}
						if i < len(list)-1 {
							continue
						}
						s.breaks(c.rule).ended(c.rule)
						if waiting.t != nil {
							atomic := list[map[bool]int{false: 1, true: 0}[backwards]]
							s.answerOf(waiting.get().Request, t.failing(atomic))
						}
					}
				}).cite("8.2-27", "6.7-25").decide("I-117")
			}
		}
	}
}

// parts returns packets with successive SNs.
func (t *T) parts(list []part) (packets []packet.Packet) {
	mtu, first := t.config.MTU, t.message
	for _, one := range list {
		p := t.packet(one.op)
		n := 8
		switch one.op {
		case sendFirst, sendMiddle, writeFirst, writeMiddle:
			n = mtu
		}
		if !isPull(one.op) {
			p = carrying(p, t.octets(n))
			p.VA += uint64(one.offset * mtu)
		}
		if numbered(one.op) {
			p.RMSN, p.Offset = first+uint32(one.rmsn), uint32(one.offset*mtu)
		}
		packets = append(packets, p)
	}
	t.message = first + 1
	return packets
}

// overlapping: on a weakly ordered QP two Middles have the same Message Offset, or arrive in another order than that of SN: the receive
// ends in a length error, once every SN up to the Last has arrived; in Verbs mode the QP ends at once (I-104).
func overlapping(l *list) {
	for _, w := range worldsOf([]string{rc}, isWeak) {
		for _, c := range []struct {
			name, comment string
			offsets       [2]int // of the Middles
			wrong         []int  // packets that do not continue the octets before them
		}{
			{"same", "two Middles of a SEND have the same Message Offset", [2]int{1, 1}, []int{2}},
			{"exchanged", "the Message Offsets of two Middles of a SEND are exchanged", [2]int{2, 1}, []int{1, 2}},
		} {
			l.add(w, "overlap/"+c.name, c.comment, flags(Message), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				for i, p := range t.parts([]part{{sendFirst, 0, 0}, {sendMiddle, 0, c.offsets[0]}, {sendMiddle, 0, c.offsets[1]}, {sendLast, 0, 3}}) {
					s := t.request(p).ack()
					t.put(p, 1)
					if i == c.wrong[0] {
						s.breaks("incomplete")
						if w.errors == verbs {
							s.lost(1, "length").ended("incomplete")
							return
						}
					}
					if i == 3 {
						s.lost(1, "length")
					}
				}
				t.next(2)
			}).cite("8.2-27").decide("I-104", "I-117")
			l.add(w, "overlap/"+c.name+"/late", c.comment+"; the First arrives last", flags(Message, Order), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				list := t.parts([]part{{sendFirst, 0, 0}, {sendMiddle, 0, c.offsets[0]}, {sendMiddle, 0, c.offsets[1]}, {sendLast, 0, 3}})
				var s step
				for _, i := range []int{1, 2, 3, 0} {
					s = t.request(list[i]).ack()
					t.put(list[i], 1)
				}
				s.breaks("incomplete").lost(1, "length")
				if w.errors == verbs {
					s.ended("incomplete")
					return
				}
				t.next(2)
			}).cite("8.2-27").decide("I-104", "I-117")
		}
	}
}

// endedTwice: a packet that ends a message again, or has its RMSN and follows its last one, is refused on arrival (I-117).
func endedTwice(l *list) {
	for _, w := range worldsOf([]string{rc}, isWeak) {
		for _, op := range []uint8{sendLast, sendOnly, sendMiddle, sendFirst, writeOnlyImmediate} {
			l.add(w, "ended/"+names[op], operationIn(names[op])+"it has the RMSN of a message whose Last, with a lower SN, has arrived", flags(Message, Order), func(t *T) {
				t.receive(1, 1)
				list := t.parts([]part{{sendFirst, 0, 0}, {sendLast, 0, 1}, {op, 0, map[uint8]int{sendLast: 2, sendMiddle: 2}[op]}})
				t.request(list[1]).ack()
				t.put(list[1], 1)
				t.request(list[2]).fatal("bad_rmsn", invalidRequest, list[2])
			}).decide("I-116", "I-117")
		}
		for _, op := range []uint8{sendLast, sendOnly, writeOnlyImmediate} {
			l.add(w, "ended/lower/"+names[op], operationIn(names[op])+"it ends a message again, with a lower SN than the Last that has arrived", flags(Message, Order), func(t *T) {
				t.receive(1, 1)
				list := t.parts([]part{{sendFirst, 0, 0}, {op, 0, map[uint8]int{sendLast: 1}[op]}, {sendLast, 0, 2}})
				t.request(list[2]).ack()
				t.put(list[2], 1)
				t.request(list[1]).fatal("bad_rmsn", invalidRequest, list[1])
			}).decide("I-116", "I-117")
		}
	}
}
