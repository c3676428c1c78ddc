package rnic

import (
	"math"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// End is one end of a link: a Node or a Plain.
type End interface {
	SetRegion(index int, r memory.Region) error
	Open(stream uint32, domain uint16) error
	Write(address uint64, octets []byte) error
	PostWork(rdmap.WorkRequest) error
	PostReceive(rdmap.ReceiveRequest) error
	ReceivesStored() uint64
	Send(stream uint32, segment []byte)
	Run(clocks, idle uint64) (Output, error)
	Settle(ranges ...[]Range) error
	Close() error
}

// host posts random work on one end.
type host struct {
	end     End
	config  gen.Config
	rand    *rand.Rand
	errors  float64 // part of the work that is wrong
	local   layout
	remote  layout
	streams []hostStream
	ids     uint64
	waiting []offered // receive requests that the end has not stored, oldest first
	stored  uint64    // how many it has
}

// hostStream is what a host has under way on a stream.
type hostStream struct {
	posted   []posted // work requests without a completion, oldest first
	receives []uint64 // receive requests without one
	offered  int      // of these, how many the peer may count on
	used     int      // how many of the peer's the work so far will use
	mailbox  int      // Reads of the mailbox under way
	victims  int      // Reads and Atomics of victims under way
	buffer   int      // next receive buffer
	dead     bool     // the host knows that the stream has ended
	faulty   bool     // something wrong was posted or sent: the stream may end
	starved  bool     // no more receive requests are posted
	excess   int      // receive requests beyond the limit, of which no event has told yet; nothing uses others meanwhile
	spent    [2]bool  // victims of the peer that a Send was to invalidate
	lost     [2]bool  // victims of this end that the peer has invalidated
}

// offered is a receive request on its way.
type offered struct {
	stream uint32
	excess bool // it will be refused
}

type posted struct {
	id       uint64
	signaled bool
	mailbox  bool
	victim   bool
}

// receiveSlots is how many receive buffers there are to a stream, and how long each is.
func (l *layout) receiveSlots() (slots, octets int) {
	octets = max(l.octets/64, 64)
	return l.octets / octets, octets
}

// length draws the length of a message, short ones most of the time, and at most most.
func length(r *rand.Rand, most int) uint32 {
	n := 0
	switch r.IntN(8) {
	case 0:
	case 1, 2:
		n = 1 + r.IntN(7)
	case 3, 4:
		n = r.IntN(130)
	case 5, 6:
		n = r.IntN(1100)
	default:
		if n = r.IntN(4200); r.IntN(16) == 0 {
			n = r.IntN(most + 1)
		}
	}
	return uint32(min(n, most))
}

// part draws length octets of an area, at its edges more often than chance would have it.
func part(r *rand.Rand, a area, length uint32) rdmap.Buffer {
	most := a.octets - int(length)
	at := r.IntN(most + 1)
	if len(a.edges) > 0 && r.IntN(4) == 0 {
		at = min(most, max(0, a.edges[r.IntN(len(a.edges))]-r.IntN(int(length)+2)))
	}
	return rdmap.Buffer{STag: a.stag(), TO: a.to(at)}
}

// word draws one of the first words of an area, at its edges more often than chance would have it.
func word(r *rand.Rand, a area, words int) rdmap.Buffer {
	at := r.IntN(words)
	if len(a.edges) > 0 && r.IntN(4) == 0 {
		at = min(words-1, max(0, a.edges[r.IntN(len(a.edges))]/8-r.IntN(2)))
	}
	return rdmap.Buffer{STag: a.stag(), TO: a.to(8 * at)}
}

// draft is a work request that is being made up.
type draft struct {
	rdmap.WorkRequest
	posted
	uses bool // a receive request of the peer
}

// post posts one work request on a stream, if less than most are not complete; peer is the host at the other end.
func (h *host) post(stream uint32, most int, peer *host) (bool, error) {
	s, r := &h.streams[stream], h.rand
	if s.dead && r.IntN(16) > 0 || len(s.posted) >= most {
		return false, nil
	}
	d := draft{WorkRequest: rdmap.WorkRequest{Stream: stream, ID: h.id(), Signaled: r.IntN(4) > 0}}
	if n := len(s.posted); (n+1)%h.config.SendDepth == 0 || n >= 3 && !s.posted[n-1].signaled && !s.posted[n-2].signaled {
		d.Signaled = true // the host learns of the others by this one
	}
	h.draw(&d, peer)
	if h.errors > 0 && r.Float64() < h.errors {
		h.spoil(&d, peer)
	}
	if d.uses {
		s.used++
	}
	if d.mailbox {
		s.mailbox++
	}
	if d.victim {
		s.victims++
	}
	d.id, d.signaled = d.WorkRequest.ID, d.Signaled
	s.posted = append(s.posted, d.posted)
	return true, h.end.PostWork(d.WorkRequest)
}

// id is a number that no other request of the host has, anywhere among all numbers.
func (h *host) id() uint64 {
	h.ids++
	return h.ids * 0x9E3779B97F4A7C15 // odd
}

// draw makes up a work request that is right.
func (h *host) draw(d *draft, peer *host) {
	s, r := &h.streams[d.Stream], h.rand
	mine, theirs := h.local.areas[d.Stream], h.remote.areas[d.Stream]
	sends := peer.streams[d.Stream].offered - s.used
	if p := &peer.streams[d.Stream]; p.starved && p.offered == p.buffer {
		sends = 1 // one too many
	}
	if peer.streams[d.Stream].excess > 0 {
		sends = 0
	}
	most := 16
	if peer.streams[d.Stream].starved && r.IntN(2) == 0 {
		most = 6
	}
	switch kind := r.IntN(most); {
	case kind <= 3 && sends > 0: // Sends
		d.Opcode = spec.Send.All()[r.IntN(2)]
		_, most := h.remote.receiveSlots()
		d.Length, d.uses = length(r, most), true
		d.Local = part(r, mine[areaSource], d.Length)
		h.invalidate(d)
	case kind <= 5 && sends > 0:
		d.Opcode, d.uses = spec.Immediate.All()[r.IntN(2)], true
		d.Operands.Data = r.Uint64()
	case kind <= 7:
		d.Opcode, d.Length = spec.ReadRequest.Opcode(), length(r, h.local.octets)
		from := areaMailbox
		switch victim := r.IntN(2); {
		case r.IntN(4) == 0:
			from = areaAtomic
		case r.IntN(4) == 0 && h.mayUse(d.Stream, victim):
			from, d.victim = areaVictim+victim, true
		default:
			d.mailbox = true
		}
		d.Remote = part(r, theirs[from], d.Length)
		d.Local = part(r, mine[areaSink], d.Length)
	case kind <= 11:
		d.Opcode = spec.AtomicRequest.Opcode()
		d.Operands = rdmap.Operands{AOpCode: [...]wire.AOpCode{wire.FetchAdd, wire.CmpSwap}[r.IntN(2)], Data: operand(r), Mask: operand(r),
			CompareData: operand(r), CompareMask: operand(r)}
		if h.config.Draft00() && r.IntN(3) == 0 {
			d.Operands.AOpCode = wire.Swap
		}
		target, words := theirs[areaAtomic], leastOctets/8
		switch victim := r.IntN(2); {
		case r.IntN(2) == 0 && h.remote.share(d.Stream, sharedAtomic).octets > 0:
			target = h.remote.share(d.Stream, sharedAtomic)
			words = target.octets / memory.WordOctets
		case r.IntN(4) == 0 && h.mayUse(d.Stream, victim):
			target, d.victim = theirs[areaVictim+victim], true
		}
		d.Remote = word(r, target, words)
		d.Local = part(r, mine[areaResult], memory.WordOctets)
	default:
		d.Opcode, d.Length = spec.Write.Opcode(), length(r, h.remote.octets)
		to := areaTarget
		if s.mailbox == 0 && r.IntN(2) == 0 {
			to = areaMailbox
		}
		d.Remote = part(r, theirs[to], d.Length)
		d.Local = part(r, mine[areaSource], d.Length)
	}
}

// mayUse tells whether a stream may name a victim of the peer: one that no other stream has a part of, or only behind it, and
// that it has not invalidated.
func (h *host) mayUse(stream uint32, victim int) bool {
	return !h.streams[stream].spent[victim] && h.remote.areas[stream][areaVictim+victim].from == 0
}

// invalidate makes some Sends invalidate an STag of the peer. While a Read or Atomic that uses it is under way, it may find it
// gone, and end the stream.
func (h *host) invalidate(d *draft) {
	s, r := &h.streams[d.Stream], h.rand
	victim := r.IntN(2)
	races := s.victims > 0
	if !h.mayUse(d.Stream, victim) || r.IntN(8) > 0 || races && r.Float64() >= 4*h.errors {
		return
	}
	s.spent[victim] = true
	s.faulty = s.faulty || races
	d.Opcode++ // OpSendInv, OpSendSEInv
	d.Remote.STag = h.remote.areas[d.Stream][areaVictim+victim].stag()
}

// spoil makes a work request wrong.
func (h *host) spoil(d *draft, peer *host) {
	s, r := &h.streams[d.Stream], h.rand
	mine, theirs := h.local.areas[d.Stream], h.remote.areas[d.Stream]
	s.faulty = true
	reads := d.Opcode.Is(spec.Write | spec.Send) // the local buffer
	for range 20 {
		switch r.IntN(7) {
		case 0: // a local buffer that may not be used so
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
					continue // what it leaves in memory nobody would know
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
				continue // there will be one
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

// wrongBuffer is a local buffer that fails the check of a work request.
func (h *host) wrongBuffer(d *draft) rdmap.Buffer {
	s, r := &h.streams[d.Stream], h.rand
	mine := h.local.areas[d.Stream]
	good, right := mine[areaSource], memory.LocalRead
	if isRequest(d.Opcode) {
		good, right = mine[areaSink], memory.LocalWrite
	}
	d.Length = max(1, d.Length)
	octets := int(d.Length)
	if d.Opcode.Is(spec.AtomicRequest) {
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

// operand is a number with something at its edges more often than chance would have it.
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

// manyReceives is how many receive requests all streams have posted at most, beyond one each; few of them may have full rings.
const manyReceives = 16 << 10

// depth is how many receive requests a stream has posted.
func (h *host) depth(stream uint32) int {
	most := h.config.ReceiveDepth
	if share := manyReceives / len(h.local.active); share < most && stream != h.local.active[0] {
		return max(1, share)
	}
	return most
}

// offer posts receive requests until the stream has as many as it is to have, and at times some beyond the limit.
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
			// Longer than its region: that matters when a message is.
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

// accepted lets the peer count on the receive requests that the end has in its rings, not on those that it was only given.
func (h *host) accepted() {
	now := h.end.ReceivesStored()
	for ; h.stored < now; h.stored++ {
		if o := h.waiting[0]; !o.excess {
			h.streams[o.stream].offered++
		}
		h.waiting = h.waiting[1:]
	}
}

// happened notes an event.
func (h *host) happened(e Event) {
	if e.Kind == engine.EventEnded || e.Kind == engine.EventClosed {
		h.streams[e.Stream].dead = true
	}
	if e.Kind == engine.EventReceiveRefused {
		h.streams[e.Stream].excess--
	}
}

// completed notes a completion; false when nothing like it is under way.
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
