package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// End is one end of a link: a Node or a Plain.
type End interface {
	SetRegion(index int, r memory.Region) error
	Open(stream uint32, domain uint16) error
	Write(address uint64, octets []byte) error
	PostWork(rdmap.WorkRequest) error
	PostReceive(rdmap.ReceiveRequest) error
	ReceivesWaiting() int
	Send(stream uint32, segment []byte)
	Run(clocks, idle uint64) (Output, error)
	Settle(...Range) error
	Close() error
}

// host posts random work on one end.
type host struct {
	end     End
	config  gen.Config
	rand    *rand.Rand
	local   layout
	remote  layout
	streams []hostStream
	ids     uint64
}

// hostStream is what a host has under way on a stream.
type hostStream struct {
	posted   []posted // work requests without a completion, oldest first
	receives []uint64 // receive requests without one
	offered  int      // of these, how many the peer may count on
	used     int      // how many of the peer's the work so far will use
	mailbox  int      // Reads of the mailbox under way
	dead     bool
	buffer   int // next receive buffer
}

type posted struct {
	id       uint64
	signaled bool
	mailbox  bool
}

const receiveOctets = areaOctets / 64

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
		n = r.IntN(4200)
	}
	return uint32(min(n, most))
}

// part draws length octets of an area.
func part(r *rand.Rand, a area, length uint32, size int) rdmap.Buffer {
	return rdmap.Buffer{STag: a.stag(), TO: a.to(r.IntN(size - int(length) + 1))}
}

// post posts one work request on a stream, if there is room; peer is the host at the other end.
func (h *host) post(stream uint32, peer *host) (bool, error) {
	s, r := &h.streams[stream], h.rand
	if s.dead || len(s.posted) >= h.config.SendDepth {
		return false, nil
	}
	h.ids++
	w := rdmap.WorkRequest{Stream: stream, ID: h.ids, Signaled: r.IntN(4) > 0}
	if n := len(s.posted); n >= 3 && !s.posted[n-1].signaled && !s.posted[n-2].signaled {
		w.Signaled = true // the host learns of the others by this one
	}
	mine, theirs := h.local.areas[stream], h.remote.areas[stream]
	sends := peer.streams[stream].offered - s.used
	p := posted{id: w.ID, signaled: w.Signaled}
	switch kind := r.IntN(8); {
	case kind <= 1 && sends > 0: // Sends
		w.Opcode = [...]wire.Opcode{wire.OpSend, wire.OpSendSE}[r.IntN(2)]
		w.Length = length(r, receiveOctets)
		w.Local = part(r, mine[areaSource], w.Length, areaOctets)
	case kind == 2 && sends > 0:
		w.Opcode = [...]wire.Opcode{wire.OpImmediate, wire.OpImmediateSE}[r.IntN(2)]
		w.Operands.Data = r.Uint64()
	case kind == 3:
		w.Opcode, w.Length = wire.OpReadRequest, length(r, areaOctets)
		from := areaMailbox
		if r.IntN(4) == 0 {
			from = areaAtomic
		} else {
			p.mailbox = true
		}
		w.Remote = part(r, theirs[from], w.Length, areaOctets)
		w.Local = part(r, mine[areaSink], w.Length, areaOctets)
	case kind == 4 || kind == 5:
		w.Opcode = wire.OpAtomicRequest
		w.Operands = rdmap.Operands{AOpCode: [...]wire.AOpCode{wire.FetchAdd, wire.CmpSwap}[r.IntN(2)], Data: operand(r), Mask: operand(r),
			CompareData: operand(r), CompareMask: operand(r)}
		target, words := theirs[areaAtomic], 64
		if r.IntN(2) == 0 {
			target, words = h.remote.shared, sharedWords
		}
		w.Remote = rdmap.Buffer{STag: target.stag(), TO: target.to(8 * r.IntN(words))}
		w.Local = rdmap.Buffer{STag: mine[areaResult].stag(), TO: mine[areaResult].to(int(w.ID % 64 * 13))}
	default:
		w.Opcode, w.Length = wire.OpWrite, length(r, areaOctets)
		to := areaTarget
		if s.mailbox == 0 && r.IntN(2) == 0 {
			to = areaMailbox
		}
		w.Remote = part(r, theirs[to], w.Length, areaOctets)
		w.Local = part(r, mine[areaSource], w.Length, areaOctets)
	}
	switch w.Opcode {
	case wire.OpSend, wire.OpSendSE, wire.OpImmediate, wire.OpImmediateSE:
		s.used++
	}
	if p.mailbox {
		s.mailbox++
	}
	s.posted = append(s.posted, p)
	return true, h.end.PostWork(w)
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

// offer posts receive requests until the stream's ring is full.
func (h *host) offer(stream uint32) error {
	s := &h.streams[stream]
	for !s.dead && len(s.receives) < h.config.ReceiveDepth {
		h.ids++
		buffer := h.local.areas[stream][areaReceive]
		at := s.buffer % 64 * receiveOctets
		s.buffer++
		err := h.end.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: h.ids, Length: receiveOctets,
			Buffer: rdmap.Buffer{STag: buffer.stag(), TO: buffer.to(at)}})
		if err != nil {
			return err
		}
		s.receives = append(s.receives, h.ids)
	}
	return nil
}

// accepted lets the peer count on the receive requests that the end has.
func (h *host) accepted() {
	if h.end.ReceivesWaiting() > 0 {
		return
	}
	for i := range h.streams {
		s := &h.streams[i]
		s.offered = s.buffer
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
		return true
	}
	for len(s.posted) > 0 {
		p := s.posted[0]
		s.posted = s.posted[1:]
		if p.mailbox {
			s.mailbox--
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
