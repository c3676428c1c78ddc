package gen

import "github.com/rnicgen/rnicgen/hdl"

// Placement is where the payload of one segment goes: Length octets to Address, or nowhere when Discard is set.
// With Inline set the octets are those of Data, least significant first, and Length is 8; else they are the next
// packet of the payload stream.
type Placement struct {
	Stream  hdl.Value
	Discard hdl.Value
	Inline  hdl.Value
	Address hdl.Value
	Length  hdl.Value // octets, at least 1
	Data    hdl.Value
}

func placement(streams int) Placement {
	return Placement{Stream: hdl.Bits(indexWidth(streams)), Discard: hdl.Bits(1), Inline: hdl.Bits(1), Address: hdl.Bits(64),
		Length: hdl.Bits(16), Data: hdl.Bits(64)}
}

// placementBits is the width of the numbers of placements: fewer than 2^placementBits are under way.
const placementBits = 9

// What an inbound request asks for.
const (
	RequestRead      = iota // an RDMA Read
	RequestAtomic           // an Atomic Operation
	RequestTerminate        // this node ends the stream and says why
	RequestShut             // this node ends the stream and says nothing: the peer has sent a Terminate
)

// InboundRequest is what the responder has to answer, in the order of a stream: RDMA Reads, Atomics, and the end of the
// stream. Address is the resolved source or target in memory, STag its name. Body is what follows the DDP
// header of the request, octet 0 in the low bits; of a Terminate it is the terminated header as it came in.
type InboundRequest struct {
	Stream        hdl.Value
	Kind          hdl.Value
	Msn           hdl.Value // of the request on queue 1
	AtomicMsn     hdl.Value // of the Atomic Response on queue 3
	STag          hdl.Value `hdl:"stag"`
	Address       hdl.Value
	Term          Term
	HeaderLen     hdl.Value `hdl:"header_length"` // octets of Body that a Terminate gives back: 0, 14, 18 or 46
	SegmentLength hdl.Value // octets of the terminated segment
	Body          hdl.Value
}

// bodyOctets is the length of the longest body: an Atomic Request.
const bodyOctets = 52

func inboundRequest(streams int) InboundRequest {
	return InboundRequest{Stream: hdl.Bits(indexWidth(streams)), Kind: hdl.Bits(2), Msn: hdl.Bits(32), AtomicMsn: hdl.Bits(32),
		STag: hdl.Bits(32), Address: hdl.Bits(64), Term: term(), HeaderLen: hdl.Bits(6), SegmentLength: hdl.Bits(16),
		Body: hdl.Bits(8 * bodyOctets)}
}

// AtomicRequest is an atomic whose target is known: a word of memory at Address, a multiple of 8.
type AtomicRequest struct {
	Stream     hdl.Value
	Msn        hdl.Value // of the request on queue 1
	AtomicMsn  hdl.Value // of the response on queue 3
	Identifier hdl.Value
	Address    hdl.Value
	Operands   AtomicOperands `hdl:"-"`
}

func atomicRequest(streams int) AtomicRequest {
	return AtomicRequest{Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32), AtomicMsn: hdl.Bits(32),
		Identifier: hdl.Bits(32), Address: hdl.Bits(64), Operands: atomicOperands()}
}

// ReadRequest is an RDMA Read whose source is known: Length octets of memory from Address on, which go to Sink at
// the peer.
type ReadRequest struct {
	Stream  hdl.Value
	Msn     hdl.Value // of the request on queue 1
	Address hdl.Value
	Length  hdl.Value // octets, 32 bits, 0 too
	Sink    Buffer
}

func readRequest(streams int) ReadRequest {
	return ReadRequest{Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32), Address: hdl.Bits(64), Length: hdl.Bits(32), Sink: buffer()}
}

// What a segment to be sent belongs to.
const (
	SendAtomicResponse = iota
	SendReadResponse
	SendTerminate
	SendShut    // sends nothing: ends the stream as a Terminate does
	SendRequest // a message of the requester
)

// TxCommand is one segment to be sent: HeaderLength octets of Header, octet i in [8i+7:8i], then PayloadLength octets
// of memory from Address on. Octets of Header from HeaderLength on are 0.
type TxCommand struct {
	Stream        hdl.Value
	Kind          hdl.Value
	Final         hdl.Value // last segment of its message
	Msn           hdl.Value // of the request on queue 1 that it answers
	HeaderLength  hdl.Value // octets, 14 to 70; 0 for SendShut, and for an Atomic Response that memory gave no word for
	Header        hdl.Value
	Address       hdl.Value
	PayloadLength hdl.Value // octets, 0 to MaxPayload
	Term          Term      // what a Terminate says
}

func txCommand(streams int) TxCommand {
	return TxCommand{Stream: hdl.Bits(indexWidth(streams)), Kind: hdl.Bits(3), Final: hdl.Bits(1), Msn: hdl.Bits(32),
		HeaderLength: hdl.Bits(7), Header: hdl.Bits(8 * HeaderOctets), Address: hdl.Bits(64), PayloadLength: hdl.Bits(16), Term: term()}
}

// TxReport says what became of a command: its last beat was accepted, or it was dropped because its stream has
// ended.
type TxReport struct {
	Stream  hdl.Value
	Kind    hdl.Value
	Final   hdl.Value
	Dropped hdl.Value
}

func txReport(streams int) TxReport {
	return TxReport{Stream: hdl.Bits(indexWidth(streams)), Kind: hdl.Bits(3), Final: hdl.Bits(1), Dropped: hdl.Bits(1)}
}

// Failure ends a stream for a reason that no incoming segment has: the Terminate has no terminated header
// (RFC 7306 section 8.1, case 1).
type Failure struct {
	Stream hdl.Value
	Term   Term
}

func failure(streams int) Failure {
	return Failure{Stream: hdl.Bits(indexWidth(streams)), Term: term()}
}

// Expected is what the requester waits for after a Read or Atomic Request: the answer goes to Local, Length
// octets. Identifier is the Request Identifier of an Atomic.
type Expected struct {
	Atomic     hdl.Value
	Identifier hdl.Value
	Local      Buffer `hdl:"-"`
	Length     hdl.Value
}

func expected() Expected {
	return Expected{Atomic: hdl.Bits(1), Identifier: hdl.Bits(32), Local: buffer(), Length: hdl.Bits(32)}
}

// Expecting adds one to what a stream waits for.
type Expecting struct {
	Stream   hdl.Value
	Expected Expected `hdl:"-"`
}

func expecting(streams int) Expecting {
	return Expecting{Stream: hdl.Bits(indexWidth(streams)), Expected: expected()}
}

// Answered says that the oldest Read or Atomic of a stream has its answer, all of it placed.
type Answered struct {
	Stream hdl.Value
	Data   hdl.Value // original value of an Atomic, else 0
}

func answered(streams int) Answered {
	return Answered{Stream: hdl.Bits(indexWidth(streams)), Data: hdl.Bits(64)}
}
