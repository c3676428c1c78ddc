package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

// payloadErrors are payloads that do not fit their opcode or RETH.
func payloadErrors() (list []wrong) {
	add := func(name, comment, rule, receive string, permits func(w world) bool, write func(t *T) (packet.Packet, []byte, string)) {
		cites := map[string][]string{"bad_length": {"8.3.1-09"}}[rule]
		list = append(list, wrong{cites: cites, name: name, comment: comment, rule: rule, ulp: invalidRequest, receive: receive, permits: permits, write: write})
	}
	for _, op := range []uint8{sendOnly, writeOnly, writeOnlyImmediate, sendOnlyImmediate, sendOnlyInvalidate} {
		receive := ""
		if numbered(op) {
			receive = "peer_error"
		}
		add("above_mtu/"+names[op], "a payload of one MTU and 4 octets", "bad_payload", receive, nil, func(t *T) (packet.Packet, []byte, string) {
			return t.whole(carrying(t.packet(op), t.octets(t.config.MTU+4)))
		})
		add("odd/"+names[op], "a payload that is with its pad no multiple of 4 octets", "bad_payload", receive, nil, func(t *T) (packet.Packet, []byte, string) {
			p, octets, kind := t.whole(carrying(t.packet(op), t.octets(8)))
			return p, octets[:len(octets)-1], kind
		})
		add("pad/"+names[op], "no payload, with Pad 3", "bad_payload", receive, nil, func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(op)
			q := p
			q.Pad = 3
			return p, append(q.EncodeBase(nil, t.order), t.octetsOf(p)[rbth:]...), pushRequest
		})
	}
	for _, op := range []uint8{sendFirst, writeFirst} {
		permits, receive := isOrdered, "peer_error"
		if op == writeFirst {
			permits, receive = nil, ""
		}
		add("first/"+names[op], "a First with less than one MTU", "bad_payload", receive, permits, func(t *T) (packet.Packet, []byte, string) {
			return t.whole(carrying(t.packet(op), t.octets(t.config.MTU-4)))
		})
	}
	for _, op := range []uint8{readRequest, cmpSwap, fetchAdd} {
		add("pull_with_payload/"+names[op], "a pull request with 4 octets after its headers", "bad_payload", "", nil, func(t *T) (packet.Packet, []byte, string) {
			p, octets, kind := t.whole(t.packet(op))
			return p, append(octets, 0, 0, 0, 0), kind
		})
	}
	for _, d := range []size{{"less", -1}, {"more", 1}} {
		name, by := d.name, d.octets
		add("length/write_only/"+name, "a RETH Length that is not that of the payload", "bad_length", "", nil, func(t *T) (packet.Packet, []byte, string) {
			p := carrying(t.packet(writeOnly), t.octets(16))
			p.Length = uint32(16 + by)
			return t.whole(p)
		})
		add("length/write_only_immediate/"+name, "a RETH Length that is not that of the payload", "bad_length", "peer_error", nil, func(t *T) (packet.Packet, []byte, string) {
			p := carrying(t.packet(writeOnlyImmediate), t.octets(16))
			p.Length = uint32(16 + by)
			return t.whole(p)
		})
	}
	add("length/read_request", "a READ Request for one octet more than one MTU", "bad_length", "", nil, func(t *T) (packet.Packet, []byte, string) {
		p := t.packet(readRequest)
		p.Length = uint32(t.config.MTU) + 1
		return t.whole(p)
	})
	add("length/read_request_4g", "a READ Request for 2^32 - 1 octets", "bad_length", "", nil, func(t *T) (packet.Packet, []byte, string) {
		p := t.packet(readRequest)
		p.Length = 1<<32 - 1
		return t.whole(p)
	})
	return list
}
