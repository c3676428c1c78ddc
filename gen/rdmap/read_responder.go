package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ReadResponderPorts are RDMA Reads in, segments of the response out.
type ReadResponderPorts struct {
	Req     hdl.Sink[engine.ReadRequest]
	Command hdl.Source[engine.TxCommand]
}

const readResponderDoc = `read_responder answers RDMA Reads (RFC 5040 section 4.5): one command per segment of the RDMA Read Response, in
order, one per cycle, also from one Read to the next. All segments but the last have the largest payload; the last
has the rest, which is nothing when the Read asks for 0 octets. The first command of a Read leaves one cycle after
the Read arrives.`

// ReadResponder gives a segment at most MaxPayload octets of payload.
func ReadResponder(c engine.Config) hdl.Block[ReadResponderPorts] {
	return hdl.Block[ReadResponderPorts]{
		Kind: "read_responder", Params: c.Params("max_payload", "streams"),
		Doc:   readResponderDoc,
		Ports: ReadResponderPorts{Req: hdl.NewSink(readRequestOf(c)), Command: hdl.NewSource(engine.TxCommandOf(c))},
		Build: func(m *hdl.Module, p ReadResponderPorts) { buildReadResponder(m, p, c) },
	}
}

func buildReadResponder(m *hdl.Module, p ReadResponderPorts, c engine.Config) {
	m.Section("Rest of the Read")
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	stream := m.Reg("stream_q", block.IndexWidth(c.Streams), hdl.NoReset)
	number := m.Reg("number_q", 32, hdl.NoReset)
	stag := m.Reg("sink_stag_q", 32, hdl.NoReset)
	to := m.Reg("sink_to_q", 64, hdl.NoReset)
	address := m.Reg("address_q", 64, hdl.NoReset)
	left := m.Reg("left_q", 32, hdl.NoReset)
	most := m.Constant("MAX_PAYLOAD", 32, uint64(c.MaxPayload))
	last := m.Let("last", left.Le(most))
	free := m.Let("free", valid.Not().Or(p.Command.Ready.And(last)))
	p.Req.Accept(m, free)
	r, sink := p.Req.Data, p.Req.Data.Tag.(*readTag).Sink
	m.OnClock(
		hdl.If(free,
			valid.Set(p.Req.Valid), stream.Set(r.Stream), number.Set(r.Number), stag.Set(sink.STag),
			to.Set(sink.TO), address.Set(r.Address), left.Set(r.Length),
		).ElseIf(p.Command.Ready,
			to.Set(to.Plus(uint64(c.MaxPayload))),
			address.Set(address.Plus(uint64(c.MaxPayload))),
			left.Set(left.Sub(most))))

	m.Section("Its next segment")
	kinds := c.Kinds()
	header := m.Let("header", assemble(wire.DDPTaggedTable, map[string]hdl.Value{
		"t": hdl.Ones(1), "l": last, "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode": nameOpcode(m, spec.ReadResponse.Opcode()), "stag": stag.Value, "to": to.Value}))
	p.Command.Drive(m, valid.Value, engine.TxCommand{
		Stream: stream.Value, Kind: kinds.NameSend(m, kinds.Response("read")), Final: last, Number: number.Value,
		HeaderLength: hdl.Const(7, uint64(wire.DDPTaggedTable.Octets)), Header: header.ReverseOctets().ZeroExtend(8 * HeaderOctets),
		Address: address.Value, PayloadLength: hdl.Mux(last, left.Value, most).Truncate(16)})
}
