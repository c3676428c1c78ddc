package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Buffer is a position in a tagged buffer.
type Buffer struct {
	STag uint32
	TO   uint64 // octets
}

// WorkRequest requests one message to the peer.
type WorkRequest struct {
	Stream   uint32
	ID       uint64      // returned in the completion
	Opcode   wire.Opcode // OpWrite, OpReadRequest, a Send, Immediate Data, OpAtomicRequest, or a request of the extension Commit
	Signaled bool        // also reports success
	Local    Buffer      // source of a Write or Send, sink of a Read, Atomic or Verify
	Remote   Buffer      // sink of a Write, source of a Read, target of other requests; for a Send, only its STag: the one to invalidate
	Length   uint32      // octets of a Write, Read, Send, Flush or Verify
	Operands Operands

	Commit CommitOperands // of a Flush, Verify or Atomic Write
}

// complete reports whether the work request has what its message needs: a Verify, an algorithm (I-91).
func (w *WorkRequest) complete() bool {
	return w.Opcode != wire.OpVerifyRequest || w.Commit.Algorithm.Octets() > 0
}

// CommitOperands holds what a Flush, Verify or Atomic Write has beside the octets that it names.
type CommitOperands struct {
	Flags      wire.Disposition        // of a Flush
	Algorithm  memory.Algorithm        // of a Verify: that of the peer's region
	Compare    bool                    // of a Verify: the peer compares its digest with Hash
	Hash       [memory.MostDigest]byte // as many octets as Algorithm has
	Data       uint64                  // of an Atomic Write; the first octet on the wire is the most significant
	Invalidate uint32                  // STag of the peer to invalidate after success; 0: none
}

// hash returns the expected hash of a Verify; empty: none.
func (c *CommitOperands) hash() []byte {
	if !c.Compare {
		return nil
	}
	return c.Hash[:c.Algorithm.Octets()]
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
	StatusMismatch          // the digest of a Verify Response is not the hash that the request carried
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
	case StatusMismatch:
		return "mismatch"
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
	Length uint32      // octets of the message; 8 for Atomic Operations, Atomic Write and Immediate Data; of a Flush, those it named; of a Verify, those of the digest
	Data   uint64      // the original word of an Atomic Operation, or the Immediate Data received
	STag   uint32      // STag invalidated by a received Send with Invalidate, otherwise 0
}

// EventKind is the kind of an event.
type EventKind uint8

const (
	EventSolicited  EventKind = iota // a message with Solicited Event has completed
	EventTerminated                  // the peer sent a Terminate
	EventMismatch                    // the hash in a Verify Request of the peer is not the digest (I-96)
)

// Event is reported to the ULP unsolicited.
type Event struct {
	Stream uint32
	Kind   EventKind
	Term   wire.TerminateCode // of the Terminate received
	Named  wire.Sink          // octets that the Verify Request named

	// With the extension Commit, if the Terminate received has the DDP header of a request: the MSN of that request on
	// queue 1, from which to recover (I-55).
	OfRequest bool
	MSN       uint32
}
