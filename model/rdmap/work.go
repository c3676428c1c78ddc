package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// Buffer is a position in a tagged buffer.
type Buffer struct {
	STag uint32
	TO   uint64 // octets
}

// WorkRequest requests one message to the peer.
type WorkRequest struct {
	Stream   uint32
	ID       uint64      // returned in the completion
	Opcode   wire.Opcode // OpWrite, OpReadRequest, a Send, Immediate Data, or OpAtomicRequest
	Signaled bool        // also reports success
	Local    Buffer      // source of a Write or Send, sink of a Read or Atomic
	Remote   Buffer      // sink of a Write, source of a Read, target of an Atomic; for a Send, only its STag: the one to invalidate
	Length   uint32      // octets of a Write, Read or Send
	Operands Operands
}

// Operands holds the operands of an Atomic Operation; for Immediate Data, Data.
type Operands struct {
	AOpCode     wire.AOpCode
	Data        uint64 // Add or Swap Data
	Mask        uint64 // Add or Swap Mask
	CompareData uint64
	CompareMask uint64
}

// ReceiveRequest is a buffer for one message on QN 0. Immediate Data consumes one without using its memory.
type ReceiveRequest struct {
	Stream uint32
	ID     uint64 // returned in the completion
	Buffer Buffer
	Length uint32 // octets
}

// Status is the outcome of a request.
type Status uint8

const (
	StatusSuccess    Status = iota
	StatusProtection        // the local buffer may not be accessed this way
	StatusFlushed           // the stream closed before the request was done
)

// String returns the name of the status.
func (s Status) String() string {
	switch s {
	case StatusSuccess:
		return "success"
	case StatusProtection:
		return "protection"
	case StatusFlushed:
		return "flushed"
	}
	return "unknown"
}

// Completion reports the end of a posted request.
type Completion struct {
	Stream uint32
	ID     uint64
	Recv   bool        // completes a ReceiveRequest
	Status Status      // if a receive failed, the fields below are meaningless
	Opcode wire.Opcode // of the work request or the received message
	Length uint32      // octets of the message; 8 for Atomic Operations and Immediate Data
	Data   uint64      // the original word of an Atomic Operation, or the Immediate Data received
	STag   uint32      // STag invalidated by a received Send with Invalidate, otherwise 0
}

// EventKind is the kind of an event.
type EventKind uint8

const (
	EventSolicited  EventKind = iota // a message with Solicited Event has completed
	EventTerminated                  // the peer sent a Terminate
)

// Event is reported to the ULP unsolicited.
type Event struct {
	Stream uint32
	Kind   EventKind
	Term   wire.TerminateCode // of the Terminate received
}
