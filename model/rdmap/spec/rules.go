package spec

import (
	"fmt"
	"strings"
)

// Rule is the number of a rule that a segment can break, 6 bits; 0: none is broken. Numbers are stable: the retire port of
// the hardware reports them.
type Rule uint8

const (
	None Rule = 0

	// Of the segment alone, from the lowest layer up.
	ShortHeader        Rule = 1
	TaggedDDPVersion   Rule = 2
	UntaggedDDPVersion Rule = 3
	NoSuchQueue        Rule = 4
	BadRDMAPVersion    Rule = 5
	ReservedOpcode     Rule = 6
	WrongTBit          Rule = 7
	WrongQueue         Rule = 8
	MONotZero          Rule = 9
	WrongLength        Rule = 10

	// Of its queue and the messages in progress.
	MSNOutOfRange       Rule = 11
	NoReceiveBuffer     Rule = 12
	IRDExceeded         Rule = 13
	NoAtomicOutstanding Rule = 14
	WrongMO             Rule = 15
	OpcodeChanges       Rule = 16
	UnexpectedResponse  Rule = 17
	Interleaved         Rule = 18
	MessageTooLong      Rule = 19

	// Of a response and its request.
	ReadTooLong     Rule = 20
	WrongReadLast   Rule = 21
	WrongSinkSTag   Rule = 22
	WrongSinkTO     Rule = 23
	WrongIdentifier Rule = 24

	// Of a request.
	AOpCodeNotSupported Rule = 25
	RequestSTag         Rule = 26
	RequestAssociation  Rule = 27
	RequestAccess       Rule = 28
	RequestTOWrap       Rule = 29
	RequestBounds       Rule = 30
	Misaligned          Rule = 31

	// Of a tagged segment's buffer.
	TaggedSTag        Rule = 32
	TaggedAssociation Rule = 33
	TaggedAccess      Rule = 34
	TaggedTOWrap      Rule = 35
	TaggedBounds      Rule = 36

	// Of this node's memory, of a Send with Invalidate, and of the stream.
	Local            Rule = 37
	CannotInvalidate Rule = 38
	StreamNotOpen    Rule = 39
)

// RuleBits is the width of a Rule.
const RuleBits = 6

// RuleRow is one rule.
type RuleRow struct {
	Rule      Rule
	Name      string // snake case
	Section   string
	On        Class         // operations that can break it; header rules are checked before the opcode is known
	Header    bool          // decided from the segment alone
	Terminate TerminateCode // code that ends the stream; none for StreamNotOpen
	Text      string        // condition under which it is broken
}

// Rules is indexed by number and has no extensions. Where the RFCs leave the order of checks open (I-36, I-41), this
// project checks in this order, except that StreamNotOpen is checked first.
var Rules = [40]RuleRow{
	{None, "none", "", 0, false, TerminateCode{}, "no rule is broken"},

	{ShortHeader, "short_header", "RFC 5041 4", Segments, true, TermDDPLocal, "the segment ends inside its DDP header, or is empty (I-33)"},
	{TaggedDDPVersion, "tagged_ddp_version", "RFC 5041 7.1", Segments, true, TermTaggedDDPVersion, "T = 1 and DV is not 01b"},
	{UntaggedDDPVersion, "untagged_ddp_version", "RFC 5041 7.1", Segments, true, TermUntaggedDDPVersion, "T = 0 and DV is not 01b"},
	{NoSuchQueue, "no_such_queue", "RFC 5041 7.1", Segments, true, TermQueue, "T = 0 and QN is above 3"},
	{BadRDMAPVersion, "bad_rdmap_version", "RFC 5040 7.2", Segments, true, TermRDMAPVersion, "RV is not 01b"},
	{ReservedOpcode, "reserved_opcode", "RFC 5040 7.2", 0, true, TermUnexpectedOpcode, fmt.Sprintf("the opcode is 0x%X to 0xF", len(Operations))},
	{WrongTBit, "wrong_t_bit", "RFC 5040 4.1", Segments, true, TermUnexpectedOpcode, "T does not match the opcode (I-34)"},
	{WrongQueue, "wrong_queue", "RFC 5040 4.1", Untagged, true, TermUnexpectedOpcode, "QN is not the opcode's queue (I-34)"},
	{MONotZero, "mo_not_zero", "RFC 5041 7.1", Requests | Terminate | Replies, true, TermMO,
		"MO is not 0 in a " + anyOf((Requests | Terminate | Replies).All()) + " (I-35)"},
	{WrongLength, "wrong_length", "RFC 7306 6.3", Requests | Terminate | Replies | Immediate, true, TermCatastrophicStream,
		"the message is not a single segment with the length of its header (I-07, I-35)"},

	{MSNOutOfRange, "msn_out_of_range", "RFC 5041 7.1", Untagged, false, TermMSN, "MSN is not the next of the queue (I-37)"},
	{NoReceiveBuffer, "no_receive_buffer", "RFC 5041 7.1", Receives, false, TermNoBuffer, "no receive request is posted"},
	{IRDExceeded, "ird_exceeded", "RFC 7306 5.2.2", Requests, false, TermNoBuffer, "the stream already has IRD unanswered requests (I-37, I-82)"},
	{NoAtomicOutstanding, "no_atomic_outstanding", "RFC 7306 5.2.2", Replies, false, TermNoBuffer,
		"an " + anyOf(Replies.All()) + " arrives while no request is outstanding (I-08, I-37)"},
	{WrongMO, "wrong_mo", "RFC 5041 7.1", Receives, false, TermMO, "MO is not the number of octets already received of the message (I-84)"},
	{OpcodeChanges, "opcode_changes", "RFC 5040 4.1", Receives, false, TermUnexpectedOpcode, "the opcode is not that of the message's first segment (I-43)"},
	{UnexpectedResponse, "unexpected_response", "RFC 5040 5.2", Responses, false, TermUnexpectedOpcode,
		"the oldest outstanding request requires another response, or a Read Response arrives while none is outstanding (I-45, I-80)"},
	{Interleaved, "interleaved", "RFC 5041 5.4", Receives | Responses, false, TermUnexpectedOpcode,
		"a Send, Immediate Data or a response begins inside another message (I-78)"},
	{MessageTooLong, "message_too_long", "RFC 5041 7.1", Sends, false, TermTooLong, "the message does not fit the receive buffer"},

	{ReadTooLong, "read_too_long", "RFC 5040 5.2", ReadResponse, false, TermTaggedBounds, "a Read Response has more octets than requested (I-45)"},
	{WrongReadLast, "wrong_read_last", "RFC 5040 5.2", ReadResponse, false, TermCatastrophicStream,
		"L of a Read Response is set although octets are missing, or clear although none is (I-45)"},
	{WrongSinkSTag, "wrong_sink_stag", "RFC 5040 5.2", ReadResponse, false, TermTaggedSTag, "the STag of a Read Response is not the Data Sink STag (I-45)"},
	{WrongSinkTO, "wrong_sink_to", "RFC 5040 5.2", ReadResponse, false, TermTaggedBounds, "the TO of a Read Response is not that of the next missing octet (I-45)"},
	{WrongIdentifier, "wrong_identifier", "RFC 7306 5.2.2", AtomicResponse, false, TermCatastrophicStream,
		"the Original Request Identifier is not that of the oldest " + anyOf(Where((*Operation).GetsReply)) + " (I-08)"},

	{AOpCodeNotSupported, "aopcode_not_supported", "RFC 7306 5.2.1", AtomicRequest, false, TermUnexpectedOpcode, "the AOpCode is not supported (I-03, I-04)"},
	{RequestSTag, "request_stag", "RFC 5040 7.2", Naming, false, TermSTag, "no valid region has the STag named by a request"},
	{RequestAssociation, "request_association", "RFC 5040 7.2", Naming, false, TermAssociation,
		"the STag named by a request belongs neither to the stream nor to its domain"},
	{RequestAccess, "request_access", "RFC 5040 7.2", Naming, false, TermAccess, "the STag does not permit the requested access"},
	{RequestTOWrap, "request_to_wrap", "RFC 5040 7.2", Naming, false, TermTOWrap, "TO + length of a request is above 2^64 (I-41)"},
	{RequestBounds, "request_bounds", "RFC 5040 7.2", Naming, false, TermBounds, "the octets named by a request are not entirely inside the region"},
	{Misaligned, "misaligned", "RFC 7306 8.2", AtomicRequest | AtomicWriteRequest, false, TermCatastrophicStream, "the resolved address of an Atomic is not a multiple of 8 (I-05)"},

	{TaggedSTag, "tagged_stag", "RFC 5041 7.1", Tagged, false, TermTaggedSTag, "no valid region has the STag of a tagged segment"},
	{TaggedAssociation, "tagged_association", "RFC 5041 7.1", Tagged, false, TermTaggedAssociation,
		"the STag of a tagged segment belongs neither to the stream nor to its domain"},
	{TaggedAccess, "tagged_access", "RFC 5040 7.2", Tagged, false, TermAccess, "the STag of a tagged segment does not permit the access (I-41)"},
	{TaggedTOWrap, "tagged_to_wrap", "RFC 5041 7.1", Tagged, false, TermTaggedTOWrap, "TO + length of a tagged segment is above 2^64 (I-41)"},
	{TaggedBounds, "tagged_bounds", "RFC 5041 7.1", Tagged, false, TermTaggedBounds, "the octets of a tagged segment are not entirely inside the region"},

	{Local, "local", "RFC 7306 8.1", Tagged | Sends | Replies, false, TermLocal, "local memory or a local STag fails (I-47)"},
	{CannotInvalidate, "cannot_invalidate", "RFC 5040 7.2", SendInvalidate | Committing, false, TermInvalidate, "the Invalidate STag cannot be invalidated (I-44)"},
	{StreamNotOpen, "stream_not_open", "RFC 5040 7.1", Segments, false, TerminateCode{}, "the stream is not open: the segment is discarded (I-32)"},
}

// anyOf joins the titles of operations.
func anyOf(list []Opcode) string {
	var titles []string
	for _, op := range list {
		titles = append(titles, strings.TrimPrefix(Operations[op].Title, "RDMA "))
	}
	last := len(titles) - 1
	if last == 0 {
		return titles[last]
	}
	return strings.Join(titles[:last], ", ") + " or " + titles[last]
}

// Row returns the rule's row, with all extensions; that of None for an unassigned number.
func (r Rule) Row() *RuleRow {
	switch i := int(r); {
	case i < len(Rules):
		return &Rules[i]
	case i < len(Rules)+len(CommitRules):
		return &CommitRules[i-len(Rules)]
	}
	return &Rules[None]
}

// Terminate returns the code of the stream's Terminate; false for None and StreamNotOpen, which send no Terminate.
func (r Rule) Terminate() (TerminateCode, bool) {
	row := r.Row()
	return row.Terminate, row.Rule != None && row.Rule != StreamNotOpen
}

// String returns the snake-case name.
func (r Rule) String() string {
	if row := r.Row(); row.Rule == r {
		return row.Name
	}
	return fmt.Sprintf("rule(%d)", uint8(r))
}

// Describe reads, for example, "rule 11, msn_out_of_range (RFC 5041 7.1): MSN is not the next of the queue (I-37)".
func (r Rule) Describe() string {
	row := r.Row()
	if row.Rule != r || r == None {
		return fmt.Sprintf("rule %d, %v", uint8(r), r)
	}
	return fmt.Sprintf("rule %d, %s (%s): %s", uint8(r), row.Name, row.Section, row.Text)
}

// MarshalText writes the name.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name.
func (r *Rule) UnmarshalText(text []byte) error {
	for i := range Rule(len(Rules) + len(CommitRules)) {
		if i.Row().Name == string(text) {
			*r = i
			return nil
		}
	}
	return fmt.Errorf("spec: rule name is %q; allowed: a name in the table of rules, such as short_header", text)
}
