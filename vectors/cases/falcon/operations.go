package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Operations: bits 4:0 of the opcode, as in the table of RoF 8.1.3.
const (
	sendFirst            = 0x00
	sendMiddle           = 0x01
	sendLast             = 0x02
	sendLastImmediate    = 0x03
	sendOnly             = 0x04
	sendOnlyImmediate    = 0x05
	writeFirst           = 0x06
	writeMiddle          = 0x07
	writeLast            = 0x08
	writeLastImmediate   = 0x09
	writeOnly            = 0x0A
	writeOnlyImmediate   = 0x0B
	readRequest          = 0x0C
	readResponseFirst    = 0x0D
	readResponseMiddle   = 0x0E
	readResponseLast     = 0x0F
	readResponseOnly     = 0x10
	atomicResponse       = 0x12
	cmpSwap              = 0x13
	fetchAdd             = 0x14
	sendLastInvalidate   = 0x16
	sendOnlyInvalidate   = 0x17
	pushRequest, pullReq = "push_request", "pull_request"
)

// Octets of headers, from their figures.
const (
	rbth = 12
	reth = 16
	seth = 4
	oeth = 4
	sink = 12
)

func isPull(op uint8) bool   { return op == readRequest || op == cmpSwap || op == fetchAdd }
func isAtomic(op uint8) bool { return op == cmpSwap || op == fetchAdd }

// numbered reports whether a packet is of a message that takes a receive, and ends whether it is the last one.
func numbered(op uint8) bool {
	switch op {
	case sendFirst, sendMiddle, sendLast, sendLastImmediate, sendOnly, sendOnlyImmediate, writeLastImmediate, writeOnlyImmediate, sendLastInvalidate, sendOnlyInvalidate:
		return true
	}
	return false
}

func ends(op uint8) bool { return numbered(op) && op != sendFirst && op != sendMiddle }

// typeOf is the Falcon packet type of a request.
func typeOf(op uint8) string {
	if isPull(op) {
		return pullReq
	}
	return pushRequest
}

// Words that every request carries where its headers have a place for them.
const (
	immediate  = 0xA1B2_C3D4
	sourceQP   = 0x00D00D
	sinkVA     = 0x0123_4567_89AB_CDE8
	sinkKey    = 0x5150_4F4E
	swapData   = 0x1122_3344_5566_7788
	atomicWord = 0x40 // offset in the region remote
)

// packet returns the peer's next request: with the next SN, and with the next RMSN if it has one.
func (t *T) packet(op uint8) packet.Packet {
	p := packet.Packet{Version: 1, Opcode: spec.Opcode(t.world.opcodes() | op), DestinationQP: target, SN: t.sn, SRQ: srq, QKey: qKey, SourceQP: sourceQP,
		VA: remoteVA, RKey: remote, Immediate: immediate, Invalidate: spare, SinkVA: sinkVA, SinkKey: sinkKey}
	t.sn++
	switch {
	case isPull(op):
		p.RMSN = t.pull
		t.pull++
	case numbered(op):
		p.RMSN = t.message
		if ends(op) {
			t.message++
		}
	}
	switch op {
	case cmpSwap:
		p.VA += atomicWord
		p.Data, p.Compare = swapData, t.word()
	case fetchAdd:
		p.VA += atomicWord
		p.Data = swapData
	case readRequest:
		p.Length = uint32(t.config.MTU)
	}
	return p
}

// word is the word in memory at which Atomics are directed: little-endian (I-73).
func (t *T) word() uint64 { return t.memory.Word(remoteAt + atomicWord) }

// carrying returns the packet with a payload, whose length RETH states.
func carrying(p packet.Packet, octets []byte) packet.Packet {
	p.Payload, p.Length = octets, uint32(len(octets))
	return p
}

// request gives the design a request of the peer.
func (t *T) request(p packet.Packet) step {
	op := uint8(p.Opcode) & 0x1F
	s := t.raw(typeOf(op), t.octetsOf(p))
	if r := s.get().Request; isPull(op) {
		r.Length = t.responseOctets(op, int(p.Length))
	}
	return s
}

// responseOctets is the length of a response with its headers and pad, in 16 bits.
func (t *T) responseOctets(op uint8, octets int) int {
	if isAtomic(op) {
		return rbth + 8 + sink
	}
	return min(rbth+sink+(octets+3)/4*4, 1<<16-1)
}

// raw gives the design a request with these octets.
func (t *T) raw(kind string, octets []byte) step {
	s := t.give(suite.Step{Request: &suite.Request{CID: cid, RSN: t.rsn, Type: kind, Length: len(octets), Hex: octets}})
	t.rsn++
	return s
}

// from changes the CID that Falcon reports.
func (s step) from(cid uint32) step {
	s.get().Request.CID = cid
	return s
}

// as changes the Falcon packet type.
func (s step) as(kind string) step {
	s.get().Request.Type = kind
	return s
}
