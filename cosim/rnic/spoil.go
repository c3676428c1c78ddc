package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// spoil makes a work request invalid.
func (h *host) spoil(d *draft, peer *host) {
	if isOf(d.Opcode, spec.Committing) {
		h.spoilCommit(d)
		return
	}
	s, r := &h.streams[d.Stream], h.rand
	mine, theirs := h.local.areas[d.Stream], h.remote.areas[d.Stream]
	s.faulty = true
	reads := d.Opcode.Is(spec.Write | spec.Send) // the local buffer
	for range 20 {
		switch r.IntN(7) {
		case 0: // an invalid local buffer
			if reads || isRequest(d.Opcode) {
				d.Local = h.wrongBuffer(d)
				return
			}
		case 1: // memory that fails here
			if reads {
				share := [...]int{sharedBroken, sharedHalf}[r.IntN(2)]
				d.Length = max(1, d.Length)
				d.Local = part(r, h.local.share(d.Stream, share), d.Length)
				return
			} else if isRequest(d.Opcode) {
				d.Length = max(1, d.Length)
				d.Local = part(r, h.local.share(d.Stream, sharedBroken), max(8, d.Length))
				return
			}
		case 2, 3: // memory that fails there
			switch d.Opcode.Class() {
			case spec.Write:
				d.Length = max(1, d.Length)
				share := [...]int{sharedBroken, sharedRefusing}[r.IntN(2)]
				d.Remote = part(r, h.remote.share(d.Stream, share), d.Length)
				return
			case spec.ReadRequest:
				d.Length = max(1, d.Length)
				share := [...]int{sharedBroken, sharedHalf}[r.IntN(2)]
				d.Remote = part(r, h.remote.share(d.Stream, share), d.Length)
				d.mailbox, d.victim = false, false
				return
			case spec.AtomicRequest:
				if !h.config.RetirePort {
					continue // its effect on memory would be unknown
				}
				a := h.remote.share(d.Stream, [...]int{sharedBroken, sharedRefusing}[r.IntN(2)])
				d.Remote = rdmap.Buffer{STag: a.stag(), TO: a.to(8 * r.IntN(4))}
				d.victim = false
				return
			}
		case 4: // a message that is too long
			if d.Opcode.Is(spec.Send) {
				_, most := h.remote.receiveSlots()
				if d.Length = uint32(most) + 1; r.IntN(2) == 0 {
					d.Length += length(r, h.local.octets-most-1)
				} else {
					d.Length += uint32(r.IntN(h.local.octets - most))
				}
				d.Local = part(r, mine[areaSource], d.Length)
				return
			}
		case 5: // no receive request
			if p := &peer.streams[d.Stream]; p.excess > 0 || p.offered <= s.used && p.offered < p.buffer {
				continue // one will be posted
			}
			peer.streams[d.Stream].starved, peer.streams[d.Stream].faulty = true, true
			if !d.uses {
				*d = draft{WorkRequest: rdmap.WorkRequest{Stream: d.Stream, ID: d.WorkRequest.ID, Signaled: d.Signaled, Opcode: spec.Immediate.Opcode()}, uses: true}
			}
			return
		case 6: // an STag that cannot be invalidated
			if d.Opcode.Is(spec.Send) {
				d.Opcode++
				d.Remote.STag, _ = h.remote.wrong(r, d.Stream, theirs[areaVictim].stag(), 0, 0, memory.Invalidate)
				return
			}
		}
	}
}

// wrongBuffer returns a local buffer that fails the check of a work request.
func (h *host) wrongBuffer(d *draft) rdmap.Buffer {
	s, r := &h.streams[d.Stream], h.rand
	mine := h.local.areas[d.Stream]
	good, right := mine[areaSource], memory.LocalRead
	if isRequest(d.Opcode) {
		good, right = mine[areaSink], memory.LocalWrite
	}
	d.Length = max(1, d.Length)
	octets := int(d.Length)
	if o, _ := d.Opcode.Operation(); o.GetsReply() {
		octets = memory.WordOctets
	}
	switch r.IntN(8) {
	case 0:
		return rdmap.Buffer{STag: good.stag(), TO: good.past(r, octets)} // or wraps
	case 1:
		return rdmap.Buffer{STag: good.stag(), TO: good.region.Base - 1 - uint64(r.IntN(100))}
	case 2:
		for v := range s.lost {
			if s.lost[v] && !isRequest(d.Opcode) {
				a := mine[areaVictim+v]
				return rdmap.Buffer{STag: a.stag(), TO: a.to(0)}
			}
		}
	}
	stag, to := h.local.wrong(r, d.Stream, good.stag(), good.to(0), octets, right)
	return rdmap.Buffer{STag: stag, TO: to}
}

// operand draws a number, with a bias to edge values.
func operand(r *rand.Rand) uint64 {
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	case 2:
		return 1 << r.IntN(64)
	}
	return r.Uint64()
}
