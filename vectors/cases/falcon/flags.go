package falcon

import "github.com/rnicgen/rnicgen/vectors/suite"

// families lists the topics. Each file adds its own.
var families []func(l *list)

// Flags name the topics of a test, so that failures can be looked up and whole topics be skipped.
const (
	Basic      = "Basic"
	Size       = "Size"
	Octets     = "Octets"
	Ignored    = "Ignored"
	Operands   = "Operands"
	Refused    = "Refused"
	Unaddress  = "Unaddressed"
	Message    = "Message"
	Order      = "Order"
	Retry      = "Retry"
	Credit     = "Credit"
	Limit      = "Limit"
	Completion = "Completion"
	Answer     = "Answer"
	Buffer     = "Buffer"
	Host       = "Host"
	Datagram   = "Datagram"
	Shared     = "Shared"
	Wrap       = "Wrap"
	Random     = "Random"
)

// Notes describes the flags in the order of the documentation, with the requirements of each topic; each test names its own.
var Notes = []struct {
	Flag string
	suite.Note
}{
	{Basic, note("BASIC", "One regular message, or one work request.", "8-02", "8-03")},
	{Size, note("EDGE_CASE", "0, 1, MTU - 1, MTU and MTU + 1 octets, and several MTUs.", "6.4-06", "6.7-06")},
	{Octets, note("WRONG_OCTETS", "Each packet type, its octets written by hand in both bit orders (I-24).", "8.2-02", "8.3-01")},
	{Ignored, note("CHECK_TOO_STRICT", "Reserved bits and fields without meaning are set. They are ignored on receive (I-60).", "8.2-04", "8.2-07")},
	{Operands, note("WRONG_RESULT", "Operands of Atomics, at bits where carries and halves of a word show.", "8.3.6-10", "8.3.6-11")},
	{Refused, note("MISSING_CHECK", "A request that breaks one rule, and what the QP does afterwards.", "6.3-04", "6.3-05", "6.3-07", "6.3-08", "6.3-12")},
	{Unaddress, note("MISSING_CHECK", "A request that concerns no QP: too short, for another QP, from another CID, of another version.", "6.3-10", "6.3-11", "6.9-02")},
	{Message, note("QP_STATE", "Messages of several packets of which one is missing, in the wrong place or in error, and CE.", "6.7-25", "8.2-14")},
	{Order, note("ORDERING", "Packets, responses and completions in any order that an unordered connection permits.", "6.2-03", "6.2-04")},
	{Retry, note("QP_STATE", "RNR, and the requests that are sent again.", "6.3-09")},
	{Credit, note("QP_STATE", "Credits of connection, function and host, and Xoff.", "6.5-01", "6.5-05")},
	{Limit, note("QP_STATE", "ORD, the window of SNs, and fences.", "8.3.2-08")},
	{Completion, note("QP_STATE", "Every completion code of Falcon, for pushes and pulls.", "FTP-11-01", "FTP-11-02")},
	{Answer, note("MISSING_CHECK", "A response that does not fit its request, or any.", "6.9-05", "8.2-28")},
	{Buffer, note("MISSING_CHECK", "A local buffer that may not be accessed.", "8.3.4-06")},
	{Host, note("MISSING_CHECK", "Work requests that a QP cannot have, and a QP that the host moves to Error.", "6.4-02")},
	{Datagram, note("MISSING_CHECK", "UD: every error of a datagram, which has no effect on the QP.", "6.3-13")},
	{Shared, note("QP_STATE", "Shared receive queues of RC, UD and XRC.", "8.3.9-06")},
	{Wrap, note("WRONG_RESULT", "SN, RMSN and RSN that go from 2^32 - 1 to 0, and VAs up to 2^64.", "8.2-24")},
	{Random, note("ANY", "Messages and pulls in a random order, from the seed of the file.", "6.2-03")},
}

// Prefix is that of the requirements of the profile's catalogue.
const Prefix = "ROF09-"

func note(bugType, description string, requirements ...string) suite.Note {
	for i := range requirements {
		requirements[i] = Prefix + requirements[i]
	}
	return suite.Note{BugType: bugType, Description: description, Requirements: requirements}
}
