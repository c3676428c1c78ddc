package gen_test

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// named returns the memory that a request names, and the rule that the request alone breaks.
func (w *rxReference) named(opcode wire.Opcode, payload []byte) (q rxTarget, alone spec.Rule) {
	sink := func(s wire.Sink, right model.Rights) { q = rxTarget{s.STag, s.TO, s.Length, right, true} }
	switch opcode {
	case wire.OpReadRequest:
		var r wire.ReadRequest
		_ = r.Decode(payload)
		q = rxTarget{stag: r.DataSourceSTag, to: r.DataSourceTO, length: r.ReadMessageSize, right: model.RemoteRead}
	case wire.OpAtomicRequest:
		var r wire.AtomicRequest
		_ = r.Decode(payload)
		q = rxTarget{stag: r.RemoteSTag, to: r.RemoteTO, length: model.WordOctets, right: model.RemoteAtomic}
		if r.AOpCode != wire.FetchAdd && r.AOpCode != wire.CmpSwap && !(r.AOpCode == wire.Swap && draft00(w.c)) {
			alone = spec.AOpCodeNotSupported
		}
	case wire.OpFlushRequest:
		var r wire.FlushRequest
		_ = r.Decode(payload)
		sink(r.Sink, flushRights(r.Flags))
		if !r.Flags.Valid() {
			alone = spec.FlushFlags
		}
	case wire.OpVerifyRequest:
		var r wire.VerifyRequest
		_ = r.Decode(payload)
		sink(r.Sink, model.Verifiable)
	case wire.OpAtomicWriteRequest:
		var r wire.AtomicWriteRequest
		_ = r.Decode(payload)
		sink(r.Sink, model.RemoteWrite)
		if r.Length != model.WordOctets {
			alone = spec.AtomicWriteLength
		}
	}
	return q, alone
}

// flushRights are the rights that the flags of a Flush ask for.
func flushRights(flags wire.Disposition) (r model.Rights) {
	if flags&wire.Persistence != 0 {
		r |= model.FlushPersistent
	}
	if flags&wire.GlobalVisibility != 0 {
		r |= model.FlushVisible
	}
	return r
}

// request processes requests of all kinds.
func (w *rxReference) request(stream int, octets []byte, s wire.Segment, terminate func(spec.Rule)) {
	st, h := &w.streams[stream], s.Header
	row, _ := w.x.Operation(h.Opcode)
	q, alone := w.named(h.Opcode, s.Payload)
	address, outside, _, rule := w.target(stream, q)
	region, _ := w.table.Named(q.stag)
	hash := len(s.Payload) - wire.VerifyRequestTable.Octets
	switch {
	case h.MSN != st.requestMsn:
		terminate(spec.MSNOutOfRange)
		return
	case st.requestMsn-1-st.responded >= uint32(w.c.IRD):
		terminate(spec.IRDExceeded)
		return
	case alone != spec.None:
		terminate(alone)
		return
	case outside:
		terminate(rule)
		return
	case row.Class&spec.Misaligned.Row().On != 0 && address%model.WordOctets != 0:
		terminate(spec.Misaligned)
		return
	case h.Opcode == wire.OpVerifyRequest && hash > 0 && hash != region.Attributes.Hash.Octets():
		terminate(spec.HashLength)
		return
	case row.InvalidateSTag && h.InvalidateSTag != 0 && !w.table.MayInvalidate(w.peer(stream), h.InvalidateSTag):
		terminate(spec.CannotInvalidate)
		return
	}
	d := w.delivery(engine.DeliverRequest, stream)
	d.Opcode, d.Request.Number, d.Request.Body = h.Opcode, h.MSN&w.numbers(), slices.Clone(s.Payload)
	d.Request.Kind = int(w.c.Kinds().Request(row.Executor))
	if w.isFar(address) && row.Executor == "atomic" {
		d.Request.Kind = kindFarAtomic
	}
	if q.length > 0 || q.named {
		d.Request.STag, d.Request.Address = q.stag, address
	}
	if w.x != 0 {
		d.Request.SegmentLength, d.Request.Control, d.Request.Msn = len(octets), binary.LittleEndian.Uint16(octets), h.MSN
	}
	if row.Class&spec.Committing != 0 {
		d.Request.InvalidateSTag, d.Request.Type, d.Request.Algorithm = h.InvalidateSTag, int(region.Attributes.Type), int(region.Attributes.Hash)
	}
	if st.within || st.writing || st.reading {
		d.Queue.Waits, d.Queue.First = true, st.waiting == 0
		st.waiting++
	}
	st.requestMsn++
	if row.GetsReply() {
		d.Request.ResponseMsn = st.atomicMsn
		st.atomicMsn++
	}
	w.deliveries = append(w.deliveries, d)
}

// reply processes responses on queue 3.
func (w *rxReference) reply(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st, opcode := &w.streams[stream], s.Header.Opcode
	row, _ := w.x.Operation(opcode)
	request, _ := row.Request()
	switch {
	case s.Header.MSN != st.responseMsn:
		terminate(spec.MSNOutOfRange)
		return
	case len(st.asked) == 0:
		terminate(spec.NoAtomicOutstanding)
		return
	case st.asked[0].Executor != int(w.c.Kinds().Executor(request.Executor)):
		terminate(spec.UnexpectedResponse)
		return
	case st.within || st.writing || st.reading:
		terminate(spec.Interleaved)
		return
	}
	asked := st.asked[0]
	place := placementBeat{Stream: stream}
	d := w.delivery(engine.DeliverResponse, stream)
	d.Opcode = opcode
	switch opcode {
	case wire.OpAtomicResponse:
		var r wire.AtomicResponse
		_ = r.Decode(s.Payload)
		if r.OriginalRequestIdentifier != asked.Identifier {
			terminate(spec.WrongIdentifier)
			return
		}
		place.Inline, place.Length, place.Data = true, model.WordOctets, r.OriginalRemoteDataValue
		d.Request.Body = slices.Clone(s.Payload[4:12])
	case wire.OpVerifyResponse:
		if len(s.Payload) != int(asked.Length) {
			terminate(spec.ResponseLength)
			return
		}
		place.Length = len(s.Payload)
		d.Request.Differs = asked.Compares != 0 && !bytes.Equal(s.Payload, asked.Hash[:len(s.Payload)])
	}
	address, broken, _, _ := w.region(stream, asked.STag, asked.TO, uint32(place.Length), model.LocalWrite)
	if broken {
		terminate(spec.Local)
		return
	}
	if place.Length > 0 {
		place.Address = address
		w.place(place)
	}
	d.Place = w.streams[stream].place
	w.deliveries = append(w.deliveries, d)
	st.asked = st.asked[1:]
	st.responseMsn++
}
