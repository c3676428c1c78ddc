package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// operation is what one that has a response does, beside what the rows of its request and of its response say.
type operation interface {
	// names is the memory at the responder that a request names.
	names(payload []byte) target
	// breaks is the rule of its own that a request breaks before its memory counts.
	breaks(e *Engine, payload []byte) spec.Rule
	// misfits is the one that it breaks when its memory is granted.
	misfits(address uint64) spec.Rule
	// execute answers a request that is queued.
	execute(e *Engine, s *endpoint, r *request) spec.Rule
	// appendRequest appends the segment of a work request.
	appendRequest(tx []byte, w *work) []byte
	// reply is what a response on queue 3 brings. A tagged one has none.
	reply(payload []byte) reply
}

// target is memory that a request names; of 0 octets none.
type target struct {
	stag   uint32
	to     uint64
	octets uint64
}

// reply is what a response on queue 3 brings: the word goes to the requester's buffer and into its completion.
type reply struct {
	identifier uint32
	word       uint64
}

// operations are filed by the name of the executor that the row of their request has.
var operations = map[string]operation{}

func executes(name string, o operation) operation {
	operations[name] = o
	return o
}

// asked is an operation with its row, and the class of its response.
type asked struct {
	operation
	row    *spec.Operation
	answer *spec.Operation
	right  memory.Rights
}

// isWord reports whether the response is the word of a reply, and no octets of any number.
func (a *asked) isWord() bool { return !a.answer.Tagged }

// byRequest and byReply find an operation by the opcode of its request, and by that of its response on queue 3.
var byRequest, byReply [1 << spec.OpcodeBits]*asked

func init() {
	rights := map[spec.Right]memory.Rights{spec.RemoteRead: memory.RemoteRead, spec.RemoteAtomic: memory.RemoteAtomic, spec.RemoteWrite: memory.RemoteWrite}
	for i := range spec.Operations {
		row := &spec.Operations[i]
		if row.Executor == "" {
			continue
		}
		answer, _ := row.Response.Operation()
		a := &asked{operations[row.Executor], row, answer, rights[row.Right]}
		byRequest[row.Opcode] = a
		if a.isWord() {
			byReply[row.Response] = a
		}
	}
}

// Names is the memory that a request of an opcode names in its payload, for those who follow an engine; of 0 octets none.
func Names(op spec.Opcode, payload []byte) (stag uint32, to, octets uint64) {
	t := byRequest[op].names(payload)
	return t.stag, t.to, t.octets
}
