package spec

import "slices"

// Operation is the definition of one opcode, RoF 8.1.3.
type Operation struct {
	Opcode    Opcode
	Name      string // snake case, unique within a service
	Title     string // as in the specification
	Source    Source
	Packet    PacketType
	Kind      Kind
	Position  Position
	Headers   []Header
	Orderings Orderings // modes of a QP that have it, RoF 6.4
	Suffix    Suffix
}

// Source is the side that sends a packet.
type Source uint8

const (
	Initiator Source = iota
	Target
)

// Kind is the verb that a packet belongs to.
type Kind uint8

const (
	Send Kind = 1 << iota
	Write
	Read
	CmpSwap
	FetchAdd

	Atomic = CmpSwap | FetchAdd
)

// Position is the place of a packet in its message.
type Position uint8

const (
	First Position = 1 << iota
	Middle
	Last
	Only

	Starts = First | Only
	Ends   = Last | Only
	Whole  = First | Middle // exactly one MTU of payload, RoF 6.7
)

// Suffix is what the last packet of a message adds to it.
type Suffix uint8

const (
	Plain Suffix = iota
	Immediate
	Invalidate
)

// Orderings is a set of ordering modes.
type Orderings uint8

const (
	ordered Orderings = 1<<Strong | 1<<Weak
	every             = ordered | 1<<Unordered
)

// Has reports whether the set contains a mode.
func (s Orderings) Has(o Ordering) bool { return s>>o&1 != 0 }

// Operations are the packet types: those of RC and UD as in RoF 8.1.3, then those of XRC (I-28). The table swaps AtomicETH
// and AtomicAckETH, which sections 8.3.6 and 8.3.7 set right (I-22); a Read has STETH where section
// 6.7 mentions OETH (I-26). On an unordered QP a Send, and a Write with Immediate,
// is a single packet (RoF 6.4, I-66).
var Operations = slices.Concat(rcOperations, udOperations, xrcOperations())

var rcOperations = []Operation{
	{0x00, "send_first", "SEND First", Initiator, PushRequest, Send, First, []Header{RBTH, SETH, OETH}, ordered, Plain},
	{0x01, "send_middle", "SEND Middle", Initiator, PushRequest, Send, Middle, []Header{RBTH, SETH, OETH}, ordered, Plain},
	{0x02, "send_last", "SEND Last", Initiator, PushRequest, Send, Last, []Header{RBTH, SETH, OETH}, ordered, Plain},
	{0x03, "send_last_immediate", "SEND Last with Immediate", Initiator, PushRequest, Send, Last, []Header{RBTH, SETH, OETH, ImmDt}, ordered, Immediate},
	{0x04, "send_only", "SEND Only", Initiator, PushRequest, Send, Only, []Header{RBTH, SETH, OETH}, every, Plain},
	{0x05, "send_only_immediate", "SEND Only with Immediate", Initiator, PushRequest, Send, Only, []Header{RBTH, SETH, OETH, ImmDt}, every, Immediate},
	{0x06, "write_first", "WRITE First", Initiator, PushRequest, Write, First, []Header{RBTH, RETH}, every, Plain},
	{0x07, "write_middle", "WRITE Middle", Initiator, PushRequest, Write, Middle, []Header{RBTH, RETH}, every, Plain},
	{0x08, "write_last", "WRITE Last", Initiator, PushRequest, Write, Last, []Header{RBTH, RETH}, every, Plain},
	{0x09, "write_last_immediate", "WRITE Last with Immediate", Initiator, PushRequest, Write, Last, []Header{RBTH, RETH, SETH, ImmDt}, ordered, Immediate},
	{0x0A, "write_only", "WRITE Only", Initiator, PushRequest, Write, Only, []Header{RBTH, RETH}, every, Plain},
	{0x0B, "write_only_immediate", "WRITE Only with Immediate", Initiator, PushRequest, Write, Only, []Header{RBTH, RETH, SETH, ImmDt}, every, Immediate},
	{0x0C, "read_request", "READ Request", Initiator, PullRequest, Read, Only, []Header{RBTH, RETH, SETH, STETH}, every, Plain},
	{0x0D, "read_response_first", "READ Response First", Target, PullData, Read, First, []Header{RBTH, STETH}, every, Plain},
	{0x0E, "read_response_middle", "READ Response Middle", Target, PullData, Read, Middle, []Header{RBTH, STETH}, every, Plain},
	{0x0F, "read_response_last", "READ Response Last", Target, PullData, Read, Last, []Header{RBTH, STETH}, every, Plain},
	{0x10, "read_response_only", "READ Response Only", Target, PullData, Read, Only, []Header{RBTH, STETH}, every, Plain},
	{0x12, "atomic_response", "ATOMIC Response", Target, PullData, Atomic, Only, []Header{RBTH, AtomicAckETH, STETH}, every, Plain},
	{0x13, "atomic_cmp_swap", "ATOMIC CmpSwap", Initiator, PullRequest, CmpSwap, Only, []Header{RBTH, AtomicETH, SETH, STETH}, every, Plain},
	{0x14, "atomic_fetch_add", "ATOMIC FetchAdd", Initiator, PullRequest, FetchAdd, Only, []Header{RBTH, AtomicETH, SETH, STETH}, every, Plain},
	{0x16, "send_last_invalidate", "SEND Last with Invalidate", Initiator, PushRequest, Send, Last, []Header{RBTH, SETH, OETH, IETH}, ordered, Invalidate},
	{0x17, "send_only_invalidate", "SEND Only with Invalidate", Initiator, PushRequest, Send, Only, []Header{RBTH, SETH, OETH, IETH}, every, Invalidate},
}

var udOperations = []Operation{
	{0x64, "send_only", "SEND Only", Initiator, PushRequest, Send, Only, []Header{RBTH, DETH}, every, Plain},
	{0x65, "send_only_immediate", "SEND Only with Immediate", Initiator, PushRequest, Send, Only, []Header{RBTH, DETH, ImmDt}, every, Immediate},
}

// xrcOperations are those of RC in the group of XRC, with XRCETH directly after RBTH in requests (I-28).
func xrcOperations() (list []Operation) {
	for _, o := range rcOperations {
		o.Opcode |= Opcode(XRC) << 5
		if o.Source == Initiator {
			o.Headers = slices.Insert(slices.Clone(o.Headers), 1, XRCETH)
		}
		list = append(list, o)
	}
	return list
}

// Find returns the row of a service with a packet type, kind, position and suffix; nil if there is none.
func Find(s Service, t PacketType, k Kind, p Position, x Suffix) *Operation {
	for i := range Operations {
		o := &Operations[i]
		if o.Opcode.Service() == s && o.Packet == t && o.Kind&k != 0 && o.Position == p && o.Suffix == x {
			return o
		}
	}
	return nil
}

// Has reports whether the packet has a header.
func (o *Operation) Has(h Header) bool { return slices.Contains(o.Headers, h) }

// HeaderOctets is the length of all headers.
func (o *Operation) HeaderOctets() (octets int) {
	for _, h := range o.Headers {
		octets += h.Octets()
	}
	return octets
}

// Receives reports whether the message takes a receive request: every Send and a Write with Immediate (RoF 8.3.2).
func (o *Operation) Receives() bool { return o.Kind == Send || o.Suffix == Immediate }

// Carries reports whether payload may follow the headers.
func (o *Operation) Carries() bool {
	return o.Packet == PushRequest || o.Packet == PullData && o.Kind == Read
}
