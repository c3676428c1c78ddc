package replay

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// message is an RDMAP message, joined from its segments.
type message struct {
	opcode      wire.Opcode
	msn         uint32 // untagged messages
	stag        uint32 // target of a tagged message, or STag that another one invalidates
	to          uint64 // tagged messages
	octets      []byte // payload; Immediate Data too
	read        wire.ReadRequest
	atomic      wire.AtomicRequest
	response    wire.AtomicResponse
	flush       wire.FlushRequest
	store       wire.AtomicWriteRequest
	number      int // among requests, or among responses
	first, last int // numbers of its segments
	complete    bool
}

// isRequest reports whether the message has a response.
func (m *message) isRequest() bool {
	return is(m.opcode, spec.Requests)
}

// is reports whether an opcode is in one of the classes, whatever the extensions: without them, its segment is not valid.
func is(op wire.Opcode, c spec.Class) bool { return spec.AllExtensions.Is(op, c) }

func classOf(op wire.Opcode) spec.Class {
	row, _ := spec.AllExtensions.Operation(op)
	return row.Class
}

func isImmediate(op wire.Opcode) bool { return is(op, spec.Immediate) }

func isSolicited(op wire.Opcode) bool {
	row, _ := spec.AllExtensions.Operation(op)
	return row.Solicited
}

// invalidates reports whether a message names an STag to be invalidated, which is optional in a request.
func invalidates(h *wire.DDPHeader) bool {
	row, _ := spec.AllExtensions.Operation(h.Opcode)
	return row.InvalidateSTag && (h.InvalidateSTag != 0 || !is(h.Opcode, spec.Requests))
}

// speech is the traffic sent by one side of a connection: its segments joined to messages, up to the first invalid segment.
type speech struct {
	x         spec.Extensions
	requests  []*message // posted by its host, in order
	asked     []*message // of these, those that have a response
	responses []*message // Read Responses and Atomic Responses, in order
	terminate []byte     // payload of the Terminate, nil: none
	ends      int        // number of its segment
	of        []*message // by the number of the segment; nil: none

	wrong  int // number of the first segment that is invalid whatever the receiver's state; many if there is none
	unlike int // number of the first segment that rnic's requester would not send; many if there is none

	msn      [4]uint32
	write    *message // under way
	send     *message
	response *message
}

const many = int(^uint(0) >> 1)

// listen joins segments.
func listen(x spec.Extensions, segments [][]byte) *speech {
	s := &speech{x: x, wrong: many, unlike: many, msn: [4]uint32{1, 1, 1, 1}}
	for i, segment := range segments {
		s.of = append(s.of, nil)
		if s.wrong < many {
			continue
		}
		if !s.take(i, segment) {
			s.wrong, s.unlike = i, min(i, s.unlike)
		}
	}
	return s
}

// take joins a segment to its message; it returns false if the segment is invalid.
func (s *speech) take(i int, segment []byte) bool {
	parts, kind := wire.ClassifyWith(s.x, segment)
	if kind != spec.None {
		return false
	}
	h := &parts.Header
	switch classOf(h.Opcode) {
	case spec.Terminate:
		if h.MSN == 1 {
			s.terminate, s.ends = parts.Payload, i
		}
		return h.MSN == 1
	case spec.Write:
		if s.write != nil && !s.write.goesOn(h) { // its message is unfinished, which the receiver tolerates
			s.write, s.unlike = nil, min(i, s.unlike)
		}
		s.tagged(i, &s.write, &s.requests, &parts)
		return true
	case spec.ReadResponse:
		if s.response != nil && !s.response.goesOn(h) {
			return false
		}
		s.tagged(i, &s.response, &s.responses, &parts)
		return true
	}
	if h.MSN != s.msn[h.QueueNumber] {
		return false
	}
	m := &message{opcode: h.Opcode, msn: h.MSN, first: i, last: i, complete: true}
	switch classOf(h.Opcode) {
	case spec.ReadRequest:
		_ = m.read.Decode(parts.Payload) // the length is valid
	case spec.AtomicRequest:
		_ = m.atomic.Decode(parts.Payload)
	case spec.AtomicResponse:
		_ = m.response.Decode(parts.Payload)
	case spec.FlushRequest:
		_ = m.flush.Decode(parts.Payload)
	case spec.AtomicWriteRequest:
		_ = m.store.Decode(parts.Payload)
	case spec.FlushResponse, spec.AtomicWriteResponse, spec.VerifyRequest, spec.VerifyResponse:
	default:
		return s.untagged(i, &parts)
	}
	if invalidates(h) {
		m.stag = h.InvalidateSTag
	}
	s.msn[h.QueueNumber]++
	s.of[i] = m
	if m.isRequest() {
		m.number = len(s.asked)
		s.asked = append(s.asked, m)
		s.requests = append(s.requests, m)
		return true
	}
	m.number = len(s.responses)
	s.responses = append(s.responses, m)
	return true
}

// goesOn reports whether a tagged segment continues the message.
func (m *message) goesOn(h *wire.DDPHeader) bool {
	return h.STag == m.stag && h.TO == m.to+uint64(len(m.octets))
}

func (s *speech) tagged(i int, open **message, list *[]*message, parts *wire.Segment) {
	h := &parts.Header
	if *open == nil {
		*open = &message{opcode: h.Opcode, stag: h.STag, to: h.TO, first: i, number: len(*list)}
		*list = append(*list, *open)
	}
	s.join(i, open, parts)
}

// untagged handles a segment of a Send or Immediate Data with a valid MSN.
func (s *speech) untagged(i int, parts *wire.Segment) bool {
	h := &parts.Header
	if s.send == nil {
		s.send = &message{opcode: h.Opcode, msn: h.MSN, first: i}
		if invalidates(h) {
			s.send.stag = h.InvalidateSTag
		}
		s.requests = append(s.requests, s.send)
	}
	if h.Opcode != s.send.opcode || h.MO != uint32(len(s.send.octets)) {
		return false
	}
	if s.join(i, &s.send, parts); h.Last {
		s.msn[h.QueueNumber]++
	}
	return true
}

func (s *speech) join(i int, open **message, parts *wire.Segment) {
	m := *open
	m.octets = append(m.octets, parts.Payload...)
	m.last, m.complete = i, parts.Header.Last
	s.of[i] = m
	if m.complete {
		*open = nil
	}
}

// immediate returns the value carried by Immediate Data.
func (m *message) immediate() uint64 { return binary.BigEndian.Uint64(m.octets) }

// same reports whether an engine's message matches the captured one. A response that is truncated in the capture is compared up
// to that point; an Atomic Request without its identifier, which the sender chooses.
func (m *message) same(sent *message) bool {
	if m.opcode != sent.opcode || m.msn != sent.msn || m.stag != sent.stag || m.to != sent.to || m.read != sent.read || m.response != sent.response || m.flush != sent.flush || m.store != sent.store {
		return false
	}
	a, b := m.atomic, sent.atomic
	a.RequestIdentifier, a.Reserved = b.RequestIdentifier, b.Reserved
	if a.AOpCode == wire.FetchAdd {
		a.CompareData, a.CompareMask = b.CompareData, b.CompareMask
	}
	if a != b {
		return false
	}
	if !m.complete {
		return bytes.HasPrefix(sent.octets, m.octets)
	}
	return bytes.Equal(m.octets, sent.octets)
}

// String formats the message for humans.
func (m *message) String() string {
	const most = 32
	text := fmt.Sprintf("%s, MSN %d, STag 0x%08X, TO 0x%X, %d octets % X", spec.AllExtensions.Title(m.opcode), m.msn, m.stag, m.to, len(m.octets), m.octets[:min(most, len(m.octets))])
	switch classOf(m.opcode) {
	case spec.ReadRequest:
		text = fmt.Sprintf("%s, MSN %d, %+v", spec.AllExtensions.Title(m.opcode), m.msn, m.read)
	case spec.AtomicRequest:
		text = fmt.Sprintf("%s, MSN %d, %+v", spec.AllExtensions.Title(m.opcode), m.msn, m.atomic)
	case spec.AtomicResponse:
		text = fmt.Sprintf("%s, MSN %d, %+v", spec.AllExtensions.Title(m.opcode), m.msn, m.response)
	case spec.FlushRequest:
		text = fmt.Sprintf("%s, MSN %d, %+v, Invalidate STag 0x%08X", spec.AllExtensions.Title(m.opcode), m.msn, m.flush, m.stag)
	case spec.AtomicWriteRequest:
		text = fmt.Sprintf("%s, MSN %d, %+v, Invalidate STag 0x%08X", spec.AllExtensions.Title(m.opcode), m.msn, m.store, m.stag)
	}
	return text
}
