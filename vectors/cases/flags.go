package cases

import "github.com/rnicgen/rnicgen/vectors/suite"

// Flags say what a test is about, so that a failure can be looked up and a whole topic be left out.
const (
	Basic           = "Basic"
	ReservedBits    = "ReservedBits"
	IgnoredField    = "IgnoredField"
	FieldRange      = "FieldRange"
	WrongVersion    = "WrongVersion"
	UnknownOpcode   = "UnknownOpcode"
	WrongTagged     = "WrongTagged"
	WrongQueue      = "WrongQueue"
	WrongOffset     = "WrongOffset"
	NotLast         = "NotLast"
	WrongLength     = "WrongLength"
	ShortHeader     = "ShortHeader"
	CheckOrder      = "CheckOrder"
	ZeroLength      = "ZeroLength"
	STagZero        = "STagZero"
	ShortPayload    = "ShortPayload"
	BusBoundary     = "BusBoundary"
	MaxLength       = "MaxLength"
	AtomicOpcode    = "AtomicOpcode"
	OpcodeConfusion = "OpcodeConfusion"
	Mask            = "Mask"
	MaskBoundary    = "MaskBoundary"
	HighHalf        = "HighHalf"
	Mismatch        = "Mismatch"
	Swap            = "Swap"
	WindowBase      = "WindowBase"
	UnalignedBase   = "UnalignedBase"
	WindowEdge      = "WindowEdge"
	InvalidSTag     = "InvalidSTag"
	TOWrap          = "TOWrap"
	OutOfBounds     = "OutOfBounds"
	Misaligned      = "Misaligned"
	AfterError      = "AfterError"
	StreamIsolation = "StreamIsolation"
	SameWord        = "SameWord"
	MSNWrap         = "MSNWrap"
	MixedTraffic    = "MixedTraffic"
	HostAccess      = "HostAccess"
	StreamSetup     = "StreamSetup"
	Reset           = "Reset"
	Random          = "Random"
	RandomMalformed = "RandomMalformed"
)

// BugTypes say what sort of mistake a test is made to find.
const (
	bugBasic        = "BASIC"
	bugEdge         = "EDGE_CASE"
	bugMissingCheck = "MISSING_CHECK"
	bugWrongCheck   = "CHECK_TOO_STRICT"
	bugArithmetic   = "WRONG_RESULT"
	bugMemory       = "MEMORY_CORRUPTION"
	bugStream       = "STREAM_STATE"
	bugAlignment    = "WRONG_OCTETS"
	bugAny          = "ANY"
)

// Notes are the flags in the order of the documentation. The requirements are those that the topic is about;
// each test names its own.
var Notes = []struct {
	Flag string
	suite.Note
}{
	{Basic, note(bugBasic, "One message as a sender makes it.",
		"RFC7306-4.1-04")},
	{ReservedBits, note(bugWrongCheck, "Reserved bits are set. They are zero on transmit and ignored on receive.",
		"RFC7306-4.1-23", "RFC7306-5.2.1-05")},
	{IgnoredField, note(bugWrongCheck, "A field that this message does not use has a value. It is ignored on receive.",
		"RFC7306-4.1-09", "RFC7306-5.2.1-20", "RFC7306-5.2.1-23")},
	{FieldRange, note(bugAlignment, "A header field has its largest or its smallest value.",
		"RFC7306-4.1-01", "RFC7306-4.1-02", "RFC7306-5.2.1-03")},
	{WrongVersion, note(bugMissingCheck, "DV or RV is not 01b.",
		"RFC7306-8.2-02", "RFC7306-8.2-04")},
	{UnknownOpcode, note(bugMissingCheck, "An RDMAP opcode from 0xC to 0xF.",
		"RFC7306-8.2-03")},
	{WrongTagged, note(bugMissingCheck, "T is not what the opcode demands.",
		"RFC7306-4.1-05", "RFC7306-8.2-03")},
	{WrongQueue, note(bugMissingCheck, "A queue that does not exist, or not the opcode's. All 32 bits of QN count.",
		"RFC7306-8.2-02", "RFC7306-10.2-01", "RFC7306-10.2-09")},
	{WrongOffset, note(bugMissingCheck, "A Message Offset other than 0 in a message that is one segment.",
		"RFC7306-8.2-02")},
	{NotLast, note(bugMissingCheck, "L = 0 where the whole message is one segment.",
		"RFC7306-4.1-23")},
	{WrongLength, note(bugMissingCheck, "A header of fixed length that is shorter or longer. An Atomic Response has 12 octets, not 32 (I-01).",
		"RFC7306-4-03", "RFC7306-4-04", "RFC7306-6.3-09")},
	{ShortHeader, note(bugMissingCheck, "A segment that ends inside its DDP header, or has no octet at all.",
		"RFC7306-8.2-02")},
	{CheckOrder, note(bugEdge, "Two errors in one segment. The lower layer, and within it the earlier check, decides what is reported.",
		"RFC7306-8.2-06")},
	{ZeroLength, note(bugEdge, "A Send, Write or Read Response without payload.",
		"RFC7306-8.2-01")},
	{STagZero, note(bugWrongCheck, "STag 0 with length 0. A zero-length tagged segment's STag and TO are not checked.",
		"RFC7306-8.2-01")},
	{ShortPayload, note(bugAlignment, "1 to 7 octets of payload.",
		"RFC7306-4.1-21")},
	{BusBoundary, note(bugAlignment, "The segment or its payload ends at, just before or just after a beat, for a bus of 8 to 128 octets.",
		"RFC7306-4.1-21")},
	{MaxLength, note(bugEdge, "A segment of 65,535 octets, the most that MPA's ULPDU_Length counts.",
		"RFC7306-4.1-21")},
	{AtomicOpcode, note(bugMissingCheck, "All 16 values of AOpCode (I-03, I-04).",
		"RFC7306-5.2.1-07", "RFC7306-5.2.1-31")},
	{OpcodeConfusion, note(bugArithmetic, "AOpCode 2 is CmpSwap and 1 is not: the operands make the difference visible.",
		"RFC7306-5.2.1-25", "RFC7306-10.1-05")},
	{Mask, note(bugArithmetic, "Masks of all zeros, all ones, and fields of many widths.",
		"RFC7306-5.1.1-04", "RFC7306-5.1.2-02")},
	{MaskBoundary, note(bugArithmetic, "A mask boundary at bit 0, 31, 32, 62 or 63: where a carry chain or a compare is cut in two.",
		"RFC7306-5.1.1-04", "RFC7306-5.1.1-16", "RFC7306-5.1.2-02")},
	{HighHalf, note(bugArithmetic, "Operands with bits in the upper 32 bits.",
		"RFC7306-5-03")},
	{Mismatch, note(bugMemory, "A CmpSwap whose comparison fails: memory stays, the response is sent.",
		"RFC7306-5.1.2-04", "RFC7306-5.1.2-05")},
	{Swap, note(bugBasic, "Swap of draft-ietf-storm-rdmap-ext-00.",
		"DRAFT00-5.1.2-01")},
	{WindowBase, note(bugEdge, "The window starts at another TO: 0, aligned, or as high as it can.",
		"RFC7306-5.2.1-12", "RFC7306-5.2.1-13")},
	{UnalignedBase, note(bugWrongCheck, "The window's base TO is not a multiple of 8. Alignment is judged on the resolved address (I-05).",
		"RFC7306-5.2.1-14", "RFC7306-8.2-06")},
	{WindowEdge, note(bugMemory, "The first and the last word of the window, and what lies next to them.",
		"RFC7306-5.2.1-12")},
	{InvalidSTag, note(bugMissingCheck, "A Remote STag that is not the window's.",
		"RFC7306-8-01", "RFC7306-9-02")},
	{TOWrap, note(bugMissingCheck, "Remote TO + 8 is above 2^64.",
		"RFC7306-8-01")},
	{OutOfBounds, note(bugMemory, "The 8 octets are not wholly inside the window.",
		"RFC7306-8-01")},
	{Misaligned, note(bugMemory, "The resolved address is not a multiple of 8. Memory stays as it was.",
		"RFC7306-5-12", "RFC7306-8.2-06", "RFC7306-8.2-07")},
	{AfterError, note(bugStream, "Traffic behind an error on the same stream. Nothing of it takes effect.",
		"RFC7306-8.1-03")},
	{StreamIsolation, note(bugStream, "An error on one stream leaves the others alone.",
		"RFC7306-8.1-03")},
	{SameWord, note(bugMemory, "The same 8 octets are hit back to back, from one stream and from several.",
		"RFC7306-5-04", "RFC7306-5.3-01")},
	{MSNWrap, note(bugStream, "The Message Sequence Number of the responses counts modulo 2^32, for each stream alone.",
		"RFC7306-5-16")},
	{MixedTraffic, note(bugStream, "All kinds of messages without a pause between them.",
		"RFC7306-5.2.1-35")},
	{HostAccess, note(bugMemory, "The host reads and writes words between the requests.",
		"RFC7306-5-03")},
	{StreamSetup, note(bugStream, "A stream is opened again.",
		"RFC7306-8.1-03")},
	{Reset, note(bugStream, "After a reset every stream is open and its next response has MSN 1.",
		"RFC7306-5-16")},
	{Random, note(bugAny, "Random valid traffic on several streams, from the seed of the file.",
		"RFC7306-5.3-01")},
	{RandomMalformed, note(bugAny, "Random traffic with broken segments in it, from the seed of the file.",
		"RFC7306-8.2-01")},
}

func note(bugType, description string, requirements ...string) suite.Note {
	return suite.Note{BugType: bugType, Description: description, Requirements: requirements}
}
