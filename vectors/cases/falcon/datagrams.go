package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, datagrams, datagramPulls, mapping) }

// datagrams: every datagram in error is dropped and acknowledged (I-67), and the next one is delivered. Only a receive that it does not fit is
// taken, and ends in error (I-110).
func datagrams(l *list) {
	for _, w := range worldsOf([]string{ud}, nil) {
		for _, e := range []struct {
			name, comment, rule string
			change              func(t *T, p *packet.Packet)
			cut                 func(t *T, b []byte) []byte
			cites               []string
		}{
			{"q_key", "another Queue Key", "bad_q_key", func(_ *T, p *packet.Packet) { p.QKey++ }, nil, nil},
			{"q_key_bit", "a Queue Key that differs in the highest bit", "bad_q_key", func(_ *T, p *packet.Packet) { p.QKey ^= 1 << 31 }, nil, nil},
			{"q_key_of_other", "the Queue Key of another QP", "bad_q_key", func(_ *T, p *packet.Packet) { p.QKey = otherQKey }, nil, nil},
			{"version", "another version", "wrong_version", func(_ *T, p *packet.Packet) { p.Version = 2 }, nil, nil},
			{"reserved", "a reserved opcode of UD", "bad_opcode", nil, func(t *T, b []byte) []byte { b[t.octetOfOpcode()] = 0x60; return b }, []string{"8.1.3-27"}},
			{"reserved_66", "a reserved opcode of UD", "bad_opcode", nil, func(t *T, b []byte) []byte { b[t.octetOfOpcode()] = 0x66; return b }, []string{"8.1.3-30"}},
			{"reserved_7f", "a reserved opcode of UD", "bad_opcode", nil, func(t *T, b []byte) []byte { b[t.octetOfOpcode()] = 0x7F; return b }, []string{"8.1.3-30"}},
			{"rc_opcode", "the opcode of an RC Send", "bad_opcode", nil, func(t *T, b []byte) []byte { b[t.octetOfOpcode()] = 0x04; return b }, nil},
			{"write_opcode", "the opcode of a Write in the group of UD", "bad_opcode", nil, func(t *T, b []byte) []byte { b[t.octetOfOpcode()] = 0x6A; return b }, nil},
			{"short", "one octet less than DETH", "short_headers", nil, func(_ *T, b []byte) []byte { return b[:rbth+7] }, nil},
			{"rbth_alone", "nothing after RBTH", "short_headers", nil, func(_ *T, b []byte) []byte { return b[:rbth] }, nil},
			{"odd", "a payload that is no multiple of 4 octets", "bad_payload", nil, func(_ *T, b []byte) []byte { return b[:len(b)-1] }, nil},
			{"above_mtu", "a payload of one MTU and 4 octets", "bad_payload", func(t *T, p *packet.Packet) { p.Payload = t.octets(t.config.MTU + 4) }, nil, nil},
			{"too_long", "a payload longer than the receive's buffer, which ends that receive,", "too_long", func(t *T, p *packet.Packet) { p.Payload = t.octets(65) }, nil, nil},
		} {
			for _, op := range []uint8{sendOnly, sendOnlyImmediate} {
				if e.cut != nil && op != sendOnly {
					continue
				}
				l.add(w, "datagram/"+e.name+"/"+names[op], "a datagram with "+e.comment+" is dropped and acknowledged", flags(Datagram), func(t *T) {
					t.receiveInto(1, t.buffer(t.slot(1), 64))
					p := carrying(t.packet(op), t.octets(8))
					if e.change != nil {
						e.change(t, &p)
					}
					octets := t.octetsOf(p)
					if e.cut != nil {
						octets = e.cut(t, octets)
					}
					s := t.raw(pushRequest, octets).breaks(e.rule).ack()
					if e.rule == "too_long" {
						s.lost(1, "length")
						t.receive(1, 1)
					}
					t.accepted(carrying(t.packet(op), t.octets(64)))
				}).cite(w.errorModes()...).cite(e.cites...).decide("I-67", "I-110")
			}
		}
		l.add(w, "datagram/ce", "a datagram with CE is acknowledged, and its receive ends in error", flags(Datagram, Message), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			p := carrying(t.packet(sendOnly), t.octets(8))
			p.CE = true
			t.request(p).ack().lost(1, "peer_error")
			p = carrying(t.packet(sendOnly), t.octets(8))
			t.request(p).ack().gotten(2, p, 8)
			t.put(p, 2)
		}).cite("8.2-15").decide("I-74", "I-110")
		l.add(w, "datagram/no_receive", "a datagram for an empty receive queue is dropped and acknowledged, without RNR", flags(Datagram), func(t *T) {
			t.request(carrying(t.packet(sendOnly), t.octets(8))).breaks("no_receive").ack()
			t.receive(1, 1)
			t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
		}).cite("8.3.10-10").decide("I-67", "I-110")
		l.add(w, "datagram/receive_buffer", "a datagram for a receive whose buffer may not be written is dropped and acknowledged, and ends that receive", flags(Datagram, Buffer), func(t *T) {
			bad := t.buffer(0, 64)
			bad.Key = hidden
			t.receiveInto(2, bad)
			t.receive(1, 1)
			t.request(carrying(t.packet(sendOnly), t.octets(8))).breaks("receive_buffer").ack().lost(2, "local_protection")
			t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
		}).decide("I-67", "I-110")
		l.add(w, "datagram/in_error", "a datagram for a QP in Error is dropped and acknowledged", flags(Datagram, Host), func(t *T) {
			t.receive(1, 1)
			t.fail(target).lost(1, "flushed")
			t.request(carrying(t.packet(sendOnly), t.octets(8))).breaks("qp_in_error").ack()
		}).decide("I-100")
		for _, n := range []size{{"empty", 0}, {"inside_rbth", rbth - 1}} {
			l.add(w, "datagram/"+n.name, "a datagram that ends inside RBTH names no QP: invalid CID", flags(Datagram, Unaddress), func(t *T) {
				t.raw(pushRequest, t.octetsOf(carrying(t.packet(sendOnly), t.octets(8)))[:n.octets]).breaks("short_packet").invalidCID()
			}).cite("6.3-10")
		}
		l.add(w, "datagram/unknown_qp", "a datagram for a QP that does not exist: invalid CID", flags(Datagram, Unaddress), func(t *T) {
			p := t.packet(sendOnly)
			p.DestinationQP = 0x00A0FF
			t.request(p).breaks("unknown_qp").invalidCID()
		}).cite("6.3-10")
	}
}

// fail lets the host move a QP to Error.
func (t *T) fail(number uint32) step {
	t.failed = append(t.failed, number)
	return t.give(suite.Step{Fail: &number})
}

// datagramPulls: a pull for a UD QP gets invalid CID, whatever its opcode (I-67).
func datagramPulls(l *list) {
	for _, w := range worldsOf([]string{ud}, nil) {
		for _, opcode := range []uint8{0x0C, 0x13, 0x6C, 0x64} {
			l.add(w, "datagram_pull/"+fmt.Sprintf("%02x", opcode), "a pull with opcode 0x"+fmt.Sprintf("%02x", opcode)+" for a UD QP gets invalid CID", flags(Datagram), func(t *T) {
				t.receive(1, 1)
				p := t.packet(sendOnly)
				octets := t.octetsOf(p)
				octets[t.octetOfOpcode()] = opcode
				t.raw(pullReq, octets).breaks("bad_opcode").invalidCID()
				t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
			}).decide("I-67")
		}
	}
}

// mapping: UD QPs and connections are many to many: a datagram arrives on any connection, and goes to that of its address handle.
func mapping(l *list) {
	for _, w := range worldsOf([]string{ud}, nil) {
		l.add(w, "map/arrive", "datagrams from two connections for one QP, and from one connection for two QPs", flags(Datagram), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
			p := carrying(t.packet(sendOnly), t.octets(9))
			t.request(p).from(secondCID).ack().gotten(2, p, 9)
			t.put(p, 2)
			p.DestinationQP, p.QKey = secondUD, otherQKey
			t.request(p).breaks("no_receive").ack()
		}).cite("6.6-01", "6.6.3-01", "6.9-03").decide("I-68", "I-67")
		l.add(w, "map/send", "datagrams of two QPs over two connections: SN and RSN are those of the connection, without credits", flags(Datagram, Credit), func(t *T) {
			for i, to := range []uint32{cid, secondCID, secondCID, cid} {
				work := t.work(uint64(0x50+i), "send", "", t.buffer(64*i, 17))
				work.Address.CID = to
				work.QP = []uint32{target, secondUD}[i&1]
				rsn := t.out[to].rsn
				t.post(work).sends(to, t.push(work, messages[0])[0])
				t.complete(to, rsn, 0, 0).done(work)
			}
		}).cite("6.6-01", "6.6-03", "6.6.3-01", "6.6.3-02", "6.6.3-03", "8.3.10-09", "FTP-8.2.3-02").decide("I-110")
		l.add(w, "map/no_credits", "UD needs no credits: a datagram leaves although the connection has none", flags(Datagram, Credit), func(t *T) {
			work := t.work(0x51, "send", "", t.buffer(0, 17))
			t.post(work).sends(cid, t.push(work, messages[0])[0])
		}).cite("FTP-8.2.3-01", "FTP-8.2.3-02").inSetUp("no_credits", noCredits)
	}
}
