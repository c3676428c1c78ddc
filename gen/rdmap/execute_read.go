package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// readExecutor answers RDMA Reads from memory (RFC 5040 section 5.2).
type readExecutor struct{}

var _ = executes("read", readExecutor{})

// readTag is the Data Sink of an RDMA Read at the peer.
type readTag struct{ Sink engine.Buffer }

func (readExecutor) block(c engine.Config) engine.Executor {
	return engine.Executor{Request: readRequestOf(c), Sent: true,
		Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			if engine.Stops(c) { // request_order offers it from registers
				hdl.Instance(m, "read_responder", ReadResponder(c), ReadResponderPorts{Req: hdl.SinkOf[engine.ReadRequest](s.Start), Message: s.Message})
				return
			}
			messages := hdl.NewStream(m, "response_to_read", engine.TxMessageOf(c))
			hdl.Instance(m, "read_responder", ReadResponder(c), ReadResponderPorts{Req: hdl.SinkOf[engine.ReadRequest](s.Start), Message: messages.Source()})
			block.Between(m, "read_responses", messages.Sink(), s.Message)
		}}
}

func readRequestOf(c engine.Config) engine.ReadRequest {
	return engine.ReadRequestOf(c, &readTag{Sink: engine.BufferOf()})
}

func (readExecutor) start(_ *hdl.Module, _ engine.Config, r engine.InboundRequest, body header) any {
	read := func(name string) hdl.Value { return body.field(0, wire.ReadRequestTable, name) }
	return engine.ReadRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Length: read("read_message_size"),
		Tag: &readTag{Sink: engine.Buffer{STag: read("data_sink_stag"), TO: read("data_sink_to")}}}
}

func (readExecutor) reaches(body header) hdl.Value {
	return body.field(0, wire.ReadRequestTable, "read_message_size").Any()
}

func (readExecutor) fields(_ *hdl.Module, w engine.HeldWork) map[string]hdl.Value {
	return map[string]hdl.Value{
		"data_sink_stag": w.Local.STag, "data_sink_to": w.Local.TO, "read_message_size": w.Length,
		"data_source_stag": w.Remote.STag, "data_source_to": w.Remote.TO,
	}
}

func (readExecutor) region(h header) regionRequest {
	read := func(name string) hdl.Value { return h.field(untagged, wire.ReadRequestTable, name) }
	return regionRequest{STag: read("data_source_stag"), TO: read("data_source_to"), Length: read("read_message_size")}
}

func (readExecutor) rules(*hdl.Module, engine.Config, rxSegment, rxRegion, rxRules) {}

func (readExecutor) identifier(header) (hdl.Value, bool) { return hdl.Value{}, false }
func (readExecutor) word(header) (hdl.Value, bool)       { return hdl.Value{}, false }
