package gen_test

import "math/rand/v2"

// Modes of a QP in tests of falcon_order.
const (
	scoreStrong = iota
	scoreWeak
	scoreUnordered
	scoreDatagrams
	scoreModes
)

// scorePeer sends packets to a QP, and is falcon_check for them.
type scorePeer struct {
	b       *scoreBench
	rand    *rand.Rand
	stream  int
	mode    int
	verbs   bool
	hostile int // of 256: a packet is wrong
	ends    bool
	dead    bool
	sn      uint32
	rmsn    uint32
	queue   []scoreArrival // in the order of SN, not sent
	ids     map[uint32]uint64
	busy    int // sent and not accepted
	place   int
	short   bool // messages of one packet
	shares  bool // receives are those of a shared queue
}

func (p *scorePeer) open(mode int, verbs bool) {
	p.mode, p.verbs, p.sn, p.rmsn, p.queue, p.ids, p.ends, p.dead = mode, verbs, 1, 1, nil, map[uint32]uint64{}, false, false
	a := p.blank()
	a.Opens = true
	p.send(a)
}

// blank is an arrival with any value in what does not matter.
func (p *scorePeer) blank() scoreArrival {
	r := p.rand
	a := scoreArrival{SN: r.Uint32(), Verbs: p.verbs, Weak: p.mode == scoreWeak, Shares: p.shares}
	a.Opcode, a.Length, a.Rule = uint8(r.Uint32()), r.Uint32(), uint8(r.UintN(64))
	a.ID = r.Uint64()
	a.Received = scoreReceived{SourceQP: r.Uint32() >> 8, Word: r.Uint32(), Solicited: r.IntN(2) == 0, Status: uint8(r.UintN(16))}
	a.Request = p.request()
	return a
}

func (p *scorePeer) request() scoreRequest {
	r := p.rand
	return scoreRequest{Stream: p.stream, Kind: 2 + r.IntN(3), Number: r.IntN(3), STag: r.Uint32(), Address: r.Uint64(),
		CID: r.Uint32N(uint32(p.b.c.Streams)), RSN: r.Uint32(), SN: r.Uint32(), Remote: r.Uint32() >> 8, XRC: r.IntN(2) == 0, Verbs: r.IntN(2) == 0, Atomic: true, Adds: r.IntN(2) == 0,
		Length: r.Uint32N(1 << 16), Data: r.Uint64(), Compare: r.Uint64(), SinkVA: r.Uint64(), LKey: r.Uint32()}
}

// send sends an arrival after all others.
func (p *scorePeer) send(a scoreArrival) {
	r := p.rand
	if r.IntN(3) == 0 {
		p.place = r.IntN(512)
	}
	if a.Place, a.Request.Stream = p.place, p.stream; !a.Weak {
		a.Waits = r.IntN(2) == 0 // means nothing
	}
	p.busy++
	p.b.arrive(a)
}

func (p *scorePeer) answer(a *scoreArrival, reply uint8) {
	r := p.rand
	a.Answer = scoreAnswer{CID: r.Uint32N(uint32(p.b.c.Streams)), RSN: r.Uint32(), Reply: reply, Code: uint8(r.Uint32()), Timeout: uint8(r.UintN(32))}
	a.Push = r.IntN(2) == 0
}

func (p *scorePeer) id(rmsn uint32) uint64 {
	if p.ids[rmsn] == 0 {
		p.ids[rmsn] = p.rand.Uint64() | 1
	}
	return p.ids[rmsn]
}

// message queues the packets of a message.
func (p *scorePeer) message() {
	r := p.rand
	kind := r.IntN(10)
	if p.mode == scoreDatagrams {
		kind = 0
	}
	switch {
	case kind < 5 || p.short: // a Send
		p.pushes(true, true)
	case kind < 7:
		p.pushes(false, r.IntN(3) > 0)
	case kind < 8:
		a := p.blank()
		p.answer(&a, 1)
		a.Kind, a.Counts, a.Part.Pull = scorePull, true, true
		p.number(a)
	case p.mode == scoreWeak:
		a := p.blank()
		p.answer(&a, 1)
		p.waits(&a)
		p.number(a)
	}
}

// number queues an arrival with the next SN.
func (p *scorePeer) number(a scoreArrival) {
	a.SN = p.sn
	p.sn++
	p.queue = append(p.queue, a)
}

func (p *scorePeer) pushes(send, receives bool) {
	r := p.rand
	count := 1
	if !p.short && p.mode != scoreDatagrams && (p.mode != scoreUnordered || !receives) && r.IntN(2) == 0 {
		count += r.IntN(4)
	}
	rmsn, offset, refused := p.rmsn, uint32(0), false
	word := r.Uint32()
	for i := range count {
		a := p.blank()
		p.answer(&a, 1)
		a.Counts = true
		q := &a.Part
		q.Send, q.Write, q.Starts, q.Ends = send, !send, i == 0, i == count-1
		q.Receives = receives && (send || q.Ends)
		q.Octets = r.Uint32N(1 << 16)
		if r.IntN(8) == 0 {
			q.Octets = 0
		}
		q.Offset = offset
		if !q.Receives || !send || p.mode == scoreDatagrams {
			q.Offset = r.Uint32()
		}
		if offset += q.Octets; !q.Receives {
			q.Octets = r.Uint32N(1 << 16)
		}
		if q.Receives {
			q.RMSN, q.ID = rmsn, p.id(rmsn)
		} else {
			q.RMSN, q.ID, q.Status = r.Uint32(), r.Uint64(), uint8(r.UintN(16))
		}
		a.Received.Word = word
		q.Revokes = p.mode == scoreWeak && q.Ends && send && r.IntN(3) == 0
		if p.mode != scoreDatagrams && !p.verbs && r.IntN(12) == 0 {
			refused, q.Refused, a.Answer.Reply = true, true, 3
			if q.Receives {
				q.Status = uint8(2 + r.IntN(3))
			}
		} else if q.Ends && refused && q.Receives { // the end of a message in error (I-74)
			q.Status = 4
		}
		p.spoil(&a)
		p.number(a)
	}
	if receives {
		p.rmsn++
	}
}

// spoil makes a packet of a weakly ordered QP wrong, now and then.
func (p *scorePeer) spoil(a *scoreArrival) {
	r, q := p.rand, &a.Part
	if p.mode != scoreWeak || r.IntN(256) >= p.hostile {
		return
	}
	faults := 16
	if p.verbs { // octets that are missing end the QP, too
		faults = 32
	}
	switch r.IntN(faults) { // what only breaks the octets is frequent: the rest ends the QP at once
	default:
		q.Offset++
	case 0:
		q.Starts = !q.Starts
	case 1:
		q.Ends = !q.Ends
	case 2, 8, 9, 10:
		q.Offset += 1 << r.IntN(32)
	case 3, 11, 12:
		q.RMSN ^= 1 << r.IntN(16) // of a receive that is posted
	case 4:
		q.Send, q.Write = q.Write, q.Send
	case 5:
		q.Receives = !q.Receives
		q.RMSN = p.rmsn
	case 6:
		q.Send, q.Write, q.Receives = false, false, false
		q.Pull = r.IntN(2) == 0
	case 7, 13, 14, 15:
		q.Octets++
	}
	if !q.Receives {
		q.ID = r.Uint64()
	} else {
		q.ID = p.id(q.RMSN)
	}
}

// step sends one packet, if one may arrive.
func (p *scorePeer) step(reorder int) {
	r, b := p.rand, p.b
	q := b.qps[p.stream]
	if p.busy > 0 || p.dead {
		return
	}
	for len(p.queue) < 2*b.window() {
		p.message()
	}
	i := 0
	if p.mode == scoreWeak || p.mode == scoreUnordered {
		i = r.IntN(min(len(p.queue), max(1, reorder)))
		if r.IntN(4) > 0 && reorder > 1 { // the first one is late
			i = r.IntN(max(1, i))
			i = max(i, min(1, len(p.queue)-1))
		}
		if r.IntN(2*reorder) == 0 {
			i = 0
		}
	}
	a := p.queue[i]
	if p.mode == scoreWeak && a.SN-q.low >= uint32(b.window()) {
		a, i = p.queue[0], 0
	}
	if a.Part.Receives && !p.mayHave(a.Part.RMSN) {
		if i == 0 || p.mode != scoreUnordered {
			return
		}
		if a, i = p.queue[0], 0; a.Part.Receives && !p.mayHave(a.Part.RMSN) {
			return
		}
	}
	before := 0 // Atomics that must have a place before it
	for _, other := range p.queue[:i] {
		if other.Waits {
			before++
		}
	}
	if p.mode == scoreWeak && (a.Waits && before+p.atomics() >= b.c.IRD || a.Kind == scorePull && p.atomics() > 0 && (a.SN != q.low || len(q.effects) > 0)) {
		return
	}
	if r.IntN(20) == 0 { // not ready: arrives again
		again := p.blank()
		p.answer(&again, 2)
		again.Part = a.Part
		p.send(again)
		return
	}
	if r.IntN(20) == 0 { // a response, or one without effect
		again := p.blank()
		again.Weak = false
		if r.IntN(2) == 0 {
			again.Kind = scoreReturn
		}
		again.Part = a.Part
		p.send(again)
		return
	}
	p.queue = append(p.queue[:i:i], p.queue[i+1:]...)
	p.send(a)
}

// mayHave reports whether the receive with a number may be posted.
func (p *scorePeer) mayHave(rmsn uint32) bool {
	q := p.b.qps[p.stream]
	limit := uint32(min(p.b.c.ReceiveDepth, 256))
	return p.mode == scoreStrong || p.mode == scoreDatagrams || p.mode == scoreWeak || rmsn-1-q.used < limit
}

// end ends the QP, with a packet that is refused before it or without.
func (p *scorePeer) end() {
	if len(p.queue) > 0 && p.rand.IntN(2) == 0 && (p.mode == scoreStrong || p.mode == scoreWeak) && !p.queue[0].Part.Pull {
		a := p.queue[0]
		p.answer(&a, 4)
		if a.Part.Refused = true; a.Part.Receives {
			a.Part.Status = uint8(2 + p.rand.IntN(3))
		}
		p.send(a)
	}
	p.send(p.fails())
}
