package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Profile is the protocol that an engine carries. The engine knows classes of operations, and tags that it forwards without reading
// them; only the profile knows the encoding of opcodes, headers and errors.
//
// A tag is a bundle of the profile; its prototype gives the widths of the fields.
type Profile interface {
	Options() []string // of blocks that depend on an extension, as named in their headers
	Features() uint64  // of the register features
	OpcodeBits() int   // width of a host opcode
	RuleBits() int     // width of a rule number
	HeaderOctets() int // longest header of an outgoing segment

	FaultBits() int   // width of a fault
	FailureTag() any  // prototype of the tag of the failure of a request, nil for none
	BegunTag() any    // of that of a Begun, nil without executors with Stops
	KindTag() any     // of what the class of a work request has beside the engine's, nil for nothing
	WorkTag() any     // of what a work request has beside its operands, nil for none
	RegionTag() any   // of what a region has beside its rights, nil for none
	ComparedTag() any // of what a response is compared with, nil for none
	RequestTag() any  // prototype of the tag of an InboundRequest
	AtomicTag() any   // of the tag of an AtomicRequest
	MessageTag() any  // of what goes with an outgoing message beside its octets, nil for none
	DeliveryTag() any // of what goes with a delivery, nil for none
	AnswerTag() any   // of the answer to a segment, nil if segments are not answered
	ResponseTag() any // of which response has been delivered, nil if they arrive in the order of the requests
	OutcomeTag() any  // of what a completion says beside the engine's fields, nil for none
	EventDetail() any // of the detail of an event
	NoDetail() any    // detail of an event without one

	// Work classifies the opcode of a work request; name prefixes its signals.
	Work(m *hdl.Module, name string, opcode hdl.Value) WorkKind
	// More is 1 if the next beat of the stream has another element of the work request's local buffer, from its tag; false if each has one.
	More(tag any) (more hdl.Value, may bool)
	// Word is 1 for a work request that moves 8 octets regardless of its length.
	Word(k WorkKind) hdl.Value
	// Octets are those that a work request moves. fills is 1 if its response is placed in its local buffer, nil if that of every request
	// is; lacks is 1 if its operands are not complete, nil if that cannot be. length is that of the work request.
	Octets(m *hdl.Module, k WorkKind, length hdl.Value, o AtomicOperands) (octets hdl.Value, fills, lacks *hdl.Value)
	// Header returns the header octets of a work request's message as if it had one segment, octet i in [8i+7:8i], and their number.
	Header(m *hdl.Module, w HeldWork) (octets, length hdl.Value)
	// Message is the tag of a work request's message; nil without a MessageTag.
	Message(m *hdl.Module, w HeldWork) any
	// Cut returns the header of a segment of a message: octets is that of a message of one segment, before are the octets of the message
	// ahead of this segment, and last is 1 for the last one.
	Cut(m *hdl.Module, octets, before, last hdl.Value) hdl.Value
	// Opens is Cut for the first segment.
	Opens(m *hdl.Module, octets, last hdl.Value) hdl.Value
	// Executors execute the peer's requests; the index in the list is the kind of request.
	Executors(c Config) []Executor
	// Starts are the bundles of an inbound request that each executor would take.
	Starts(m *hdl.Module, c Config, r InboundRequest) []any
	// Reaches is 1, per executor, if the request would access memory, so that its STag must still be valid.
	Reaches(m *hdl.Module, c Config, r InboundRequest) []hdl.Value
	// Revokes is the STag that a request invalidates once it has been executed, 0 for none; false if no request does.
	Revokes(r InboundRequest) (stag hdl.Value, may bool)
	// Begins is the tag of a request that starts, or fails instead.
	Begins(m *hdl.Module, r InboundRequest) any
	// Failed is the tag of a failure, from that of the request; zero if no request is the cause.
	Failed(m *hdl.Module, fault hdl.Value, begun any) any
	// Hollow is the fault that stands in the header of a response without octets.
	Hollow(header hdl.Value) (fault hdl.Value)
	// Region is what a region has beside its rights, from the fields of the host's registers.
	Region(field func(register, name string) hdl.Value) any
	// SetupTag is the prototype of the set-up of a stream, with its number, nil for none; Setup is one, from the fields of the host's registers,
	// all of a register without a name.
	SetupTag(c Config) any
	Setup(stream hdl.Value, field func(register, name string) hdl.Value) any
	// Compared is what the response to a work request is compared with.
	Compared(m *hdl.Module, w HeldWork) any
	// Delivered is what a delivery reports to the host and the requester; ends is 1 if it ends the stream, lost if a placement before it
	// has failed.
	Delivered(m *hdl.Module, d Delivery, ends, lost hdl.Value) DeliveredView
	// Registers are the host registers.
	Registers() RegisterMap
	// Atomics are the operations of the atomic unit with their 4-bit codes.
	Atomics() []AtomicCode
}

// Lists reports whether work requests may have several elements.
func Lists(c Config) bool {
	tag := c.Profile.WorkTag()
	if tag == nil {
		return false
	}
	_, may := c.Profile.More(tag)
	return may
}

// WorkKind is the class of a work request's opcode, one bit per class. Any is 0 for an opcode that is not one of a work request.
type WorkKind struct {
	Write                            hdl.Value
	Requests                         []hdl.Named[hdl.Value] `hdl:"-"` // have a response; by executor at the peer
	Send, Invalidate, Immediate, Any hdl.Value
	More                             any `hdl:"-"` // what the header takes from the opcode beside these; nil for nothing
}

// WorkKindOf is the prototype.
func WorkKindOf(c Config) WorkKind {
	bit := hdl.Bits(1)
	k := WorkKind{Write: bit, Send: bit, Invalidate: bit, Immediate: bit, Any: bit, More: c.Profile.KindTag()}
	for _, x := range Asked(c) {
		k.Requests = append(k.Requests, hdl.Name(x.Name, bit))
	}
	return k
}

// Request is 1 for operations that have a response.
func (k WorkKind) Request() hdl.Value {
	var any []hdl.Value
	for _, r := range k.Requests {
		any = append(any, r.Of)
	}
	return hdl.AnyOf(any...)
}

// Executor is the number of the executor at the peer; 0 for operations without a response.
func (k WorkKind) Executor() hdl.Value {
	var bits []hdl.Value // most significant first
	for b := block.IndexWidth(len(k.Requests)) - 1; b >= 0; b-- {
		set := []hdl.Value{}
		for i, r := range k.Requests {
			if i>>b&1 == 1 {
				set = append(set, r.Of)
			}
		}
		if len(set) == 0 {
			set = append(set, hdl.Zero(1))
		}
		bits = append(bits, hdl.AnyOf(set...))
	}
	return hdl.Cat(bits...)
}

// DeliveredView is what a delivery reports.
type DeliveredView struct {
	Solicited hdl.Value // a receive that raises an event
	Received  hdl.Value // data of the completion, 64 bits
	Returned  hdl.Value // data of a response, else 0
	Response  any       // which response it is; nil without a ResponseTag
	STag      hdl.Value // invalidated STag, else 0
	Detail    any       // of the event
	Outcome   any       // of the completion; nil for none

	// To the segment, if Answers is 1; unset if segments are not answered.
	Answers hdl.Value
	Answer  any
}

// AtomicCode is an Atomic Operation and its code on the wire.
type AtomicCode struct {
	Operation AtomicOperation
	Code      uint64
}

// AtomicOperation is an operation of the atomic unit.
type AtomicOperation int

// The operations of RFC 7306 section 5.1 and of its draft-00.
const (
	FetchAdd AtomicOperation = iota
	Swap
	CmpSwap
	Store // replaces the word, and is answered when it is in memory
)

func (o AtomicOperation) String() string {
	return [...]string{"FETCH_ADD", "SWAP", "CMP_SWAP", "STORE"}[o]
}

// NameAtomics declares constants for the codes of a profile.
func NameAtomics(m *hdl.Module, list []AtomicCode) map[AtomicOperation]hdl.Value {
	names := map[AtomicOperation]hdl.Value{}
	for _, a := range list {
		names[a.Operation] = m.Constant(a.Operation.String(), 4, a.Code)
	}
	return names
}

// HeldWork is the input for the header of a work request's message. Length is 8 for Atomics and Immediate Data.
type HeldWork struct {
	Stream   hdl.Value
	Number   hdl.Value // of the message, from 1 on
	ID       hdl.Value `hdl:"id"`
	Signaled hdl.Value
	Opcode   hdl.Value
	Kind     WorkKind `hdl:"-"`
	Local    Buffer
	Remote   Buffer
	Length   hdl.Value
	Operands AtomicOperands
	Tag      any       `hdl:"-"` // of the work request
	Named    hdl.Value `hdl:"-"` // its length, whatever it moves
	Unfit    hdl.Value `hdl:"-"` // if work requests fail alone: nothing of it is sent
	Refused  hdl.Value `hdl:"-"` // then: not because of what its local buffer allows, but whatever that is
	First    hdl.Value `hdl:"-"` // if it may have several elements: this is the first one. Length is that of the element
}
