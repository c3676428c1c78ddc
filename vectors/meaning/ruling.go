package meaning

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Ruling says where the code of a Terminate comes from: from text of an RFC, or from a decision of this project where no text
// gives one. Others are the codes that a design may report as well, since no text is against them.
type Ruling struct {
	Check     wire.ErrorKind
	Messages  []wire.Opcode // of which the segment is one; none: any
	Tagged    byte          // 't' tagged, 'u' untagged, 0 either
	Later     bool          // found in a request that had been accepted
	Code      wire.TerminateCode
	Text      []string // sections that give the code
	Decisions []string // that give it, or that say which of several it is
	Others    []wire.TerminateCode
}

// Open tells whether no text gives the code.
func (r *Ruling) Open() bool { return len(r.Text) == 0 }

func code(layer wire.Layer, etype, code uint8) wire.TerminateCode {
	return wire.TerminateCode{Layer: layer, EType: etype, Code: code}
}

// Codes that several rows name.
var (
	localRDMAP   = code(wire.LayerRDMAP, 0, 0x00)
	badSTag      = code(wire.LayerRDMAP, 1, 0x00)
	badBounds    = code(wire.LayerRDMAP, 1, 0x01)
	badAccess    = code(wire.LayerRDMAP, 1, 0x02)
	badStream    = code(wire.LayerRDMAP, 1, 0x03)
	badWrap      = code(wire.LayerRDMAP, 1, 0x04)
	noInvalidate = code(wire.LayerRDMAP, 1, 0x09)
	protection   = code(wire.LayerRDMAP, 1, 0xFF)
	rdmapVersion = code(wire.LayerRDMAP, 2, 0x05)
	unexpected   = code(wire.LayerRDMAP, 2, 0x06)
	catastrophic = code(wire.LayerRDMAP, 2, 0x07)
	allStreams   = code(wire.LayerRDMAP, 2, 0x08)
	notRemovable = code(wire.LayerRDMAP, 2, 0x09)
	operation    = code(wire.LayerRDMAP, 2, 0xFF)
	localDDP     = code(wire.LayerDDP, 0, 0x00)
	tagSTag      = code(wire.LayerDDP, 1, 0x00)
	tagBounds    = code(wire.LayerDDP, 1, 0x01)
	tagStream    = code(wire.LayerDDP, 1, 0x02)
	tagWrap      = code(wire.LayerDDP, 1, 0x03)
	tagVersion   = code(wire.LayerDDP, 1, 0x04)
	badQueue     = code(wire.LayerDDP, 2, 0x01)
	noBuffer     = code(wire.LayerDDP, 2, 0x02)
	badMSN       = code(wire.LayerDDP, 2, 0x03)
	badOffset    = code(wire.LayerDDP, 2, 0x04)
	tooLong      = code(wire.LayerDDP, 2, 0x05)
	untagVersion = code(wire.LayerDDP, 2, 0x06)
)

var (
	immediates = []wire.Opcode{wire.OpImmediate, wire.OpImmediateSE}
	atomics    = []wire.Opcode{wire.OpAtomicRequest}
	responses  = []wire.Opcode{wire.OpAtomicResponse}
	terminates = []wire.Opcode{wire.OpTerminate}

	ddpErrors     = []string{"RFC 5041 7.1", "RFC 5041 7.2"}
	ddpLocal      = []string{"RFC 5041 7.2"}
	rdmapErrors   = []string{"RFC 5040 4.8", "RFC 5040 7.2"}
	protectErrors = []string{"RFC 5040 4.8", "RFC 5040 7.2"}
)

func codes(list ...wire.TerminateCode) []wire.TerminateCode { return list }

func ids(list ...string) []string { return list }

// Rulings are all of them; the first that fits counts. They are reviewed against the text, row by row.
var Rulings = []Ruling{
	{Check: wire.ErrShortHeader, Code: localDDP, Decisions: ids("I-33"), Others: codes(localRDMAP, catastrophic, allStreams, operation)},
	{Check: wire.ErrDDPVersion, Tagged: 't', Code: tagVersion, Text: ddpErrors},
	{Check: wire.ErrDDPVersion, Tagged: 'u', Code: untagVersion, Text: ddpErrors},
	{Check: wire.ErrQueueNumber, Code: badQueue, Text: ddpErrors},
	{Check: wire.ErrRDMAPVersion, Code: rdmapVersion, Text: rdmapErrors},
	{Check: wire.ErrOpcode, Code: unexpected, Text: rdmapErrors},
	{Check: wire.ErrTaggedFlag, Code: unexpected, Decisions: ids("I-34"), Others: codes(catastrophic, operation)},
	{Check: wire.ErrQueueMismatch, Code: unexpected, Decisions: ids("I-34"), Others: codes(badQueue, catastrophic, operation)},
	{Check: wire.ErrMessageOffset, Code: badOffset, Decisions: ids("I-35"), Others: codes(tooLong, catastrophic, operation)},
	{Check: wire.ErrLength, Messages: immediates, Code: catastrophic, Decisions: ids("I-07"), Others: codes(unexpected, operation)},
	{Check: wire.ErrLength, Messages: responses, Code: catastrophic, Decisions: ids("I-35", "I-08"), Others: codes(unexpected, operation)},
	{Check: wire.ErrLength, Code: catastrophic, Decisions: ids("I-35"), Others: codes(unexpected, operation)},
	{Check: wire.ErrAtomicOpcode, Code: unexpected, Decisions: ids("I-03", "I-04"), Others: codes(catastrophic, operation)},

	// An address: what RFC 5041 checks of a tagged segment, and what RFC 5040 section 7.2 checks of a request.
	{Check: wire.ErrSTag, Later: true, Code: badSTag, Decisions: ids("I-46"), Others: codes(protection, catastrophic)},
	{Check: wire.ErrSTag, Tagged: 't', Code: tagSTag, Text: ddpErrors},
	{Check: wire.ErrSTag, Tagged: 'u', Code: badSTag, Text: protectErrors},
	{Check: wire.ErrAssociation, Tagged: 't', Code: tagStream, Text: ddpErrors},
	{Check: wire.ErrAssociation, Tagged: 'u', Code: badStream, Text: protectErrors},
	{Check: wire.ErrAccess, Tagged: 't', Code: badAccess, Decisions: ids("I-41"), Others: codes(tagSTag, tagBounds, tagStream)},
	{Check: wire.ErrAccess, Messages: atomics, Code: badAccess, Text: protectErrors, Decisions: ids("I-06")},
	{Check: wire.ErrAccess, Code: badAccess, Text: protectErrors},
	{Check: wire.ErrTOWrap, Tagged: 't', Code: tagWrap, Text: ddpErrors, Decisions: ids("I-41"), Others: codes(tagBounds)}, // what wraps is out of bounds too
	{Check: wire.ErrTOWrap, Tagged: 'u', Code: badWrap, Text: protectErrors, Decisions: ids("I-41"), Others: codes(badBounds)},
	{Check: wire.ErrBounds, Tagged: 't', Code: tagBounds, Text: ddpErrors},
	{Check: wire.ErrBounds, Tagged: 'u', Code: badBounds, Text: protectErrors},
	{Check: wire.ErrAlignment, Code: catastrophic, Text: ids("RFC 7306 8.2"), Decisions: ids("I-05")},

	// Queues.
	{Check: wire.ErrMSN, Messages: terminates, Code: badMSN, Decisions: ids("I-37", "I-83"), Others: codes(noBuffer)},
	{Check: wire.ErrMSN, Messages: responses, Code: badMSN, Decisions: ids("I-37", "I-08"), Others: codes(noBuffer, catastrophic)},
	{Check: wire.ErrMSN, Code: badMSN, Decisions: ids("I-37"), Others: codes(noBuffer)},
	{Check: wire.ErrNoBuffer, Code: noBuffer, Text: ddpErrors},
	{Check: wire.ErrSendOffset, Code: badOffset, Text: ddpErrors, Decisions: ids("I-84")},
	{Check: wire.ErrSendOpcode, Code: unexpected, Decisions: ids("I-43"), Others: codes(catastrophic, operation)},
	{Check: wire.ErrInterleaved, Tagged: 't', Code: unexpected, Decisions: ids("I-78"), Others: codes(catastrophic, operation)},
	{Check: wire.ErrInterleaved, Code: unexpected, Decisions: ids("I-78"), Others: codes(catastrophic, operation, badMSN)},
	{Check: wire.ErrMessageTooLong, Code: tooLong, Text: ddpErrors},
	{Check: wire.ErrInvalidate, Code: noInvalidate, Decisions: ids("I-44"), Others: codes(notRemovable, protection)},
	{Check: wire.ErrIRD, Code: noBuffer, Decisions: ids("I-37", "I-82"), Others: codes(badMSN, catastrophic, operation)},

	// Responses.
	{Check: wire.ErrNoRequest, Code: noBuffer, Decisions: ids("I-37", "I-08"), Others: codes(badMSN, unexpected, catastrophic, operation)},
	{Check: wire.ErrResponse, Messages: responses, Code: unexpected, Decisions: ids("I-80"), Others: codes(noBuffer, badMSN, catastrophic, operation)},
	{Check: wire.ErrResponse, Code: unexpected, Decisions: ids("I-45"), Others: codes(tagSTag, tagBounds, badAccess, catastrophic, operation)},
	{Check: wire.ErrIdentifier, Code: catastrophic, Decisions: ids("I-08"), Others: codes(unexpected, operation)},
	{Check: wire.ErrReadTooLong, Code: tagBounds, Decisions: ids("I-45"), Others: codes(tagSTag, catastrophic, operation)},
	{Check: wire.ErrReadLast, Code: catastrophic, Decisions: ids("I-45"), Others: codes(tagBounds, unexpected, operation)},
	{Check: wire.ErrSinkSTag, Code: tagSTag, Decisions: ids("I-45"), Others: codes(tagBounds, unexpected, catastrophic, operation)},
	{Check: wire.ErrSinkTO, Code: tagBounds, Decisions: ids("I-45"), Others: codes(tagSTag, unexpected, catastrophic, operation)},

	{Check: wire.ErrLocal, Code: localRDMAP, Decisions: ids("I-47"), Others: codes(localDDP, catastrophic, allStreams)},
}

// RulingOn finds the ruling on a check that failed in a segment of an opcode.
func RulingOn(check wire.ErrorKind, op wire.Opcode, tagged, later bool) (Ruling, bool) {
	form := byte('u')
	if tagged {
		form = 't'
	}
	for _, r := range Rulings {
		if r.Check == check && (r.Tagged == 0 || r.Tagged == form) && r.Later == (later && check == wire.ErrSTag) && (len(r.Messages) == 0 || slices.Contains(r.Messages, op)) {
			return r, true
		}
	}
	return Ruling{}, false
}
