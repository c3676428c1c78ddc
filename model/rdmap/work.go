package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// Buffer is a place in a tagged buffer.
type Buffer struct {
	STag uint32
	TO   uint64 // octets
}

// WorkRequest asks for one message to the peer.
type WorkRequest struct {
	Stream   uint32
	ID       uint64      // comes back in the completion
	Opcode   wire.Opcode // OpWrite, OpReadRequest, a Send, Immediate Data, or OpAtomicRequest
	Signaled bool        // completes also in success
	Local    Buffer      // source of a Write or Send, sink of a Read or Atomic
	Remote   Buffer      // sink of a Write, source of a Read, target of an Atomic; only its STag: what a Send invalidates
	Length   uint32      // octets of a Write, Read or Send
	Operands Operands
}

// Operands are the numbers of an Atomic Operation. Immediate Data is Data.
type Operands struct {
	AOpCode     wire.AOpCode
	Data        uint64 // Add or Swap Data
	Mask        uint64 // Add or Swap Mask
	CompareData uint64
	CompareMask uint64
}

// ReceiveRequest is a buffer for one message of QN 0. Immediate Data uses one too, but not its memory.
type ReceiveRequest struct {
	Stream uint32
	ID     uint64 // comes back in the completion
	Buffer Buffer
	Length uint32 // octets
}

// Status tells how a request ended.
type Status uint8

const (
	StatusSuccess    Status = iota
	StatusProtection        // the local buffer may not be used so
	StatusFlushed           // the stream was over before the request was done
)

// String is the name of the status.
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

// Completion is the end of a request that was posted.
type Completion struct {
	Stream uint32
	ID     uint64
	Recv   bool        // of a ReceiveRequest
	Status Status      // what follows means nothing in a receive without success
	Opcode wire.Opcode // of the work request, or of the message that was received
	Length uint32      // octets of the message; 8 for Atomic Operations and Immediate Data
	Data   uint64      // the word before an Atomic Operation, or the Immediate Data received
	STag   uint32      // what a received Send with Invalidate has invalidated, otherwise 0
}

// EventKind tells what happened.
type EventKind uint8

const (
	EventSolicited  EventKind = iota // a message with Solicited Event has completed
	EventTerminated                  // the peer sent a Terminate
)

// Event is what the ULP is told without having asked.
type Event struct {
	Stream uint32
	Kind   EventKind
	Term   wire.TerminateCode // of the Terminate received
}
