package spec

import "fmt"

// Rule is the number of a rule that a received packet can break; 0: none is broken.
type Rule uint8

const (
	None Rule = iota

	// Of a request: where it belongs.
	ShortPacket
	UnknownQP
	WrongCID
	WrongVersion
	NoIRRQ
	QPInError
	BehindRNR

	// Of the operation that it belongs to.
	BadOpcode
	ShortHeaders
	SNGap
	SNRepeated
	BadQKey
	OutOfPlace
	BadRMSN

	// Of what receives it, and of its payload.
	UnknownSRQ
	NoReceive
	BadPayload
	BadLength

	// Of what it names.
	BadOffset
	TooLong
	ReceiveBuffer
	RKeyUnknown
	RKeyOwner
	RKeyRight
	VAWrap
	OutOfBounds
	Misaligned
	CannotInvalidate

	// Of a message, once every packet before one of it has arrived.
	Incomplete

	// Of a response.
	NotOutstanding
	ResponseShort
	ResponseWrong
	ResponseCE
	ResponseSink
	ResponseLength
	SinkBuffer
	rules
)

// RuleBits is the width of a Rule.
const RuleBits = 6

// RuleRow is one rule.
type RuleRow struct {
	Rule    Rule
	Name    string // snake case
	Section string
	Class   Class
	Code    ULPCode // with CIE and NRE
	// Message: with CIE, the message of the packet is over with its last packet, and its receive ends in error (I-103).
	Message bool
	Text    string // condition under which it is broken
}

// Rules is indexed by number, in the order of the checks (I-60, I-101, I-116, I-120). A response is checked against UnknownQP, WrongCID
// and the last group only.
var Rules = [rules]RuleRow{
	{None, "none", "", Harmless, NoCode, false, "no rule is broken"},

	{ShortPacket, "short_packet", "RoF 8.2", Unaddressed, NoCode, false, "the packet ends inside RBTH (I-99)"},
	{UnknownQP, "unknown_qp", "RoF 8.2", Unaddressed, NoCode, false, "no QP has the number, or none that receives such packets"},
	{WrongCID, "wrong_cid", "RoF 6.9", Unaddressed, NoCode, false, "the CID that Falcon reports is not that of the QP (I-30)"},
	{WrongVersion, "wrong_version", "RoF 8.2", Foreign, InvalidRequest, false, "Version is not 1"},
	{NoIRRQ, "no_irrq", "FTP 8.5.3.4", Retry, NoCode, false, "all entries of the IRRQ are taken by unanswered pulls (I-120)"},
	{QPInError, "qp_in_error", "RoF 6.3", Ended, OperationError, false, "the QP is in Error (I-100)"},
	{BehindRNR, "behind_rnr", "FTP 8.5.3.4", Retry, NoCode, false, "another request of the ordered connection waits to be repeated after an RNR (I-29, I-101)"},

	{BadOpcode, "bad_opcode", "RoF 8.1.3", Fatal, InvalidRequest, false, "the opcode is reserved, or does not match the Falcon packet type, the QP type or the ordering mode"},
	{ShortHeaders, "short_headers", "RoF 8.1.3", Fatal, InvalidRequest, false, "the packet ends inside the headers of its opcode"},
	{SNGap, "sn_gap", "RoF 8.2", Fatal, OperationError, false, "strongly ordered: an SN is missing; weakly ordered: SN is beyond the window (I-29, I-121)"},
	{SNRepeated, "sn_repeated", "RoF 8.2", Fatal, OperationError, false, "a request with this SN has been answered (I-29)"},
	{BadQKey, "bad_q_key", "RoF 8.3.10", Ignored, NoCode, false, "the Queue Key is not that of the QP (I-67)"},
	{OutOfPlace, "out_of_place", "RoF 6.7", Fatal, InvalidRequest, false, "ordered: Middle or Last outside its message, or anything else inside one, in the order of SN (I-117)"},
	{BadRMSN, "bad_rmsn", "RoF 8.3.2", Fatal, InvalidRequest, false, "RMSN is outside the window (I-72, I-121), that of a message whose end has arrived (I-117), or, if ordered, not the next one in the order of SN (I-117)"},

	{UnknownSRQ, "unknown_srq", "RoF 8.3.9", Refused, InvalidRequest, true, "no shared receive queue of the QP's XRC domain has the number in XRCETH (I-119)"},
	{NoReceive, "no_receive", "FTP 8.5.3.4", Retry, NoCode, false, "no receive request is posted for the message"},
	{BadPayload, "bad_payload", "RoF 6.7", Refused, InvalidRequest, true,
		"with pad the payload is no multiple of 4 octets, is shorter than the pad, longer than the MTU, not one MTU in First and Middle, empty in Last, or present in a pull request"},
	{BadLength, "bad_length", "RoF 8.3.1", Refused, InvalidRequest, true, "the RETH Length is not that of the payload, or of a pull is above the MTU (I-27)"},

	{BadOffset, "bad_offset", "RoF 8.3.3", Refused, InvalidRequest, true, "Message Offset is not that of the packet's place in the message (I-104)"},
	{TooLong, "too_long", "RoF 8.3.3", Refused, InvalidRequest, true, "the payload ends beyond the receive request's buffers"},
	{ReceiveBuffer, "receive_buffer", "RoF 8.3.3", Refused, OperationError, true, "a buffer of the receive request fails its check"},
	{RKeyUnknown, "r_key_unknown", "RoF 8.3.1", Refused, AccessError, true, "no valid region has the R-Key"},
	{RKeyOwner, "r_key_owner", "RoF 8.3.1", Refused, AccessError, true, "the region belongs neither to the QP nor to its domain"},
	{RKeyRight, "r_key_right", "RoF 8.3.1", Refused, AccessError, true, "the region does not permit the access"},
	{VAWrap, "va_wrap", "RoF 8.3.1", Refused, AccessError, true, "VA + length is above 2^64"},
	{OutOfBounds, "out_of_bounds", "RoF 8.3.1", Refused, AccessError, true, "the octets are not entirely inside the region"},
	{Misaligned, "misaligned", "RoF 8.3.6", Refused, InvalidRequest, false, "the address of an Atomic is not a multiple of 8 (I-25)"},
	{CannotInvalidate, "cannot_invalidate", "RoF 8.3.8", Refused, AccessError, true, "the R-Key of IETH cannot be invalidated"},

	{Incomplete, "incomplete", "RoF 8.2", Found, NoCode, false, "weakly ordered: in the order of SN, a packet does not continue the octets of its message (I-104)"},

	{NotOutstanding, "not_outstanding", "RoF 6.8", Ignored, NoCode, false, "no request of the connection with this RSN waits for it"},
	{ResponseShort, "response_short", "RoF 8.2", Found, NoCode, false, "the response ends inside its headers"},
	{ResponseWrong, "response_wrong", "RoF 8.2", Found, NoCode, false, "Destination QP, Version, SN or opcode is not that of a response to the request (I-62, I-118)"},
	{ResponseCE, "response_ce", "RoF 8.2", Found, NoCode, false, "CE: the target could not execute the request (I-63)"},
	{ResponseSink, "response_sink", "RoF 8.3.4", Found, NoCode, false, "STETH is not that of the request"},
	{ResponseLength, "response_length", "FTP 7.3", Found, NoCode, false, "the payload is not as long as requested"},
	{SinkBuffer, "sink_buffer", "RoF 8.3.4", Found, NoCode, false, "the buffer of the work request fails its check"},
}

// Row returns the rule's row; that of None for an unassigned number.
func (r Rule) Row() *RuleRow {
	if int(r) < len(Rules) {
		return &Rules[r]
	}
	return &Rules[None]
}

// String returns the snake-case name.
func (r Rule) String() string {
	if row := r.Row(); row.Rule == r {
		return row.Name
	}
	return fmt.Sprintf("rule(%d)", uint8(r))
}

// Describe reads, for example, "rule 3, wrong_cid (RoF 6.9): the CID that Falcon reports is not that of the QP (I-30)".
func (r Rule) Describe() string {
	row := r.Row()
	if row.Rule != r || r == None {
		return fmt.Sprintf("rule %d, %v", uint8(r), r)
	}
	return fmt.Sprintf("rule %d, %s (%s): %s", uint8(r), row.Name, row.Section, row.Text)
}
