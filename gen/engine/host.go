package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// WorkRequest is one operation posted by the host on a stream. Opcode is the profile's: a Write, Read, Send, Atomic, or Immediate
// Data.
//
// Local is the source buffer of a message, or the destination of the response to an RDMA Read or Atomic. Remote is the Data Sink of
// a Write, the Data Source of a Read, the target of an Atomic; a Send with Invalidate invalidates Remote.STag. Operands are those of
// an Atomic; their Data is also the Immediate Data.
//
// The work requests of a stream start in posting order, those of different streams in any order. One that has to wait stalls no other
// stream as long as at most SendDepth of its own stream are incomplete.
type WorkRequest struct {
	Stream   hdl.Value      `doc:"number of the stream"`
	ID       hdl.Value      `hdl:"id" doc:"chosen by the host, returned in its completion"`
	Signaled hdl.Value      `doc:"1: always complete it; 0: only if it fails"`
	Opcode   hdl.Value      `doc:"opcode of the operation"`
	Local    Buffer         // of Length octets; 8 octets for an Atomic; unused for Immediate Data
	Length   hdl.Value      `doc:"octets of the message; ignored for Atomics and Immediate Data"`
	Remote   Buffer         // at the peer
	Operands AtomicOperands `hdl:"atomic"`
	Tag      any            `hdl:"-"` // what the profile needs beside them
}

// LengthTag is a tag of work requests whose length counts for Atomics.
type LengthTag interface{ LengthDoc() string }

// Doc is that of the length if the tag has another one.
func (w WorkRequest) Doc(field string) string {
	if tag, is := w.Tag.(LengthTag); is && field == "Length" {
		return tag.LengthDoc()
	}
	return ""
}

// Buffer is a location in memory as named by the protocol.
type Buffer struct {
	STag hdl.Value `hdl:"stag" doc:"STag: index in [31:8], key in [7:0]"`
	TO   hdl.Value `hdl:"to" doc:"tagged offset of the first octet"`
}

func BufferOf() Buffer { return Buffer{STag: hdl.Bits(32), TO: hdl.Bits(64)} }

func WorkRequestOf(c Config) WorkRequest {
	return WorkRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), ID: hdl.Bits(64), Signaled: hdl.Bits(1), Opcode: hdl.Bits(c.Profile.OpcodeBits()),
		Local: BufferOf(), Length: hdl.Bits(32), Remote: BufferOf(), Operands: AtomicOperandsOf(), Tag: c.Profile.WorkTag()}
}

func AtomicOperandsOf() AtomicOperands {
	return AtomicOperands{Opcode: hdl.Bits(4), Data: hdl.Bits(64), Mask: hdl.Bits(64), Compare: hdl.Bits(64), CompareMask: hdl.Bits(64)}
}

// ReceiveRequest is a buffer for one incoming message of a stream: a Send, or Immediate Data, which uses the entry but not its
// memory.
type ReceiveRequest struct {
	Stream hdl.Value `doc:"number of the stream"`
	ID     hdl.Value `hdl:"id" doc:"chosen by the host, returned in its completion"`
	Buffer Buffer    `hdl:"-"`
	Length hdl.Value `doc:"octets of the buffer"`
	List   any       `hdl:"-"` // *ReceiveElement; nil in a profile whose receives have one buffer each
}

func ReceiveRequestOf(streams int) ReceiveRequest {
	return ReceiveRequest{Stream: hdl.Bits(block.IndexWidth(streams)), ID: hdl.Bits(64), Buffer: BufferOf(), Length: hdl.Bits(32)}
}

// Completion reports to the host that a work request or a receive request is done. The completions of a stream are in posting order,
// separately for receives and work requests.
//
// Data is the Immediate Data of a receive, the original value of an Atomic, or 0. STag is the STag that a Send with Invalidate
// invalidated, or 0.
type Completion struct {
	Stream hdl.Value `doc:"number of the stream"`
	ID     hdl.Value `hdl:"id" doc:"that of the request"`
	Status hdl.Value `doc:"0 success, 1 flushed: the stream ended first, 2 local protection error when the work request started, 3 memory error, receives only (I-86)"`
	Opcode hdl.Value `doc:"opcode of the received message or of the work request"`
	Recv   hdl.Value `doc:"1 for a receive, 0 for a work request"`
	Length hdl.Value `doc:"octets received or transferred"`
	Data   hdl.Value `doc:"Immediate Data or an Atomic's original value"`
	STag   hdl.Value `hdl:"stag" doc:"invalidated STag"`

	Outcome any `hdl:"-"` // of the profile, which counts instead of the status unless it is 0; nil for none
}

// Values of Completion.Status.
const (
	StatusSuccess = iota
	StatusFlushed
	StatusProtection
	StatusMemory

	StatusFailed  = StatusMemory // of a work request: its outcome says why
	StatusDiffers = StatusMemory // of a work request: the response is not what it was compared with
)

func CompletionOf(c Config) Completion {
	return Completion{Stream: hdl.Bits(block.IndexWidth(c.Streams)), ID: hdl.Bits(64), Status: hdl.Bits(2), Opcode: hdl.Bits(c.Profile.OpcodeBits()),
		Recv: hdl.Bits(1), Length: hdl.Bits(32), Data: hdl.Bits(64), STag: hdl.Bits(32), Outcome: c.Profile.OutcomeTag()}
}

// Event is reported to the host besides completions.
type Event struct {
	Stream hdl.Value `doc:"number of the stream"`
	Kind   hdl.Value `doc:"0 solicited, 1 this node has ended the stream, 2 the peer has, 3 receive request refused: ring full"`
	Detail any       `hdl:"-"` // of the profile
}

// Values of Event.Kind.
const (
	EventSolicited = iota
	EventEnded     // this node has ended the stream
	EventClosed    // the peer has ended the stream
	EventReceiveRefused
)

func EventOf(c Config) Event {
	return Event{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Kind: hdl.Bits(2), Detail: c.Profile.EventDetail()}
}

// Opening opens a stream, or closes it silently: with Open 0 it is as after an error. An opened stream starts at Message Sequence
// Number 1 with empty queues. The host issues it only while nothing of the stream is in progress.
type Opening struct {
	Stream hdl.Value `doc:"number of the stream"`
	Open   hdl.Value `doc:"1 opens the stream, 0 closes it"`
	Domain hdl.Value `doc:"protection domain; STags of the domain are associated with the stream"`
}

const DomainBits = 16

func OpeningOf(streams int) Opening {
	return Opening{Stream: hdl.Bits(block.IndexWidth(streams)), Open: hdl.Bits(1), Domain: hdl.Bits(DomainBits)}
}

// RingLookup is the read port of the receive ring: Entry and Posted belong to the stream and slot of the last cycle with Enable.
type RingLookup struct {
	Enable hdl.Out
	Stream hdl.Out `doc:"number of the stream"`
	Slot   hdl.Out `doc:"number of the request, modulo the ring"`
	Entry  hdl.In  `doc:"packed RingEntry"`
	Posted hdl.In  `doc:"requests posted to the stream, modulo twice the ring"`
}

// RingCount is a second read port of the receive ring, for the number of requests alone.
type RingCount struct {
	Enable hdl.Out
	Stream hdl.Out `doc:"number of the stream"`
	Posted hdl.In  `doc:"requests posted to the stream, 32 bits, from the next cycle on"`
}

// RingConsumed reports to the ring that a stream has used a request.
type RingConsumed struct {
	Valid  hdl.Out
	Stream hdl.Out `doc:"number of the stream"`
	Count  hdl.Out `doc:"requests used, modulo twice the ring"`
}

// RingEntry is a receive request in its stream's ring.
type RingEntry struct {
	ID     hdl.Value `hdl:"id"`
	Buffer Buffer    `hdl:"-"`
	Length hdl.Value
	List   any `hdl:"-"` // *ReceiveList; nil in a profile whose receives have one buffer each
}

func RingEntryOf() RingEntry {
	return RingEntry{ID: hdl.Bits(64), Buffer: BufferOf(), Length: hdl.Bits(32)}
}
