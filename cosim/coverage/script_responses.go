package coverage

import (
	"strings"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// insideResponse leaves a Read Response incomplete, and insideWrite an RDMA Write.
func (k *maker) insideResponse() {
	sink := k.buffer(k.at, rowSink, 0)
	k.post(spec.ReadRequest.Opcode(), sink, 9)
	k.later(wire.AppendReadResponse(nil, sink.STag, sink.TO, false, payload(4)))
}

func (k *maker) insideWrite() {
	b := k.buffer(k.at, rowGood, 0)
	k.in(wire.AppendWrite(nil, b.STag, b.TO, false, payload(2)))
}

// spoilSink changes the row of a sink while its response is pending.
func (k *maker) spoilSink(edit func(*memory.Region)) {
	k.do(&k.s.change, func() error { return k.set(k.at, rowSink, edit) })
}

func (k *maker) readResponse() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(0)
	row, asked := rowSink, before+octets
	if k.m.Error == spec.Local {
		row = rowFailing
		octets, at = k.failing64(octets, before)
		asked = before + octets
	}
	sink := k.buffer(k.at, row, at-before)
	b := k.buffer(k.at, row, at)
	switch k.m.Error {
	case spec.ReadTooLong:
		asked--
	case spec.WrongReadLast:
		asked += 3
	case spec.WrongSinkSTag:
		b.STag ^= 1 << (k.at % 8)
	case spec.WrongSinkTO:
		b.TO ^= 1 << (k.at % 64)
	case spec.TaggedSTag:
		k.spoilSink(func(r *memory.Region) { r.Key++ })
	case spec.TaggedAssociation:
		k.spoilSink(func(r *memory.Region) { r.Owner ^= 1 })
	case spec.TaggedAccess:
		k.spoilSink(func(r *memory.Region) { r.Rights = memory.RemoteRead })
	case spec.TaggedBounds:
		k.spoilSink(func(r *memory.Region) { r.Length = uint64(at) })
	}
	if k.m.Error != spec.UnexpectedResponse {
		k.post(spec.ReadRequest.Opcode(), sink, asked)
	}
	if k.m.Error == spec.Interleaved {
		k.insideWrite()
	}
	if before > 0 {
		k.in(wire.AppendReadResponse(nil, sink.STag, sink.TO, false, payload(before)))
	}
	k.later(wire.AppendReadResponse(nil, b.STag, b.TO, true, payload(octets)))
}

// reply is a response on queue 3.
func (k *maker) reply() {
	at, _ := k.place(0)
	row := rowSink
	if k.m.Error == spec.Local && k.m.Align != none {
		row = rowFailing
		_, at = k.failing64(8, 0)
	}
	msn, id := uint32(1), uint32(1)
	answer, _ := k.protocol.Operation(k.op)
	request, _ := answer.Request()
	op := request.Opcode
	switch k.m.Error {
	case spec.MSNOutOfRange:
		msn += 1 << (k.at % 32)
	case spec.WrongIdentifier:
		id ^= 1 << (k.at % 32)
	case spec.UnexpectedResponse:
		op = spec.ReadRequest.Opcode()
	case spec.Local:
		if k.m.Align == none {
			k.spoilSink(func(r *memory.Region) { r.Key++ })
		}
	}
	if k.m.Error == spec.Interleaved {
		k.insideWrite()
	}
	if k.m.Error != spec.NoAtomicOutstanding {
		k.post(op, k.buffer(k.at, row, at), 8)
	}
	if answer.Extension != 0 {
		h := k.header()
		h.MSN = msn
		k.later(wire.AppendSegment(nil, h, payload(k.answered())))
		return
	}
	k.later(wire.AppendFixed(nil, k.op, msn, func(f wire.Field) uint64 {
		if strings.HasSuffix(f.Name, "identifier") {
			return uint64(id)
		}
		return 0x0123456789ABCDEF
	}))
}
