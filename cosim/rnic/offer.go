package rnic

import (
	"math"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// manyReceives limits the receive requests posted on all streams together, beyond one each; few streams can have full rings.
const manyReceives = 16 << 10

// depth is the target number of posted receive requests of a stream.
func (h *host) depth(stream uint32) int {
	most := h.config.ReceiveDepth
	if share := manyReceives / len(h.local.active); share < most && stream != h.local.active[0] {
		return max(1, share)
	}
	return most
}

// offer posts receive requests up to the stream's depth, and sometimes some beyond the limit.
func (h *host) offer(stream uint32, peer *host) error {
	s, r := &h.streams[stream], h.rand
	slots, octets := h.local.receiveSlots()
	for !s.dead && !s.starved && len(s.receives) < h.depth(stream) {
		buffer := h.local.areas[stream][areaReceive]
		at := s.buffer % slots * octets
		s.buffer++
		request := rdmap.ReceiveRequest{Stream: stream, ID: h.id(), Length: uint32(octets), Buffer: rdmap.Buffer{STag: buffer.stag(), TO: buffer.to(at)}}
		if h.errors > 0 && r.Float64() < h.errors/8 {
			s.faulty = true
			switch wrong := &request.Buffer; r.IntN(4) {
			case 0: // memory that fails
				*wrong = part(r, h.local.share(stream, sharedBroken), request.Length)
			case 1:
				wrong.TO = buffer.past(r, 8)
			default:
				wrong.STag, wrong.TO = h.local.wrong(r, stream, wrong.STag, wrong.TO, octets, memory.LocalWrite)
			}
		}
		if behind := buffer.region.Length - buffer.from - uint64(at); stream%2 == 1 && behind == uint64(buffer.octets-at) && r.IntN(2) == 0 {
			// Longer than its region, which matters only if the message is, too.
			request.Length = [...]uint32{uint32(behind) + 1, uint32(behind) + r.Uint32N(5000), math.MaxUint32}[r.IntN(3)]
		}
		if err := h.end.PostReceive(request); err != nil {
			return err
		}
		s.receives = append(s.receives, request.ID)
		h.waiting = append(h.waiting, offered{stream: stream})
	}
	p := &peer.streams[stream]
	full := len(s.receives) == h.config.ReceiveDepth && s.offered == s.buffer && p.used == s.buffer-len(s.receives)
	if !full || s.dead || s.starved || s.faulty || p.dead || p.faulty || s.excess > 0 || r.IntN(64) > 0 {
		return nil
	}
	for range 1 + r.IntN(3) {
		s.excess++
		h.waiting = append(h.waiting, offered{stream: stream, excess: true})
		buffer := part(r, h.local.areas[stream][areaReceive], 64)
		if err := h.end.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: h.id(), Length: 64, Buffer: buffer}); err != nil {
			return err
		}
	}
	return nil
}

// accepted makes the receive requests stored in the end's rings available to the peer; merely posted ones are not.
func (h *host) accepted() {
	now := h.end.ReceivesStored()
	for ; h.stored < now; h.stored++ {
		if o := h.waiting[0]; !o.excess {
			h.streams[o.stream].offered++
		}
		h.waiting = h.waiting[1:]
	}
}

// noteEvent notes an event.
func (h *host) noteEvent(e Event) {
	if e.Kind == engine.EventEnded || e.Kind == engine.EventClosed {
		h.streams[e.Stream].dead = true
	}
	if e.Kind == engine.EventReceiveRefused {
		h.streams[e.Stream].excess--
	}
}

// completed notes a completion; it returns false if no matching request is pending.
func (h *host) completed(c Completion) bool {
	s := &h.streams[c.Stream]
	if c.Recv {
		if len(s.receives) == 0 || s.receives[0] != c.ID {
			return false
		}
		s.receives = s.receives[1:]
		for v := range s.lost {
			if c.STag != 0 && c.STag == h.local.areas[c.Stream][areaVictim+v].stag() {
				s.lost[v] = true
			}
		}
		return true
	}
	for len(s.posted) > 0 {
		p := s.posted[0]
		s.posted = s.posted[1:]
		if p.mailbox {
			s.mailbox--
		}
		if p.victim {
			s.victims--
		}
		if p.id == c.ID {
			return true
		}
		if p.signaled {
			return false
		}
	}
	return false
}
