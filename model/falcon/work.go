package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// WorkRequest is a work request of a send queue.
type WorkRequest struct {
	QP   uint32
	ID   uint64
	Kind spec.Kind

	// Local is the source of a Send or Write and the sink of a Read or Atomic: 8 octets for the latter.
	Local []Element

	Suffix     spec.Suffix // of a Send; of a Write Plain or Immediate
	Immediate  uint32
	Invalidate uint32 // R-Key at the target
	Solicited  bool   // of a Send and a Write with Immediate: SE in the last packet

	VA   uint64 // remote address of a Write, Read or Atomic
	RKey uint32

	Data    uint64 // Swap Data or Add Data
	Compare uint64

	Fence   bool // starts when no pull of the QP is outstanding
	SRQ     uint32
	Address AddressHandle
}

// AddressHandle is the destination of a datagram, RoF 6.6.3.
type AddressHandle struct {
	CID  uint32
	QP   uint32 // 24 bits
	QKey uint32
}

// ReceiveRequest is a work request of a receive queue.
type ReceiveRequest struct {
	ID    uint64
	Local []Element
}

// Status is the outcome of a work request.
type Status uint8

const (
	Success         Status = iota
	Flushed                // the QP went to Error first
	LocalProtection        // a buffer of the work request fails its check
	LengthError            // a receive: the message does not fit, or octets are missing
	PeerError              // a receive: its message ends in error for another reason
	RemoteInvalid          // CIE with spec.InvalidRequest
	RemoteAccess           // CIE with spec.AccessError
	RemoteOperation        // CIE with spec.OperationError
	RemoteError            // CIE with another code, a NACK of another kind, or a response with CE
	BadResponse            // a response that does not fit (I-106)
	TransportError         // Falcon could not complete a transaction
)

// String returns the name.
func (s Status) String() string {
	names := [...]string{"success", "flushed", "local_protection", "length", "peer_error", "remote_invalid", "remote_access",
		"remote_operation", "remote_error", "bad_response", "transport"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// Completion is a completed work request. Members other than QP, ID, Receive and Status are meaningful after Success.
type Completion struct {
	QP       uint32
	ID       uint64
	Receive  bool
	Status   Status
	Kind     spec.Kind
	Length   uint32 // octets; 0 for the receive of a Write with Immediate (I-109)
	Original uint64 // of an Atomic

	// Of a receive.
	Suffix      spec.Suffix
	Immediate   uint32
	Invalidated uint32 // R-Key
	Solicited   bool
	SourceQP    uint32 // of a datagram
}

// Event tells the host that a QP went to Error.
type Event struct {
	QP   uint32
	Rule spec.Rule       // that a packet broke, or None:
	Code spec.Completion // of Falcon, not CompletedAck; else a local error
}

// work is a work request that is not complete.
type work struct {
	WorkRequest
	length   uint64
	octets   uint64 // handed to Falcon, or asked of it
	begun    bool   // a packet has been handed to Falcon
	sent     bool   // the last one too, or none will follow
	numbered bool   // it has an RMSN of those that take a receive
	rmsn     uint32
	open     int // incomplete transactions
	status   Status
	original uint64
}

func (w *work) done() bool     { return w.sent && w.open == 0 }
func (w *work) pulls() bool    { return w.Kind&(spec.Read|spec.Atomic) != 0 }
func (w *work) receives() bool { return w.Kind == spec.Send || w.Suffix == spec.Immediate }

// Post posts a work request. On a QP in Error it is flushed.
func (e *Engine) Post(r WorkRequest) error {
	q := e.qps[r.QP]
	octets := length(r.Local)
	if err := q.check(&r, octets); err != nil {
		return err
	}
	if !q.Type.Connected() {
		if err := e.checkAddress(r.Address); err != nil {
			return err
		}
	}
	if !q.failed && len(q.work) >= q.SendDepth {
		return fmt.Errorf("falcon: QP %d has %d work requests; allowed: at most SendDepth", q.Number, len(q.work))
	}
	if !q.Type.Connected() {
		e.connections[r.Address.CID].datagrams = true
	}
	q.work = append(q.work, &work{WorkRequest: r, length: octets})
	if q.failed {
		e.flushWork(q)
	}
	return nil
}

// checkAddress checks an address handle. The connection of an RC or XRC QP has no datagrams (RoF 6.6).
func (e *Engine) checkAddress(a AddressHandle) error {
	conn := e.connections[a.CID]
	if conn == nil {
		return fmt.Errorf("falcon: CID of an address handle is %d; allowed: one that exists", a.CID)
	}
	for _, q := range e.qps {
		if q.conn == conn {
			return fmt.Errorf("falcon: CID of an address handle is %d; allowed: one without RC and XRC QPs", a.CID)
		}
	}
	return limit("QP of an address handle", int(a.QP), 0, numbers-1)
}

// check returns an error for a work request that the QP cannot have, RoF 6.4.
func (q *qp) check(r *WorkRequest, octets uint64) error {
	size := q.support.ReadWrite
	switch {
	case !q.Type.Initiates():
		size = spec.NoSize
	case r.Kind == spec.Send:
		size = q.support.Send
	case r.Kind == spec.Write && r.Suffix == spec.Immediate:
		size = q.support.WriteImmediate
	}
	packet := spec.PushRequest
	if (&work{WorkRequest: *r}).pulls() {
		packet = spec.PullRequest
	}
	row := spec.Find(q.Type.Service(), packet, r.Kind, spec.Only, r.Suffix)
	if size == spec.NoSize || row == nil || row.Kind != r.Kind {
		return fmt.Errorf("falcon: QP %d, %v: kind of the work request is %d with suffix %d; allowed: those of its type", q.Number, q.Type, r.Kind, r.Suffix)
	}
	most := uint64(1<<32 - 1)
	if size == spec.OneMTU {
		most = uint64(q.MTU)
	}
	if octets > most {
		return fmt.Errorf("falcon: QP %d: message has %d octets; allowed: at most %d", q.Number, octets, most)
	}
	if r.Kind&spec.Atomic != 0 && (len(r.Local) != 1 || octets != memory.WordOctets) {
		return fmt.Errorf("falcon: QP %d: sink of an Atomic has %d octets in %d elements; allowed: 8 in one", q.Number, octets, len(r.Local))
	}
	return nil
}
