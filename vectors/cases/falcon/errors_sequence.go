package falcon

import "github.com/rnicgen/rnicgen/model/falcon/packet"

// sequenceErrors are SN, RMSN and the place of a packet in its message, all of them fatal in both error modes (I-29, I-116).
func sequenceErrors() (list []wrong) {
	fatal := func(name, comment, rule string, permits func(w world) bool, ops []uint8, change func(t *T, p *packet.Packet)) {
		for _, op := range ops {
			list = append(list, wrong{name: name + "/" + names[op], comment: comment, rule: rule, ulp: operationError, fatal: true, cites: map[string][]string{"sn_gap": {"8.2-26"}}[rule], permits: permits,
				write: func(t *T) (packet.Packet, []byte, string) {
					p := carrying(t.packet(op), nil)
					change(t, &p)
					return t.whole(p)
				}})
		}
	}
	kinds := []uint8{sendOnly, writeOnly, readRequest, cmpSwap}
	fatal("sn_gap", "an SN is left out", "sn_gap", isStrong, kinds, func(_ *T, p *packet.Packet) { p.SN++ })
	fatal("sn_far", "an SN half of all numbers ahead", "sn_gap", isStrong, kinds[:1], func(_ *T, p *packet.Packet) { p.SN += 1<<31 - 1 })
	fatal("sn_beyond_window", "an SN one beyond the window", "sn_gap", isWeak, kinds, func(t *T, p *packet.Packet) { p.SN += uint32(t.config.Window) })
	fatal("sn_repeated", "the SN of the request before it, which has been answered", "sn_repeated", isOrdered, kinds, func(_ *T, p *packet.Packet) { p.SN-- })
	fatal("sn_zero", "SN 0, which comes before the first", "sn_repeated", isOrdered, kinds[:1], func(_ *T, p *packet.Packet) { p.SN = 0 })

	misplace := func(name, comment, rule string, permits func(w world) bool, op uint8, change func(t *T, p *packet.Packet)) {
		list = append(list, wrong{name: name + "/" + names[op], comment: comment, rule: rule, ulp: invalidRequest, fatal: true, permits: permits,
			write: func(t *T) (packet.Packet, []byte, string) {
				p := t.packet(op)
				octets := 8
				switch op {
				case sendMiddle, writeMiddle, sendFirst, writeFirst:
					octets = t.config.MTU
				}
				if !isPull(op) {
					p = carrying(p, t.octets(octets))
				}
				change(t, &p)
				return t.whole(p)
			}})
	}
	none := func(*T, *packet.Packet) {}
	for _, op := range []uint8{sendMiddle, sendLast, sendLastImmediate, sendLastInvalidate, writeMiddle, writeLast, writeLastImmediate} {
		misplace("no_first", "a Middle or Last without its First", "out_of_place", isStrong, op, none)
	}
	for _, op := range []uint8{sendOnly, sendOnlyImmediate, sendOnlyInvalidate, writeOnlyImmediate} {
		misplace("rmsn_ahead", "an RMSN is left out", "bad_rmsn", isStrong, op, func(_ *T, p *packet.Packet) { p.RMSN++ })
		misplace("rmsn_zero", "RMSN 0, which comes before the first", "bad_rmsn", nil, op, func(_ *T, p *packet.Packet) { p.RMSN = 0 })
		misplace("rmsn_beyond_window", "an RMSN 256 ahead", "bad_rmsn", isStrong, op, func(_ *T, p *packet.Packet) { p.RMSN += 256 })
	}
	for _, op := range []uint8{readRequest, cmpSwap, fetchAdd} {
		misplace("rmsn_ahead", "an RMSN is left out", "bad_rmsn", isStrong, op, func(_ *T, p *packet.Packet) { p.RMSN++ })
		misplace("rmsn_zero", "RMSN 0, which comes before the first", "bad_rmsn", nil, op, func(_ *T, p *packet.Packet) { p.RMSN = 0 })
		misplace("rmsn_beyond_window", "an RMSN 256 ahead", "bad_rmsn", nil, op, func(_ *T, p *packet.Packet) { p.RMSN += 256 })
	}
	return list
}
