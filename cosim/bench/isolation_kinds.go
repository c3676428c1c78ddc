package bench

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// kind is an operation of a victim. issue queues the messages of request n. answer returns the request to which a segment is the response, or
// queues the peer's response to it.
type kind struct {
	name   string
	issue  func(p *party, n uint64)
	answer func(p *party, segment []byte) (n uint64, is bool)
}

// receives reports whether the host posts receive requests for it.
func (k *kind) receives() bool { return k.name == sendKindName }

const sendKindName = "Send"

// mix lists the operations of the victims, which take turns.
type mix struct {
	name  string
	kinds []kind
}

var (
	atomicsMix  = mix{"FetchAdd", []kind{fetchAddKind}}
	inboundMix  = mix{"FetchAdd, Reads, Writes, Sends of the peers", []kind{fetchAddKind, readKind, writeKind, sendKind}}
	outboundMix = mix{"FetchAdd, Reads, Writes, Sends of the host", []kind{fetchAddOut, readOut, writeOut, sendOut}}
)

var (
	fetchAddKind = kind{"FetchAdd", func(p *party, n uint64) {
		p.segments = append(p.segments, wire.AppendAtomicRequest(nil, uint32(n+1), wire.NewFetchAdd(uint32(n), rnicSTag, p.word(), 1, 0)))
	}, readAnswer}
	readKind = kind{"Read", func(p *party, n uint64) { p.segments = append(p.segments, read8(n, p.word())) }, readAnswer}
	// A Write has no response: it has taken effect when a later Read returns.
	writeKind = kind{"Write and Read", func(p *party, n uint64) {
		p.segments = append(p.segments, wire.AppendWrite(nil, rnicSTag, p.word(), true, make([]byte, 32)), read8(n, p.word()))
	}, readAnswer}
	sendKind = kind{sendKindName, func(p *party, n uint64) {
		p.segments = append(p.segments, wire.AppendSend(nil, spec.Send.Opcode(), 0, uint32(n+1), 0, true, make([]byte, 32)))
	}, noAnswer}

	fetchAddOut = kind{"FetchAdd posted", func(p *party, n uint64) { p.post(n, spec.AtomicRequest.Opcode(), 8) }, peerAnswer}
	readOut     = kind{"Read posted", func(p *party, n uint64) { p.post(n, spec.ReadRequest.Opcode(), 8) }, peerAnswer}
	writeOut    = kind{"Write posted", func(p *party, n uint64) { p.post(n, spec.Write.Opcode(), 32) }, noAnswer}
	sendOut     = kind{"Send posted", func(p *party, n uint64) { p.post(n, spec.Send.Opcode(), 32) }, noAnswer}
)

// word is the address of the stream's own 64 octets in the region that all use.
func (p *party) word() uint64 { return uint64(p.stream) * 64 }

func (p *party) post(n uint64, op wire.Opcode, length uint32) {
	local := rdmap.Buffer{STag: rnicSTag, TO: p.word()}
	p.work = append(p.work, rdmap.WorkRequest{Stream: p.stream, ID: n, Opcode: op, Signaled: true, Local: local, Remote: local, Length: length,
		Operands: rdmap.Operands{AOpCode: wire.FetchAdd, Data: 1}})
}

// postReceive posts a receive request for which the stream has room in memory at to.
func (p *party) postReceive(id uint64, stag uint32, to uint64, length uint32) {
	p.receives = append(p.receives, rdmap.ReceiveRequest{Stream: p.stream, ID: id, Buffer: rdmap.Buffer{STag: stag, TO: to}, Length: length})
}

func read8(n, at uint64) []byte {
	return wire.AppendReadRequest(nil, uint32(n+1), wire.ReadRequest{DataSinkSTag: 1, DataSinkTO: n, ReadMessageSize: 8, DataSourceSTag: rnicSTag, DataSourceTO: at})
}

// readAnswer finds the number of a request in its response: the identifier of an Atomic, the Data Sink of a Read.
func readAnswer(_ *party, segment []byte) (uint64, bool) {
	var h wire.DDPHeader
	if h.Decode(segment) != nil {
		return 0, false
	}
	var a wire.AtomicResponse
	if h.Opcode == spec.AtomicResponse.Opcode() && a.Decode(segment[h.Length():]) == nil {
		return uint64(a.OriginalRequestIdentifier), true
	}
	return h.TO, h.Opcode == spec.ReadResponse.Opcode()
}

func noAnswer(*party, []byte) (uint64, bool) { return 0, false }

// peerAnswer responds for the peer, immediately.
func peerAnswer(p *party, segment []byte) (uint64, bool) {
	var h wire.DDPHeader
	if h.Decode(segment) != nil {
		return 0, false
	}
	var a wire.AtomicRequest
	var r wire.ReadRequest
	switch payload := segment[h.Length():]; {
	case h.Opcode == spec.AtomicRequest.Opcode() && a.Decode(payload) == nil:
		p.segments = append(p.segments, wire.AppendAtomicResponse(nil, h.MSN, wire.AtomicResponse{OriginalRequestIdentifier: a.RequestIdentifier}))
	case h.Opcode == spec.ReadRequest.Opcode() && r.Decode(payload) == nil:
		data := binary.BigEndian.AppendUint64(nil, uint64(h.MSN))
		p.segments = append(p.segments, wire.AppendReadResponse(nil, r.DataSinkSTag, r.DataSinkTO, true, data))
	}
	return 0, false
}
