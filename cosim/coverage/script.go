package coverage

import (
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// maker writes the script of one message.
type maker struct {
	*walk
	s     script
	at    int // stream
	m     Message
	sends uint32 // MSN of the message that comes next on queue 0
	asks  uint32 // on queue 1
	op    wire.Opcode
}

func (k *maker) do(list *[]func() error, f func() error) { *list = append(*list, f) }

// in brings a segment, and later brings one when all before is at rest.
func (k *maker) in(segment []byte) {
	k.do(&k.s.first, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) later(segment []byte) {
	k.do(&k.s.second, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) receive(b rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostReceive(rdmap.ReceiveRequest{Stream: uint32(k.at), ID: uint64(k.at) << 8, Buffer: b, Length: uint32(length)})
	})
}

func (k *maker) post(op wire.Opcode, local rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostWork(rdmap.WorkRequest{Stream: uint32(k.at), ID: 7, Signaled: true, Opcode: op, Local: local, Length: uint32(length),
			Remote: rdmap.Buffer{STag: 0xFFFFFF00}, Operands: rdmap.Operands{AOpCode: wire.FetchAdd}})
	})
}

// before brings a message of an operation.
func (k *maker) before(o ordering.Operation) {
	good := k.stag(k.at, rowGood)
	switch o {
	case ordering.Send:
		k.receive(k.buffer(k.at, rowGood, atBefore), 64)
		k.in(wire.AppendSend(nil, spec.Send.Opcode(), 0, k.sends, 0, true, payload(4)))
		k.sends++
	case ordering.Immediate:
		k.receive(rdmap.Buffer{}, 0)
		k.in(wire.AppendImmediate(nil, false, k.sends, 5))
		k.sends++
	case ordering.Write:
		k.in(wire.AppendWrite(nil, good, k.to(k.at, rowGood, atBefore+128), true, payload(4)))
	case ordering.Read:
		k.ask(4)
	case ordering.Atomic:
		k.in(wire.AppendAtomicRequest(nil, k.asks, wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: k.asks, RemoteSTag: good, RemoteTO: k.to(k.at, rowGood, atAtomic+256), Data: 1}))
		k.asks++
	}
}

// ask brings a Read Request.
func (k *maker) ask(octets int) {
	k.in(wire.AppendReadRequest(nil, k.asks, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, ReadMessageSize: uint32(octets),
		DataSourceSTag: k.stag(k.at, rowGood), DataSourceTO: k.to(k.at, rowGood, atRead)}))
	k.asks++
}

// script is what brings a message of a bin.
func (w *walk) script(stream int, m Message) (script, error) {
	k := &maker{walk: w, at: stream, m: m, sends: 1, asks: 1}
	first := len(spec.Operations) // reserved
	k.op = wire.Opcode(first + stream%(1<<spec.OpcodeBits-first))
	if row := message(m.Opcode); row != nil {
		k.op = row.Opcode
	}
	if i := slices.Index(Rows, m.Row); i >= 2 {
		for range k.fill(ordering.Operation(i - 2)) {
			k.ask(1)
		}
		k.before(ordering.Operation(i - 2))
	}
	switch {
	case m.Error == spec.StreamNotOpen:
		k.in(nil)
		if m.Opcode == none {
			k.in(payload(5))
		} else {
			k.in(wire.AppendSegment(nil, k.header(), nil))
		}
	case m.Error == spec.ShortHeader:
		k.in(payload(13)[:7])
	case m.Error.Row().Header:
		k.malformed()
	case k.op.Is(spec.Write):
		k.write()
	case k.op.Is(spec.Requests):
		k.request()
	case k.op.Is(spec.ReadResponse):
		k.readResponse()
	case k.op.Is(spec.Replies):
		k.reply()
	case k.op.Is(spec.Terminate):
		h := k.header()
		if m.Error == spec.MSNOutOfRange {
			h.MSN = 2
		}
		k.in(wire.AppendSegment(nil, h, payload(4)))
	default:
		k.send()
	}
	return k.s, nil
}

// fill is how many requests come before one too many, beside that of the operation before.
func (k *maker) fill(before ordering.Operation) int {
	if k.m.Error != spec.IRDExceeded {
		return 0
	}
	if before == ordering.Read || before == ordering.Atomic {
		return k.config.ird - 1
	}
	return k.config.ird
}

// header is a right one of the opcode; a reserved opcode is untagged.
func (k *maker) header() wire.DDPHeader {
	if row, known := k.op.Operation(); known && row.Tagged {
		return wire.TaggedHeader(k.op, k.stag(k.at, rowGood), k.to(k.at, rowGood, atWrite), true)
	}
	h := wire.UntaggedHeader(k.op, 1, 0)
	switch h.QueueNumber {
	case wire.QueueSend:
		h.MSN = k.sends
	case wire.QueueRequest:
		h.MSN = k.asks
	}
	return h
}

// malformed has something wrong in its header.
func (k *maker) malformed() {
	h := k.header()
	switch k.m.Error {
	case spec.TaggedDDPVersion, spec.UntaggedDDPVersion:
		h.DV, h.Tagged = 3, k.m.Error == spec.TaggedDDPVersion
	case spec.NoSuchQueue:
		h.Tagged, h.QueueNumber = false, 4+uint32(k.at)<<16
	case spec.BadRDMAPVersion:
		h.RV = 2
	case spec.WrongTBit:
		h.Tagged = !h.Tagged
	case spec.WrongQueue:
		h.QueueNumber = (h.QueueNumber + 1) % 4
	case spec.MONotZero:
		h.MO = 1 << (k.at % 32)
	case spec.WrongLength:
		h.Last = false
	}
	octets := k.octetsOf(k.m.Length)
	if k.m.Length == "beats" {
		octets = max(octets, 72)
	}
	k.in(wire.AppendSegment(nil, h, payload(octets)))
}

// place is where the payload goes, and the octets of the segment before it.
func (k *maker) place(offset int) (at, before int) {
	at = offset + k.config.bus*2 + k.offset(k.m.Align)
	if k.m.Length == "segments" {
		before = 16
	}
	return at, before
}

// ofPeer is a buffer that the peer names wrongly.
func (k *maker) ofPeer(offset, octets int) rdmap.Buffer {
	b := k.buffer(k.at, rowGood, offset)
	switch k.m.Error {
	case spec.TaggedSTag, spec.RequestSTag:
		b.STag ^= 1
	case spec.TaggedAssociation, spec.RequestAssociation:
		other := (k.at + 1) % k.config.streams
		b = k.buffer(other, rowGood, offset)
	case spec.TaggedAccess, spec.RequestAccess:
		b.STag = k.stag(k.at, rowWeak)
	case spec.TaggedTOWrap, spec.RequestTOWrap:
		b.TO = ^uint64(0)
	case spec.TaggedBounds, spec.RequestBounds:
		b.TO = k.to(k.at, rowGood, rowLength-octets+1)
	}
	return b
}

func (k *maker) write() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atWrite)
	if k.m.Error == spec.Local {
		octets, at = k.failing64(octets, before)
		b := k.buffer(k.at, rowFailing, at)
		if before > 0 {
			k.in(wire.AppendWrite(nil, b.STag, b.TO-uint64(before), false, payload(before)))
		}
		k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
		return
	}
	if before > 0 {
		b := k.buffer(k.at, rowGood, at-before)
		k.in(wire.AppendWrite(nil, b.STag, b.TO, false, payload(before)))
	}
	b := k.ofPeer(at, octets)
	if k.m.Error == spec.TaggedTOWrap {
		octets = max(octets, 2)
	}
	if octets == 0 {
		b = rdmap.Buffer{} // is not looked at
	}
	k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
}

// failing64 is where in the failing row a payload fails: the first of two segments is before the page that does.
func (k *maker) failing64(octets, before int) (long, at int) {
	if before > 0 {
		return 2 * 128, page - 128 + k.offset(k.m.Align)
	}
	return octets, page + k.config.bus*2 + k.offset(k.m.Align)
}

func (k *maker) request() {
	octets := k.octetsOf(k.m.Length)
	at, _ := k.place(atRead)
	if k.m.Length == "segments" {
		octets = k.config.maxPayload + 5
	}
	if k.m.Error == spec.IRDExceeded && k.m.Row != "nothing" {
		k.walk.hold = true
	}
	msn := k.asks
	if k.m.Error == spec.MSNOutOfRange {
		msn += 1 << (k.at % 32)
	}
	if k.op.Is(spec.ReadRequest) {
		if k.m.Error == spec.RequestTOWrap {
			octets = max(octets, 2)
		}
		b := k.ofPeer(at, octets)
		k.in(wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, DataSinkTO: 3, ReadMessageSize: uint32(octets), DataSourceSTag: b.STag, DataSourceTO: b.TO}))
		return
	}
	at = atAtomic + k.offset(k.m.Align)
	b := k.ofPeer(at, 8)
	if !k.op.Is(spec.AtomicRequest) {
		k.in(wire.AppendFixed(nil, k.op, msn, func(f wire.Field) uint64 {
			return map[string]uint64{"remote_stag": uint64(b.STag), "remote_to": b.TO}[f.Name]
		}))
		return
	}
	a := wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: 77, RemoteSTag: b.STag, RemoteTO: b.TO, Data: 3}
	switch k.m.Error {
	case spec.AOpCodeNotSupported:
		a.AOpCode = 7
	case spec.Misaligned:
		a.RemoteTO += 1 + uint64(k.at%7)
	}
	k.in(wire.AppendAtomicRequest(nil, msn, a))
}

// send is a Send of any kind, or Immediate Data.
func (k *maker) send() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atReceive)
	immediate := k.op.Is(spec.Immediate)
	buffer, room := k.buffer(k.at, rowGood, at-before), before+octets
	msn, mo, op := k.sends, before, k.op
	stag := k.stag(k.at, rowSink)
	if op.Is(spec.SendInvalidate) {
		k.changed[k.at*rowsOf+rowSink] = true
	}
	first := op
	switch k.m.Error {
	case spec.MSNOutOfRange:
		msn += 1 << (k.at % 32)
	case spec.WrongMO:
		if immediate {
			before, first = 4, spec.Send.Opcode()
			room = 4
		}
		mo += 1 << (k.at%31 + 1)
	case spec.OpcodeChanges:
		first = spec.Send.Opcode() + (op-spec.Send.Opcode()+1)%4
		if immediate {
			k.receive(buffer, 64)
			k.in(wire.AppendSend(nil, spec.Send.Opcode(), 0, msn, 0, false, nil))
			room = -1
		}
	case spec.MessageTooLong:
		room--
	case spec.CannotInvalidate:
		stag = k.stag(k.at, rowGood)
	case spec.Local:
		if k.m.Align == none { // the buffer ends where the message goes on, or may not be written
			if buffer = k.buffer(k.at, rowWeak, 0); before > 0 {
				buffer = k.buffer(k.at, rowGood, rowLength-before)
			}
			break
		}
		octets, at = k.failing64(octets, before)
		buffer, room = k.buffer(k.at, rowFailing, at-before), before+octets
	}
	if k.m.Error != spec.NoReceiveBuffer && room >= 0 {
		k.receive(buffer, room)
	}
	if k.m.Error == spec.Interleaved {
		k.insideResponse()
		if immediate {
			k.later(wire.AppendImmediate(nil, solicited(op), msn, 9))
		} else {
			k.later(wire.AppendSend(nil, op, stag, msn, 0, true, payload(octets)))
		}
		return
	}
	if before > 0 {
		k.in(wire.AppendSend(nil, first, stag, k.sends, 0, false, payload(before)))
	}
	if immediate {
		k.in(wire.AppendImmediate(nil, solicited(op), msn, 9))
		return
	}
	k.in(wire.AppendSend(nil, op, stag, msn, uint32(mo), true, payload(octets)))
}

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

// spoilSink changes the row of a sink while its answer is awaited.
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
	answer, _ := k.op.Operation()
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
	k.later(wire.AppendFixed(nil, k.op, msn, func(f wire.Field) uint64 {
		if strings.HasSuffix(f.Name, "identifier") {
			return uint64(id)
		}
		return 0x0123456789ABCDEF
	}))
}

// solicited tells whether a message raises an event.
func solicited(op wire.Opcode) bool {
	row, _ := op.Operation()
	return row.Solicited
}
