package gen_test

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// receive processes Sends and Immediate Data.
func (w *rxReference) receive(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st, h := &w.streams[stream], s.Header
	isSend := h.Opcode != wire.OpImmediate && h.Opcode != wire.OpImmediateSE
	invalidates := h.Last && (h.Opcode == wire.OpSendInv || h.Opcode == wire.OpSendSEInv)
	length := uint32(len(s.Payload))
	switch {
	case h.MSN != st.receiveMsn:
		terminate(spec.MSNOutOfRange)
		return
	case len(st.posted) == 0:
		terminate(spec.NoReceiveBuffer)
		return
	case h.MO != st.octets:
		terminate(spec.WrongMO)
		return
	case st.within && st.opcode != h.Opcode:
		terminate(spec.OpcodeChanges)
		return
	case !st.within && (st.writing || st.reading):
		terminate(spec.Interleaved)
		return
	}
	request := st.posted[0]
	if isSend {
		if uint64(st.octets)+uint64(length) > uint64(request.Length) {
			terminate(spec.MessageTooLong)
			return
		}
		address, broken, _, _ := w.region(stream, request.STag, request.TO+uint64(st.octets), length, model.LocalWrite)
		if broken {
			terminate(spec.Local)
			return
		}
		if invalidates && !w.table.MayInvalidate(w.peer(stream), h.InvalidateSTag) {
			terminate(spec.CannotInvalidate)
			return
		}
		if length > 0 {
			w.place(placementBeat{Stream: stream, Address: address, Length: int(length)})
		}
		st.octets += length
		st.within, st.opcode = !h.Last, h.Opcode
		if !h.Last {
			return
		}
	}
	d := w.delivery(engine.DeliverReceive, stream)
	d.ID, d.Opcode, d.Length = request.ID, h.Opcode, st.octets
	if !isSend {
		d.Length, d.Request.Body = 8, slices.Clone(s.Payload)
	}
	if invalidates {
		row := w.rows[h.InvalidateSTag>>8]
		row.Valid = false
		w.row(h.InvalidateSTag>>8, row)
		w.invalidates = append(w.invalidates, h.InvalidateSTag>>8)
		w.invalidated++
		d.Request.STag = h.InvalidateSTag
		d.Place = w.number % 512 // the latest placement of any stream
	}
	if isSend {
		w.complete(stream, &d)
	}
	w.deliveries = append(w.deliveries, d)
	st.posted, st.octets = st.posted[1:], 0
	st.receiveMsn++
}

func (w *rxReference) readResponse(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st, h, length := &w.streams[stream], s.Header, uint32(len(s.Payload))
	if len(st.asked) == 0 || st.asked[0].Executor != executorRead {
		terminate(spec.UnexpectedResponse)
		return
	}
	if !st.reading && (st.within || st.writing) {
		terminate(spec.Interleaved)
		return
	}
	read := st.asked[0]
	missing := read.Length - st.received
	address, outside, rule, _ := w.region(stream, h.STag, h.TO, length, model.LocalWrite)
	switch {
	case length > missing:
		terminate(spec.ReadTooLong)
	case h.Last != (length == missing):
		terminate(spec.WrongReadLast)
	case length > 0 && h.STag != read.STag:
		terminate(spec.WrongSinkSTag)
	case length > 0 && h.TO != read.TO+uint64(st.received):
		terminate(spec.WrongSinkTO)
	case outside:
		terminate(rule)
	default:
		if length > 0 {
			w.place(placementBeat{Stream: stream, Address: address, Length: int(length)})
		}
		st.received += length
		st.reading = !h.Last
		if h.Last {
			d := w.delivery(engine.DeliverResponse, stream)
			d.Opcode = h.Opcode
			w.complete(stream, &d)
			w.deliveries = append(w.deliveries, d)
			st.asked, st.received = st.asked[1:], 0
		}
	}
}
