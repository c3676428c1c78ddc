package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables below were transcribed from the specifications by a reader who had not seen those of this package. An
// error in shared tables would affect hardware and model alike; these rows are used only here. Rows that no text
// determines are marked open: there this project's decision applies, and differences are listed here.

// How an operation is ordered, which right it needs, and the kind of its response, in that reader's terms.
const (
	isWrite = iota
	isReadRequest
	isReadResponse
	isSendLike
	isTerminate
	isAtomicRequest
	isAtomicResponse
)

// secondOperations: RFC 5040 section 4, RFC 7306 sections 4, 5.2 and 6. Lengths are octets after the DDP header.
var secondOperations = []struct {
	code         Opcode
	name         string
	tagged       bool
	queue        int // -1: tagged
	least, most  int // RDMAP header
	payload      bool
	single       bool
	response     int // -1: none
	right        Right
	invalidates  bool // requires the right to invalidate
	solicited    bool
	takesReceive bool
	class        int
}{
	{0x0, "RDMA Write", true, -1, 0, 0, true, false, -1, RemoteWrite, false, false, false, isWrite},
	{0x1, "RDMA Read Request", false, 1, 28, 28, false, true, 0x2, RemoteRead, false, false, false, isReadRequest},
	{0x2, "RDMA Read Response", true, -1, 0, 0, true, false, -1, RemoteWrite, false, false, false, isReadResponse}, // the right is open
	{0x3, "Send", false, 0, 0, 0, true, false, -1, NoRight, false, false, true, isSendLike},
	{0x4, "Send with Invalidate", false, 0, 0, 0, true, false, -1, NoRight, true, false, true, isSendLike},
	{0x5, "Send with Solicited Event", false, 0, 0, 0, true, false, -1, NoRight, false, true, true, isSendLike},
	{0x6, "Send with Solicited Event and Invalidate", false, 0, 0, 0, true, false, -1, NoRight, true, true, true, isSendLike},
	{0x7, "Terminate", false, 2, 4, 52, false, true, -1, NoRight, false, false, false, isTerminate},
	{0x8, "Immediate Data", false, 0, 8, 8, false, true, -1, NoRight, false, false, true, isSendLike},
	{0x9, "Immediate Data with SE", false, 0, 8, 8, false, true, -1, NoRight, false, true, true, isSendLike},
	{0xA, "Atomic Request", false, 1, 52, 52, false, true, 0xB, RemoteAtomic, false, false, false, isAtomicRequest},
	{0xB, "Atomic Response", false, 3, 12, 12, false, true, -1, NoRight, false, false, false, isAtomicResponse},
}

func TestOperationsAsReadASecondTime(t *testing.T) {
	require.Len(t, Operations, len(secondOperations))
	classes := map[int]Class{isWrite: Write, isReadRequest: ReadRequest, isReadResponse: ReadResponse, isSendLike: Receives,
		isTerminate: Terminate, isAtomicRequest: AtomicRequest, isAtomicResponse: AtomicResponse}
	for _, s := range secondOperations {
		o := &Operations[s.code]
		assert.Equal(t, s.code, o.Opcode)
		if s.name == "Immediate Data with SE" { // abbreviated in Figure 2 of RFC 7306; spelled out in section 10 and here
			s.name = "Immediate Data with Solicited Event"
		}
		assert.Equal(t, s.name, o.Title)
		assert.Equal(t, s.tagged, o.Tagged, s.name)
		if !s.tagged {
			assert.Equal(t, uint32(s.queue), o.Queue, s.name)
		}
		assert.Equal(t, s.least, o.MinLength, s.name)
		assert.Equal(t, s.single, o.SingleSegment, s.name)
		if s.least == s.most { // the parser delivers the octets after the control word of a Terminate as payload
			assert.Equal(t, s.most, o.FixedLength, s.name)
			assert.Equal(t, s.payload, o.CarriesPayload, s.name)
		}
		assert.Equal(t, max(s.response, 0), int(o.Response), s.name)
		assert.Equal(t, s.invalidates, o.InvalidateSTag, s.name)
		assert.Equal(t, s.solicited, o.Solicited, s.name)
		assert.Equal(t, s.takesReceive, o.Class&Receives != 0, s.name)
		assert.NotZero(t, o.Class&classes[s.class], s.name)
		if o.Class&Responses != 0 {
			// No text defines the right for the requester's own buffer. Here responses need the local write right (I-45,
			// I-48).
			assert.Equal(t, LocalWrite, o.Right, s.name)
		} else {
			assert.Equal(t, s.right, o.Right, s.name)
		}
	}
}

const noCode = -1 // no number is specified

// secondRules: RFC 7306 section 8, RFC 5040 section 4.8, RFC 5041 section 7; layer, error type, code. rules are the
// corresponding rules of this package; none: it is not a rule about segments, or it does not exist here.
var secondRules = []struct {
	name               string
	opcodes            []Opcode // nil: all, or implied by the name
	layer, etype, code int
	open               bool // no text specifies the code
	rules              []Rule
}{
	{"mpaStreamLost", nil, 2, 0, 0x01, true, nil},
	{"mpaCRC", nil, 2, 0, 0x02, false, nil},
	{"mpaMarkerLength", nil, 2, 0, 0x03, false, nil},
	{"mpaStartFrame", nil, 2, 0, 0x04, true, nil},
	{"mpaLocalCatastrophic", nil, 2, 0, 0x05, true, nil},
	{"mpaInsufficientIRD", nil, 2, 0, 0x06, true, nil},
	{"mpaNoMatchingRTR", nil, 2, 0, 0x07, true, nil},
	{"rdmapLocalCatastrophic", nil, 0, 0, 0x00, true, []Rule{Local}},
	{"ddpLocalCatastrophic", nil, 1, 0, 0x00, true, nil},
	{"catastrophicGlobal", nil, 0, 2, 0x08, true, nil},
	{"segmentTooShort", nil, noCode, noCode, noCode, true, []Rule{ShortHeader}},
	{"ddpVersionTagged", nil, 1, 1, 0x04, false, []Rule{TaggedDDPVersion}},
	{"ddpVersionUntagged", nil, 1, 2, 0x06, false, []Rule{UntaggedDDPVersion}},
	{"taggedSTagInvalid", []Opcode{0x0, 0x2}, 1, 1, 0x00, false, []Rule{TaggedSTag}},
	{"taggedSTagNotOfStream", []Opcode{0x0, 0x2}, 1, 1, 0x02, false, []Rule{TaggedAssociation}},
	{"writeAccessRight", []Opcode{0x0}, 0, 1, 0x02, true, []Rule{TaggedAccess}},
	{"readResponseAccessRight", []Opcode{0x2}, 0, 1, 0x02, true, []Rule{TaggedAccess}},
	{"taggedTOWrap", []Opcode{0x0, 0x2}, 1, 1, 0x03, false, []Rule{TaggedTOWrap}},
	{"taggedBaseBounds", []Opcode{0x0, 0x2}, 1, 1, 0x01, false, []Rule{TaggedBounds}},
	{"queueInvalid", nil, 1, 2, 0x01, false, []Rule{NoSuchQueue}},
	{"queue3WithoutAtomics", nil, 1, 2, 0x01, true, nil}, // not optional here
	{"noReceive", []Opcode{0x3, 0x4, 0x5, 0x6, 0x8, 0x9}, 1, 2, 0x02, false, []Rule{NoReceiveBuffer}},
	{"irdExceeded", []Opcode{0x1, 0xA}, 1, 2, 0x02, true, []Rule{IRDExceeded}},
	{"atomicResponseNoRequest", []Opcode{0xB}, 1, 2, 0x02, false, []Rule{NoAtomicOutstanding}},
	{"msnOutOfRange", []Opcode{0x1, 0x3, 0x4, 0x5, 0x6, 0x8, 0x9, 0xA, 0xB}, 1, 2, 0x03, false, []Rule{MSNOutOfRange}},
	{"moInvalid", []Opcode{0x1, 0x3, 0x4, 0x5, 0x6, 0x8, 0x9, 0xA, 0xB}, 1, 2, 0x04, false, []Rule{MONotZero, WrongMO}},
	{"messageTooLong", []Opcode{0x3, 0x4, 0x5, 0x6}, 1, 2, 0x05, false, []Rule{MessageTooLong}},
	{"notSingle", []Opcode{0x1, 0x7, 0xA, 0xB}, noCode, noCode, noCode, true, []Rule{WrongLength}},
	{"opcodeChangesInMessage", nil, noCode, noCode, noCode, true, []Rule{OpcodeChanges}},
	{"rdmapVersion", nil, 0, 2, 0x05, false, []Rule{BadRDMAPVersion}},
	{"opcodeUndefined", []Opcode{0xC, 0xD, 0xE, 0xF}, 0, 2, 0x06, false, []Rule{ReservedOpcode}},
	{"opcodeNotSupported", []Opcode{0x8, 0x9, 0xA, 0xB}, 0, 2, 0x06, false, nil}, // not optional here
	{"opcodeWrongTag", nil, 0, 2, 0x06, false, []Rule{WrongTBit}},
	{"opcodeWrongQueue", []Opcode{0x1, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB}, 0, 2, 0x06, false, []Rule{WrongQueue}},
	{"immediateLength", []Opcode{0x8, 0x9}, 0, 2, 0x07, false, []Rule{WrongLength}},
	{"immediateInTwo", []Opcode{0x8, 0x9}, 0, 2, 0x07, true, []Rule{WrongLength}},
	{"readRequestLength", []Opcode{0x1}, 0, 2, 0x07, true, []Rule{WrongLength}},
	{"readSTagInvalid", []Opcode{0x1}, 0, 1, 0x00, false, []Rule{RequestSTag}},
	{"readSTagNotOfStream", []Opcode{0x1}, 0, 1, 0x03, false, []Rule{RequestAssociation}},
	{"readAccessRight", []Opcode{0x1}, 0, 1, 0x02, false, []Rule{RequestAccess}},
	{"readTOWrap", []Opcode{0x1}, 0, 1, 0x04, false, []Rule{RequestTOWrap}},
	{"readBaseBounds", []Opcode{0x1}, 0, 1, 0x01, false, []Rule{RequestBounds}},
	{"readResponseNoRequest", []Opcode{0x2}, 0, 2, 0x06, true, []Rule{UnexpectedResponse}},
	{"readResponseMismatch", []Opcode{0x2}, noCode, noCode, noCode, true, []Rule{ReadTooLong, WrongReadLast, WrongSinkSTag, WrongSinkTO}},
	{"atomicRequestLength", []Opcode{0xA}, 0, 2, 0x07, true, []Rule{WrongLength}},
	{"aopcodeNotSupported", []Opcode{0xA}, 0, 2, 0x06, false, []Rule{AOpCodeNotSupported}},
	{"atomicSTagInvalid", []Opcode{0xA}, 0, 1, 0x00, false, []Rule{RequestSTag}},
	{"atomicSTagNotOfStream", []Opcode{0xA}, 0, 1, 0x03, false, []Rule{RequestAssociation}},
	{"atomicAccessRight", []Opcode{0xA}, 0, 1, 0x02, false, []Rule{RequestAccess}},
	{"atomicTOWrap", []Opcode{0xA}, 0, 1, 0x04, false, []Rule{RequestTOWrap}},
	{"atomicBaseBounds", []Opcode{0xA}, 0, 1, 0x01, false, []Rule{RequestBounds}},
	{"atomicUnaligned", []Opcode{0xA}, 0, 2, 0x07, false, []Rule{Misaligned}},
	{"atomicResponseLength", []Opcode{0xB}, 0, 2, 0x07, false, []Rule{WrongLength}},
	{"atomicResponseIdentifier", []Opcode{0xB}, 0, 2, 0x07, false, []Rule{WrongIdentifier}},
	{"atomicResponseAheadOfRead", []Opcode{0xB}, 0, 2, 0x06, true, []Rule{UnexpectedResponse}},
	{"sendCannotInvalidate", []Opcode{0x4, 0x6}, 0, 1, 0x09, true, []Rule{CannotInvalidate}},
	{"terminateBad", []Opcode{0x7}, noCode, noCode, noCode, true, nil}, // handled like any other segment (I-83)
}

// secondRule returns the rules that correspond to a row.
func secondRule(t *testing.T, name string) []Rule {
	for _, s := range secondRules {
		if s.name == name {
			return s.rules
		}
	}
	require.Fail(t, "no rule "+name)
	return nil
}

func TestRulesAsReadASecondTime(t *testing.T) {
	seen := map[Rule]bool{None: true, StreamNotOpen: true}
	for _, s := range secondRules {
		code := TerminateCode{Layer(s.layer), uint8(s.etype), uint8(s.code)}
		if s.code != noCode {
			_, named := code.Row()
			assert.True(t, named, s.name)
		}
		for _, r := range s.rules {
			seen[r] = true
			if s.code != noCode {
				assert.Equal(t, code, r.Row().Terminate, "%s, open: %t", s.name, s.open)
			}
			for _, o := range s.opcodes {
				if r == ReservedOpcode || r == MONotZero || r == WrongMO { // one or the other
					continue
				}
				assert.True(t, o.Is(r.Row().On), "%s: %v", s.name, o)
			}
		}
	}
	for _, r := range Rules {
		// No text covers a message inside another one (I-78).
		assert.Equal(t, r.Rule != Interleaved, seen[r.Rule], r.Name)
	}
}

// secondCheckOrder: first is checked before second, so that first determines the Terminate if both are broken. open:
// derived by reasoning or analogy.
var secondCheckOrder = []struct {
	first, second string
	open          bool
}{
	{"atomicSTagInvalid", "atomicUnaligned", false},
	{"atomicBaseBounds", "atomicUnaligned", false},
	{"atomicAccessRight", "atomicUnaligned", false},
	{"atomicSTagNotOfStream", "atomicUnaligned", false},
	{"atomicTOWrap", "atomicUnaligned", false},
	{"atomicSTagInvalid", "atomicSTagNotOfStream", false},
	{"atomicSTagNotOfStream", "atomicAccessRight", true},
	{"atomicAccessRight", "atomicBaseBounds", true},
	{"atomicAccessRight", "atomicTOWrap", true},
	{"atomicTOWrap", "atomicBaseBounds", true},
	{"atomicRequestLength", "aopcodeNotSupported", true},
	{"aopcodeNotSupported", "atomicSTagInvalid", true},
	{"readSTagInvalid", "readSTagNotOfStream", false},
	{"readSTagNotOfStream", "readAccessRight", true},
	{"readAccessRight", "readTOWrap", true},
	{"readTOWrap", "readBaseBounds", true},
	{"taggedSTagInvalid", "taggedSTagNotOfStream", false},
	{"taggedSTagNotOfStream", "writeAccessRight", true},
	{"writeAccessRight", "taggedTOWrap", true},
	{"taggedTOWrap", "taggedBaseBounds", true},
	{"ddpVersionUntagged", "queueInvalid", true},
	{"ddpVersionTagged", "taggedSTagInvalid", true},
	{"queueInvalid", "rdmapVersion", true},
	{"queueInvalid", "msnOutOfRange", false},
	{"rdmapVersion", "opcodeUndefined", true},
	{"opcodeNotSupported", "atomicSTagInvalid", false},
	{"noReceive", "immediateLength", true},
	{"atomicResponseNoRequest", "atomicResponseIdentifier", false},
	{"msnOutOfRange", "atomicResponseIdentifier", false},
	{"msnOutOfRange", "atomicResponseLength", false},
}

// otherOrder lists the pairs that this project checks in the opposite order. No RFC orders them (I-36): a segment is
// checked by itself before the state of its queue. The MSN is the key (I-08) only of an Atomic Response with a valid
// length.
var otherOrder = map[[2]string]bool{
	{"noReceive", "immediateLength"}:          true,
	{"msnOutOfRange", "atomicResponseLength"}: true,
}

func TestCheckOrderAsReadASecondTime(t *testing.T) {
	for _, s := range secondCheckOrder {
		for _, first := range secondRule(t, s.first) {
			for _, second := range secondRule(t, s.second) {
				assert.Equal(t, !otherOrder[[2]string{s.first, s.second}], first < second, "%s, %s, open: %t", s.first, s.second, s.open)
			}
		}
	}
}
