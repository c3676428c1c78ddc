package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ReadResponderPorts are RDMA Reads in, their responses out.
type ReadResponderPorts struct {
	Req     hdl.Sink[engine.ReadRequest]
	Message hdl.Source[engine.TxMessage]
}

const readResponderDoc = `read_responder turns each RDMA Read into its RDMA Read Response (RFC 5040 section 4.5): a tagged message for the STag
and TO of the sink, with the octets that were asked for. It is combinational.`

// ReadResponder has no latency.
func ReadResponder(c engine.Config) hdl.Block[ReadResponderPorts] {
	return hdl.Block[ReadResponderPorts]{
		Kind: "read_responder", Params: c.Params("streams", "ird"),
		Doc:   readResponderDoc,
		Ports: ReadResponderPorts{Req: hdl.NewSink(readRequestOf(c)), Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p ReadResponderPorts) {
			r, kinds := p.Req.Data, c.Kinds()
			sink := r.Tag.(*readTag).Sink
			tagged, _ := wire.DDPTables(extensions(c))
			header := m.Let("header", assemble(tagged, map[string]hdl.Value{
				"t": hdl.Ones(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
				"opcode": nameOpcode(m, extensions(c), spec.ReadResponse.Opcode()), "stag": sink.STag, "to": sink.TO}))
			p.Message.Drive(m, p.Req.Valid, engine.TxMessage{
				Stream: r.Stream, Kind: kinds.NameSend(m, kinds.Response("read")), Number: r.Number,
				HeaderLength: hdl.Const(7, uint64(wire.DDPTaggedTable.Octets)), Header: header.ReverseOctets().ZeroExtend(8 * HeaderOctets),
				Address: r.Address, Length: r.Length})
			p.Req.Accept(m, p.Message.Ready)
		},
	}
}
