package gen_test

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

type (
	recordBeat struct {
		Stream        int
		Rule          spec.Rule
		SegmentLength int
		PayloadLength int
		Header        []byte
	}
	creditBeat struct {
		Stream int
		Number uint32
	}
	postBeat struct {
		Stream int
		ID     uint64
		STag   uint32
		TO     uint64
		Length uint32
	}
	placementBeat struct {
		Stream          int
		Discard, Inline bool
		Address         uint64
		Length          int
		Data            uint64
	}
	deliveryBeat          deliveryBeatOf[inboundRequestBeat]
	deliveryBeatOf[R any] struct {
		Kind    oneHot
		Place   int
		ID      uint64
		Opcode  wire.Opcode
		Length  uint32
		Rule    spec.Rule
		Queue   queuePlaceBeat
		Request R
	}
	queuePlaceBeat struct{ Waits, First, Releases bool }
)

// recordBeatOf returns the parser's record of a segment.
func recordBeatOf(stream int, segment []byte) recordBeat {
	s, kind := wire.Classify(segment)
	b := recordBeat{Stream: stream, Rule: kind, SegmentLength: len(segment), Header: padded(segment[:min(len(segment), rdmap.HeaderOctets)])}
	if m, known := s.Header.Opcode.Operation(); known && m.CarriesPayload && (kind == spec.None || kind > spec.WrongQueue) {
		b.PayloadLength = len(s.Payload)
	}
	return b
}

// meaning keeps the fields of a delivery that are defined for its kind.
func (d deliveryBeat) meaning() deliveryBeat {
	m, q := deliveryBeat{Kind: d.Kind, Place: d.Place, Queue: d.Queue}, d.Request
	m.Request.Stream = q.Stream
	switch d.Kind {
	case engine.DeliverReceive:
		m.ID, m.Opcode, m.Length = d.ID, d.Opcode, d.Length
		if d.Opcode == wire.OpImmediate || d.Opcode == wire.OpImmediateSE {
			m.Request.Body = q.Body[:8]
		} else {
			m.Request.STag = q.STag
		}
	case engine.DeliverResponse:
		m.Opcode = d.Opcode
		if d.Opcode == wire.OpAtomicResponse {
			m.Request.Body = q.Body[4:12]
		}
	case engine.DeliverRequest:
		m.Opcode, m.Request.Kind, m.Request.Number, m.Request.STag, m.Request.Address = d.Opcode, q.Kind, q.Number, q.STag, q.Address
		m.Request.Body = q.Body[:28]
		if q.Kind == kindAtomic {
			m.Request.ResponseMsn, m.Request.Body = q.ResponseMsn, q.Body
		} else if slices.Equal(q.Body[12:16], make([]byte, 4)) { // of 0 octets
			m.Request.STag, m.Request.Address = 0, 0
		}
	case engine.DeliverEnd:
		m.Rule, m.Request.Kind, m.Request.Term, m.Request.HeaderLength = d.Rule, q.Kind, q.Term, q.HeaderLength
		if q.HeaderLength > 0 {
			m.Request.SegmentLength, m.Request.Body = q.SegmentLength, q.Body[:q.HeaderLength]
		}
	case engine.DeliverClose:
		m.Request.Kind, m.Request.Term = q.Kind, q.Term
	}
	return m
}

// meaning keeps the fields of a placement that are defined for its kind.
func (p placementBeat) meaning() placementBeat {
	if p.Discard {
		p.Inline, p.Address = false, 0
	}
	if !p.Inline {
		p.Data = 0
	}
	return p
}
