package meaning

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Ruling gives the source of the code of a Terminate: text of an RFC, or a decision of this project where no text
// defines one. Others lists further codes that a design may report, since no text excludes them.
type Ruling struct {
	Check     spec.Rule
	Messages  []wire.Opcode // opcodes of the segment; empty: any
	Tagged    byte          // 't' tagged, 'u' untagged, 0 either
	Later     bool          // found in a request already accepted
	Code      wire.TerminateCode
	Text      []string // sections that define the code
	Decisions []string // decisions that define the code, or choose between several
	Others    []wire.TerminateCode
}

// Open reports whether no text defines the code.
func (r *Ruling) Open() bool { return len(r.Text) == 0 }

// Codes used by several rows.
var (
	localRDMAP   = spec.TermLocal
	badSTag      = spec.TermSTag
	badBounds    = spec.TermBounds
	badAccess    = spec.TermAccess
	badStream    = spec.TermAssociation
	badWrap      = spec.TermTOWrap
	noInvalidate = spec.TermInvalidate
	protection   = spec.TermProtection
	rdmapVersion = spec.TermRDMAPVersion
	unexpected   = spec.TermUnexpectedOpcode
	catastrophic = spec.TermCatastrophicStream
	allStreams   = spec.TermCatastrophicGlobal
	notRemovable = spec.TermInvalidateAsked
	operation    = spec.TermOperation
	localDDP     = spec.TermDDPLocal
	tagSTag      = spec.TermTaggedSTag
	tagBounds    = spec.TermTaggedBounds
	tagStream    = spec.TermTaggedAssociation
	tagWrap      = spec.TermTaggedTOWrap
	tagVersion   = spec.TermTaggedDDPVersion
	badQueue     = spec.TermQueue
	noBuffer     = spec.TermNoBuffer
	badMSN       = spec.TermMSN
	badOffset    = spec.TermMO
	tooLong      = spec.TermTooLong
	untagVersion = spec.TermUntaggedDDPVersion
)

var (
	immediates = spec.Immediate.All()
	atomics    = spec.AtomicRequest.All()
	responses  = spec.Replies.All()
	requests   = spec.AllExtensions.All(spec.Committing) // of the extension commit, as the following
	writes     = spec.AllExtensions.All(spec.AtomicWriteRequest)
	answers    = spec.AllExtensions.All(spec.FlushResponse | spec.VerifyResponse | spec.AtomicWriteResponse)
	terminates = spec.Terminate.All()

	ddpErrors     = []string{"RFC 5041 7.1", "RFC 5041 7.2"}
	ddpLocal      = []string{"RFC 5041 7.2"}
	rdmapErrors   = []string{"RFC 5040 4.8", "RFC 5040 7.2"}
	protectErrors = []string{"RFC 5040 4.8", "RFC 5040 7.2"}
)

func codes(list ...wire.TerminateCode) []wire.TerminateCode { return list }

func ids(list ...string) []string { return list }

// Rulings lists all rulings; the first match applies. They have been reviewed against the text, row by row.
var Rulings = []Ruling{
	{Check: spec.ShortHeader, Code: localDDP, Decisions: ids("I-33"), Others: codes(localRDMAP, catastrophic, allStreams, operation)},
	{Check: spec.TaggedDDPVersion, Code: tagVersion, Text: ddpErrors},
	{Check: spec.UntaggedDDPVersion, Code: untagVersion, Text: ddpErrors},
	{Check: spec.NoSuchQueue, Code: badQueue, Text: ddpErrors},
	{Check: spec.BadRDMAPVersion, Code: rdmapVersion, Text: rdmapErrors},
	{Check: spec.ReservedOpcode, Code: unexpected, Text: rdmapErrors},
	{Check: spec.WrongTBit, Code: unexpected, Decisions: ids("I-34"), Others: codes(catastrophic, operation)},
	{Check: spec.WrongQueue, Code: unexpected, Decisions: ids("I-34"), Others: codes(badQueue, catastrophic, operation)},
	{Check: spec.MONotZero, Code: badOffset, Decisions: ids("I-35"), Others: codes(tooLong, catastrophic, operation)},
	{Check: spec.WrongLength, Messages: immediates, Code: catastrophic, Decisions: ids("I-07"), Others: codes(unexpected, operation)},
	{Check: spec.WrongLength, Messages: answers, Code: catastrophic, Decisions: ids("I-35", "I-57"), Others: codes(unexpected, operation)},
	{Check: spec.WrongLength, Messages: responses, Code: catastrophic, Decisions: ids("I-35", "I-08"), Others: codes(unexpected, operation)},
	{Check: spec.WrongLength, Code: catastrophic, Decisions: ids("I-35"), Others: codes(unexpected, operation)},
	{Check: spec.AOpCodeNotSupported, Code: unexpected, Decisions: ids("I-03", "I-04"), Others: codes(catastrophic, operation)},

	// Addresses: the checks of RFC 5041 for a tagged segment, and those of RFC 5040 section 7.2 for a request.
	{Check: spec.RequestSTag, Messages: requests, Later: true, Code: badSTag, Decisions: ids("I-56"), Others: codes(protection, catastrophic)},
	{Check: spec.RequestSTag, Later: true, Code: badSTag, Decisions: ids("I-46"), Others: codes(protection, catastrophic)},
	{Check: spec.TaggedSTag, Code: tagSTag, Text: ddpErrors},
	{Check: spec.RequestSTag, Code: badSTag, Text: protectErrors},
	{Check: spec.TaggedAssociation, Code: tagStream, Text: ddpErrors},
	{Check: spec.RequestAssociation, Code: badStream, Text: protectErrors},
	{Check: spec.TaggedAccess, Code: badAccess, Decisions: ids("I-41"), Others: codes(tagSTag, tagBounds, tagStream)},
	{Check: spec.RequestAccess, Messages: atomics, Code: badAccess, Text: protectErrors, Decisions: ids("I-06")},
	{Check: spec.RequestAccess, Messages: requests, Code: badAccess, Text: protectErrors, Decisions: ids("I-06")},
	{Check: spec.RequestAccess, Code: badAccess, Text: protectErrors},
	{Check: spec.TaggedTOWrap, Code: tagWrap, Text: ddpErrors, Decisions: ids("I-41"), Others: codes(tagBounds)}, // a wrap is also out of bounds
	{Check: spec.RequestTOWrap, Code: badWrap, Text: protectErrors, Decisions: ids("I-41"), Others: codes(badBounds)},
	{Check: spec.TaggedBounds, Code: tagBounds, Text: ddpErrors},
	{Check: spec.RequestBounds, Code: badBounds, Text: protectErrors},
	{Check: spec.Misaligned, Messages: writes, Code: catastrophic, Decisions: ids("I-05", "I-18"), Others: codes(protection, operation)},
	{Check: spec.Misaligned, Code: catastrophic, Text: ids("RFC 7306 8.2"), Decisions: ids("I-05")},

	// Queues.
	{Check: spec.MSNOutOfRange, Messages: terminates, Code: badMSN, Decisions: ids("I-37", "I-83"), Others: codes(noBuffer)},
	{Check: spec.MSNOutOfRange, Messages: answers, Code: badMSN, Decisions: ids("I-37", "I-57"), Others: codes(noBuffer, catastrophic)},
	{Check: spec.MSNOutOfRange, Messages: responses, Code: badMSN, Decisions: ids("I-37", "I-08"), Others: codes(noBuffer, catastrophic)},
	{Check: spec.MSNOutOfRange, Code: badMSN, Decisions: ids("I-37"), Others: codes(noBuffer)},
	{Check: spec.NoReceiveBuffer, Code: noBuffer, Text: ddpErrors},
	{Check: spec.WrongMO, Code: badOffset, Text: ddpErrors, Decisions: ids("I-84")},
	{Check: spec.OpcodeChanges, Code: unexpected, Decisions: ids("I-43"), Others: codes(catastrophic, operation)},
	{Check: spec.Interleaved, Tagged: 't', Code: unexpected, Decisions: ids("I-78"), Others: codes(catastrophic, operation)},
	{Check: spec.Interleaved, Code: unexpected, Decisions: ids("I-78"), Others: codes(catastrophic, operation, badMSN)},
	{Check: spec.MessageTooLong, Code: tooLong, Text: ddpErrors},
	{Check: spec.CannotInvalidate, Messages: requests, Code: noInvalidate, Decisions: ids("I-52"), Others: codes(notRemovable, protection)},
	{Check: spec.CannotInvalidate, Code: noInvalidate, Decisions: ids("I-44"), Others: codes(notRemovable, protection)},
	{Check: spec.IRDExceeded, Code: noBuffer, Decisions: ids("I-37", "I-82"), Others: codes(badMSN, catastrophic, operation)},

	// Responses.
	{Check: spec.NoAtomicOutstanding, Messages: answers, Code: noBuffer, Decisions: ids("I-37", "I-57"), Others: codes(badMSN, unexpected, catastrophic, operation)},
	{Check: spec.NoAtomicOutstanding, Code: noBuffer, Decisions: ids("I-37", "I-08"), Others: codes(badMSN, unexpected, catastrophic, operation)},
	{Check: spec.UnexpectedResponse, Messages: answers, Code: unexpected, Decisions: ids("I-57", "I-80"), Others: codes(noBuffer, badMSN, catastrophic, operation)},
	{Check: spec.UnexpectedResponse, Messages: responses, Code: unexpected, Decisions: ids("I-80"), Others: codes(noBuffer, badMSN, catastrophic, operation)},
	{Check: spec.UnexpectedResponse, Code: unexpected, Decisions: ids("I-45"), Others: codes(tagSTag, tagBounds, badAccess, catastrophic, operation)},
	{Check: spec.WrongIdentifier, Code: catastrophic, Decisions: ids("I-08"), Others: codes(unexpected, operation)},
	{Check: spec.ReadTooLong, Code: tagBounds, Decisions: ids("I-45"), Others: codes(tagSTag, catastrophic, operation)},
	{Check: spec.WrongReadLast, Code: catastrophic, Decisions: ids("I-45"), Others: codes(tagBounds, unexpected, operation)},
	{Check: spec.WrongSinkSTag, Code: tagSTag, Decisions: ids("I-45"), Others: codes(tagBounds, unexpected, catastrophic, operation)},
	{Check: spec.WrongSinkTO, Code: tagBounds, Decisions: ids("I-45"), Others: codes(tagSTag, unexpected, catastrophic, operation)},

	// The extension commit: its draft has no codes, section 5.2.
	{Check: spec.FlushFlags, Code: catastrophic, Decisions: ids("I-18", "I-20"), Others: codes(unexpected, operation)},
	{Check: spec.AtomicWriteLength, Code: catastrophic, Decisions: ids("I-18"), Others: codes(unexpected, operation)},
	{Check: spec.HashLength, Code: catastrophic, Decisions: ids("I-17"), Others: codes(unexpected, operation)},
	{Check: spec.HashMismatch, Code: operation, Decisions: ids("I-18", "I-96"), Others: codes(unexpected, catastrophic)},
	{Check: spec.ExecutionFailed, Code: catastrophic, Decisions: ids("I-18", "I-97"), Others: codes(operation, localRDMAP)},
	{Check: spec.ResponseLength, Code: catastrophic, Decisions: ids("I-57"), Others: codes(unexpected, operation)},

	{Check: spec.Local, Code: localRDMAP, Decisions: ids("I-47"), Others: codes(localDDP, catastrophic, allStreams)},
}

// RulingOn returns the ruling on a failed check of a segment with an opcode.
func RulingOn(check spec.Rule, op wire.Opcode, tagged, later bool) (Ruling, bool) {
	form := byte('u')
	if tagged {
		form = 't'
	}
	for _, r := range Rulings {
		if r.Check == check && (r.Tagged == 0 || r.Tagged == form) && r.Later == (later && check == spec.RequestSTag) && (len(r.Messages) == 0 || slices.Contains(r.Messages, op)) {
			return r, true
		}
	}
	return Ruling{}, false
}
