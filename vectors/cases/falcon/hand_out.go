package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

// leaving are the requests of this side, typed from the figures: to the peer's QP 0x00C001, the last packet with 5 octets and SE.
var leaving = []struct {
	name, kind, suffix string
	mtus               int // of payload before the last packet
	lines              []line
}{
	{"send_only", "send", "", 0, []line{{"10000d04 00c00100 00000001", "04b00001 0000c001 00000001", "00000001 00000000", 5}}},
	{"send_only_immediate", "send", "immediate", 0, []line{{"10000d05 00c00100 00000001", "05b00001 0000c001 00000001", "00000001 00000000 a1b2c3d4", 5}}},
	{"send_only_invalidate", "send", "invalidate", 0, []line{{"10000d17 00c00100 00000001", "17b00001 0000c001 00000001", "00000001 00000000 00880044", 5}}},
	{"send", "send", "", 2, []line{
		{"10000000 00c00100 00000001", "00000001 0000c001 00000001", "00000001 00000000", -1},
		{"10000001 00c00100 00000002", "01000001 0000c001 00000002", "00000001 M", -1},
		{"10000d02 00c00100 00000003", "02b00001 0000c001 00000003", "00000001 2M", 5}}},
	{"send_immediate", "send", "immediate", 1, []line{
		{"10000000 00c00100 00000001", "00000001 0000c001 00000001", "00000001 00000000", -1},
		{"10000d03 00c00100 00000002", "03b00001 0000c001 00000002", "00000001 M a1b2c3d4", 5}}},
	{"send_invalidate", "send", "invalidate", 1, []line{
		{"10000000 00c00100 00000001", "00000001 0000c001 00000001", "00000001 00000000", -1},
		{"10000d16 00c00100 00000002", "16b00001 0000c001 00000002", "00000001 M 00880044", 5}}},
	{"write_only", "write", "", 0, []line{{"10000c0a 00c00100 00000001", "0a300001 0000c001 00000001", "fedc0000 00000000 00770033 00000005", 5}}},
	{"write_only_immediate", "write", "immediate", 0, []line{{"10000d0b 00c00100 00000001", "0bb00001 0000c001 00000001", "fedc0000 00000000 00770033 00000005 00000001 a1b2c3d4", 5}}},
	{"write", "write", "", 2, []line{
		{"10000006 00c00100 00000001", "06000001 0000c001 00000001", "fedc0000 00000000 00770033 M", -1},
		{"10000007 00c00100 00000002", "07000001 0000c001 00000002", "fedc0000 M 00770033 M", -1},
		{"10000c08 00c00100 00000003", "08300001 0000c001 00000003", "fedc0000 2M 00770033 00000005", 5}}},
	{"write_immediate", "write", "immediate", 1, []line{
		{"10000006 00c00100 00000001", "06000001 0000c001 00000001", "fedc0000 00000000 00770033 M", -1},
		{"10000d09 00c00100 00000002", "09b00001 0000c001 00000002", "fedc0000 M 00770033 00000005 00000001 a1b2c3d4", 5}}},
	{"read_request", "read", "", 0, []line{{"1000000c 00c00100 00000001", "0c000001 0000c001 00000001", "fedc0000 00000000 00770033 00000005 00000001 00001000 00000000 00000111", 0}}},
	{"cmp_swap", "cmp_swap", "", 0, []line{{"10000013 00c00100 00000001", "13000001 0000c001 00000001", "fedc0000 00000000 00770033 11223344 55667788 88776655 44332211 00000001 00001000 00000000 00000111", 0}}},
	{"fetch_add", "fetch_add", "", 0, []line{{"10000014 00c00100 00000001", "14000001 0000c001 00000001", "fedc0000 00000000 00770033 11223344 55667788 88776655 44332211 00000001 00001000 00000000 00000111", 0}}},
}

func init() { families = append(families, leavingByHand) }

// leavingByHand: each request of this side, octet by octet.
func leavingByHand(l *list) {
	for _, w := range []world{{service: rc, ordering: strong, errors: verbs}, {service: rc, ordering: weak, errors: inBand}} {
		for _, d := range leaving {
			l.add(w, "hand/out/"+d.name, "the octets of a request from the figures", flags(Octets), func(t *T) {
				octets := d.mtus*t.config.MTU + 5
				if d.kind == "cmp_swap" || d.kind == "fetch_add" {
					octets = 8
				}
				work := t.work(0xB0, d.kind, d.suffix, t.buffer(0, octets))
				if work.Remote != nil {
					work.Remote.VA = 0xFEDC_0000_0000_0000
				}
				work.Solicited = d.kind == "send" || d.suffix != ""
				s := t.post(work)
				at := 0
				for i, one := range d.lines {
					s.line(one, uint32(i+1), &at)
				}
			}).cite("6.8-10").decide("I-22", "I-23", "I-24", "I-107")
		}
	}
	w := world{service: ud, ordering: strong, errors: verbs}
	for _, d := range []struct {
		suffix string
		line
	}{
		{"", line{"10000c64 00c00100 00000001 0badcafe 00a00100", "64300001 0000c001 00000001 0badcafe 0000a001", "", 5}},
		{"immediate", line{"10000c65 00c00100 00000001 0badcafe 00a00100", "65300001 0000c001 00000001 0badcafe 0000a001", "a1b2c3d4", 5}},
	} {
		l.add(w, "hand/out/ud_"+d.suffix, "the octets of a datagram from the figures", flags(Octets), func(t *T) {
			at := 0
			t.post(t.work(0xB1, "send", d.suffix, t.buffer(0, 5))).line(d.line, 1, &at)
		}).decide("I-24", "I-107")
	}
}

// line states a request by its octets, with the next octets of the source.
func (s step) line(l line, rsn uint32, at *int) step {
	t := s.t
	octets := t.octetsOfLine(l)
	op := octets[t.octetOfOpcode()] & 0x1F
	if isPull(op) {
		return s.expect(suite.Expect{Request: &suite.Request{CID: cid, RSN: rsn, Type: pullReq, Length: t.responseOctets(op, 5), Hex: octets}})
	}
	n := l.payload
	if n < 0 {
		n = t.config.MTU
	}
	octets = append(append(octets, t.read(uint64(localAt+*at), n)...), make([]byte, -n&3)...)
	*at += n
	return s.expect(suite.Expect{Request: &suite.Request{CID: cid, RSN: rsn, Type: pushRequest, Length: len(octets), Hex: octets}})
}
