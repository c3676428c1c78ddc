package wire

// Message is what the specifications fix for one RDMAP opcode. It is data, shared with the hardware
// generator; the decisions made with it are not.
type Message struct {
	Opcode Opcode
	Name   string // snake case
	Title  string // as the specification prints it
	Tagged bool   // the T bit that the opcode demands
	Queue  uint32 // QN that the opcode demands; untagged messages only

	Header         *Table // RDMAP header after the DDP header; nil: none
	FixedLength    int    // octets after the DDP header when the header is all there may be; 0: variable
	MinLength      int    // least octets after the DDP header
	Length         string // the same for readers
	CarriesPayload bool   // the octets after the DDP header leave the parser as payload
	ZeroMO         bool   // a Message Offset other than 0 is DDP's invalid MO error
	SingleSegment  bool   // the whole message is one segment: L = 1
	InvalidateSTag bool   // the ULP word is an Invalidate STag; otherwise it is ignored
}

// Untagged queues, RFC 5040 section 4.1 and RFC 7306 section 10.2.
const (
	QueueSend           uint32 = 0
	QueueRequest        uint32 = 1 // Read Requests and Atomic Requests share it
	QueueTerminate      uint32 = 2
	QueueAtomicResponse uint32 = 3
	QueueMax            uint32 = QueueAtomicResponse
)

// Messages is indexed by opcode: RFC 5040 sections 4.1 and 4.2, RFC 7306 Figures 2 and 3. (draft-00 prints
// other queues in its Figure 2, against its own text; I-13.)
var Messages = [12]Message{
	{Opcode: OpWrite, Name: "rdma_write", Title: "RDMA Write", Tagged: true, Length: "any", CarriesPayload: true},
	{Opcode: OpReadRequest, Name: "read_request", Title: "RDMA Read Request", Queue: QueueRequest,
		Header: ReadRequestTable, FixedLength: 28, MinLength: 28, Length: "exactly 28 octets", ZeroMO: true, SingleSegment: true},
	{Opcode: OpReadResponse, Name: "read_response", Title: "RDMA Read Response", Tagged: true, Length: "any", CarriesPayload: true},
	{Opcode: OpSend, Name: "send", Title: "Send", Queue: QueueSend, Length: "any", CarriesPayload: true},
	{Opcode: OpSendInv, Name: "send_inv", Title: "Send with Invalidate", Queue: QueueSend, Length: "any", CarriesPayload: true, InvalidateSTag: true},
	{Opcode: OpSendSE, Name: "send_se", Title: "Send with Solicited Event", Queue: QueueSend, Length: "any", CarriesPayload: true},
	{Opcode: OpSendSEInv, Name: "send_se_inv", Title: "Send with Solicited Event and Invalidate", Queue: QueueSend, Length: "any", CarriesPayload: true, InvalidateSTag: true},
	{Opcode: OpTerminate, Name: "terminate", Title: "Terminate", Queue: QueueTerminate,
		Header: TerminateTable, MinLength: 4, Length: "at least 4 octets", CarriesPayload: true, ZeroMO: true, SingleSegment: true},
	{Opcode: OpImmediate, Name: "immediate", Title: "Immediate Data", Queue: QueueSend,
		Header: ImmediateTable, FixedLength: 8, MinLength: 8, Length: "exactly 8 octets", SingleSegment: true},
	{Opcode: OpImmediateSE, Name: "immediate_se", Title: "Immediate Data with Solicited Event", Queue: QueueSend,
		Header: ImmediateTable, FixedLength: 8, MinLength: 8, Length: "exactly 8 octets", SingleSegment: true},
	{Opcode: OpAtomicRequest, Name: "atomic_request", Title: "Atomic Request", Queue: QueueRequest,
		Header: AtomicRequestTable, FixedLength: 52, MinLength: 52, Length: "exactly 52 octets", ZeroMO: true, SingleSegment: true},
	{Opcode: OpAtomicResponse, Name: "atomic_response", Title: "Atomic Response", Queue: QueueAtomicResponse,
		Header: AtomicResponseTable, FixedLength: 12, MinLength: 12, Length: "exactly 12 octets", ZeroMO: true, SingleSegment: true},
}

// Protocol versions, RFC 5041 section 4.1 and RFC 5040 section 4.1.
const (
	DDPVersion   = 1
	RDMAPVersion = 1
)

// MaxSegment is the most octets that a segment has: MPA's ULPDU_Length counts it in 16 bits.
const MaxSegment = 65535
