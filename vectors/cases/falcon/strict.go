package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, shortLasts, shortFirst, behindAny, fullAndWrong, tables) }

// shortLasts: a Last ends inside its headers, after a First that was accepted, or that got CIE: the QP ends in both error modes
// (I-116), with the receive of the message.
func shortLasts(l *list) {
	for _, w := range worldsOf([]string{rc}, isStrong) {
		for _, op := range []uint8{sendMiddle, sendLast, sendLastImmediate, sendLastInvalidate, writeMiddle, writeLast, writeLastImmediate} {
			first := uint8(sendFirst)
			if op >= writeMiddle && op <= writeLastImmediate {
				first = writeFirst
			}
			for _, behind := range []string{"ack", "cie"} {
				if behind == "cie" && w.errors == verbs {
					continue
				}
				l.add(w, "short_last/"+names[op]+"/"+behind, operationIn(names[op])+"it ends one octet before the end of its headers, after a First that got "+behind, flags(Message), func(t *T) {
					t.receive(1, 1)
					t.receive(2, 2)
					p := carrying(t.packet(first), t.octets(t.config.MTU))
					if behind == "ack" {
						t.request(p).ack()
						t.put(p, 1)
					} else {
						p.Payload = p.Payload[4:]
						t.request(p).refused("bad_payload", invalidRequest, p)
					}
					p = t.packet(op)
					octets := t.octetsOf(p)
					s := t.raw(pushRequest, octets[:len(octets)-1])
					if first == sendFirst && behind == "cie" {
						s.lost(1, "peer_error")
					}
					s.fatal("short_headers", invalidRequest, p)
				}).decide("I-103", "I-116")
			}
		}
	}
}

// shortFirst: complete in error, a First that is too short gets CIE. Message Offset counts MTUs, not octets: the Last has that of one
// MTU (I-104).
func shortFirst(l *list) {
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return isStrong(w) && w.errors == inBand }) {
		for _, right := range []bool{true, false} {
			name := map[bool]string{true: "mtu", false: "octets"}[right]
			l.add(w, "short_first/"+name, "a First of 4 octets less than one MTU gets CIE; the Last has the Message Offset of one "+name, flags(Message), func(t *T) {
				t.receive(1, 1)
				t.receive(2, 2)
				mtu := t.config.MTU
				p := carrying(t.packet(sendFirst), t.octets(mtu-4))
				t.request(p).refused("bad_payload", invalidRequest, p)
				p = carrying(t.packet(sendLast), t.octets(8))
				if right {
					p.Offset = uint32(mtu)
					s := t.request(p).ack()
					t.put(p, 1)
					s.lost(1, "peer_error")
				} else {
					p.Offset = uint32(mtu - 4)
					t.request(p).lost(1, "peer_error").refused("bad_offset", invalidRequest, p)
				}
				t.next(2)
			}).cite("8.3.3-06").decide("I-103", "I-104")
		}
	}
}

// behindAny: while a request that got RNR has not arrived again, every SN but its own gets RNR, an earlier one and wrong packets too
// (FTP 8.5.3.4, I-101). Its own SN is looked at.
func behindAny(l *list) {
	for _, w := range worldsOf(connected, isStrong) {
		l.add(w, "behind_rnr/earlier", "an SN that has been answered arrives while an RNR waits: RNR; afterwards it ends the QP", flags(Retry), func(t *T) {
			early := t.packet(writeOnly)
			t.written(early, 0)
			first := carrying(t.packet(sendOnly), t.octets(8))
			early = carrying(early, nil)
			t.request(first).breaks("no_receive").rnr()
			t.request(early).breaks("behind_rnr").rnr()
			t.receive(1, 1)
			t.accepted(first)
			t.request(early).fatal("sn_repeated", operationError, early)
		}).decide("I-29", "I-101")
		l.add(w, "behind_rnr/opcode", "a reserved opcode after an RNR gets RNR; when it arrives again, it ends the QP", flags(Retry), func(t *T) {
			first := carrying(t.packet(sendOnly), t.octets(8))
			bad := t.packet(0x15)
			t.request(first).breaks("no_receive").rnr()
			t.raw(pushRequest, bad.EncodeBase(nil, t.order)).breaks("behind_rnr").rnr()
			t.receive(1, 1)
			t.accepted(first)
			t.raw(pushRequest, bad.EncodeBase(nil, t.order)).fatal("bad_opcode", invalidRequest, bad)
		}).decide("I-101", "I-116")
		l.add(w, "behind_rnr/version", "another version after an RNR gets NRE at once, and counts no SN", flags(Retry, Unaddress), func(t *T) {
			first := carrying(t.packet(sendOnly), t.octets(8))
			t.request(first).breaks("no_receive").rnr()
			for _, other := range []packet.Packet{first, carrying(t.packet(writeOnly), nil)} {
				other.Version = 2
				t.request(other).breaks("wrong_version").nre(invalidRequest)
			}
			t.receive(1, 1)
			t.accepted(first)
		}).decide("I-61", "I-99", "I-101")
		l.add(w, "behind_rnr/other", "another request with the SN that got RNR is looked at", flags(Retry), func(t *T) {
			first := carrying(t.packet(sendOnly), t.octets(8))
			t.request(first).breaks("no_receive").rnr()
			other := carrying(first, t.octets(8))
			other.Opcode ^= sendOnly ^ writeOnly
			t.request(other).ack()
			t.put(other, 0)
		}).decide("I-101")
	}
}

// fullAndWrong: a pull that finds all entries of the IRRQ taken gets RNR, before the state of the QP, opcode or SN is looked at. A
// refused pull takes an entry too, until its response has left (I-120).
func fullAndWrong(l *list) {
	stopped := func(g *suite.Group, _ suite.Config) { g.Connections[0].Credits.DataTxPackets = 0 }
	for _, w := range worldsOf([]string{rc}, nil) {
		for _, c := range []struct {
			name, comment string
			change        func(t *T, p *packet.Packet)
		}{
			{"in_error", "the QP is in Error", func(t *T, _ *packet.Packet) { t.fail(target) }},
			{"opcode", "the opcode is that of a push", func(_ *T, p *packet.Packet) { p.Opcode ^= readRequest ^ writeOnly }},
			{"sn", "the SN has been answered", func(_ *T, p *packet.Packet) { p.SN = 1 }},
			{"rmsn", "the RMSN has been answered", func(_ *T, p *packet.Packet) { p.RMSN = 1 }},
			{"key", "the R-Key names no region", func(_ *T, p *packet.Packet) { p.RKey = 0x3F00 }},
		} {
			l.add(w, "irrq_wrong/"+c.name, "all entries of the IRRQ are taken and "+c.comment+": a pull gets RNR", flags(Retry, Credit), func(t *T) {
				for range t.config.IRRQ {
					t.request(t.packet(readRequest)).ack()
				}
				p := t.packet(readRequest)
				c.change(t, &p)
				t.raw(pullReq, t.octetsOf(p)).breaks("no_irrq").rnr()
			}).decide("I-61", "I-120").inSetUp("stopped", stopped)
		}
		if w.errors == verbs {
			continue
		}
		l.add(w, "irrq_refused", "a refused pull takes an entry of the IRRQ until its response has left", flags(Retry, Credit, Refused), func(t *T) {
			var waiting []*suite.Request
			var responses []packet.Packet
			for range t.config.IRRQ {
				p := t.packet(readRequest)
				p.RKey = 0x3F00
				responses = append(responses, t.failing(p))
				waiting = append(waiting, t.request(p).breaks("r_key_unknown").ack().get().Request)
			}
			p := t.packet(readRequest)
			t.request(p).breaks("no_irrq").rnr()
			s := t.credit(suite.Credits{DataTxPackets: t.config.IRRQ + 1})
			for i, r := range waiting {
				s.answerOf(r, responses[i])
			}
			t.request(p).served(p)
		}).decide("I-61", "I-120").inSetUp("stopped", stopped)
	}
}

// tables: a window is a table of as many entries, each of which expects its next number (I-121).
func tables(l *list) {
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return !isStrong(w) }) {
		l.add(w, "window/table_rmsn", "the second pull arrives first: an RMSN ahead of it by the number of entries of the IRRQ is accepted, that of the first is not", flags(Order, Limit), func(t *T) {
			t.tabled(readRequest, t.config.IRRQ, "bad_rmsn", invalidRequest)
		}).decide("I-115", "I-116", "I-121")
		if isWeak(w) {
			l.add(w, "window/table_sn", "the second SN arrives first: the SN one window ahead of it is accepted, that of the first is not", flags(Order, Limit), func(t *T) {
				t.tabled(writeOnly, t.config.Window, "sn_gap", operationError)
			}).decide("I-102", "I-121")
		}
	}
}

// tabled gives the design number 2 of a window, the one that follows it in its entry, and the one that follows number 1, which has not
// arrived.
func (t *T) tabled(op uint8, size int, rule string, ulp int) {
	first := carrying(t.packet(op), nil)
	for _, n := range []int{1, 1 + size, size} {
		p := first
		if isPull(op) {
			p.RMSN, p.SN, p.Length = p.RMSN+uint32(n), t.sn, 8
			t.sn++
		} else {
			p.SN += uint32(n)
		}
		switch {
		case n == size:
			t.request(p).fatal(rule, ulp, p)
		case isPull(op):
			t.request(p).served(p)
		default:
			t.request(p).ack()
		}
	}
}
