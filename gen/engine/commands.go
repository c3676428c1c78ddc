package engine

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Placement writes the payload of one segment, Length octets, to Address, or discards it if Discard is set. With Inline set
// the octets are those of Data, least significant first, and Length is 8; otherwise they are the next packet of the payload
// stream.
type Placement struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Discard hdl.Value `doc:"1: the payload is discarded"`
	Inline  hdl.Value `doc:"1: the octets come from data instead of the payload stream"`
	Address hdl.Value `doc:"of the first octet in memory"`
	Length  hdl.Value `doc:"octets, at least 1"`
	Data    hdl.Value `doc:"octets of an inline placement, the first one in [7:0]"`
	Piece   any       `hdl:"-"` // *PlacementPiece; nil if each is all of a packet's payload
}

func PlacementOf(streams int) Placement {
	return Placement{Stream: hdl.Bits(block.IndexWidth(streams)), Discard: hdl.Bits(1), Inline: hdl.Bits(1), Address: hdl.Bits(64),
		Length: hdl.Bits(16), Data: hdl.Bits(64)}
}

// PlacementBits is the width of placement numbers: fewer than 2^PlacementBits placements are in progress.
const PlacementBits = 9

// InboundRequest is an item for the responder: a request or the end of a stream, in stream order. Address is the resolved source
// or target in memory, STag its name. Number is returned as a Credit once the request is answered.
type InboundRequest struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Kind    hdl.Value `doc:"0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow"`
	Number  hdl.Value `doc:"low bits of the MSN of the request; returned in its credit"`
	STag    hdl.Value `hdl:"stag" doc:"STag of the target or source"`
	Address hdl.Value `doc:"of the target or source in memory"`
	Tag     any       `hdl:"-"` // what the profile needs for the response
}

// InboundRequestOf is the prototype.
func InboundRequestOf(c Config) InboundRequest {
	return InboundRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Kind: hdl.Bits(c.Kinds().RequestBits()), Number: hdl.Bits(NumberBits(c)), STag: hdl.Bits(32),
		Address: hdl.Bits(64), Tag: c.Profile.RequestTag()}
}

// AtomicRequest is an atomic on the word of memory at Address, a multiple of 8.
type AtomicRequest struct {
	Stream   hdl.Value      `doc:"number of the stream"`
	Number   hdl.Value      `doc:"of the request, for its credit"`
	Tag      any            `hdl:"-"` // what the profile needs for the response
	Address  hdl.Value      `doc:"of the word in memory, a multiple of 8"`
	Set      hdl.Value      `doc:"of the word in the table of atomics in progress: a hash of its address"` // see [SetOfWord]
	Operands AtomicOperands `hdl:"-"`
	Late     any            `hdl:"-"` // *Late; nil in a profile whose atomics are all answered at once
}

// Late marks an atomic that is answered when memory has acknowledged it.
type Late struct {
	Is hdl.Value `hdl:"late" doc:"1: answered when memory has acknowledged it"`
}

func lateOf(c Config) any {
	for _, a := range c.Profile.Atomics() {
		if a.Operation == Store {
			return &Late{hdl.Bits(1)}
		}
	}
	return nil
}

func AtomicRequestOf(c Config) AtomicRequest {
	return AtomicRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(NumberBits(c)), Tag: c.Profile.AtomicTag(), Address: hdl.Bits(64),
		Set: hdl.Bits(block.IndexWidth(c.AtomicDepth)), Operands: AtomicOperandsOf(), Late: lateOf(c)}
}

// ReadRequest is a Read of Length octets of memory, starting at Address.
type ReadRequest struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Number  hdl.Value `doc:"of the request, for its credit"`
	Address hdl.Value `doc:"of the first octet in memory"`
	Length  hdl.Value `doc:"octets, 32 bits, may be 0"`
	Tag     any       `hdl:"-"` // what the profile needs for the response
}

func ReadRequestOf(c Config, tag any) ReadRequest {
	return ReadRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(NumberBits(c)), Address: hdl.Bits(64), Length: hdl.Bits(32),
		Tag: tag}
}

// TxCommand sends one segment: HeaderLength octets of Header, octet i in [8i+7:8i], then PayloadLength octets of memory,
// starting at Address. Octets of Header from HeaderLength on are 0.
type TxCommand struct {
	Stream        hdl.Value `doc:"number of the stream"`
	Kind          hdl.Value `doc:"0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4 Atomic; others follow"`
	Final         hdl.Value `doc:"last segment of its message"`
	Number        hdl.Value `doc:"of the answered request; of a message of the requester 1 if it has a response, otherwise 0"`
	HeaderLength  hdl.Value `doc:"octets of the header; 0 for a silent end, and for a response whose word memory did not deliver"`
	Header        hdl.Value `doc:"octet i in [8i+7:8i]; 0 from header_length on"`
	Address       hdl.Value `doc:"of the first octet of payload in memory"`
	PayloadLength hdl.Value `doc:"octets, 0 to MaxPayload"`
	Beats         hdl.Value `doc:"beats of header and payload"`
	Ends          hdl.Value `doc:"octets of the last beat; 0: all"`
	Tag           any       `hdl:"-"` // what goes with it beside its octets; nil for none
	Piece         any       `hdl:"-"` // of the transmit side: what of the payload is at the address; nil: all
	Far           any       `hdl:"-"` // *Far; nil if no memory is far
}

// Far marks a segment whose payload is in far memory or, downstream of tx_staging, in the buffer of that.
type Far struct {
	Is hdl.Value `hdl:"far" doc:"1: the payload is in far memory; downstream of tx_staging: in its buffer"`
}

// FarOf is a mark, nil if no memory is far.
func FarOf(c Config, is hdl.Value) any {
	if !c.HasFar() {
		return nil
	}
	return &Far{is}
}

// IsFar is what a mark says.
func IsFar(mark any) hdl.Value { return mark.(*Far).Is }

func TxCommandOf(c Config) TxCommand {
	octets, place := c.Profile.HeaderOctets(), block.IndexWidth(c.BusBytes)
	return TxCommand{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Kind: hdl.Bits(c.Kinds().SendBits()), Final: hdl.Bits(1), Number: hdl.Bits(NumberBits(c)),
		HeaderLength: hdl.Bits(bits.Len(uint(octets))), Header: hdl.Bits(8 * octets), Address: hdl.Bits(64), PayloadLength: hdl.Bits(16),
		Beats: hdl.Bits(SegmentOctetsBits(c) - place), Ends: hdl.Bits(place), Tag: c.Profile.MessageTag(),
		Far: FarOf(c, hdl.Bits(1))}
}

// SegmentOctetsBits is the width of the octets of a segment, rounded up to whole beats.
func SegmentOctetsBits(c Config) int {
	return bits.Len(uint(c.Profile.HeaderOctets() + c.MaxPayload + c.BusBytes - 1))
}

// TxMessage sends one message: Header is that of a message of one segment, and Length octets of memory follow, starting at Address. Octets
// of Header from HeaderLength on are 0.
type TxMessage struct {
	Stream       hdl.Value `doc:"number of the stream"`
	Kind         hdl.Value `doc:"0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4 Atomic; others follow"`
	Number       hdl.Value `doc:"of the answered request; of a message of the requester 1 if it has a response, otherwise 0"`
	HeaderLength hdl.Value `doc:"octets of the header; 0 for a silent end, and for a response whose word memory did not deliver"`
	Header       hdl.Value `doc:"as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on"`
	Address      hdl.Value `doc:"of the first octet of payload in memory"`
	Length       hdl.Value `doc:"octets of payload, 32 bits"`
	Tag          any       `hdl:"-"` // what goes with it beside its octets; nil for none
}

func TxMessageOf(c Config) TxMessage {
	t := TxCommandOf(c)
	return TxMessage{Stream: t.Stream, Kind: t.Kind, Number: t.Number, HeaderLength: t.HeaderLength, Header: t.Header, Address: t.Address,
		Length: hdl.Bits(32), Tag: t.Tag}
}

// TxWeight gives a stream its share of the transmit side.
type TxWeight struct {
	Stream hdl.Value `doc:"number of the stream"`
	Weight hdl.Value `doc:"its octets, relative to those of other streams; 0 counts as 1"`
}

// WeightBits is the width of a weight.
const WeightBits = 4

func TxWeightOf(streams int) TxWeight {
	return TxWeight{Stream: hdl.Bits(block.IndexWidth(streams)), Weight: hdl.Bits(WeightBits)}
}

// TxReport reports the outcome of a command: its last beat was accepted, or it was dropped because its stream has ended.
type TxReport struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Kind    hdl.Value `doc:"as in the command"`
	Final   hdl.Value `doc:"last segment of its message"`
	Dropped hdl.Value `doc:"1: not sent because its stream has ended"`
	Asks    any       `hdl:"-"` // *Asking; nil if a report has the response
	Outcome any       `hdl:"-"` // of a work request that may fail alone; nil for none
	Answer  any       `hdl:"-"` // *WorkAnswer; nil if responses arrive without it
}

// Asking says of a message of the requester whether it has a response.
type Asking struct {
	Is hdl.Value `hdl:"asks" doc:"1: a message of the requester that has a response, a Read or an Atomic"`
}

// WorkAnswer is the response to a work request, in the report that it is over.
type WorkAnswer struct {
	Answers hdl.Value `doc:"1: of a Read or an Atomic, whose response is in memory"`
	Data    hdl.Value `doc:"then: data in the response, 64 bits; 0 for a Read"`
}

func TxReportOf(c Config) TxReport {
	r := TxReport{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Kind: hdl.Bits(c.Kinds().SendBits()), Final: hdl.Bits(1), Dropped: hdl.Bits(1)}
	if c.Profile.OutcomeTag() == nil {
		r.Asks = &Asking{hdl.Bits(1)}
	}
	return r
}

// WorkReportOf is that of a work request. Of a profile whose work requests may fail while their stream continues it is made when the work request
// is over, with its response and its outcome: all bits are 0 for success.
func WorkReportOf(c Config) TxReport {
	r := TxReportOf(c)
	if r.Outcome = c.Profile.OutcomeTag(); r.Outcome != nil {
		r.Answer = &WorkAnswer{hdl.Bits(1), hdl.Bits(64)}
	}
	return r
}

// Failure ends a stream for a cause unrelated to any received segment.
type Failure struct {
	Stream hdl.Value `doc:"number of the stream"`
	Fault  hdl.Value `doc:"0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated"`
	Tag    any       `hdl:"-"` // for the receive side: what the profile returns of the request that failed; zero if none did
}

// Values of Failure.Fault. The profile decides what the peer is sent, and whether it has those after FaultSTag.
const (
	FaultLocal   = iota // memory, or a local buffer that does not allow the access
	FaultSTag           // the STag of an accepted request was invalidated before its turn
	FaultRevokes        // so was the STag that it invalidates
	FaultFails          // memory or the platform failed as a request was executed
	FaultDiffers        // a digest is not the one that was expected
)

// FailureOf is the prototype of a failure as it is reported.
func FailureOf(c Config) Failure {
	return Failure{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Fault: hdl.Bits(c.Profile.FaultBits())}
}

// TaggedFailureOf is the prototype of a failure as the receive side takes it.
func TaggedFailureOf(c Config) Failure {
	f := FailureOf(c)
	f.Tag = c.Profile.FailureTag()
	return f
}

func FaultOf(c Config, fault int) hdl.Value { return hdl.Const(c.Profile.FaultBits(), uint64(fault)) }

// LocalFailure is the failure of memory or a local buffer.
func LocalFailure(c Config, stream hdl.Value) Failure {
	return Failure{Stream: stream, Fault: FaultOf(c, FaultLocal)}
}

// ZeroOf is a bundle of a profile with all bits 0, nil if there is none.
func ZeroOf(proto any) any {
	if proto == nil {
		return nil
	}
	return hdl.Unpack(proto, hdl.Zero(hdl.PackedWidth(proto)))
}

// Expected describes the response to a request: Length octets, placed at Local.
type Expected struct {
	Executor   hdl.Value `doc:"number of the executor at the peer"`
	Identifier hdl.Value `doc:"Request Identifier, for requests that have one"`
	Local      Buffer    `hdl:"-"`
	Length     hdl.Value `doc:"octets of the response"`
	Compared   any       `hdl:"-"` // what the profile compares the response with; nil: nothing
}

func ExpectedOf(c Config) Expected {
	return Expected{Executor: hdl.Bits(c.Kinds().ExecutorBits()), Identifier: hdl.Bits(32), Local: BufferOf(), Length: hdl.Bits(32), Compared: c.Profile.ComparedTag()}
}

// Expecting adds a response to those that a stream waits for.
type Expecting struct {
	Stream   hdl.Value `doc:"number of the stream"`
	Expected Expected  `hdl:"-"`
}

func ExpectingOf(c Config) Expecting {
	return Expecting{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Expected: ExpectedOf(c)}
}

// Answered reports that the response to the oldest request of a stream has been placed completely.
type Answered struct {
	Stream hdl.Value `doc:"number of the stream"`
	Data   hdl.Value `doc:"data in the response, 64 bits; 0 for a Read"`
	Tag    any       `hdl:"-"` // which response it is, as delivered; nil if they arrive in the order of the requests
}

func AnsweredOf(streams int) Answered {
	return Answered{Stream: hdl.Bits(block.IndexWidth(streams)), Data: hdl.Bits(64)}
}

// DeliveredResponseOf is the prototype of a response as it is delivered.
func DeliveredResponseOf(c Config) Answered {
	a := AnsweredOf(c.Streams)
	a.Tag = c.Profile.ResponseTag()
	return a
}

// UnusedTag declares the fields of a profile's bundle as unused, if there is one.
func UnusedTag(m *hdl.Module, why string, tag any) {
	if tag != nil {
		m.Unused(why, hdl.Pack(tag))
	}
}
