package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// executor is the hardware of an operation with a response, as far as the rows of request and response do not define it.
type executor interface {
	// block is the executor at the responder.
	block(c engine.Config) engine.Executor
	// start is a request in the form that the block takes. body is what follows its DDP header.
	start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any
	// reaches is 1 if the request accesses memory.
	reaches(body header) hdl.Value
	// fields are the header fields of an outgoing request.
	fields(m *hdl.Module, w engine.HeldWork) map[string]hdl.Value
	// region is the memory that a request names; none if its length is 0.
	region(h header) regionRequest
	// rules adds the rules that are specific to this request.
	rules(m *hdl.Module, c engine.Config, s rxSegment, region rxRegion, b rxRules)
	// identifier is the Request Identifier in a response on queue 3; false if it has none.
	identifier(h header) (hdl.Value, bool)
	// word is the 64-bit result in a response on queue 3, for the buffer and completion of the requester; false if it has none.
	word(h header) (hdl.Value, bool)
}

// tailed is an executor whose requests may be longer than their header. The tail is octets, octet 0 in the low bits and 0 from its end
// on, and their number.
type tailed interface {
	tail(m *hdl.Module, w engine.HeldWork) (octets, length hdl.Value)
}

// executors by the name in the row of the request.
var executors = map[string]executor{}

func executes(name string, x executor) executor {
	executors[name] = x
	return x
}

// request is an operation with a response: its row, the row of the response, and its executor.
type request struct {
	*spec.Operation
	response *spec.Operation
	executor
}

// requestsOf are all operations with a response, in opcode order.
func requestsOf(x spec.Extensions) (list []request) {
	for _, o := range x.Operations() {
		if o.Executor != "" {
			response, _ := x.Operation(o.Response)
			list = append(list, request{o, response, executors[o.Executor]})
		}
	}
	return list
}

func (r request) table() *wire.Table { return wire.HeaderOf(r.Operation) }

// untagged is the length of the DDP header of an untagged segment; the RDMAP header follows it.
const untagged = 18

// atQueue3 reports whether the response is untagged, on queue 3.
func (r request) atQueue3() bool { return !r.response.Tagged }
