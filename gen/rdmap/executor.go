package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// executor is what the hardware of an operation that has a response does, beside what the rows of the request and of the response say.
type executor interface {
	// block executes requests at the responder.
	block(c engine.Config) engine.Executor
	// start is a request as the block takes it. body is what follows its DDP header.
	start(c engine.Config, r engine.InboundRequest, body header) engine.Start
	// fields are those of the header of a request that is sent.
	fields(m *hdl.Module, s engine.RequestSegment) map[string]hdl.Value
	// region is the memory that a request names. Of 0 octets it names none.
	region(h header) regionRequest
	// rules adds the rules that only this request can break.
	rules(m *hdl.Module, c engine.Config, s rxSegment, region rxRegion, b breaches)
	// identifier, in a response on queue 3, is that of the request.
	identifier(h header) hdl.Value
	// word is what a response on queue 3 brings: 64 bits for the requester's buffer and completion.
	word(h header) hdl.Value
}

// executors are filed by the name that the row of their request has.
var executors = map[string]executor{}

func executes(name string, x executor) executor {
	executors[name] = x
	return x
}

// request is the row of an operation that has a response, that of the response, and what executes it.
type request struct {
	*spec.Operation
	answer *spec.Operation
	executor
}

// requests are all of them, in the order of their opcodes.
var requests []request

func init() {
	for i := range spec.Operations {
		if o := &spec.Operations[i]; o.Executor != "" {
			answer, _ := o.Response.Operation()
			requests = append(requests, request{o, answer, executors[o.Executor]})
		}
	}
}

func (r request) table() *wire.Table { return wire.HeaderOf(r.Operation) }

// untagged is where the header of an untagged segment lies behind its DDP header.
const untagged = 18

// atQueue3 tells whether the response is untagged.
func (r request) atQueue3() bool { return !r.answer.Tagged }
