package scenario

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Segments sent directly by a scenario.

func (s *stage) write(stream uint32, a *area, octets []byte) {
	to := a.next(len(octets), 1)
	s.touches(stream, a, to, len(octets))
	s.Send(stream, wire.AppendWrite(nil, a.stag(), to, true, octets))
}

func (s *stage) send(stream uint32, octets []byte) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, r.send, 0, true, octets))
	r.send++
}

func (s *stage) immediate(stream uint32) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendImmediate(nil, false, r.send, s.rand.Uint64()))
	r.send++
}

func (s *stage) read(stream uint32, a *area, to uint64, octets uint32) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendReadRequest(nil, r.request, wire.ReadRequest{DataSinkSTag: s.rand.Uint32(), DataSinkTO: s.rand.Uint64() >> 8,
		ReadMessageSize: octets, DataSourceSTag: a.stag(), DataSourceTO: to}))
	r.request++
}

func (s *stage) fetchAdd(stream uint32, a *area, to uint64) {
	r := s.raw[stream]
	s.touches(stream, a, to, memory.WordOctets)
	s.Send(stream, wire.AppendAtomicRequest(nil, r.request, wire.NewFetchAdd(s.rand.Uint32(), a.stag(), to, s.rand.Uint64(), s.rand.Uint64())))
	r.request++
}

// sendInvalid sends a segment that ends its stream.
func (s *stage) sendInvalid(stream uint32) {
	s.may(stream)
	s.Send(stream, []byte{0})
}
