package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, noReceives, behind, fullIRRQ, timeouts) }

// noReceives: a message without a receive gets RNR in both error modes, and nothing changes. The same request is accepted once a
// receive is posted.
func noReceives(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, op := range []uint8{sendOnly, sendOnlyImmediate, sendOnlyInvalidate, writeOnlyImmediate, sendFirst} {
			if op == sendFirst && !isOrdered(w) {
				continue
			}
			l.add(w, "rnr/"+names[op], "no receive is posted: RNR, twice; then a receive is, and the same request is accepted", flags(Retry), func(t *T) {
				p := carrying(t.packet(op), t.octets(map[bool]int{true: t.config.MTU, false: 8}[op == sendFirst]))
				for range 2 {
					t.request(p).breaks("no_receive").rnr()
				}
				t.receive(1, 1)
				s := t.request(p).ack()
				t.put(p, 1)
				if op != sendFirst {
					s.gotten(1, p, 8)
				}
			}).cite("FTP-6.4-02", "FTP-6.4-03").decide("I-61")
		}
	}
}

// behind: on an ordered connection every request after one that got RNR gets RNR too, until that one is accepted (FTP
// 8.5.3.4); all are sent again in order. A request that is wrong in another way is not looked at before (I-101).
func behind(l *list) {
	for _, w := range worldsOf(connected, isStrong) {
		for _, op := range []uint8{writeOnly, readRequest, fetchAdd, sendOnly} {
			l.add(w, "behind_rnr/"+names[op], "requests after one that got RNR get RNR too; all are sent again, in order", flags(Retry), func(t *T) {
				first := carrying(t.packet(sendOnly), t.octets(8))
				next := t.packet(op)
				if !isPull(op) {
					next = carrying(next, t.octets(8))
				}
				last := carrying(t.packet(writeOnly), t.octets(4))
				last.VA += 64
				t.request(first).breaks("no_receive").rnr()
				t.request(next).breaks("behind_rnr").rnr()
				t.receive(1, 1)
				t.receive(2, 2)
				t.request(last).breaks("behind_rnr").rnr()
				t.accepted(first)
				switch {
				case isPull(op):
					t.request(next).served(next)
				case op == sendOnly:
					s := t.request(next).ack()
					t.put(next, 2)
					s.gotten(2, next, 8)
				default:
					t.request(next).ack()
					t.put(next, 0)
				}
				t.request(last).ack()
				t.put(last, 0)
			}).cite("FTP-6.4-02", "6.4-04").decide("I-29", "I-61", "I-101")
		}
		l.add(w, "behind_rnr/wrong", "a request after an RNR that also breaks another rule: RNR; when it arrives again, it is refused", flags(Retry), func(t *T) {
			first := carrying(t.packet(sendOnly), t.octets(8))
			bad := carrying(t.packet(writeOnly), t.octets(8))
			bad.RKey = 0x3F00
			t.request(first).breaks("no_receive").rnr()
			t.request(bad).breaks("behind_rnr").rnr()
			t.receive(1, 1)
			t.accepted(first)
			t.request(bad).refused("r_key_unknown", accessError, bad)
		}).decide("I-101")
	}
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return !isStrong(w) }) {
		l.add(w, "rnr_alone", "on an unordered connection an RNR concerns only its request", flags(Retry, Order), func(t *T) {
			first := carrying(t.packet(sendOnly), t.octets(8))
			t.request(first).breaks("no_receive").rnr()
			t.written(t.packet(writeOnly), 0)
			p := t.packet(readRequest)
			t.request(p).served(p)
			t.receive(1, 1)
			t.accepted(first)
		}).decide("I-61")
	}
}

// fullIRRQ: responses wait for credits, so that their pulls fill the IRRQ; the next pull gets RNR, and is accepted once an entry
// is free.
func fullIRRQ(l *list) {
	stopped := func(g *suite.Group, _ suite.Config) {
		g.Connections[0].Credits.DataTxPackets = 0
	}
	for _, w := range worldsOf(connected, nil) {
		for _, op := range []uint8{readRequest, cmpSwap, fetchAdd} {
			l.add(w, "irrq/"+names[op], "as many pulls as the IRRQ has entries wait for credits: the next one gets RNR; a push is accepted on an unordered connection", flags(Retry, Credit), func(t *T) {
				var waiting []*suite.Request
				var responses []packet.Packet
				for range t.config.IRRQ {
					p := t.packet(readRequest)
					p.Length = 8
					responses = append(responses, t.execute(p))
					waiting = append(waiting, t.request(p).ack().get().Request)
				}
				p := t.packet(op)
				p.Length = 8
				if isAtomic(op) {
					p.Length = 0
				}
				t.request(p).breaks("no_irrq").rnr()
				s := t.credit(suite.Credits{DataTxPackets: t.config.IRRQ + 1})
				for i, r := range waiting {
					s.answerOf(r, responses[i])
				}
				t.request(p).served(p)
			}).cite("8.3.2-08", "FTP-8.2.1.2-01", "FTP-6.4-02", "FTP-6.4-03").decide("I-61", "I-115").inSetUp("stopped", stopped)
		}
	}
}

// timeouts: each code of FTP 7.8 as that of the QP.
func timeouts(l *list) {
	w := world{service: rc, ordering: strong, errors: verbs}
	for c := range uint8(32) {
		l.add(w, fmt.Sprintf("timeout/%02d", c), fmt.Sprintf("RNR with the QP's timeout code %d", c), flags(Retry), func(t *T) {
			p := carrying(t.packet(sendOnly), t.octets(8))
			t.request(p).breaks("no_receive").rnrAfter(c)
		}).inSetUp(fmt.Sprintf("code_%02d", c), func(g *suite.Group, _ suite.Config) { g.QPs[0].RNRTimeout = c })
	}
}
