package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

func init() { families = append(families, precedence, firstFatal) }

// precedence: a request breaks two rules. The one that is checked first determines the outcome (RoF 8.2, I-60).
func precedence(l *list) {
	type outcome func(t *T, s step, p packet.Packet)
	refused := func(rule string, ulp int) outcome {
		return func(_ *T, s step, p packet.Packet) { s.refused(rule, ulp, p) }
	}
	fatal := func(rule string, ulp int) outcome {
		return func(_ *T, s step, p packet.Packet) { s.fatal(rule, ulp, p) }
	}
	unknown := func(rule string) outcome {
		return func(_ *T, s step, _ packet.Packet) { s.breaks(rule).invalidCID() }
	}
	noVersion := func(_ *T, s step, _ packet.Packet) { s.breaks("wrong_version").nre(invalidRequest) }
	rnr := func(_ *T, s step, _ packet.Packet) { s.breaks("no_receive").rnr() }
	for _, c := range []struct {
		name, comment string
		op            uint8
		then          outcome
		change        func(t *T, s step, p *packet.Packet)
	}{
		{"cid/version", "another CID and another version: the CID counts", writeOnly, unknown("wrong_cid"), func(_ *T, s step, p *packet.Packet) { s.from(neighbourCID); p.Version = 2 }},
		{"cid/key", "another CID and an R-Key that names no region: the CID counts", writeOnly, unknown("wrong_cid"), func(_ *T, s step, p *packet.Packet) { s.from(neighbourCID); p.RKey = 0x3F00 }},
		{"qp/cid", "a QP that does not exist, from another CID", writeOnly, unknown("unknown_qp"), func(_ *T, s step, p *packet.Packet) { s.from(neighbourCID); p.DestinationQP = 0xA0FF }},
		{"version/opcode", "another version and an opcode that does not match the packet type: the version counts", readRequest, noVersion, func(_ *T, s step, p *packet.Packet) { p.Version = 0; s.as(pushRequest) }},
		{"version/key", "another version and an R-Key that names no region", writeOnly, noVersion, func(_ *T, _ step, p *packet.Packet) { p.Version = 15; p.RKey = 0x3F00 }},
		{"payload/key", "a payload above one MTU, with an R-Key that names no region", writeOnly, refused("bad_payload", invalidRequest), func(t *T, _ step, p *packet.Packet) {
			*p = carrying(*p, t.octets(t.config.MTU+4))
			p.RKey = 0x3F00
		}},
		{"length/key", "a RETH Length that is not that of the payload, with an R-Key that names no region", writeOnly, refused("bad_length", invalidRequest), func(_ *T, _ step, p *packet.Packet) { p.Length = 4; p.RKey = 0x3F00 }},
		{"rmsn/payload", "RMSN 0, and a payload above one MTU", sendOnly, fatal("bad_rmsn", invalidRequest), func(t *T, _ step, p *packet.Packet) {
			*p = carrying(*p, t.octets(t.config.MTU+4))
			p.RMSN = 0
		}},
		{"rmsn/length", "RMSN 0, and a READ Request for more than one MTU", readRequest, fatal("bad_rmsn", invalidRequest), func(t *T, _ step, p *packet.Packet) {
			p.Length = uint32(t.config.MTU) + 1
			p.RMSN = 0
		}},
		{"receive/payload", "no receive is posted, and the payload is above one MTU: RNR", sendOnly, rnr, func(t *T, _ step, p *packet.Packet) { *p = carrying(*p, t.octets(t.config.MTU+4)) }},
		{"receive/length", "no receive is posted, and the RETH Length is not that of the payload: RNR", writeOnlyImmediate, rnr, func(_ *T, _ step, p *packet.Packet) { p.Length = 4 }},
		{"rmsn/receive", "RMSN 0, and no receive is posted", sendOnly, fatal("bad_rmsn", invalidRequest), func(_ *T, _ step, p *packet.Packet) { p.RMSN = 0 }},
		{"receive/offset", "no receive is posted, and Message Offset is wrong: RNR", sendOnly, rnr, func(_ *T, _ step, p *packet.Packet) { p.Offset = 4 }},
		{"receive/key", "no receive is posted, and the R-Key of a WRITE with Immediate names no region: RNR", writeOnlyImmediate, rnr, func(_ *T, _ step, p *packet.Packet) { p.RKey = 0x3F00 }},
		{"receive/invalidate", "no receive is posted, and the R-Key cannot be invalidated: RNR", sendOnlyInvalidate, rnr, func(_ *T, _ step, p *packet.Packet) { p.Invalidate = 0x3F00 }},
		{"owner/right", "a region of another QP, and beyond its end", writeOnly, refused("r_key_owner", accessError), func(_ *T, _ step, p *packet.Packet) { p.RKey = others; p.VA = 8 }},
		{"right/bounds", "a region without the right, and beyond its end", writeOnly, refused("r_key_right", accessError), func(_ *T, _ step, p *packet.Packet) { p.RKey = readable; p.VA = 8 }},
		{"right/misaligned", "an Atomic on a region without the right, at an address that is not aligned", fetchAdd, refused("r_key_right", accessError), func(_ *T, _ step, p *packet.Packet) { p.RKey = readable; p.VA++ }},
		{"bounds/misaligned", "an Atomic beyond the region, at an address that is not aligned", cmpSwap, refused("out_of_bounds", accessError), func(_ *T, _ step, p *packet.Packet) { p.VA = remoteVA - 1 }},
	} {
		for _, w := range worldsOf([]string{rc}, nil) {
			l.add(w, "precedence/"+c.name, c.comment, flags(Refused), func(t *T) {
				p := t.packet(c.op)
				if !isPull(c.op) {
					p = carrying(p, t.octets(8))
				}
				s := t.request(p)
				c.change(t, s, &p)
				s.get().Request.Hex = t.octetsOf(p)
				if s.get().Request.Type == pushRequest {
					s.get().Request.Length = len(s.get().Request.Hex)
				}
				c.then(t, s, p)
			}).cite("8.2-29").decide("I-60")
		}
	}
}

// firstFatal: a packet that belongs to no operation that is known is fatal in both error modes, whatever else is wrong with it (I-116).
func firstFatal(l *list) {
	for _, c := range []struct {
		name, comment, rule string
		ulp                 int
		op                  uint8
		permits             func(w world) bool
		change              func(t *T, p *packet.Packet)
		cut                 func(t *T, octets []byte) []byte
	}{
		{"opcode/sn", "a reserved opcode, and an SN is left out", "bad_opcode", invalidRequest, writeOnly, isStrong, func(_ *T, p *packet.Packet) { p.SN++ }, func(t *T, b []byte) []byte {
			b[t.octetOfOpcode()] = 0x15
			return b
		}},
		{"headers/sn", "the headers are not complete, and an SN is left out", "short_headers", invalidRequest, writeOnly, isStrong, func(_ *T, p *packet.Packet) { p.SN++ }, func(_ *T, b []byte) []byte { return b[:rbth+reth-1] }},
		{"headers/place", "the headers of a Middle without its First are not complete", "short_headers", invalidRequest, sendMiddle, isStrong, nil, func(_ *T, b []byte) []byte { return b[:rbth+seth+oeth-1] }},
		{"sn/place", "a Middle without its First, and an SN is left out", "sn_gap", operationError, writeMiddle, isStrong, func(_ *T, p *packet.Packet) { p.SN++ }, nil},
		{"sn/payload", "an SN is left out, and the payload is above one MTU", "sn_gap", operationError, sendOnly, isStrong, func(t *T, p *packet.Packet) { p.SN, p.Payload = p.SN+1, t.octets(t.config.MTU+4) }, nil},
		{"repeated/payload", "an SN that has been answered, and the payload is above one MTU", "sn_repeated", operationError, sendOnly, isOrdered, func(t *T, p *packet.Packet) { p.SN, p.Payload = p.SN-1, t.octets(t.config.MTU+4) }, nil},
		{"sn/rmsn", "an SN is left out, and RMSN 0", "sn_gap", operationError, sendOnly, isStrong, func(_ *T, p *packet.Packet) { p.SN, p.RMSN = p.SN+1, 0 }, nil},
		{"repeated/length", "an SN that has been answered, and the RETH Length is not that of the payload", "sn_repeated", operationError, writeOnlyImmediate, isOrdered, func(_ *T, p *packet.Packet) { p.SN, p.Length = p.SN-1, 4 }, nil},
		{"place/payload", "a Middle without its First, of less than one MTU", "out_of_place", invalidRequest, writeMiddle, isStrong, nil, nil},
		{"place/rmsn", "a Last without its First, and RMSN 0", "out_of_place", invalidRequest, sendLast, isStrong, func(_ *T, p *packet.Packet) { p.RMSN = 0 }, nil},
	} {
		for _, w := range worldsOf([]string{rc}, c.permits) {
			l.add(w, "fatal/"+c.name, c.comment+": the QP ends in both error modes", flags(Refused), func(t *T) {
				t.receive(1, 1)
				t.written(t.packet(writeOnly), 0)
				p := carrying(t.packet(c.op), t.octets(8))
				if c.change != nil {
					c.change(t, &p)
				}
				octets := t.octetsOf(p)
				if c.cut != nil {
					octets = c.cut(t, octets)
				}
				t.raw(pushRequest, octets).fatal(c.rule, c.ulp, p)
			}).cite("8.2-29").decide("I-60", "I-116")
		}
	}
}
