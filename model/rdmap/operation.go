package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// operation implements an operation with a response, beyond what the rows of its request and response define.
type operation interface {
	// names returns the responder memory that a request names.
	names(payload []byte) target
	// checkRequest returns the operation-specific rule that a request breaks; checked before its memory.
	checkRequest(e *Engine, payload []byte) spec.Rule
	// checkTarget returns the rule that a request with granted memory breaks: its address, and the region that holds it.
	checkTarget(payload []byte, address uint64, region memory.Region) spec.Rule
	// execute executes a queued request and responds to it.
	execute(e *Engine, s *endpoint, r *request) spec.Rule
	// appendRequest appends the segment of a work request.
	appendRequest(tx []byte, w *work) []byte
	// lengths returns how many octets of the local buffer the response to a work request needs, and how many octets the
	// completion reports.
	lengths(w *WorkRequest) (buffer, reported uint32)
	// reply decodes a response on queue 3 and returns the rule that it breaks. It is not used for operations with a
	// tagged response.
	reply(w *work, payload []byte) (reply, spec.Rule)
}

// target is the memory that a request names; octets is 0 for none.
type target struct {
	stag   uint32
	to     uint64
	octets uint64
	right  memory.Rights // all of which it needs; 0: that of its row
	named  bool          // with 0 octets it names a region all the same (I-20)
}

// reply is the content of a response on queue 3.
type reply struct {
	buffer [memory.MostDigest]byte // for the requester's buffer
	octets int                     // of it
	data   uint64                  // for the completion
	status Status                  // of the work request
}

// operations holds the operations by the Executor of their request's row.
var operations = map[string]operation{}

func executes(name string, o operation) operation {
	operations[name] = o
	return o
}

// requestKind is an operation with the rows of its request and response.
type requestKind struct {
	operation
	row      *spec.Operation
	response *spec.Operation
	right    memory.Rights
}

// names returns the memory that a request names and the rights that it needs.
func (a *requestKind) names(payload []byte) target {
	t := a.operation.names(payload)
	if t.right == 0 {
		t.right = a.right
	}
	return t
}

// byRequest and byReply index operations by the opcode of the request and of the response on queue 3, with all
// extensions. No stream receives opcodes of an extension that is off.
var byRequest, byReply [1 << spec.MaxOpcodeBits]*requestKind

func init() {
	rights := map[spec.Right]memory.Rights{spec.RemoteRead: memory.RemoteRead, spec.RemoteAtomic: memory.RemoteAtomic, spec.RemoteWrite: memory.RemoteWrite,
		spec.RemoteVerify: memory.Verifiable}
	for _, op := range spec.AllExtensions.All(spec.Requests) {
		row, _ := spec.AllExtensions.Operation(op)
		response, _ := spec.AllExtensions.Operation(row.Response)
		a := &requestKind{operations[row.Executor], row, response, rights[row.Right]}
		byRequest[row.Opcode] = a
		if !response.Tagged {
			byReply[row.Response] = a
		}
	}
}

// Names returns the memory that a request names in its payload, for code that shadows an engine; octets is 0 for none.
func Names(op spec.Opcode, payload []byte) (stag uint32, to, octets uint64) {
	t := byRequest[op].names(payload)
	return t.stag, t.to, t.octets
}
