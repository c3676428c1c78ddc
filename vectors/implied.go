package vectors

import (
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// What a test shows follows from what it sends and what comes of it. The tables below say it once; a test
// adds what is special about it.

// ofMessage are the requirements that a valid message of an opcode shows. For the messages of RFC 5040 these
// are the rows of RFC 7306 that speak of all messages.
var ofMessage = map[wire.Opcode][]string{
	wire.OpWrite:        {"RFC7306-4.1-01", "RFC7306-4.1-02"},
	wire.OpReadRequest:  {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-10.2-05"},
	wire.OpReadResponse: {"RFC7306-4.1-01", "RFC7306-4.1-02"},
	wire.OpSend:         {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-10.2-04"},
	wire.OpSendInv:      {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-4.1-03", "RFC7306-10.2-04"},
	wire.OpSendSE:       {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-10.2-04"},
	wire.OpSendSEInv:    {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-4.1-03", "RFC7306-10.2-04"},
	wire.OpTerminate:    {"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-10.2-06"},
	wire.OpImmediate: {"RFC7306-3-03", "RFC7306-4-01", "RFC7306-4.1-04", "RFC7306-4.1-10", "RFC7306-4.1-16", "RFC7306-4.2-01",
		"RFC7306-6-04", "RFC7306-6.2-01", "RFC7306-6.2-03", "RFC7306-10-01", "RFC7306-A.3-01"},
	wire.OpImmediateSE: {"RFC7306-3-04", "RFC7306-4-01", "RFC7306-4.1-04", "RFC7306-4.1-11", "RFC7306-4.1-17", "RFC7306-4.2-02",
		"RFC7306-6-04", "RFC7306-6.2-01", "RFC7306-6.2-03", "RFC7306-10-02", "RFC7306-A.3-01"},
	wire.OpAtomicRequest: {"RFC7306-4-02", "RFC7306-4-03", "RFC7306-4.1-04", "RFC7306-4.1-12", "RFC7306-4.1-18", "RFC7306-4.2-03",
		"RFC7306-5.2-01", "RFC7306-5.2-05", "RFC7306-5.2.1-01", "RFC7306-5.2.1-03", "RFC7306-10-03", "RFC7306-A.1-01"},
	wire.OpAtomicResponse: {"RFC7306-4-02", "RFC7306-4-04", "RFC7306-4-05", "RFC7306-4.1-04", "RFC7306-4.1-13", "RFC7306-4.1-19",
		"RFC7306-4.2-04", "RFC7306-5.2-06", "RFC7306-10-04", "RFC7306-10.2-07", "RFC7306-A.2-01"},
}

// ofResponse are the requirements that every Atomic Response shows.
var ofResponse = []string{"RFC7306-4-04", "RFC7306-5-14", "RFC7306-5.2-04", "RFC7306-5.2-06", "RFC7306-5.2.1-09", "RFC7306-5.2.1-29", "RFC7306-5.2.1-30",
	"RFC7306-5.2.1-36", "RFC7306-5.2.2-01", "RFC7306-5.2.2-03", "RFC7306-5.2.2-04", "RFC7306-5.2.2-05", "RFC7306-5.2.2-08", "RFC7306-5.2.2-09",
	"RFC7306-5.2.2-10", "RFC7306-4.1-08"}

// ofResponses are those that two or more of them show.
var ofResponses = []string{"RFC7306-5.2.1-35", "RFC7306-5.2.2-15", "RFC7306-5.4-12", "RFC7306-5.4-13"}

// ofOperation are the requirements that an executed operation shows.
var ofOperation = map[wire.AOpCode][]string{
	wire.FetchAdd: {"RFC7306-5-08", "RFC7306-5.1.1-01", "RFC7306-5.1.1-02", "RFC7306-5.1.1-19", "RFC7306-5.1.1-21", "RFC7306-5.2.1-07",
		"RFC7306-5.2.1-24", "RFC7306-10.1-04"},
	wire.CmpSwap: {"RFC7306-5-09", "RFC7306-5.1.2-01", "RFC7306-5.1.2-06", "RFC7306-5.1.2-08", "RFC7306-5.1.2-12", "RFC7306-5.2.1-07",
		"RFC7306-5.2.1-25", "RFC7306-10.1-06"},
	wire.Swap: {"DRAFT00-3-02", "DRAFT00-5.1.2-01", "DRAFT00-5.1.2-03", "DRAFT00-5.1.2-05", "DRAFT00-5.1.2-06", "DRAFT00-5.2.1-13"},
}

var (
	ofMatch    = []string{"RFC7306-5.1.2-03", "RFC7306-5.1.2-09", "RFC7306-5.1.2-10"}
	ofMismatch = []string{"RFC7306-5.1.2-04", "RFC7306-5.1.2-05", "RFC7306-5.1.2-11"}
)

// ofError are the requirements that a refused segment shows.
var ofError = map[wire.ErrorKind][]string{
	wire.ErrShortHeader:      {"RFC7306-8.2-01", "RFC7306-8.2-02"},
	wire.ErrDDPVersion:       {"RFC7306-8.2-01", "RFC7306-8.2-02", "RFC7306-4.1-23"},
	wire.ErrQueueNumber:      {"RFC7306-8.2-01", "RFC7306-8.2-02", "RFC7306-4-05", "RFC7306-10.2-01", "RFC7306-10.2-09"},
	wire.ErrRDMAPVersion:     {"RFC7306-8.2-01", "RFC7306-8.2-04", "RFC7306-4.1-06"},
	wire.ErrOpcode:           {"RFC7306-8.2-01", "RFC7306-8.2-03", "RFC7306-4.1-04", "RFC7306-4.1-07"},
	wire.ErrTaggedFlag:       {"RFC7306-8.2-03", "RFC7306-4.1-05", "RFC7306-4.1-14"},
	wire.ErrQueueMismatch:    {"RFC7306-8.2-03"},
	wire.ErrMessageOffset:    {"RFC7306-8.2-02"},
	wire.ErrLength:           {"RFC7306-8.2-01"},
	wire.ErrAtomicOpcode:     {"RFC7306-5-02", "RFC7306-5.2.1-07", "RFC7306-5.2.1-31"},
	wire.ErrSTag:             {"RFC7306-8-01", "RFC7306-8.1-03", "RFC7306-9-02", "RFC7306-5.2.1-10"},
	wire.ErrTOWrap:           {"RFC7306-8-01", "RFC7306-8.1-03", "RFC7306-9-02"},
	wire.ErrBounds:           {"RFC7306-8-01", "RFC7306-8.1-03", "RFC7306-9-02"},
	wire.ErrAlignment:        {"RFC7306-5-12", "RFC7306-8.2-05", "RFC7306-8.2-06", "RFC7306-8.2-07"},
	wire.ErrStreamTerminated: {"RFC7306-8.1-03"},
}

// ofErrorIn are those that it shows beyond that for a message of this opcode.
var ofErrorIn = map[wire.ErrorKind]map[wire.Opcode][]string{
	wire.ErrQueueMismatch: {
		wire.OpImmediate: {"RFC7306-4.1-16"}, wire.OpImmediateSE: {"RFC7306-4.1-17"},
		wire.OpAtomicRequest: {"RFC7306-4.1-18"}, wire.OpAtomicResponse: {"RFC7306-4.1-19"},
		wire.OpSend: {"RFC7306-10.2-04"}, wire.OpReadRequest: {"RFC7306-10.2-05"}, wire.OpTerminate: {"RFC7306-10.2-06"},
	},
	wire.ErrLength: {
		wire.OpImmediate:      {"RFC7306-6.1-05", "RFC7306-6.1-06", "RFC7306-6.3-09"},
		wire.OpImmediateSE:    {"RFC7306-6.1-05", "RFC7306-6.1-06", "RFC7306-6.3-09"},
		wire.OpAtomicRequest:  {"RFC7306-4-03", "RFC7306-4.2-03", "RFC7306-8.1-03"},
		wire.OpAtomicResponse: {"RFC7306-4-04", "RFC7306-4.2-04", "RFC7306-5.2.2-14", "RFC7306-8.1-03"},
	},
}

// ofMisaligned are those of a misaligned operation.
var ofMisaligned = map[wire.AOpCode][]string{
	wire.FetchAdd: {"RFC7306-5.1.1-06", "RFC7306-5.1.1-07", "RFC7306-5.1.1-08", "RFC7306-5.1.1-09"},
	wire.CmpSwap:  {"RFC7306-5.1.2-14", "RFC7306-5.1.2-15", "RFC7306-5.1.2-16", "RFC7306-5.1.2-17"},
	wire.Swap:     {"DRAFT00-5.1.2-07"},
}

// implied lists what a test's messages and outcomes show.
func implied(t *suite.Test) []string {
	var ids []string
	responses := 0
	for _, e := range t.Expect {
		segment := []byte(t.Input[e.Input].Hex)
		switch e.Port {
		case suite.PortTx:
			responses++
			ids = append(ids, ofResponse...)
			ids = append(ids, ofExecuted(segment, e.Hex)...)
		case suite.PortRecord:
			ids = append(ids, ofRecord(segment, wire.ErrorKind(e.Record.Code))...)
		}
	}
	if responses > 1 {
		ids = append(ids, ofResponses...)
	}
	return ids
}

func ofExecuted(segment, response []byte) []string {
	var request wire.AtomicRequest
	var answer wire.AtomicResponse
	if request.Decode(segment[untaggedOctets:]) != nil || answer.Decode(response[untaggedOctets:]) != nil {
		return nil
	}
	s, _ := wire.Classify(segment)
	ids := append(ofIgnored(s), ofMessage[wire.OpAtomicRequest]...)
	ids = append(ids, ofOperation[request.AOpCode]...)
	if request.Reserved != 0 {
		ids = append(ids, "RFC7306-5.2.1-05", "RFC7306-5.2.1-06")
	}
	if request.AOpCode == wire.FetchAdd && request.CompareData != 0 {
		ids = append(ids, "RFC7306-5.2.1-20")
	}
	if request.AOpCode == wire.FetchAdd && request.CompareMask != ^uint64(0) {
		ids = append(ids, "RFC7306-5.2.1-23")
	}
	switch {
	case request.AOpCode != wire.CmpSwap:
		return ids
	case (request.CompareData^answer.OriginalRemoteDataValue)&request.CompareMask == 0:
		return append(ids, ofMatch...)
	}
	return append(ids, ofMismatch...)
}

// ofIgnored are the requirements that a valid message shows which has a value in what a receiver ignores.
func ofIgnored(s wire.Segment) []string {
	var ids []string
	if s.Header.DDPReserved != 0 || s.Header.RDMAPReserved != 0 {
		ids = append(ids, "RFC7306-4.1-23")
	}
	if s.Header.Opcode >= wire.OpImmediate && s.Header.InvalidateSTag != 0 {
		ids = append(ids, "RFC7306-4.1-09")
	}
	return ids
}

func ofRecord(segment []byte, kind wire.ErrorKind) []string {
	s, _ := wire.Classify(segment)
	opcode := s.Header.Opcode
	if kind == wire.ErrNone {
		return append(ofIgnored(s), ofMessage[opcode]...)
	}
	ids := append(append([]string(nil), ofError[kind]...), ofErrorIn[kind][opcode]...)
	var request wire.AtomicRequest
	if kind != wire.ErrAlignment && kind != wire.ErrAtomicOpcode || request.Decode(s.Payload) != nil {
		return ids
	}
	switch {
	case kind == wire.ErrAlignment:
		return append(ids, ofMisaligned[request.AOpCode]...)
	case request.AOpCode == wire.Swap:
		return append(ids, "RFC7306-10.1-05")
	}
	return append(ids, "RFC7306-10.1-08")
}

const untaggedOctets = 18 // of a DDP header
