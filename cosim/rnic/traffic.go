package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// End is one end of a link: a Node or a ModelEndpoint.
type End interface {
	SetRegion(index int, r memory.Region) error
	Open(stream uint32, domain uint16) error
	Weigh(stream uint32, weight uint8) error
	Write(address uint64, octets []byte) error
	PostWork(rdmap.WorkRequest) error
	PostReceive(rdmap.ReceiveRequest) error
	ReceivesStored() uint64
	Send(stream uint32, segment []byte)
	Run(cycles, idle uint64) (Output, error)
	Settle(ranges ...[]Range) error
	Close() error
}

// host posts random work on one end.
type host struct {
	end     End
	config  gen.Config
	rand    *rand.Rand
	errors  float64 // fraction of invalid work
	local   layout
	remote  layout
	streams []hostStream
	ids     uint64
	waiting []offered // receive requests not yet stored by the end, oldest first
	stored  uint64    // number of stored ones
}

// hostStream is the state of a host's stream.
type hostStream struct {
	posted   []posted // work requests without a completion, oldest first
	receives []uint64 // receive requests without one
	offered  int      // of these, those the peer may use
	used     int      // receive requests of the peer that the posted work will use
	mailbox  int      // Reads of the mailbox in flight
	victims  int      // Reads and Atomics of victims in flight
	buffer   int      // next receive buffer
	dead     bool     // the host knows that the stream has ended
	faulty   bool     // something invalid was posted or sent: the stream may end
	starved  bool     // no more receive requests are posted
	excess   int      // receive requests beyond the limit, not yet reported by an event; none is consumed meanwhile
	spent    [2]bool  // victims of the peer that a posted Send invalidates
	lost     [2]bool  // victims of this end that the peer has invalidated
}

// offered is a receive request in flight.
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

// receiveSlots returns the number of receive buffers per stream, and the length of each.
func (l *layout) receiveSlots() (slots, octets int) {
	octets = max(l.octets/64, 64)
	return l.octets / octets, octets
}

// length draws the length of a message, mostly short, and never above most.
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

// part draws length octets of an area, with a bias to its edges.
func part(r *rand.Rand, a area, length uint32) rdmap.Buffer {
	most := a.octets - int(length)
	at := r.IntN(most + 1)
	if len(a.edges) > 0 && r.IntN(4) == 0 {
		at = min(most, max(0, a.edges[r.IntN(len(a.edges))]-r.IntN(int(length)+2)))
	}
	return rdmap.Buffer{STag: a.stag(), TO: a.to(at)}
}

// word draws one of the first words of an area, with a bias to its edges.
func word(r *rand.Rand, a area, words int) rdmap.Buffer {
	at := r.IntN(words)
	if len(a.edges) > 0 && r.IntN(4) == 0 {
		at = min(words-1, max(0, a.edges[r.IntN(len(a.edges))]/8-r.IntN(2)))
	}
	return rdmap.Buffer{STag: a.stag(), TO: a.to(8 * at)}
}

// draft is a work request under construction.
type draft struct {
	rdmap.WorkRequest
	posted
	uses bool // consumes a receive request of the peer
}

// post posts one work request on a stream if fewer than most are pending; peer is the host at the other end.
func (h *host) post(stream uint32, most int, peer *host) (bool, error) {
	s, r := &h.streams[stream], h.rand
	if s.dead && r.IntN(16) > 0 || len(s.posted) >= most {
		return false, nil
	}
	d := draft{WorkRequest: rdmap.WorkRequest{Stream: stream, ID: h.id(), Signaled: r.IntN(4) > 0}}
	if n := len(s.posted); (n+1)%h.config.SendDepth == 0 || n >= 3 && !s.posted[n-1].signaled && !s.posted[n-2].signaled {
		d.Signaled = true // its completion implies the earlier ones
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

// id returns a unique number, spread over the whole range.
func (h *host) id() uint64 {
	h.ids++
	return h.ids * 0x9E3779B97F4A7C15 // odd
}

// draw draws a valid work request.
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
	if h.config.Protocol()&spec.Commit != 0 && r.IntN(3) == 0 {
		h.drawCommit(d)
		return
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
	case kind == 8 && len(others) > 0:
		d.Opcode = others[r.IntN(len(others))]
		d.Operands.Data = operand(r)
		d.Remote = word(r, theirs[areaAtomic], leastOctets/8)
		d.Local = part(r, mine[areaResult], memory.WordOctets)
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

// others are the requests other than Reads and Atomics: operations whose response is one word.
var others = (spec.Requests &^ (spec.ReadRequest | spec.AtomicRequest)).All()

// mayUse reports whether a stream may name a victim of the peer: the victim is not shared with an earlier stream, and this stream
// has not invalidated it.
func (h *host) mayUse(stream uint32, victim int) bool {
	return !h.streams[stream].spent[victim] && h.remote.areas[stream][areaVictim+victim].from == 0
}

// invalidate makes some Sends invalidate an STag of the peer. A Read or Atomic in flight that uses it may then fail and end the
// stream.
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
