package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

func init() { families = append(families, unaddressed) }

// unaddressed: requests that concern no QP. None changes anything, and the SN is not used (I-61): the same request is accepted
// afterwards.
func unaddressed(l *list) {
	for _, w := range append(worldsOf([]string{rc}, nil), world{service: xrc, ordering: strong, errors: verbs}, world{service: xrc, ordering: weak, errors: inBand}) {
		for _, op := range []uint8{sendOnly, readRequest} {
			add := func(name, comment, rule string, change func(t *T, s step, p packet.Packet)) {
				l.add(w, "unaddressed/"+name+"/"+names[op], comment+" gets invalid CID, and nothing changes", flags(Unaddress), func(t *T) {
					t.receive(1, 1)
					p := t.packet(op)
					if op == sendOnly {
						p = carrying(p, t.octets(8))
					}
					s := t.request(p)
					change(t, s, p)
					s.breaks(rule).invalidCID()
					t.accepted(p)
				}).cite("6.9-01", "6.9-04", "6.9-07").decide("I-61")
			}
			for _, n := range []size{{"empty", 0}, {"one_octet", 1}, {"inside_rbth", rbth - 1}} {
				add(n.name, "a request of "+n.name, "short_packet", func(_ *T, s step, _ packet.Packet) { s.get().Request.Hex = s.get().Request.Hex[:n.octets] })
			}
			add("unknown_qp", "a request for a QP that does not exist", "unknown_qp", func(t *T, s step, p packet.Packet) {
				p.DestinationQP ^= 1 << 23
				s.get().Request.Hex = t.octetsOf(p)
			})
			add("zero_qp", "a request for QP 0", "unknown_qp", func(t *T, s step, p packet.Packet) {
				p.DestinationQP = 0
				s.get().Request.Hex = t.octetsOf(p)
			})
			add("neighbours_cid", "a request from the connection of another QP", "wrong_cid", func(_ *T, s step, _ packet.Packet) { s.from(neighbourCID) })
			add("free_cid", "a request from a connection without a QP", "wrong_cid", func(_ *T, s step, _ packet.Packet) { s.from(secondCID) })
			add("neighbours_qp", "a request for the QP of another connection", "wrong_cid", func(t *T, s step, p packet.Packet) {
				p.DestinationQP = neighbour
				s.get().Request.Hex = t.octetsOf(p)
			})
			if w.service == xrc {
				add("initiator", "a request for an XRC initiator, which receives none", "unknown_qp", func(t *T, s step, p packet.Packet) {
					p.DestinationQP = xrcInitiator
					s.get().Request.Hex = t.octetsOf(p)
				})
			}
		}
		for _, version := range []uint8{0, 2, 3, 5, 9, 15} {
			versions(l, w, version)
		}
	}
}

// versions: a push of another version gets NRE, a pull invalid CID. The QP is not concerned; No SN of it counts (I-61,
// I-99).
func versions(l *list, w world, version uint8) {
	name := string("0123456789abcdef"[version])
	l.add(w, "version/"+name+"/send_only", "a SEND Only of version "+name+" gets NRE, and the QP goes on", flags(Unaddress), func(t *T) {
		t.receive(1, 1)
		p := carrying(t.packet(sendOnly), t.octets(8))
		t.message, t.sn = t.message-1, t.sn-1
		p.Version = version
		t.request(p).breaks("wrong_version").nre(invalidRequest)
		t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
	}).cite("6.3-11").decide("I-61", "I-99")
	l.add(w, "version/"+name+"/read_request", "a READ Request of version "+name+" gets invalid CID, and the QP goes on", flags(Unaddress), func(t *T) {
		p := t.packet(readRequest)
		old := p
		old.Version = version
		t.request(old).breaks("wrong_version").invalidCID()
		t.accepted(p)
	}).cite("6.3-11").decide("I-61", "I-99")
}

// accepted is a SEND Only for receive 1, or a pull, that is as it should be.
func (t *T) accepted(p packet.Packet) {
	s := t.request(p)
	if isPull(uint8(p.Opcode) & 0x1F) {
		s.served(p)
		return
	}
	s.ack().gotten(1, p, len(p.Payload))
	t.put(p, 1)
}
