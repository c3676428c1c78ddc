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
func recordBeatOf(stream int, segment []byte) recordBeat { return recordBeatWith(0, stream, segment) }

// recordBeatWith is recordBeatOf with extensions.
func recordBeatWith(x spec.Extensions, stream int, segment []byte) recordBeat {
	s, kind := wire.ClassifyWith(x, segment)
	b := recordBeat{Stream: stream, Rule: kind, SegmentLength: len(segment), Header: padded(segment[:min(len(segment), rdmap.HeaderOctets)])}
	if m, known := x.Operation(s.Header.Opcode); known && m.CarriesPayload && (kind == spec.None || kind > spec.WrongQueue) {
		b.PayloadLength = len(s.Payload)
	}
	return b
}

// meaning keeps the fields of a delivery that are defined for its kind.
func (d rxDelivery) meaning(x spec.Extensions) rxDelivery {
	m, q := rxDelivery{Kind: d.Kind, Place: d.Place, Queue: d.Queue}, d.Request
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
		switch d.Opcode {
		case wire.OpAtomicResponse:
			m.Request.Body = q.Body[4:12]
		case wire.OpVerifyResponse:
			m.Request.Differs = q.Differs
		}
	case engine.DeliverRequest:
		m.Opcode, m.Request.Kind, m.Request.Number, m.Request.STag, m.Request.Address = d.Opcode, q.Kind, q.Number, q.STag, q.Address
		row, _ := x.Operation(d.Opcode)
		octets := row.FixedLength
		if x != 0 {
			m.Request.SegmentLength, m.Request.Control, m.Request.Msn, m.Request.InvalidateSTag = q.SegmentLength, q.Control, q.Msn, q.InvalidateSTag
			octets = q.SegmentLength - 18
		}
		m.Request.Body = q.Body[:min(octets, len(q.Body))]
		if row.GetsReply() {
			m.Request.ResponseMsn = q.ResponseMsn
		}
		switch {
		case row.Class&spec.Committing != 0:
			m.Request.Type, m.Request.Algorithm = q.Type, q.Algorithm
		case d.Opcode == wire.OpReadRequest && slices.Equal(q.Body[12:16], make([]byte, 4)): // of 0 octets
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
