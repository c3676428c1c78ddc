package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, wraps, edges) }

// wraps: SN, RMSN and RSN go from 2^32 - 1 to 0 within the test, in both directions.
func wraps(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, before := range []uint32{1, 3} {
			number := -before
			set := func(g *suite.Group, _ suite.Config) {
				g.Number = number
				g.Connections[0].RSN = number
			}
			variant := fmt.Sprintf("from_%d_before_wrap", before)
			l.add(w, "wrap/target", "messages and pulls of the peer whose SN and RMSN wrap", flags(Wrap), func(t *T) {
				for id := range uint64(5) {
					t.receive(id+1, int(id%3)+1)
				}
				for id := range uint64(5) {
					p := carrying(t.packet([]uint8{sendOnly, writeOnlyImmediate}[id&1]), t.octets(8))
					s := t.request(p).ack()
					t.put(p, int(id%3)+1)
					s.gotten(id+1, p, 8)
					q := t.packet([]uint8{readRequest, fetchAdd}[id&1])
					t.request(q).served(q)
				}
			}).cite("8.2-24", "8.3.2-05").decide("I-72").inSetUp(variant, set)
			l.add(w, "wrap/initiator", "work requests whose SN, RMSN and RSN wrap", flags(Wrap), func(t *T) {
				for id := range uint64(4) {
					send, read := t.work(2*id, "send", "", t.buffer(0, 8)), t.work(2*id+1, "read", "", t.buffer(8, 8))
					first := t.out[cid].rsn
					t.post(send).sends(cid, t.push(send, messages[0])[0])
					p := t.pulls(read)[0]
					t.post(read).sends(cid, p)
					t.complete(cid, first, 0, 0).done(send)
					r := t.dataFor(p, readResponseOnly)
					s := t.respond(first+1, r)
					t.land(r)
					s.done(read)
				}
			}).cite("8.2-24", "8.3.2-06", "8.3.2-07", "8.3.2-09").decide("I-72", "I-107").inSetUp(variant, set)
			if isStrong(w) || before == 1 {
				continue
			}
			l.add(w, "wrap/order", "requests on both sides of the wrap arrive in the opposite order", flags(Wrap, Order), func(t *T) {
				for id := range uint64(5) {
					t.receive(id+1, 1)
				}
				var p []packet.Packet
				for range 5 {
					p = append(p, carrying(t.packet(sendOnly), nil))
				}
				for i := range p {
					at := 4 - i
					s := t.request(p[at]).ack()
					switch {
					case w.service == xrc && isUnordered(w):
						s.gotten(uint64(i+1), p[at], 0)
					case isUnordered(w):
						s.gotten(uint64(at+1), p[at], 0)
					case at == 0:
						for j := range p {
							id := uint64(j + 1)
							if w.service == xrc { // taken in the order of arrival
								id = uint64(5 - j)
							}
							s.gotten(id, p[j], 0)
						}
					}
				}
			}).cite("8.2-24", "8.2-27").decide("I-72").inSetUp(variant, set)
		}
		for _, e := range []struct {
			name, rule string
			by         uint32
		}{{"gap", "sn_gap", 1}, {"repeated", "sn_repeated", 1<<32 - 1}} {
			if e.rule == "sn_gap" && !isStrong(w) || !isOrdered(w) {
				continue
			}
			l.add(w, "wrap/"+e.name, "the first request after SN 2^32 - 1 has a wrong SN", flags(Wrap, Refused), func(t *T) {
				t.written(t.packet(writeOnly), 0)
				p := carrying(t.packet(writeOnly), nil)
				p.SN += e.by
				t.request(p).fatal(e.rule, operationError, p)
			}).cite("8.2-24").inSetUp("from_last", func(g *suite.Group, _ suite.Config) { g.Number = 1<<32 - 1 })
		}
	}
}

// edges: VAs at the first and the last octet of a region, also at 2^64 - 1.
func edges(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		length := mtus * l.config.MTU
		for _, e := range []struct {
			name   string
			key    uint32
			base   uint64
			offset int
			octets int
		}{
			{"first", remote, remoteVA, 0, 1}, {"last", remote, remoteVA, length - 1, 1}, {"end", remote, remoteVA, length - 8, 8},
			{"last_of_all", edge, -uint64(length), length - 1, 1}, {"end_of_all", edge, -uint64(length), length - 8, 8}, {"own", own, remoteVA, 16, 8},
		} {
			l.add(w, "edge/write/"+e.name, fmt.Sprintf("a WRITE of %d octets at VA %x", e.octets, e.base+uint64(e.offset)), flags(Wrap), func(t *T) {
				p := carrying(t.packet(writeOnly), t.octets(e.octets))
				p.RKey, p.VA = e.key, e.base+uint64(e.offset)
				t.request(p).ack()
				t.place(uint64(remoteAt+e.offset), p.Payload)
			}).cite("8.3.1-07", "8.3.1-08")
			l.add(w, "edge/read/"+e.name, fmt.Sprintf("a READ of %d octets at VA %x", e.octets, e.base+uint64(e.offset)), flags(Wrap), func(t *T) {
				p := t.packet(readRequest)
				p.RKey, p.VA, p.Length = e.key, e.base+uint64(e.offset), uint32(e.octets)
				r := t.responseTo(p)
				r.Payload = t.read(uint64(remoteAt+e.offset), e.octets)
				t.request(p).ack().answer(r)
			}).cite("8.3.1-07", "8.3.1-08")
		}
		for _, op := range []uint8{writeOnly, readRequest} {
			l.add(w, "edge/none/"+names[op], "an access of no octets names no region: R-Key and VA are not checked", flags(Size), func(t *T) {
				p := t.packet(op)
				p.RKey, p.VA, p.Length = 0x3F00, 1<<64-1, 0
				s := t.request(p).ack()
				if op == readRequest {
					s.answer(t.responseTo(p))
				}
			})
		}
	}
}
