package rdmap

import "github.com/rnicgen/rnicgen/vectors/suite"

// Flags name the topics of a test, so that failures can be looked up and whole topics be skipped.
const (
	Basic           = "Basic"
	ReservedBits    = "ReservedBits"
	IgnoredField    = "IgnoredField"
	WrongVersion    = "WrongVersion"
	UnknownOpcode   = "UnknownOpcode"
	WrongTagged     = "WrongTagged"
	WrongQueue      = "WrongQueue"
	WrongOffset     = "WrongOffset"
	NotLast         = "NotLast"
	WrongLength     = "WrongLength"
	ShortHeader     = "ShortHeader"
	ZeroLength      = "ZeroLength"
	STagZero        = "STagZero"
	ShortPayload    = "ShortPayload"
	BusBoundary     = "BusBoundary"
	MaxLength       = "MaxLength"
	MultiSegment    = "MultiSegment"
	RegionEdge      = "RegionEdge"
	InvalidSTag     = "InvalidSTag"
	WrongOwner      = "WrongOwner"
	NoRight         = "NoRight"
	TOWrap          = "TOWrap"
	OutOfBounds     = "OutOfBounds"
	Misaligned      = "Misaligned"
	UnalignedBase   = "UnalignedBase"
	AtomicOpcode    = "AtomicOpcode"
	OpcodeConfusion = "OpcodeConfusion"
	Mask            = "Mask"
	MaskBoundary    = "MaskBoundary"
	HighHalf        = "HighHalf"
	Mismatch        = "Mismatch"
	ByteOrder       = "ByteOrder"
	WordLane        = "WordLane"
	SameWord        = "SameWord"
	WrongMSN        = "WrongMSN"
	NoBuffer        = "NoBuffer"
	MessageTooLong  = "MessageTooLong"
	OtherOpcode     = "OtherOpcode"
	LocalBuffer     = "LocalBuffer"
	MemoryError     = "MemoryError"
	WrongAnswer     = "WrongAnswer"
	Invalidation    = "Invalidation"
	Sequence        = "Sequence"
	Limit           = "Limit"
	Ordering        = "Ordering"
	AfterError      = "AfterError"
	StreamIsolation = "StreamIsolation"
	Flush           = "Flush"
	TerminateIn     = "TerminateIn"
	StreamSetup     = "StreamSetup"
	Random          = "Random"
	Carry           = "Carry"
	HighBit         = "HighBit"
	SingleBit       = "SingleBit"
	TwoErrors       = "TwoErrors"
	Rights          = "Rights"
	Domains         = "Domains"
	NewLife         = "NewLife"
	LongMessage     = "LongMessage"
	Counter         = "Counter"

	// With the extension commit.
	RDMAFlush   = "RDMAFlush"
	RDMAVerify  = "RDMAVerify"
	AtomicWrite = "AtomicWrite"
	Digest      = "Digest"
	WrongHash   = "WrongHash"
	Platform    = "Platform"
	Pipeline    = "Pipeline"
)

// Bug types classify the faults that a test is designed to find.
const (
	bugBasic        = "BASIC"
	bugEdge         = "EDGE_CASE"
	bugMissingCheck = "MISSING_CHECK"
	bugWrongCheck   = "CHECK_TOO_STRICT"
	bugArithmetic   = "WRONG_RESULT"
	bugMemory       = "MEMORY_CORRUPTION"
	bugStream       = "STREAM_STATE"
	bugOctets       = "WRONG_OCTETS"
	bugOrder        = "ORDERING"
	bugAny          = "ANY"
)

// Notes describes the flags in the order of the documentation, with the requirements of each topic; each test names its
// own.
var Notes = []struct {
	Flag string
	suite.Note
}{
	{Basic, note(bugBasic, "One regular message, or one work request.", "RFC7306-4.1-04")},
	{ReservedBits, note(bugWrongCheck, "Reserved bits are set. They are ignored on receive.", "RFC7306-4.1-23", "RFC7306-5.2.1-05")},
	{IgnoredField, note(bugWrongCheck, "A field that this message does not use has a value. It is ignored on receive.", "RFC7306-4.1-09", "RFC7306-5.2.1-20")},
	{WrongVersion, note(bugMissingCheck, "DV or RV is not 01b.", "RFC7306-8.2-02", "RFC7306-8.2-04")},
	{UnknownOpcode, note(bugMissingCheck, "A reserved RDMAP opcode.", "RFC7306-8.2-03")},
	{WrongTagged, note(bugMissingCheck, "T does not match the opcode.", "RFC7306-4.1-05", "RFC7306-8.2-03")},
	{WrongQueue, note(bugMissingCheck, "A queue that does not exist or is not that of the opcode. All 32 bits of QN are significant.", "RFC7306-8.2-02", "RFC7306-10.2-09")},
	{WrongOffset, note(bugMissingCheck, "A Message Offset that is not the number of octets received so far.", "RFC7306-8.2-02")},
	{NotLast, note(bugMissingCheck, "L = 0 although the message is a single segment.", "RFC7306-4.1-23")},
	{WrongLength, note(bugMissingCheck, "A header of fixed length that is too short or too long (I-01).", "RFC7306-4-03", "RFC7306-4-04", "RFC7306-6.3-09")},
	{ShortHeader, note(bugMissingCheck, "A segment that ends inside its DDP header, or is empty.", "RFC7306-8.2-02")},
	{ZeroLength, note(bugEdge, "A message without payload.", "RFC7306-8.2-01")},
	{STagZero, note(bugWrongCheck, "STag and TO of an access of no octets are not checked (I-42).", "RFC7306-8.2-01")},
	{ShortPayload, note(bugOctets, "1 to 7 octets of payload.", "RFC7306-4.1-21")},
	{BusBoundary, note(bugOctets, "The segment or its payload ends at, just before or just after a beat, for a bus of 8 to 128 octets.", "RFC7306-4.1-21")},
	{MaxLength, note(bugEdge, "A segment from the peer that is longer than max_payload.", "RFC7306-4.1-21")},
	{MultiSegment, note(bugStream, "A message of several segments, in and out.", "RFC7306-4.1-23")},
	{RegionEdge, note(bugMemory, "The first and the last octets of a region, also at TO 0 and at TO 2^64 - 1.", "RFC7306-5.2.1-12")},
	{InvalidSTag, note(bugMissingCheck, "An STag that names no valid row.", "RFC7306-8-01", "RFC7306-9-02")},
	{WrongOwner, note(bugMissingCheck, "An STag that belongs to another stream or domain.", "RFC7306-8-01", "RFC7306-9-02")},
	{NoRight, note(bugMissingCheck, "An STag without the right that the access needs.", "RFC7306-8-01", "RFC7306-9-02")},
	{TOWrap, note(bugMissingCheck, "Octets that extend past TO 2^64 - 1.", "RFC7306-8-01")},
	{OutOfBounds, note(bugMemory, "Octets that are not entirely inside the region.", "RFC7306-8-01")},
	{Misaligned, note(bugMemory, "An atomic whose address is not a multiple of 8. Memory does not change.", "RFC7306-5-12", "RFC7306-8.2-06", "RFC7306-8.2-07")},
	{UnalignedBase, note(bugWrongCheck, "The region's base TO is not a multiple of 8. Alignment is judged on the address (I-05).", "RFC7306-5.2.1-14")},
	{AtomicOpcode, note(bugMissingCheck, "An AOpCode that is not supported (I-03, I-04).", "RFC7306-5.2.1-07", "RFC7306-5.2.1-31")},
	{OpcodeConfusion, note(bugArithmetic, "AOpCode 2 is CmpSwap and 1 is not: the operands make the difference visible.", "RFC7306-5.2.1-25")},
	{Mask, note(bugArithmetic, "Masks of all zeros, all ones, and fields of many widths.", "RFC7306-5.1.1-04", "RFC7306-5.1.2-02")},
	{MaskBoundary, note(bugArithmetic, "A mask boundary at bit 0, 31, 32, 62 or 63.", "RFC7306-5.1.1-04", "RFC7306-5.1.2-02")},
	{HighHalf, note(bugArithmetic, "Operands with bits in the upper 32 bits.", "RFC7306-5-03")},
	{Mismatch, note(bugMemory, "A CmpSwap whose comparison fails: memory does not change, the response is sent.", "RFC7306-5.1.2-04", "RFC7306-5.1.2-05")},
	{ByteOrder, note(bugOctets, "Memory is little-endian, the wire is big-endian (I-38).", "RFC7306-5.1.1-17", "RFC7306-5.1.1-18")},
	{WordLane, note(bugOctets, "Each word of a beat of memory in turn: the others do not change.", "RFC7306-5-03")},
	{SameWord, note(bugMemory, "The same 8 octets repeatedly: from one stream, from several, through two STags.", "RFC7306-5-04", "RFC7306-5.3-01")},
	{WrongMSN, note(bugMissingCheck, "An MSN that is not the next of its queue, including one that a signed compare would accept (I-37).", "RFC7306-8.2-02")},
	{NoBuffer, note(bugMissingCheck, "A message on QN 0 without a receive request.", "RFC7306-6.3-04")},
	{MessageTooLong, note(bugMemory, "A Send that does not fit its buffer.", "RFC7306-8.2-02")},
	{OtherOpcode, note(bugStream, "Segments of one message with different opcodes (I-43).", "RFC7306-8.2-03")},
	{LocalBuffer, note(bugMissingCheck, "A local buffer that may not be accessed this way (I-47).", "RFC7306-8.1-01", "RFC7306-8.1-02")},
	{MemoryError, note(bugMemory, "Memory responds with an error (I-47).", "RFC7306-8.1-01", "RFC7306-8.1-02")},
	{WrongAnswer, note(bugMissingCheck, "An unsolicited response, or one that does not match its request (I-45).", "RFC7306-5.2.2-14")},
	{Invalidation, note(bugStream, "Send with Invalidate, and what follows (I-44).", "RFC7306-4.1-09")},
	{Sequence, note(bugStream, "Message Sequence Numbers, and queues that wrap.", "RFC7306-5-16")},
	{Limit, note(bugStream, "IRD, ORD and the depths of the queues.", "RFC7306-5.2-03", "RFC7306-5.2.2-11", "RFC7306-5.2.2-12")},
	{Ordering, note(bugOrder, "The rows of RFC 7306 section 7: what has completed, and is in memory, at the time of each outcome.", "RFC7306-7-01")},
	{AfterError, note(bugStream, "Traffic after an error on the same stream. It has no effect.", "RFC7306-8.1-03")},
	{StreamIsolation, note(bugStream, "Events on one stream do not affect the others.", "RFC7306-8.1-03")},
	{Flush, note(bugStream, "Requests that are posted when their stream ends, or later.", "RFC7306-8.1-03")},
	{TerminateIn, note(bugStream, "A Terminate from the peer. It is reported to the host, and not answered.", "RFC7306-6.1-07")},
	{StreamSetup, note(bugStream, "Rows of the STag table and streams change between segments.", "RFC7306-5.2.1-11")},
	{Carry, note(bugMemory, "Addresses or TOs that cross 2^12, 2^32, 2^40, 2^48 or 2^63 in a message, or end at 2^64, independently in memory and in TO.", "RFC7306-5.2.1-12")},
	{HighBit, note(bugMemory, "Addresses, TOs and lengths where two regions differ only in one high bit.", "RFC7306-5.2.1-12")},
	{SingleBit, note(bugMissingCheck, "A valid field with one bit inverted: each bit of the field in turn.", "RFC7306-8.2-01")},
	{Rights, note(bugMissingCheck, "Each right alone, and each right alone missing, for each use of a region.", "RFC7306-8-01", "RFC7306-9-02")},
	{Domains, note(bugMissingCheck, "Streams in several protection domains, and regions of streams and of domains.", "RFC7306-8-01", "RFC7306-9-02")},
	{NewLife, note(bugStream, "A stream that has ended is reopened: none of its old state remains.", "RFC7306-5.2.1-11")},
	{LongMessage, note(bugStream, "Messages of many segments, of 64 KiB and one octet more or less, segments of 65,535 octets, and lengths that occur only in a request.", "RFC7306-4.1-21")},
	{TwoErrors, note(bugWrongCheck, "A segment breaks two rules: the one that is checked first determines the outcome (I-36, I-37, I-41, I-45).", "RFC7306-8.2-01")},
	{Counter, note(bugStream, "Registers: what does not change, every counter after all that it counts, and the log of Terminates.", "RFC7306-8.1-03")},
	{RDMAFlush, note(bugStream, "RDMA Flush: what the platform is asked for, and the response.", "COMMIT01-3.1.1-01")},
	{RDMAVerify, note(bugArithmetic, "RDMA Verify: the digest of each algorithm, and the comparison with an expected hash.", "COMMIT01-3.1.2-01")},
	{AtomicWrite, note(bugMemory, "Atomic Write: 8 aligned octets, and nothing else.", "COMMIT01-3.1.3-01")},
	{Digest, note(bugArithmetic, "Digests known from other sources, and ranges of all alignments.", "COMMIT01-3.1.2-01")},
	{WrongHash, note(bugMissingCheck, "An expected hash that is as long as the digest and differs from it, in one bit or more.", "COMMIT01-3.1.2-04")},
	{Platform, note(bugStream, "The platform fails a flush, or answers late and in another order.", "COMMIT01-2.1-21")},
	{Pipeline, note(bugOrder, "A Flush, Verify or Atomic Write between other messages: the rows of section 4 of the draft (I-21). After a failure nothing takes effect.", "COMMIT01-4-45")},
	{Random, note(bugAny, "Random traffic, from the seed of the file.", "RFC7306-5.3-01")},
}

func note(bugType, description string, requirements ...string) suite.Note {
	return suite.Note{BugType: bugType, Description: description, Requirements: requirements}
}
