package replay

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// take plans the next segment of an end.
func (p *plan) take(e *end) {
	i := e.taken
	e.taken++
	s := &step{from: e, to: e.peer, segment: bytes.Clone(e.segments[i]), deliver: true}
	p.steps = append(p.steps, s)
	parts, kind := wire.ClassifyWith(p.config.Protocol(), s.segment)
	s.opcode = parts.Header.Opcode
	p.hear(e, &parts, kind)
	m := e.said.of[i]
	if m != nil && m.first == i {
		p.post(e, m, s)
	}
	switch {
	case i > e.fatal: // the peer accepts no more
	case i == e.fatal:
		s.alone, e.peer.dies, e.peer.silent = true, true, true
		if e.peer.said.terminate != nil && kind == spec.None {
			p.refuse(e, &parts, s)
		}
	case is(s.opcode, spec.Terminate):
		s.alone, e.silent, e.peer.silent = true, true, true
	default:
		p.accept(e, m, &parts, s)
	}
	if !s.deliver {
		p.report.SegmentsLeftOut++
	}
}

// hear records the STags that a segment names.
func (p *plan) hear(e *end, parts *wire.Segment, kind spec.Rule) {
	if kind != spec.None {
		return
	}
	note := func(e *end, stag uint32) { p.nodes[e.node].heard[stag>>8] = true }
	h := &parts.Header
	switch {
	case h.Tagged:
		note(e.peer, h.STag)
	case is(h.Opcode, spec.ReadRequest):
		var r wire.ReadRequest
		_ = r.Decode(parts.Payload)
		note(e, r.DataSinkSTag)
		note(e.peer, r.DataSourceSTag)
	case is(h.Opcode, spec.AtomicRequest):
		var r wire.AtomicRequest
		_ = r.Decode(parts.Payload)
		note(e.peer, r.RemoteSTag)
	case is(h.Opcode, spec.FlushRequest|spec.AtomicWriteRequest):
		var r wire.FlushRequest
		_ = r.Decode(parts.Payload[:wire.FlushRequestTable.Octets]) // the data of an Atomic Write are not needed
		note(e.peer, r.STag)
	}
	if invalidates(h) {
		note(e.peer, h.InvalidateSTag)
	}
}

// use finds the region of an STag on a host.
func (p *plan) use(e *end, stag uint32, s *step) *region {
	g, anew := p.nodes[e.node].use(name{host: e.host, index: stag >> 8}, stag)
	if !g.owner.ByDomain {
		g.owner = memory.Region{ByDomain: true, Owner: p.domains[e.host]}
	}
	if anew {
		s.register = append(s.register, placed{e.node, g})
	}
	return g
}

// local returns a buffer of an end that does not appear on the wire.
func (p *plan) local(e *end, right memory.Rights) *region {
	g, _ := p.nodes[e.node].use(name{local: e, right: right}, uint32(right))
	g.owner = memory.Region{Owner: uint16(e.stream)}
	return g
}

// room allocates octets in a local buffer, at a TO of any alignment, with a gap before the next allocation.
func (g *region) room(octets uint64, right memory.Rights) uint64 {
	to := uint64(0x10000)
	if g.some {
		to = g.high + 14
	}
	g.cover(to, max(octets, 1), right)
	return to
}

// post plans the work request of a message of an end.
func (p *plan) post(e *end, m *message, s *step) {
	if is(m.opcode, spec.Responses|spec.Terminate) {
		return
	}
	if e.silent || !m.complete || m.last >= e.said.unlike {
		e.silent = true
		return
	}
	w := &work{message: m}
	switch {
	case is(m.opcode, spec.ReadRequest):
		if m.read.ReadMessageSize > 0 {
			p.use(e, m.read.DataSinkSTag, s).cover(m.read.DataSinkTO, uint64(m.read.ReadMessageSize), memory.LocalWrite)
		}
	case is(m.opcode, spec.AtomicRequest):
		e.buffers = p.local(e, memory.LocalWrite)
		w.to = e.buffers.room(memory.WordOctets, memory.LocalWrite)
	case is(m.opcode, spec.FlushRequest|spec.AtomicWriteRequest):
	case !isImmediate(m.opcode):
		e.source = p.local(e, memory.LocalRead)
		w.to = e.source.room(uint64(len(m.octets)), memory.LocalRead)
		e.source.read(w.to, m.octets)
	}
	if m.isRequest() {
		e.asking = append(e.asking, w)
	}
	s.work = w
	e.work = append(e.work, w)
}

// accept plans a segment that the receiver accepts.
func (p *plan) accept(e *end, m *message, parts *wire.Segment, s *step) {
	h, to := &parts.Header, e.peer
	s.places = len(parts.Payload) > 0 && !is(h.Opcode, spec.Requests)
	switch classOf(h.Opcode) {
	case spec.Write:
		if len(parts.Payload) > 0 {
			g := p.use(to, h.STag, s)
			g.cover(h.TO, uint64(len(parts.Payload)), memory.RemoteWrite)
			g.write(h.TO, parts.Payload)
		}
	case spec.ReadRequest, spec.AtomicRequest, spec.FlushRequest, spec.AtomicWriteRequest:
		p.serve(e, m, s)
		p.invalidate(to, h, s)
	case spec.ReadResponse, spec.AtomicResponse, spec.FlushResponse, spec.AtomicWriteResponse:
		p.answer(e, m, parts, s)
	default:
		p.receive(e, m, parts, s)
	}
}

// serve plans a request of the peer.
func (p *plan) serve(e *end, m *message, s *step) {
	to := e.peer
	var answer *message
	if m.number < len(to.said.responses) {
		answer = to.said.responses[m.number]
	}
	if is(m.opcode, spec.ReadRequest) {
		r := &m.read
		if r.ReadMessageSize == 0 {
			return
		}
		g := p.use(to, r.DataSourceSTag, s)
		g.cover(r.DataSourceTO, uint64(r.ReadMessageSize), memory.RemoteRead)
		if answer != nil && is(answer.opcode, spec.ReadResponse) {
			p.holds(to, g, r.DataSourceTO, answer.octets[:min(len(answer.octets), int(r.ReadMessageSize))], s)
		}
		return
	}
	switch classOf(m.opcode) {
	case spec.FlushRequest:
		if f := &m.flush; f.Length > 0 {
			p.use(to, f.STag, s).cover(f.TO, uint64(f.Length), flushRights(f.Flags))
		}
		return
	case spec.AtomicWriteRequest:
		g := p.use(to, m.store.STag, s)
		g.cover(m.store.TO, memory.WordOctets, memory.RemoteWrite)
		octets := binary.BigEndian.AppendUint64(nil, m.store.Data)
		if p.config.HostOrder() {
			slices.Reverse(octets)
		}
		g.write(m.store.TO, octets)
		return
	}
	a := &m.atomic
	g := p.use(to, a.RemoteSTag, s)
	g.cover(a.RemoteTO, memory.WordOctets, memory.RemoteAtomic)
	original := g.word(a.RemoteTO)
	if answer != nil && is(answer.opcode, spec.AtomicResponse) {
		original = answer.response.OriginalRemoteDataValue
		p.holds(to, g, a.RemoteTO, binary.LittleEndian.AppendUint64(nil, original), s)
	}
	result := atomic.Execute(a.AOpCode, original, a.Data, a.Mask, a.CompareData, a.CompareMask)
	g.write(a.RemoteTO, binary.LittleEndian.AppendUint64(nil, result))
}

// flushRights are the rights that a Flush needs.
func flushRights(flags wire.Disposition) (r memory.Rights) {
	if flags&wire.Persistence != 0 {
		r |= memory.FlushPersistent
	}
	if flags&wire.GlobalVisibility != 0 {
		r |= memory.FlushVisible
	}
	return r
}

// holds infers memory contents from a response that was read from it.
func (p *plan) holds(e *end, g *region, to uint64, octets []byte, s *step) {
	known, stored := g.read(to, octets)
	p.report.ReadOctets += len(octets)
	p.report.ReadOctetsKnown += known
	if stored {
		s.stores = append(s.stores, store{placed{e.node, g}, to, octets})
		p.report.HostStores++
	}
}

// answer plans a response to a request of the receiver.
func (p *plan) answer(e *end, m *message, parts *wire.Segment, s *step) {
	to := e.peer
	if m.number >= len(to.said.asked) { // unsolicited: the engine refuses it
		s.deliver = len(to.said.asked) == len(to.asking)
		return
	}
	if s.deliver = m.number < len(to.asking); !s.deliver {
		return
	}
	s.requested = m.number + 1
	w := to.asking[m.number]
	h := &parts.Header
	switch r := &w.message.read; {
	case w.message.opcode != m.opcode-1: // the engine refuses it
	case is(m.opcode, spec.AtomicResponse):
		to.buffers.write(w.to, binary.LittleEndian.AppendUint64(nil, m.response.OriginalRemoteDataValue))
		w.answered = true
	case is(m.opcode, spec.FlushResponse|spec.AtomicWriteResponse):
		w.answered = true
	case len(parts.Payload) == 0:
		w.answered = h.Last
	case h.STag == r.DataSinkSTag && h.TO-r.DataSinkTO < uint64(r.ReadMessageSize):
		p.use(to, h.STag, s).write(h.TO, parts.Payload)
		w.answered = h.Last
	}
}

// receive plans a segment of a Send, or Immediate Data.
func (p *plan) receive(e *end, m *message, parts *wire.Segment, s *step) {
	to := e.peer
	if m.first == e.taken-1 {
		length := len(m.octets)
		if e.fatal <= m.last { // a later segment of it is refused
			length = p.heardUntil(e, m)
		}
		p.expect(e, m, length)
	}
	s.receives = len(to.receives)
	r := to.receives[len(to.receives)-1]
	h := &parts.Header
	if !isImmediate(h.Opcode) {
		to.buffers.write(r.to+uint64(h.MO), parts.Payload)
	}
	if !h.Last {
		return
	}
	r.complete = true
	p.invalidate(to, h, s)
}

// invalidate ends the region of an end that a message invalidates, if any.
func (p *plan) invalidate(e *end, h *wire.DDPHeader, s *step) {
	if !invalidates(h) {
		return
	}
	g := p.use(e, h.InvalidateSTag, s)
	g.cover(0, 0, memory.Invalidate)
	g.ended = true
}

// expect posts a receive request at the peer of an end.
func (p *plan) expect(e *end, m *message, length int) {
	to := e.peer
	to.buffers = p.local(to, memory.LocalWrite)
	octets := length
	if isImmediate(m.opcode) {
		octets = 0
	}
	to.receives = append(to.receives, &receive{message: m, to: to.buffers.room(uint64(octets), memory.LocalWrite), length: uint32(octets)})
}
