// Package meaning determines what a test covers: the requirements implied by its segments and outcomes, the decisions
// on which its outcomes depend, and what else the specifications permit.
package meaning

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// The requirements that a test covers are implied by its inputs and outcomes, according to the tables below; a test
// adds requirements that are specific to it.

// Requirements covered by every header, and by every message of RFC 7306.
var (
	ofControl = []string{"RFC7306-4.1-01", "RFC7306-4.1-02"}
	ofNew     = []string{"RFC7306-4.1-21"}
)

// isNew reports whether a message is defined in RFC 7306, whose section 8.2 covers only these.
func isNew(op wire.Opcode) bool {
	return op.Is(spec.Immediate | spec.AtomicRequest | spec.AtomicResponse)
}

// ofReceived lists the requirements that a valid received message covers.
var ofReceived = map[wire.Opcode][]string{
	wire.OpReadRequest: {"RFC7306-10.2-05"},
	wire.OpSend:        {"RFC7306-10.2-04"},
	wire.OpSendInv:     {"RFC7306-4.1-03", "RFC7306-10.2-04"},
	wire.OpSendSE:      {"RFC7306-10.2-04"},
	wire.OpSendSEInv:   {"RFC7306-4.1-03", "RFC7306-10.2-04"},
	wire.OpTerminate:   {"RFC7306-10.2-06", "RFC7306-6.1-07"},
	wire.OpImmediate: {"RFC7306-3-03", "RFC7306-4-01", "RFC7306-4.1-04", "RFC7306-4.1-10", "RFC7306-4.1-16", "RFC7306-4.2-01", "RFC7306-6-02", "RFC7306-6-04",
		"RFC7306-6.1-03", "RFC7306-6.2-01", "RFC7306-6.2-03", "RFC7306-6.2-04", "RFC7306-6.3-01", "RFC7306-6.3-04", "RFC7306-10-01", "RFC7306-A.3-01"},
	wire.OpImmediateSE: {"RFC7306-3-03", "RFC7306-3-04", "RFC7306-4-01", "RFC7306-4.1-04", "RFC7306-4.1-11", "RFC7306-4.1-17", "RFC7306-4.2-02", "RFC7306-6-02", "RFC7306-6-04",
		"RFC7306-6.1-03", "RFC7306-6.1-04", "RFC7306-6.2-01", "RFC7306-6.2-03", "RFC7306-6.2-04", "RFC7306-6.3-01", "RFC7306-6.3-04", "RFC7306-10-02", "RFC7306-A.3-01"},
	wire.OpAtomicRequest: {"RFC7306-4-02", "RFC7306-4-03", "RFC7306-4.1-04", "RFC7306-4.1-12", "RFC7306-4.1-18", "RFC7306-4.2-03", "RFC7306-5-13", "RFC7306-5.2-01",
		"RFC7306-5.2-05", "RFC7306-5.2.1-01", "RFC7306-5.2.1-03", "RFC7306-5.2.1-10", "RFC7306-5.2.1-28", "RFC7306-5.2.1-29", "RFC7306-5.2.1-30", "RFC7306-10-03", "RFC7306-A.1-01"},
	wire.OpAtomicResponse: {"RFC7306-4-02", "RFC7306-4-04", "RFC7306-4-05", "RFC7306-4.1-04", "RFC7306-4.1-13", "RFC7306-4.1-19", "RFC7306-4.2-04", "RFC7306-5-16",
		"RFC7306-5.2-01", "RFC7306-5.2-06", "RFC7306-5.2.2-06", "RFC7306-5.2.2-07", "RFC7306-5.2.2-13", "RFC7306-5.4-11", "RFC7306-10-04", "RFC7306-10.2-07", "RFC7306-A.2-01"},
}

// ofSent lists the requirements that a sent message covers.
var ofSent = map[wire.Opcode][]string{
	wire.OpImmediate: {"RFC7306-4.1-06", "RFC7306-4.1-07", "RFC7306-4.1-08", "RFC7306-4.1-14", "RFC7306-4.1-16", "RFC7306-4.1-23", "RFC7306-6.1-01", "RFC7306-6.1-02",
		"RFC7306-6.3-02", "RFC7306-6.3-03", "RFC7306-6.3-06", "RFC7306-6.3-07"},
	wire.OpImmediateSE: {"RFC7306-4.1-06", "RFC7306-4.1-07", "RFC7306-4.1-08", "RFC7306-4.1-14", "RFC7306-4.1-17", "RFC7306-4.1-23", "RFC7306-6.1-01", "RFC7306-6.1-02",
		"RFC7306-6.3-02", "RFC7306-6.3-03", "RFC7306-6.3-06", "RFC7306-6.3-07"},
	wire.OpAtomicRequest: {"RFC7306-4.1-06", "RFC7306-4.1-07", "RFC7306-4.1-08", "RFC7306-4.1-14", "RFC7306-4.1-18", "RFC7306-4.1-23", "RFC7306-5.2-02", "RFC7306-5.2.1-03",
		"RFC7306-5.2.1-04", "RFC7306-5.2.1-06", "RFC7306-5.2.1-08", "RFC7306-5.2.1-15", "RFC7306-5.2.1-16", "RFC7306-5.2.1-26", "RFC7306-5.2.1-27", "RFC7306-5.2.1-32", "RFC7306-5.2.1-33"},
	wire.OpAtomicResponse: {"RFC7306-4-04", "RFC7306-4.1-06", "RFC7306-4.1-07", "RFC7306-4.1-08", "RFC7306-4.1-14", "RFC7306-4.1-19", "RFC7306-4.1-23", "RFC7306-5-14", "RFC7306-5.2-04",
		"RFC7306-5.2-06", "RFC7306-5.2.1-09", "RFC7306-5.2.1-36", "RFC7306-5.2.2-01", "RFC7306-5.2.2-03", "RFC7306-5.2.2-04", "RFC7306-5.2.2-05", "RFC7306-5.2.2-08",
		"RFC7306-5.2.2-09", "RFC7306-5.2.2-10", "RFC7306-A.2-01"},
}

// ofOperation lists the requirements that an executed operation covers.
var ofOperation = map[wire.AOpCode][]string{
	wire.FetchAdd: {"RFC7306-5-03", "RFC7306-5-08", "RFC7306-5.1.1-01", "RFC7306-5.1.1-02", "RFC7306-5.1.1-19", "RFC7306-5.1.1-21", "RFC7306-5.2.1-07", "RFC7306-5.2.1-24", "RFC7306-10.1-04"},
	wire.CmpSwap: {"RFC7306-5-03", "RFC7306-5-09", "RFC7306-5.1.2-01", "RFC7306-5.1.2-06", "RFC7306-5.1.2-08", "RFC7306-5.1.2-12", "RFC7306-5.2.1-07", "RFC7306-5.2.1-18",
		"RFC7306-5.2.1-21", "RFC7306-5.2.1-25", "RFC7306-10.1-06"},
	wire.Swap: {"DRAFT00-3-02", "DRAFT00-5.1.2-01", "DRAFT00-5.1.2-02", "DRAFT00-5.1.2-03", "DRAFT00-5.1.2-05", "DRAFT00-5.1.2-06", "DRAFT00-5.2.1-13"},
}

// ofAsked lists the requirements that a sent request for it covers.
var ofAsked = map[wire.AOpCode][]string{
	wire.FetchAdd: {"RFC7306-5.1.1-19", "RFC7306-5.1.1-20", "RFC7306-5.2.1-19", "RFC7306-5.2.1-22", "RFC7306-5.2.1-24"},
	wire.CmpSwap:  {"RFC7306-5.1.2-06", "RFC7306-5.1.2-07", "RFC7306-5.2.1-18", "RFC7306-5.2.1-21", "RFC7306-5.2.1-25"},
	wire.Swap:     {"DRAFT00-5.1.2-01", "DRAFT00-5.1.2-04", "DRAFT00-5.2.1-07", "DRAFT00-5.2.1-09", "DRAFT00-5.2.1-11"},
}

var (
	ofMatch    = []string{"RFC7306-5.1.2-03", "RFC7306-5.1.2-09", "RFC7306-5.1.2-10"}
	ofMismatch = []string{"RFC7306-5.1.2-04", "RFC7306-5.1.2-05", "RFC7306-5.1.2-11"}
)

// ofError lists the requirements that a refused segment covers.
var ofError = map[spec.Rule][]string{
	spec.TaggedDDPVersion:    {"RFC7306-4.1-23"},
	spec.UntaggedDDPVersion:  {"RFC7306-4.1-23"},
	spec.NoSuchQueue:         {"RFC7306-4-05", "RFC7306-10.2-01", "RFC7306-10.2-09"},
	spec.ReservedOpcode:      {"RFC7306-8.2-03", "RFC7306-4.1-04", "RFC7306-4.1-07"},
	spec.AOpCodeNotSupported: {"RFC7306-5-02", "RFC7306-5.2.1-07", "RFC7306-5.2.1-31", "RFC7306-10.1-08"},
	spec.Misaligned:          {"RFC7306-5-12", "RFC7306-8.2-05", "RFC7306-8.2-06", "RFC7306-8.2-07"},
	spec.IRDExceeded:         {"RFC7306-5.2-03", "RFC7306-5.2.2-11"},
	spec.Local:               {"RFC7306-8.1-01", "RFC7306-8.1-02"},
}

// ofErrorOfNew lists the additional requirements for a message of RFC 7306.
var ofErrorOfNew = map[spec.Rule][]string{
	spec.TaggedDDPVersion:   {"RFC7306-8.2-01", "RFC7306-8.2-02"},
	spec.UntaggedDDPVersion: {"RFC7306-8.2-01", "RFC7306-8.2-02"},
	spec.NoSuchQueue:        {"RFC7306-8.2-01", "RFC7306-8.2-02"},
	spec.BadRDMAPVersion:    {"RFC7306-8.2-01", "RFC7306-8.2-04", "RFC7306-4.1-06"},
	spec.WrongTBit:          {"RFC7306-8.2-03", "RFC7306-4.1-05"},
	spec.WrongQueue:         {"RFC7306-8.2-03"},
	spec.MONotZero:          {"RFC7306-8.2-02"},
	spec.WrongLength:        {"RFC7306-8.2-01"},
	spec.RequestSTag:        {"RFC7306-8-01", "RFC7306-9-02"},
	spec.RequestAssociation: {"RFC7306-8-01", "RFC7306-9-02"},
	spec.RequestAccess:      {"RFC7306-8-01", "RFC7306-9-02"},
	spec.RequestTOWrap:      {"RFC7306-8-01", "RFC7306-9-02"},
	spec.RequestBounds:      {"RFC7306-8-01", "RFC7306-9-02"},
	spec.MSNOutOfRange:      {"RFC7306-8.2-01", "RFC7306-8.2-02"},
	spec.NoReceiveBuffer:    {"RFC7306-8.2-02"},
	spec.WrongMO:            {"RFC7306-8.2-02"},
	spec.OpcodeChanges:      {"RFC7306-8.2-03"},
	spec.Interleaved:        {"RFC7306-8.2-03"},
}

// ofErrorIn lists the additional requirements for a message with this opcode.
var ofErrorIn = map[spec.Rule]map[wire.Opcode][]string{
	spec.NoReceiveBuffer: {wire.OpImmediate: {"RFC7306-6.3-04"}, wire.OpImmediateSE: {"RFC7306-6.3-04"}},
	spec.WrongLength: {
		wire.OpImmediate: {"RFC7306-6.1-05", "RFC7306-6.1-06", "RFC7306-6.3-09"}, wire.OpImmediateSE: {"RFC7306-6.1-05", "RFC7306-6.1-06", "RFC7306-6.3-09"},
		wire.OpAtomicRequest: {"RFC7306-4-03", "RFC7306-4.2-03"}, wire.OpAtomicResponse: {"RFC7306-4-04", "RFC7306-4.2-04", "RFC7306-5.2.2-14"},
	},
	spec.NoAtomicOutstanding: {wire.OpAtomicResponse: {"RFC7306-5.2.2-14", "RFC7306-5-15"}},
	spec.UnexpectedResponse:  {wire.OpAtomicResponse: {"RFC7306-5.2.2-14", "RFC7306-5-15"}},
	spec.WrongIdentifier:     {wire.OpAtomicResponse: {"RFC7306-5.2.2-14", "RFC7306-5-16"}},
	spec.MSNOutOfRange:       {wire.OpAtomicResponse: {"RFC7306-5.2.2-14", "RFC7306-5-16"}},
}

// ofMisaligned lists the requirements that a misaligned operation covers.
var ofMisaligned = map[wire.AOpCode][]string{
	wire.FetchAdd: {"RFC7306-5.1.1-06", "RFC7306-5.1.1-07", "RFC7306-5.1.1-08", "RFC7306-5.1.1-09"},
	wire.CmpSwap:  {"RFC7306-5.1.2-14", "RFC7306-5.1.2-15", "RFC7306-5.1.2-16", "RFC7306-5.1.2-17"},
	wire.Swap:     {"DRAFT00-5.1.2-07"},
}

// ofTerminate lists the requirements that a Terminate for a message of RFC 7306 covers.
var ofTerminate = []string{"RFC7306-8.1-03", "RFC7306-8.1-04", "RFC7306-8.1-05"}

// Implied returns the requirements covered by a test's messages and outcomes. verdicts are the model's verdicts on the
// input segments. The result may contain duplicates.
func Implied(c gen.Config, t *suite.Test, verdicts []spec.Rule) []string {
	x := c.Protocol()
	var ids []string
	header := func(op wire.Opcode) {
		ids = append(ids, ofControl...)
		if isNew(op) {
			ids = append(ids, ofNew...)
		}
	}
	requests := map[uint32][]wire.AtomicRequest{} // valid requests by stream
	n := 0
	for i := range t.Input {
		in := &t.Input[i]
		if in.Port != suite.PortRx {
			continue
		}
		kind := verdicts[n]
		n++
		s, _ := wire.ClassifyWith(x, in.Hex)
		op := s.Header.Opcode
		header(op)
		ids = append(ids, ofExtension(x, &s, kind, false)...)
		var request wire.AtomicRequest
		isAtomic := op.Is(spec.AtomicRequest) && request.Decode(s.Payload) == nil
		switch kind {
		case spec.None:
			ids = append(ids, ofReceived[op]...)
			ids = append(ids, ofIgnored(&s)...)
			if isAtomic {
				requests[*in.Stream] = append(requests[*in.Stream], request)
			}
		case spec.StreamNotOpen:
		default:
			ids = append(append(ids, ofError[kind]...), ofErrorIn[kind][op]...)
			if isNew(op) && kind > spec.ShortHeader && kind != spec.Local {
				ids = append(append(ids, ofErrorOfNew[kind]...), ofTerminate...)
			}
			if isAtomic && kind == spec.Misaligned {
				ids = append(ids, ofMisaligned[request.AOpCode]...)
			}
			if isAtomic && kind == spec.AOpCodeNotSupported && request.AOpCode == wire.Swap {
				ids = append(ids, "RFC7306-10.1-05")
			}
		}
	}
	responses := map[uint32]int{}
	for i := range t.Expect {
		e := &t.Expect[i]
		if e.Port != suite.PortTx {
			continue
		}
		s, _ := wire.ClassifyWith(x, e.Hex)
		op := s.Header.Opcode
		header(op)
		ids = append(ids, ofExtension(x, &s, spec.None, true)...)
		ids = append(ids, ofSent[op]...)
		switch op.Class() {
		case spec.AtomicRequest:
			var r wire.AtomicRequest
			if r.Decode(s.Payload) == nil {
				ids = append(ids, ofAsked[r.AOpCode]...)
			}
		case spec.AtomicResponse:
			var a wire.AtomicResponse
			if k := responses[e.Stream]; k < len(requests[e.Stream]) && a.Decode(s.Payload) == nil {
				ids = append(ids, ofExecuted(&requests[e.Stream][k], a.OriginalRemoteDataValue)...)
			}
			if responses[e.Stream]++; responses[e.Stream] == 2 {
				ids = append(ids, "RFC7306-5.2.1-35", "RFC7306-5.2.2-15", "RFC7306-5.4-12", "RFC7306-5.4-13")
			}
		}
	}
	return ids
}

func ofExecuted(r *wire.AtomicRequest, original uint64) []string {
	ids := append([]string(nil), ofOperation[r.AOpCode]...)
	if r.Reserved != 0 {
		ids = append(ids, "RFC7306-5.2.1-05", "RFC7306-5.2.1-06")
	}
	if r.AOpCode == wire.FetchAdd && r.CompareData != 0 {
		ids = append(ids, "RFC7306-5.2.1-20")
	}
	if r.AOpCode == wire.FetchAdd && r.CompareMask != ^uint64(0) {
		ids = append(ids, "RFC7306-5.2.1-23")
	}
	switch {
	case r.AOpCode != wire.CmpSwap:
		return ids
	case (r.CompareData^original)&r.CompareMask == 0:
		return append(ids, ofMatch...)
	}
	return append(ids, ofMismatch...)
}

// ofIgnored returns the requirements covered by a valid message with nonzero ignored fields.
func ofIgnored(s *wire.Segment) []string {
	var ids []string
	if s.Header.DDPReserved != 0 || s.Header.RDMAPReserved != 0 {
		ids = append(ids, "RFC7306-4.1-23")
	}
	if isNew(s.Header.Opcode) && s.Header.InvalidateSTag != 0 {
		ids = append(ids, "RFC7306-4.1-09")
	}
	return ids
}
