package spec

// Operation is the definition of one RDMAP opcode in the specifications.
type Operation struct {
	Opcode   Opcode
	Name     string   // snake case
	Title    string   // as in the specification
	Sections []string // sections that define it

	Extension Extensions // to which it belongs; 0: none

	Class  Class
	Tagged bool   // required T bit
	Queue  uint32 // required QN; untagged messages only

	Header         string // table of the RDMAP header after the DDP header; empty: none
	FixedLength    int    // octets after the DDP header if they are fixed; 0: variable
	MinLength      int    // minimum octets after the DDP header
	Empty          bool   // nothing follows the DDP header
	Length         string // the same as text
	CarriesPayload bool   // the parser delivers the octets after the DDP header as payload
	ZeroMO         bool   // a nonzero Message Offset is DDP's invalid MO error
	SingleSegment  bool   // the whole message is one segment: L = 1
	InvalidateSTag bool   // the ULP word is an Invalidate STag, in a request 0 if none; otherwise ignored
	Solicited      bool   // completion raises an event

	Response Opcode // of a request
	Executor string // executor of a request at the responder
	Right    Right  // right that the STag must grant at the receiver
	Order    Order  // operation in the ordering tables
}

// Class groups operations that the receiver treats alike; each operation has one. Rules apply to sets of classes.
type Class uint32

const (
	Write Class = 1 << iota
	ReadRequest
	ReadResponse
	Send
	SendInvalidate
	Terminate
	Immediate
	AtomicRequest
	AtomicResponse
	FlushRequest // of the extension Commit, as the following
	FlushResponse
	VerifyRequest
	VerifyResponse
	AtomicWriteRequest
	AtomicWriteResponse

	Sends      = Send | SendInvalidate
	Receives   = Sends | Immediate                                 // consume a receive request: queue 0
	Requests   = ReadRequest | AtomicRequest | Committing          // queue 1
	Naming     = ReadRequest | AtomicRequest | Committing          // requests that name memory of the responder
	Committing = FlushRequest | VerifyRequest | AtomicWriteRequest // requests of the extension Commit
	Responses  = ReadResponse | Replies
	Replies    = AtomicResponse | FlushResponse | VerifyResponse | AtomicWriteResponse // responses on queue 3
	Tagged     = Write | ReadResponse
	Untagged   = Receives | Requests | Terminate | Replies
	Segments   = Tagged | Untagged
)

// Right is the right that an operation requires of an STag (RFC 5040 section 5; Remote Atomic is a right of its own,
// I-06). RemoteFlush stands for the rights that the flags of a Flush ask for, RemoteVerify for those that the region asks
// for.
type Right uint8

const (
	NoRight Right = iota
	LocalWrite
	RemoteRead
	RemoteWrite
	RemoteAtomic
	RemoteFlush
	RemoteVerify
)

// Order is an operation of the ordering tables: RFC 5040 section 5.5, RFC 7306 section 7, draft-talpey-rdma-commit-01
// section 4.
type Order uint8

const (
	Unordered Order = iota // not in the tables
	OrderSend
	OrderWrite
	OrderRead
	OrderAtomic
	OrderImmediate
	OrderFlush
	OrderVerify
	OrderAtomicWrite
)

// Untagged queues, RFC 5040 section 4.1 and RFC 7306 section 10.2.
const (
	QueueSend           uint32 = 0
	QueueRequest        uint32 = 1 // all requests share it
	QueueTerminate      uint32 = 2
	QueueAtomicResponse uint32 = 3
	QueueMax            uint32 = QueueAtomicResponse
)

// Protocol versions, RFC 5041 section 4.1 and RFC 5040 section 4.1.
const (
	DDPVersion   = 1
	RDMAPVersion = 1
)

// Operations is indexed by opcode and has no extensions: RFC 5040 sections 4.1 and 4.2, RFC 7306 Figures 2 and 3.
// (Figure 2 of draft-00 has other queues, contradicting its own text; I-13.)
var Operations = [...]Operation{
	{Opcode: OpWrite, Name: "rdma_write", Title: "RDMA Write", Sections: []string{"RFC 5040 4.3", "RFC 5040 5.1"},
		Class: Write, Tagged: true, Length: "any", CarriesPayload: true, Right: RemoteWrite, Order: OrderWrite},
	{Opcode: OpReadRequest, Name: "read_request", Title: "RDMA Read Request", Sections: []string{"RFC 5040 4.4", "RFC 5040 5.2"},
		Class: ReadRequest, Queue: QueueRequest, Header: "read_request", FixedLength: 28, MinLength: 28, Length: "exactly 28 octets",
		ZeroMO: true, SingleSegment: true, Response: OpReadResponse, Executor: "read", Right: RemoteRead, Order: OrderRead},
	{Opcode: OpReadResponse, Name: "read_response", Title: "RDMA Read Response", Sections: []string{"RFC 5040 4.5", "RFC 5040 5.2"},
		Class: ReadResponse, Tagged: true, Length: "any", CarriesPayload: true, Right: LocalWrite},
	{Opcode: OpSend, Name: "send", Title: "Send", Sections: []string{"RFC 5040 4.6", "RFC 5040 5.3"},
		Class: Send, Queue: QueueSend, Length: "any", CarriesPayload: true, Order: OrderSend},
	{Opcode: OpSendInv, Name: "send_inv", Title: "Send with Invalidate", Sections: []string{"RFC 5040 4.7", "RFC 5040 5.3"},
		Class: SendInvalidate, Queue: QueueSend, Length: "any", CarriesPayload: true, InvalidateSTag: true, Order: OrderSend},
	{Opcode: OpSendSE, Name: "send_se", Title: "Send with Solicited Event", Sections: []string{"RFC 5040 4.6", "RFC 5040 5.3"},
		Class: Send, Queue: QueueSend, Length: "any", CarriesPayload: true, Solicited: true, Order: OrderSend},
	{Opcode: OpSendSEInv, Name: "send_se_inv", Title: "Send with Solicited Event and Invalidate", Sections: []string{"RFC 5040 4.7", "RFC 5040 5.3"},
		Class: SendInvalidate, Queue: QueueSend, Length: "any", CarriesPayload: true, InvalidateSTag: true, Solicited: true, Order: OrderSend},
	{Opcode: OpTerminate, Name: "terminate", Title: "Terminate", Sections: []string{"RFC 5040 4.8", "RFC 5040 5.4"},
		Class: Terminate, Queue: QueueTerminate, Header: "terminate", MinLength: 4, Length: "at least 4 octets", CarriesPayload: true,
		ZeroMO: true, SingleSegment: true},
	{Opcode: OpImmediate, Name: "immediate", Title: "Immediate Data", Sections: []string{"RFC 7306 6.1", "RFC 7306 6.3"},
		Class: Immediate, Queue: QueueSend, Header: "immediate", FixedLength: 8, MinLength: 8, Length: "exactly 8 octets",
		SingleSegment: true, Order: OrderImmediate},
	{Opcode: OpImmediateSE, Name: "immediate_se", Title: "Immediate Data with Solicited Event", Sections: []string{"RFC 7306 6.2", "RFC 7306 6.3"},
		Class: Immediate, Queue: QueueSend, Header: "immediate", FixedLength: 8, MinLength: 8, Length: "exactly 8 octets",
		SingleSegment: true, Solicited: true, Order: OrderImmediate},
	{Opcode: OpAtomicRequest, Name: "atomic_request", Title: "Atomic Request", Sections: []string{"RFC 7306 5.1", "RFC 7306 5.2.1"},
		Class: AtomicRequest, Queue: QueueRequest, Header: "atomic_request", FixedLength: 52, MinLength: 52, Length: "exactly 52 octets",
		ZeroMO: true, SingleSegment: true, Response: OpAtomicResponse, Executor: "atomic", Right: RemoteAtomic, Order: OrderAtomic},
	{Opcode: OpAtomicResponse, Name: "atomic_response", Title: "Atomic Response", Sections: []string{"RFC 7306 5.2.2"},
		Class: AtomicResponse, Queue: QueueAtomicResponse, Header: "atomic_response", FixedLength: 12, MinLength: 12, Length: "exactly 12 octets",
		ZeroMO: true, SingleSegment: true, Right: LocalWrite},
}

// Request returns the row of the request to which o is the response; false if o is not a response.
func (o *Operation) Request() (*Operation, bool) {
	for _, op := range AllExtensions.All(Requests) {
		if r, _ := AllExtensions.Operation(op); r.Response == o.Opcode {
			return r, true
		}
	}
	return nil, false
}

// GetsReply reports whether o is a request whose response is on queue 3.
func (o *Operation) GetsReply() bool { return AllExtensions.Is(o.Response, Replies) }

// Fits reports whether the message may have a number of octets after the DDP header.
func (o *Operation) Fits(octets int) bool {
	if o.Empty || o.FixedLength != 0 {
		return octets == o.FixedLength
	}
	return octets >= o.MinLength
}

// All returns the opcodes of the operations in the classes c, without extensions.
func (c Class) All() []Opcode {
	return Where(func(o *Operation) bool { return o.Class&c != 0 })
}

// Where returns the opcodes of the operations for which has is true, without extensions.
func Where(has func(*Operation) bool) (list []Opcode) {
	for i := range Operations {
		if has(&Operations[i]) {
			list = append(list, Operations[i].Opcode)
		}
	}
	return list
}

// Opcode returns the opcode of the first or only operation of a class.
func (c Class) Opcode() Opcode { return c.All()[0] }
