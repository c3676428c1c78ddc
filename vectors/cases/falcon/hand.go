package falcon

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// line is the headers of one packet of RC, typed from the figures: RBTH as drawn and mirrored (I-24), and the others, which are
// the same in both. M, 2M and L are one MTU, two MTUs and the length of the payload, in 8 digits.
type line struct {
	drawn, mirrored, rest string
	payload               int // octets; -1: one MTU
}

// arrivals by hand: the last packet ends with 5 octets, 3 of pad and SE.
var arriving = []struct {
	name  string
	lines []line
}{
	{"send_first_middle_last", []line{
		{"10000000 00a00100 00000001", "00000001 0000a001 00000001", "00000001 00000000", -1},
		{"10000001 00a00100 00000002", "01000001 0000a001 00000002", "00000001 M", -1},
		{"10000d02 00a00100 00000003", "02b00001 0000a001 00000003", "00000001 2M", 5}}},
	{"send_last_immediate", []line{
		{"10000000 00a00100 00000001", "00000001 0000a001 00000001", "00000001 00000000", -1},
		{"10000d03 00a00100 00000002", "03b00001 0000a001 00000002", "00000001 M a1b2c3d4", 5}}},
	{"send_last_invalidate", []line{
		{"10000000 00a00100 00000001", "00000001 0000a001 00000001", "00000001 00000000", -1},
		{"10000d16 00a00100 00000002", "16b00001 0000a001 00000002", "00000001 M 00000888", 5}}},
	{"send_only", []line{{"10000d04 00a00100 00000001", "04b00001 0000a001 00000001", "00000001 00000000", 5}}},
	{"send_only_immediate", []line{{"10000d05 00a00100 00000001", "05b00001 0000a001 00000001", "00000001 00000000 a1b2c3d4", 5}}},
	{"send_only_invalidate", []line{{"10000d17 00a00100 00000001", "17b00001 0000a001 00000001", "00000001 00000000 00000888", 5}}},
	{"write_first_middle_last", []line{
		{"10000006 00a00100 00000001", "06000001 0000a001 00000001", "00007000 00000000 00000222 M", -1},
		{"10000007 00a00100 00000002", "07000001 0000a001 00000002", "00007000 M 00000222 M", -1},
		{"10000c08 00a00100 00000003", "08300001 0000a001 00000003", "00007000 2M 00000222 00000005", 5}}},
	{"write_last_immediate", []line{
		{"10000006 00a00100 00000001", "06000001 0000a001 00000001", "00007000 00000000 00000222 M", -1},
		{"10000d09 00a00100 00000002", "09b00001 0000a001 00000002", "00007000 M 00000222 00000005 00000001 a1b2c3d4", 5}}},
	{"write_only", []line{{"10000c0a 00a00100 00000001", "0a300001 0000a001 00000001", "00007000 00000000 00000222 00000005", 5}}},
	{"write_only_immediate", []line{{"10000d0b 00a00100 00000001", "0bb00001 0000a001 00000001", "00007000 00000000 00000222 00000005 00000001 a1b2c3d4", 5}}},
	{"read_request", []line{{"1000000c 00a00100 00000001", "0c000001 0000a001 00000001", "00007000 00000000 00000222 00000005 00000001 01234567 89abcde8 51504f4e", 0}}},
	{"cmp_swap", []line{{"10000013 00a00100 00000001", "13000001 0000a001 00000001", "00007000 00000040 00000222 11223344 55667788 00000000 00000000 00000001 01234567 89abcde8 51504f4e", 0}}},
	{"fetch_add", []line{{"10000014 00a00100 00000001", "14000001 0000a001 00000001", "00007000 00000040 00000222 11223344 55667788 00000000 00000000 00000001 01234567 89abcde8 51504f4e", 0}}},
}

// datagramsByHand are those of UD.
var datagramsByHand = []struct {
	name string
	line
}{
	{"send_only", line{"10000d64 00a00100 00000001 12345678 00d00d00", "64b00001 0000a001 00000001 12345678 0000d00d", "", 5}},
	{"send_only_immediate", line{"10000d65 00a00100 00000001 12345678 00d00d00", "65b00001 0000a001 00000001 12345678 0000d00d", "a1b2c3d4", 5}},
}

func init() { families = append(families, byHand) }

// octetsOfLine returns the headers of a line. Of XRC the opcode has the group 101, and XRCETH follows RBTH.
func (t *T) octetsOfLine(l line) []byte {
	mtu := t.config.MTU
	text := strings.NewReplacer("2M", fmt.Sprintf("%08x", 2*mtu), "M", fmt.Sprintf("%08x", mtu), " ", "").Replace
	base, srqWord := l.drawn, "00005100"
	if t.order == spec.Mirrored {
		base, srqWord = l.mirrored, "00000051"
	}
	if t.world.service != xrc {
		srqWord = ""
	}
	b, err := hex.DecodeString(text(base + srqWord + l.rest))
	if err != nil {
		panic(err)
	}
	if t.world.service == xrc {
		b[t.octetOfOpcode()] |= 0b101 << 5
	}
	return b
}

// layouts are the requirements on places of bits, which the figures state as drawn.
func (l *list) layouts(w world) (ids []string) {
	if l.config.BitOrder != spec.Drawn.String() {
		return nil
	}
	for n := 2; n <= 12; n++ {
		ids = append(ids, fmt.Sprintf("8.2-%02d", n))
	}
	return append(ids, map[string][]string{xrc: {"8.3.9-01", "8.3.9-02"}, ud: {"8.3.10-02", "8.3.10-03"}}[w.service]...)
}

// byHand: each packet type, its octets written by hand. What is understood of them shows in memory and in the completion.
func byHand(l *list) {
	for _, w := range []world{{service: rc, ordering: strong, errors: verbs}, {service: rc, ordering: weak, errors: inBand}, {service: xrc, ordering: strong, errors: verbs}} {
		for _, a := range arriving {
			l.add(w, "hand/"+a.name, "octets from the figures", flags(Octets), func(t *T) {
				t.receive(1, 1)
				for i, one := range a.lines {
					t.line(one, i == len(a.lines)-1)
				}
			}).cite("6.8-10", "6.8-11").cite(l.layouts(w)...).decide("I-22", "I-24")
		}
	}
	w := world{service: ud, ordering: strong, errors: verbs}
	for _, d := range datagramsByHand {
		l.add(w, "hand/ud_"+d.name, "octets from the figures", flags(Octets), func(t *T) {
			t.receive(1, 1)
			t.line(d.line, true)
		}).cite(l.layouts(w)...).decide("I-24")
	}
}

// line gives the design a packet written by hand, whose fields are then known without reading it.
func (t *T) line(l line, last bool) {
	octets := t.octetsOfLine(l)
	op := octets[t.octetOfOpcode()] & 0x1F
	p := t.packet(op)
	p.Length = 5
	n := l.payload
	if n < 0 {
		n = t.config.MTU
	}
	mtu := t.config.MTU
	at := map[bool]int{true: mtu * int(p.SN-1)}[op != readRequest && !isAtomic(op)]
	p.Offset, p.VA = uint32(at), p.VA+uint64(at)
	if isPull(op) {
		if isAtomic(op) {
			p.Compare = 0
		}
		s := t.raw(pullReq, octets)
		s.get().Request.Length = t.responseOctets(op, 5)
		s.served(p)
		return
	}
	p.SE = last && numbered(op)
	p = carrying(p, t.octets(n))
	s := t.raw(pushRequest, append(append(octets, p.Payload...), make([]byte, -n&3)...)).ack()
	t.put(p, 1)
	if ends(op) {
		s.gotten(1, p, at+n)
	}
}

// answersByHand are responses to pulls, of RC: from the target, and to the initiator.
var answersByHand = map[string][2]string{
	"read":     {"10000c10 00c00100 00000001 01234567 89abcde8 51504f4e", "10300001 0000c001 00000001 01234567 89abcde8 51504f4e"},
	"ce":       {"10001010 00c00100 00000001 01234567 89abcde8 51504f4e", "10080001 0000c001 00000001 01234567 89abcde8 51504f4e"},
	"atomic":   {"10000012 00c00100 00000001 W 01234567 89abcde8 51504f4e", "12000001 0000c001 00000001 W 01234567 89abcde8 51504f4e"},
	"to_read":  {"10000c10 00a00100 00000001 00001000 00000000 00000111", "10300001 0000a001 00000001 00001000 00000000 00000111"},
	"to_first": {"10000c0d 00a00100 00000001 00001000 00000000 00000111", "0d300001 0000a001 00000001 00001000 00000000 00000111"},
	"to_mid":   {"10000c0e 00a00100 00000001 00001000 00000000 00000111", "0e300001 0000a001 00000001 00001000 00000000 00000111"},
	"to_last":  {"10000c0f 00a00100 00000001 00001000 00000000 00000111", "0f300001 0000a001 00000001 00001000 00000000 00000111"},
}

func init() { families = append(families, answersWritten) }

// answersWritten: responses, their octets written by hand.
func answersWritten(l *list) {
	w := world{service: rc, ordering: strong, errors: inBand}
	text := func(t *T, name string, word uint64) []byte {
		both := answersByHand[name]
		b, err := hex.DecodeString(strings.NewReplacer(" ", "", "W", fmt.Sprintf("%016x", word)).Replace(both[map[bool]int{true: 1}[t.order == spec.Mirrored]]))
		if err != nil {
			panic(err)
		}
		return b
	}
	for _, name := range []string{"read", "ce", "atomic"} {
		l.add(w, "hand/response/"+name, "the octets of a response from the figures", flags(Octets), func(t *T) {
			p := t.packet(map[string]uint8{"read": readRequest, "ce": readRequest, "atomic": fetchAdd}[name])
			if name == "atomic" {
				octets := text(t, name, t.word())
				t.execute(p)
				s := t.request(p).ack()
				s.written(octets)
				return
			}
			p.Length = 5
			if name == "ce" {
				p.RKey = 0x3F00
				s := t.request(p).breaks("r_key_unknown").ack()
				s.written(text(t, name, 0))
				return
			}
			t.request(p).ack().written(append(append(text(t, name, 0), t.read(remoteAt, 5)...), 0, 0, 0))
		}).decide("I-22", "I-24", "I-62", "I-63")
	}
	for _, name := range []string{"to_read", "to_first", "to_mid", "to_last"} {
		l.add(w, "hand/response/"+name, "the octets of a response to this side, from the figures", flags(Octets), func(t *T) {
			work := t.work(0xA0, "read", "", t.buffer(0, 5))
			first := t.out[cid].rsn
			p := t.pulls(work)[0]
			t.post(work).sends(cid, p)
			data := t.octets(5)
			t.place(localAt, data)
			t.give(suite.Step{Response: &suite.Response{CID: cid, RSN: first, Hex: append(append(text(t, name, 0), data...), 0, 0, 0)}}).done(work)
		}).decide("I-24", "I-62")
	}
}

// written states the response to the pull of the step by its octets.
func (s step) written(octets []byte) step {
	r := s.get().Request
	return s.expect(suite.Expect{Response: &suite.Response{CID: r.CID, RSN: r.RSN, Hex: octets}})
}
