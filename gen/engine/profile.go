package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Profile is the protocol that an engine carries. The engine knows classes of operations and tags that it moves unread; what an
// opcode, a header or an error is called on the wire is known to the profile alone.
//
// A tag is a bundle of the profile. The prototypes give the widths of its fields.
type Profile interface {
	Options() []string // of the blocks that depend on an extension, as their headers name them
	Features() uint64  // bit 0 of the register features
	OpcodeBits() int   // width of an opcode of the host
	RuleBits() int     // width of the number of a rule that a segment can break
	HeaderOctets() int // longest header of a segment that is sent

	RequestTag() any  // prototype of an InboundRequest's tag
	AtomicTag() any   // of an AtomicRequest's
	EventDetail() any // of what an event says besides its kind
	NoDetail() any    // of an event that says nothing

	// Work sorts the opcode of a work request.
	Work(m *hdl.Module, name string, opcode hdl.Value) WorkKind
	// Word is 1 for a work request that moves 8 octets, whatever length it has.
	Word(k WorkKind) hdl.Value
	// Header gives the octets of a work request's segment before its payload, octet i in [8i+7:8i], and how many they are.
	Header(m *hdl.Module, s RequestSegment) (octets, length hdl.Value)
	// Answered says of the opcode of a work request whether it has an answer, and whether that brings data for the completion. What it
	// names begins with name.
	Answered(m *hdl.Module, name string, opcode hdl.Value) (isRequest, returns hdl.Value)
	// Executors execute the peer's requests; the place in the list is the kind of a request.
	Executors(c Config) []Executor
	// Starts is what each executor would get of an inbound request.
	Starts(m *hdl.Module, c Config, r InboundRequest) []Start
	// Delivered says what a delivery tells the host and the requester; ends is 1 when it ends the stream.
	Delivered(m *hdl.Module, d Delivery, ends hdl.Value) DeliveredView
	// Registers are those of the host.
	Registers() RegisterMap
	// Atomics are the operations that the atomic unit executes, with their codes of 4 bits.
	Atomics() []AtomicCode
}

// WorkKind says in 1 bit each what a work request's opcode is. Any is 0 for an opcode that is no work request's.
type WorkKind struct {
	Write                            hdl.Value
	Requests                         []hdl.Named[hdl.Value] `hdl:"-"` // what has an answer, by the executor at the peer
	Send, Invalidate, Immediate, Any hdl.Value
}

// WorkKindOf is the prototype.
func WorkKindOf(c Config) WorkKind {
	bit := hdl.Bits(1)
	k := WorkKind{Write: bit, Send: bit, Invalidate: bit, Immediate: bit, Any: bit}
	for _, x := range c.Profile.Executors(c) {
		k.Requests = append(k.Requests, hdl.Name(x.Name, bit))
	}
	return k
}

// Request is 1 for what has an answer.
func (k WorkKind) Request() hdl.Value {
	var any []hdl.Value
	for _, r := range k.Requests {
		any = append(any, r.Of)
	}
	return hdl.AnyOf(any...)
}

// Executor is the number of the executor at the peer; 0 for what has no answer.
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

// RequestSegment is what the header of a segment of a work request's message is made of.
type RequestSegment struct {
	Work   HeldWork
	Local  hdl.Value // TO of the local buffer
	Remote hdl.Value // TO at the peer of this segment's first octet
	Offset hdl.Value // octets of the message before it
	Last   hdl.Value
	Number hdl.Value // of the message, from 1 on
}

// Start is an inbound request as its executor takes it.
type Start struct {
	Request any         // like the executor's prototype
	Reaches []hdl.Value // it reaches memory when all are 1, and so its STag must still be valid
	Never   bool        // it reaches none
}

// DeliveredView is what a delivery tells.
type DeliveredView struct {
	Solicited hdl.Value // a receive that raises an event
	Received  hdl.Value // data of the completion, 64 bits
	Returned  hdl.Value // data that an answer brings, else 0
	STag      hdl.Value // that was invalidated, else 0
	Detail    any       // of the event
}

// AtomicCode is an Atomic Operation of the unit and its number on the wire.
type AtomicCode struct {
	Operation AtomicOperation
	Code      uint64
}

// AtomicOperation is what the atomic unit can do to a word.
type AtomicOperation int

// The operations of RFC 7306 section 5.1 and of its draft-00.
const (
	FetchAdd AtomicOperation = iota
	Swap
	CmpSwap
)

func (o AtomicOperation) String() string { return [...]string{"FETCH_ADD", "SWAP", "CMP_SWAP"}[o] }

// NameAtomics names the codes that a profile gives to the operations it has.
func NameAtomics(m *hdl.Module, list []AtomicCode) map[AtomicOperation]hdl.Value {
	names := map[AtomicOperation]hdl.Value{}
	for _, a := range list {
		names[a.Operation] = m.Constant(a.Operation.String(), 4, a.Code)
	}
	return names
}

// HeldWork is what stays the same in all segments of a message. Length is 8 for Atomics and Immediate Data.
type HeldWork struct {
	Stream     hdl.Value
	ID         hdl.Value `hdl:"id"`
	Signaled   hdl.Value
	Opcode     hdl.Value
	Kind       WorkKind  `hdl:"-"`
	LocalSTag  hdl.Value `hdl:"local_stag"`
	RemoteSTag hdl.Value `hdl:"remote_stag"`
	Length     hdl.Value
	Operands   AtomicOperands
}
