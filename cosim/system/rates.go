package system

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// manyStreams is the most streams of messages on many streams.
const manyStreams = 16

// rates measures cycles per message.
func (m *measurement) rates() {
	m.delays.OneStream = m.ratesOn(1)
	m.delays.ManyStreams = m.ratesOn(min(manyStreams, m.config.Streams))
}

func (m *measurement) ratesOn(streams int) (r Rates) {
	c := m.config
	out := func(op wire.Opcode, each int) float64 {
		m.post(m.messages(op, streams, each, true)...)
		return m.perMessage("m_axis_tx", streams*each)
	}
	r.WritesOut, r.SendsOut = out(spec.Write.Opcode(), c.SendDepth), out(spec.Send.Opcode(), min(c.SendDepth, c.ReceiveDepth))
	r.ReadsOut, r.AtomicsOut = out(spec.ReadRequest.Opcode(), min(c.SendDepth, c.ORD)), out(spec.AtomicRequest.Opcode(), min(c.SendDepth, c.ORD))
	in := func(stream string, op wire.Opcode, each int, apart bool) float64 {
		m.arrive(m.messages(op, streams, each, apart)...)
		return m.perMessage(stream, streams*each)
	}
	requests := min(c.IRD, c.ORD)
	r.WritesIn, r.SendsIn = in("m_axi_w", spec.Write.Opcode(), c.SendDepth, true), in("m_axi_w", spec.Send.Opcode(), min(c.SendDepth, c.ReceiveDepth), true)
	r.ReadsIn = in("m_axis_tx", spec.ReadRequest.Opcode(), requests, true)
	r.AtomicsIn, r.OneWordIn = in("m_axis_tx", spec.AtomicRequest.Opcode(), requests, true), in("m_axis_tx", spec.AtomicRequest.Opcode(), requests, false)
	return r
}

// messages returns a number of messages of each stream, in turn; apart, if each is of another line of memory.
func (m *measurement) messages(op wire.Opcode, streams, each int, apart bool) (list []rdmap.WorkRequest) {
	for i := range streams * each {
		w := m.request(op, shortOctets)
		w.Stream = uint32(i % streams)
		if at := uint64(i * m.config.BusBytes); apart && op != spec.Immediate.Opcode() {
			w.Local.TO += at
			if op != spec.Send.Opcode() {
				w.Remote.TO += at
			}
		}
		list = append(list, w)
	}
	return list
}

// ahead measures how far the hardware reads ahead.
func (m *measurement) ahead() {
	m.delays.ReadAhead = m.linesAhead(m.config.MaxPayload)
	m.delays.ReadAheadShort = m.linesAhead(shortOctets)
}

// linesAhead returns the lines of messages of a length that are read while nothing may leave: of as many as there is room for on all
// streams.
func (m *measurement) linesAhead(octets int) int {
	m.do(m.settle)
	m.do(m.clear)
	for _, w := range m.messages(spec.Write.Opcode(), m.config.Streams, m.config.SendDepth, false) {
		w.Length = uint32(octets)
		m.work = append(m.work, w)
	}
	m.blocked = true
	m.do(func() error { return m.run(aheadCycles) })
	lines := len(m.log["m_axi_r"])
	m.blocked = false
	m.do(m.settle)
	return lines
}

// aheadCycles is more than it takes until the hardware reads no more.
const aheadCycles = 8192
