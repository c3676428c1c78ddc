package replay

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// heardUntil returns the number of octets of a Send before the refused segment.
func (p *plan) heardUntil(e *end, m *message) (octets int) {
	for i := m.first; i < e.fatal; i++ {
		if e.said.of[i] == m {
			parts, _ := wire.ClassifyWith(e.x, e.segments[i])
			octets += len(parts.Payload)
		}
	}
	return octets
}

// refuse plans a segment that the peer refuses for the reason given in its Terminate.
func (p *plan) refuse(e *end, parts *wire.Segment, s *step) {
	to, payload := e.peer, e.peer.said.terminate
	h := &parts.Header
	forbid := func(stag uint32, at, octets uint64, right memory.Rights) {
		if octets == 0 {
			return
		}
		switch {
		case says(payload, outOfBounds...):
			p.use(to, stag, s).cover(at, octets-1, right)
		case says(payload, noRight...):
			p.use(to, stag, s).cover(at, octets, 0)
		case says(payload, notMine...):
			p.use(to, stag, s).owner.Owner = unusedDomain
		case says(payload, wraps...):
			p.use(to, stag, s).cover(at, 0, right)
		}
	}
	switch classOf(h.Opcode) {
	case spec.Write:
		forbid(h.STag, h.TO, uint64(len(parts.Payload)), memory.RemoteWrite)
	case spec.ReadRequest:
		var r wire.ReadRequest
		_ = r.Decode(parts.Payload) // the length is valid
		forbid(r.DataSourceSTag, r.DataSourceTO, uint64(r.ReadMessageSize), memory.RemoteRead)
	case spec.AtomicRequest:
		var r wire.AtomicRequest
		_ = r.Decode(parts.Payload)
		forbid(r.RemoteSTag, r.RemoteTO, memory.WordOctets, memory.RemoteAtomic)
	case spec.FlushRequest:
		var r wire.FlushRequest
		_ = r.Decode(parts.Payload)
		forbid(r.STag, r.TO, uint64(r.Length), flushRights(r.Flags))
	case spec.AtomicWriteRequest:
		var r wire.AtomicWriteRequest
		_ = r.Decode(parts.Payload)
		forbid(r.STag, r.TO, uint64(r.Length), memory.RemoteWrite)
	case spec.Send, spec.SendInvalidate:
		switch n := len(parts.Payload); {
		case len(to.receives) > 0 && !to.receives[len(to.receives)-1].complete: // its message already has a buffer
		case says(payload, tooLong...) && n > 0:
			p.expect(e, &message{opcode: h.Opcode}, n-1)
		case says(payload, badOffset...):
			p.expect(e, &message{opcode: h.Opcode}, n)
		}
		s.receives = len(to.receives)
	}
}

// unusedDomain is a protection domain without streams.
const unusedDomain = 0xFFFF
