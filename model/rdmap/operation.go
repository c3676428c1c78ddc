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
	// checkAddress returns the rule that a granted memory address breaks.
	checkAddress(address uint64) spec.Rule
	// execute executes a queued request and responds to it.
	execute(e *Engine, s *endpoint, r *request) spec.Rule
	// appendRequest appends the segment of a work request.
	appendRequest(tx []byte, w *work) []byte
	// reply decodes a response on queue 3. It is not used for operations with a tagged response.
	reply(payload []byte) reply
}

// target is the memory that a request names; octets is 0 for none.
type target struct {
	stag   uint32
	to     uint64
	octets uint64
}

// reply is the content of a response on queue 3. The word goes to the requester's buffer and into its completion.
type reply struct {
	identifier uint32
	word       uint64
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

// isWord reports whether the response is a single word rather than a variable number of octets.
func (a *requestKind) isWord() bool { return !a.response.Tagged }

// byRequest and byReply index operations by the opcode of the request and of the response on queue 3.
var byRequest, byReply [1 << spec.OpcodeBits]*requestKind

func init() {
	rights := map[spec.Right]memory.Rights{spec.RemoteRead: memory.RemoteRead, spec.RemoteAtomic: memory.RemoteAtomic, spec.RemoteWrite: memory.RemoteWrite}
	for i := range spec.Operations {
		row := &spec.Operations[i]
		if row.Executor == "" {
			continue
		}
		response, _ := row.Response.Operation()
		a := &requestKind{operations[row.Executor], row, response, rights[row.Right]}
		byRequest[row.Opcode] = a
		if a.isWord() {
			byReply[row.Response] = a
		}
	}
}

// Names returns the memory that a request names in its payload, for code that shadows an engine; octets is 0 for none.
func Names(op spec.Opcode, payload []byte) (stag uint32, to, octets uint64) {
	t := byRequest[op].names(payload)
	return t.stag, t.to, t.octets
}
