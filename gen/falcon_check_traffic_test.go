package gen_test

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Regions of the node that falcon_check belongs to. Each area is 64 KiB.
const (
	checkDomain  = 9
	checkReceive = 0x10_0000             // receives
	checkRemote  = 0x20_0000             // what the peer writes and reads
	checkWords   = 0x30_0000             // its Atomics
	checkSink    = 0x40_0000             // responses
	checkSpare   = 0x50_0000             // may be invalidated
	checkVA      = 0xFFFF_FFFE_FFEF_7FC0 // a multiple of 2^32 lies inside a receive
)

func checkRegions() map[int]memory.Region {
	region := func(key uint8, at uint64, rights memory.Rights) memory.Region {
		return memory.Region{Valid: true, Key: key, Rights: rights, ByDomain: true, Owner: checkDomain, Base: checkVA + at, Length: 0x1_0000, Address: at}
	}
	list := map[int]memory.Region{
		1: region(1, checkReceive, memory.LocalWrite),
		2: region(2, checkRemote, memory.RemoteRead|memory.RemoteWrite|memory.LocalRead),
		3: region(3, checkWords, memory.RemoteAtomic),
		4: region(4, checkSink, memory.LocalWrite),
		5: region(5, checkSpare, memory.RemoteWrite|memory.RemoteRead|memory.Invalidate),
		6: region(6, checkSpare, memory.LocalWrite|memory.Invalidate),
		7: region(7, checkRemote, memory.RemoteRead|memory.RemoteWrite),
	}
	other := list[7]
	other.Owner = checkDomain + 1
	list[7] = other
	words := list[3]
	words.Base += 4 // only some of its octets are aligned
	words.Address += 4
	list[3] = words
	return list
}

func checkKey(index int) uint32 { return uint32(index)<<8 | uint32(index) }

// checkPeer sends to a QP.
type checkPeer struct {
	*rand.Rand
	b       *checkBench
	q       model.QPConfig
	hostile int // out of 256: a field of a packet is changed
	only    []spec.Kind
	plain   bool  // no Immediate Data, no R-Key
	spoils  []int // these fields; nil: any
	queues  int   // that exist

	state checkNumbers
	sent  []checkSent // since the last settling
	again []checkSent // got RNR
}

// checkNumbers are those of the next packet.
type checkNumbers struct {
	sn, rmsn, pull uint32
	kind           spec.Kind // of the message that has begun
	offset         uint32
	suffix         spec.Suffix
	parts, first   int // that have not arrived, of so many
}

type checkSent struct {
	octets []byte
	typ    spec.PacketType
	rsn    uint32
	before checkNumbers
}

// rows of the QP's packet types from the initiator.
func (p *checkPeer) row(k spec.Kind, at spec.Position, x spec.Suffix) *spec.Operation {
	t := spec.PushRequest
	if k&(spec.Read|spec.Atomic) != 0 {
		t, at = spec.PullRequest, spec.Only
	}
	return spec.Find(p.q.Type.Service(), t, k, at, x)
}

// kinds are those of its messages.
func (p *checkPeer) kinds() []spec.Kind {
	if p.only != nil {
		return p.only
	}
	return []spec.Kind{spec.Send, spec.Send, spec.Write, spec.Write, spec.Read, spec.CmpSwap, spec.FetchAdd}
}

// next is the next packet of an honest peer.
func (p *checkPeer) next() (out packet.Packet, row *spec.Operation) {
	s := &p.state
	mtu := p.q.MTU
	pick := func(list ...spec.Kind) spec.Kind { return list[p.IntN(len(list))] }
	if s.parts == 0 {
		s.kind, s.offset, s.suffix = pick(p.kinds()...), 0, spec.Suffix(p.IntN(3))
		s.parts = 1 + p.IntN(3)
		if p.q.Type == spec.QPUD {
			s.kind = spec.Send
		}
		if p.plain || s.kind == spec.Write && s.suffix == spec.Invalidate || s.kind&(spec.Read|spec.Atomic) != 0 || s.suffix == spec.Invalidate && (p.q.Type == spec.QPUD || p.q.Ordering == spec.Weak) {
			s.suffix = spec.Plain
		}
		if s.kind&(spec.Read|spec.Atomic) != 0 || p.q.Type == spec.QPUD || p.q.Ordering == spec.Unordered && (s.kind == spec.Send || s.suffix == spec.Immediate) {
			s.parts = 1
		}
		s.first = s.parts
	}
	position := spec.Middle
	switch {
	case s.parts == 1 && s.first == 1:
		position = spec.Only
	case s.parts == 1:
		position = spec.Last
	case s.parts == s.first:
		position = spec.First
	}
	suffix := spec.Plain
	if position&spec.Ends != 0 {
		suffix = s.suffix
	}
	row = p.row(s.kind, position, suffix)
	out = packet.New(row)
	out.DestinationQP, out.SN, out.RMSN, out.QKey, out.SourceQP, out.Offset = p.q.Number, s.sn, s.rmsn, p.q.QKey, 77, s.offset
	out.SRQ = p.Uint32N(uint32(p.queues) + 1)
	if p.IntN(20) == 0 {
		out.SRQ ^= 1 << p.IntN(24)
	}
	n := mtu
	if position&spec.Ends != 0 {
		n = []int{mtu, 1, p.IntN(mtu + 1), 4 * p.IntN(mtu/4+1)}[p.IntN(4)]
		if position == spec.Last {
			n = max(1, n)
		}
	}
	out.SE = p.IntN(2) == 0
	key, at := 2, uint64(checkRemote)
	if s.kind == spec.Write && p.IntN(8) == 0 {
		key, at = 5, checkSpare
	}
	out.Invalidate, out.Immediate = checkKey(5+p.IntN(2)), p.Uint32()
	if out.Payload = make([]byte, n); row.Packet == spec.PullRequest {
		out.Payload, out.RMSN = nil, s.pull
		out.SinkVA, out.SinkKey = p.Uint64(), p.Uint32()
		out.Data, out.Compare = p.Uint64(), p.Uint64()
	}
	for i := range out.Payload {
		out.Payload[i] = byte(p.Uint32())
	}
	out.VA, out.RKey, out.Length = checkVA+at+uint64(p.IntN(0x1_0000-mtu+1)), checkKey(key), uint32(n)
	if s.kind&spec.Atomic != 0 {
		out.VA, out.RKey = checkVA+checkWords+8*uint64(1+p.IntN(64)), checkKey(3)
	}
	s.sn++
	s.offset += uint32(mtu)
	s.parts--
	switch {
	case row.Packet == spec.PullRequest:
		s.pull++
	case row.Receives() && position&spec.Ends != 0:
		s.rmsn++
	}
	return out, row
}

// spoil changes a field.
func (p *checkPeer) spoil(x *packet.Packet, row **spec.Operation) {
	near := func(n uint32) uint32 {
		return n + []uint32{1, 2, 4, 8, 0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFC, 0xFFFF_FFF8, 1 << 31, 0x8000_0001}[p.IntN(10)]
	}
	field := p.IntN(18)
	if (*row).Kind&spec.Atomic != 0 && p.IntN(3) == 0 {
		field = 15 // alignment
	}
	if p.spoils != nil {
		field = p.spoils[p.IntN(len(p.spoils))]
	}
	switch field {
	case 0:
		x.SN = near(x.SN)
	case 1:
		x.RMSN = near(x.RMSN)
	case 2:
		x.Offset = []uint32{near(x.Offset), x.Offset + uint32(p.q.MTU)*near(0)}[p.IntN(2)]
	case 3:
		x.Length = near(x.Length)
	case 4:
		x.VA += []uint64{1, 0x1_0000, 1 << 32, 1 << 63, ^uint64(0)}[p.IntN(5)]
	case 5:
		x.RKey = checkKey(p.IntN(9))
	case 6:
		x.RKey = []uint32{x.RKey ^ 1, checkKey(7)}[p.IntN(2)]
	case 7:
		x.Payload = make([]byte, p.IntN(2*p.q.MTU))
	case 8:
		x.CE = true
	case 9:
		x.Version ^= 1 << p.IntN(4)
	case 10:
		x.DestinationQP ^= 1 << p.IntN(24)
	case 11:
		x.QKey ^= 1 << p.IntN(32)
	case 12:
		x.Opcode ^= 1 << p.IntN(8)
	case 13:
		*row = &spec.Operations[p.IntN(len(spec.Operations))]
		x.Opcode = (*row).Opcode
	case 17: // another place in a message
		at := []spec.Position{spec.First, spec.Middle, spec.Last, spec.Only}[p.IntN(4)]
		if other := spec.Find(p.q.Type.Service(), spec.PushRequest, []spec.Kind{spec.Send, spec.Write}[p.IntN(2)], at, spec.Plain); other != nil {
			*row, x.Opcode = other, other.Opcode
		}
	case 15:
		x.VA += 1 + p.Uint64N(8)
	case 16:
		x.VA = -p.Uint64N(16)
	case 14:
		x.Invalidate = checkKey(p.IntN(9)) ^ p.Uint32N(2)
	}
	if o, known := x.Opcode.Operation(); known && o.Suffix == spec.Invalidate && p.q.Ordering == spec.Weak { // falcon_order invalidates
		x.Opcode = 0xFF
	}
}

// waits reports whether the next SN would be beyond the window if the oldest request that may arrive again does.
func (p *checkPeer) waits() bool {
	if p.hostile > 0 || p.queues == 0 || p.q.Ordering != spec.Weak {
		return false
	}
	low := p.state.sn
	for _, s := range append(p.again[:len(p.again):len(p.again)], p.sent...) {
		low = min(low, s.before.sn)
	}
	return p.state.sn-low >= uint32(p.b.c.Profile.(falcon.Profile).Window)
}

// packet sends a packet: the next one, or one that got RNR.
func (p *checkPeer) packet(rsn uint32) {
	waits := p.waits()
	if waits && len(p.again) == 0 {
		return
	}
	before := p.state
	sent := checkSent{rsn: rsn}
	cid := p.q.CID
	if len(p.again) > 0 && (waits || p.IntN(2) == 0) {
		sent.octets, sent.typ, sent.before = p.again[0].octets, p.again[0].typ, p.again[0].before
		p.again = p.again[1:]
	} else {
		x, row := p.next()
		hostile := p.IntN(256) < p.hostile
		if hostile {
			p.spoil(&x, &row)
		}
		opcode := x.Opcode
		if _, known := opcode.Operation(); !known {
			x.Opcode = row.Opcode
		}
		sent.octets, sent.typ, sent.before = x.Encode(nil, p.b.order()), row.Packet, before
		spec.RBTH.Table(p.b.order()).MustField("opcode").Set(sent.octets, uint64(opcode))
		if hostile && p.IntN(8) == 0 {
			sent.octets = sent.octets[:p.IntN(len(sent.octets)+1)]
		}
		if hostile && p.IntN(16) == 0 {
			cid ^= 1
		}
		if hostile && p.IntN(16) == 0 {
			sent.typ = []spec.PacketType{spec.PushRequest, spec.PullRequest}[p.IntN(2)]
		}
	}
	if _, connected := p.b.cids[cid]; sent.typ == spec.PullData && !connected {
		sent.typ = spec.PushRequest
	}
	p.sent = append(p.sent, sent)
	p.b.packet(checkPacket{falconTransaction{Type: sent.typ, RSN: sent.rsn, CID: cid}, sent.octets})
}

// settled looks at the answers: what got RNR is sent again.
func (p *checkPeer) settled(answers map[uint32]spec.Reply) {
	for _, s := range p.sent {
		if answers[s.rsn] != spec.RNR {
			continue
		}
		if p.q.Ordering == spec.Strong && p.q.Type.Connected() {
			p.state = s.before
			break
		}
		p.again = append(p.again, s)
	}
	p.sent = nil
}
