package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
)

// sendErrors are what a Send, or the end of a message, names.
func sendErrors() (list []wrong) {
	add := func(name, comment, rule, status string, ulp int, permits func(w world) bool, op uint8, change func(t *T, p *packet.Packet)) {
		list = append(list, wrong{name: name + "/" + names[op], comment: comment, rule: rule, ulp: ulp, receive: status, permits: permits,
			write: func(t *T) (packet.Packet, []byte, string) {
				p := carrying(t.packet(op), t.octets(8))
				change(t, &p)
				return t.whole(p)
			}})
	}
	for _, op := range []uint8{sendOnly, sendOnlyImmediate, sendOnlyInvalidate} {
		add("offset", "an Only with Message Offset 4", "bad_offset", "peer_error", invalidRequest, nil, op, func(_ *T, p *packet.Packet) { p.Offset = 4 })
		add("offset_mtu", "an Only with Message Offset of one MTU", "bad_offset", "peer_error", invalidRequest, nil, op, func(t *T, p *packet.Packet) { p.Offset = uint32(t.config.MTU) })
		add("offset_last", "an Only with the highest Message Offset", "bad_offset", "peer_error", invalidRequest, nil, op, func(_ *T, p *packet.Packet) { p.Offset = 1<<32 - 1 })
	}
	for _, k := range []struct {
		name string
		key  uint32
	}{{"no_right", remote}, {"unknown", 0x3F00}, {"other_key", spare + 1}, {"foreign", foreign}, {"zero", 0}} {
		add("invalidate/"+k.name, "an R-Key that cannot be invalidated", "cannot_invalidate", "peer_error", accessError, nil, sendOnlyInvalidate, func(_ *T, p *packet.Packet) { p.Invalidate = k.key })
	}
	for _, op := range []uint8{sendOnly, writeOnlyImmediate} {
		list = append(list, wrong{name: "unknown_srq/" + names[op], comment: "XRCETH names a shared receive queue that does not exist", rule: "unknown_srq", ulp: invalidRequest,
			write: func(t *T) (packet.Packet, []byte, string) {
				p := carrying(t.packet(op), t.octets(8))
				p.SRQ = 0x999
				return t.whole(p)
			}})
	}
	return list
}

// keyErrors are what a Write, Read or Atomic names.
func keyErrors() (list []wrong) {
	for _, op := range []uint8{writeOnly, writeOnlyImmediate, readRequest, cmpSwap, fetchAdd, writeFirst} {
		add := func(name, comment, rule string, ulp int, change func(t *T, p *packet.Packet)) {
			e := wrong{name: name + "/" + names[op], comment: comment, rule: rule, ulp: ulp,
				write: func(t *T) (packet.Packet, []byte, string) {
					p := t.packet(op)
					switch {
					case op == writeFirst:
						p = carrying(p, t.octets(t.config.MTU))
					case !isPull(op):
						p = carrying(p, t.octets(8))
					}
					change(t, &p)
					return t.whole(p)
				}}
			switch {
			case op == writeOnlyImmediate:
				e.receive = "peer_error"
			case isAtomic(op):
				e.cites = []string{"8.3.6-09"}
			}
			list = append(list, e)
		}
		right := uint32(readable)
		if op == readRequest {
			right = writable
		}
		add("key_unknown", "no region has the R-Key", "r_key_unknown", accessError, func(_ *T, p *packet.Packet) { p.RKey = 0x3F00 })
		add("key_other", "the R-Key of a region with another low octet", "r_key_unknown", accessError, func(_ *T, p *packet.Packet) { p.RKey++ })
		add("key_foreign", "the region belongs to another domain", "r_key_owner", accessError, func(_ *T, p *packet.Packet) { p.RKey = foreign })
		add("key_others", "the region belongs to another QP", "r_key_owner", accessError, func(_ *T, p *packet.Packet) { p.RKey = others })
		add("key_right", "the region does not permit the access", "r_key_right", accessError, func(_ *T, p *packet.Packet) { p.RKey = right })
		add("below", "the octets begin before the region", "out_of_bounds", accessError, func(_ *T, p *packet.Packet) { p.VA = remoteVA - 8 })
		add("above", "the octets end beyond the region", "out_of_bounds", accessError, func(t *T, p *packet.Packet) { p.VA = remoteVA + uint64(mtus*t.config.MTU) - 4 })
		add("wrap", "VA + length is above 2^64", "va_wrap", accessError, func(_ *T, p *packet.Packet) { p.RKey, p.VA = edge, 1<<64-4 })
		if isAtomic(op) {
			for _, by := range []uint64{1, 2, 4, 7} {
				add(fmt.Sprintf("misaligned/%d", by), "the address of an Atomic is not a multiple of 8", "misaligned", invalidRequest, func(_ *T, p *packet.Packet) { p.VA += by })
			}
		}
	}
	return list
}
