package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// TerminateBuilderPorts are the end of a stream in, a message out.
type TerminateBuilderPorts struct {
	Req     hdl.Sink[engine.InboundRequest]
	Message hdl.Source[engine.TxMessage]
}

const terminateBuilderDoc = `terminate_builder turns the end of a stream into the message that sends a Terminate (RFC 5040 section 4.8): an
untagged segment on queue 2 with MSN 1, its control word, and, if a header is returned, the DDP Segment Length
and that header as received. HdrCt says what is present: M and D with a header, R when the 28 octets of an
RDMA Read Request are part of it. A silent end gives a message that sends nothing. It is combinational.`

// Lengths of the parts of a Terminate.
const (
	terminateOctets      = 18 + 4              // DDP header and control word
	terminatedAtOctets   = terminateOctets + 2 // with the DDP Segment Length
	terminatedReadOctets = 18 + 28             // the longest terminated header: that of an RDMA Read Request
)

// TerminateBuilder has no latency.
func TerminateBuilder(c engine.Config) hdl.Block[TerminateBuilderPorts] {
	return hdl.Block[TerminateBuilderPorts]{
		Kind: "terminate_builder", Params: c.Params("streams", "ird"),
		Doc:   terminateBuilderDoc,
		Ports: TerminateBuilderPorts{Req: hdl.NewSink(engine.InboundRequestOf(c)), Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p TerminateBuilderPorts) { buildTerminateBuilder(m, p, c) },
	}
}

func buildTerminateBuilder(m *hdl.Module, p TerminateBuilderPorts, c engine.Config) {
	r, t := p.Req.Data, p.Req.Data.Tag.(*requestTag)
	m.Unused("a Terminate returns at most the header of a Read Request", t.ResponseMsn, r.STag, r.Address, t.Body.Slice(8*bodyOctets-1, 8*terminatedReadOctets))

	engine.UnusedTag(m, "of a request that is executed", t.More)

	m.Section("The segment up to the terminated header, in network order")
	gives := m.Let("gives_header_back", t.HeaderLen.Any())
	read := m.Let("has_read_request", t.HeaderLen.Is(terminatedReadOctets))
	_, table := wire.DDPTables(extensions(c))
	ddp := m.Let("ddp_header", assemble(table, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode":          nameOpcode(m, extensions(c), spec.Terminate.Opcode()),
		"invalidate_stag": hdl.Zero(32), "queue_number": hdl.Const(32, uint64(wire.QueueTerminate)),
		"msn": hdl.Const(32, 1), "mo": hdl.Zero(32)}))
	control := m.Let("control_word", assemble(wire.TerminateTable, map[string]hdl.Value{
		"layer": t.Term.Layer, "etype": t.Term.Etype, "error_code": t.Term.Code,
		"hdrct_m": gives, "hdrct_d": gives, "hdrct_r": read}))
	length := assemble(wire.TerminatedLengthTable, map[string]hdl.Value{"ddp_segment_length": t.SegmentLength.And(gives.Replicate(16))})

	m.Section("The terminated header: 0, 14, 18 or 46 octets of the body")
	untagged := m.Let("is_untagged", read.Or(t.HeaderLen.Is(18)))
	part := func(name string, from, to int, there hdl.Value) hdl.Value {
		return m.Let(name, t.Body.Slice(8*to-1, 8*from)).And(there.Replicate(8 * (to - from)))
	}
	terminated := m.Let("terminated_header", hdl.Cat(part("read_request_header", 18, terminatedReadOctets, read),
		part("message_offset", 14, 18, untagged), part("first_14_octets", 0, 14, gives)))

	m.Section("Message")
	kinds := c.Kinds()
	silent := m.Let("is_silent", r.Kind.Is(engine.KindClose))
	octets := m.Let("octets", hdl.Cat(terminated, hdl.Cat(ddp, control, length).ReverseOctets()))
	headerLength := hdl.Mux(gives, t.HeaderLen.ZeroExtend(7).Plus(terminatedAtOctets), hdl.Const(7, terminateOctets))
	p.Message.Drive(m, p.Req.Valid, engine.TxMessage{
		Stream: r.Stream, Number: r.Number,
		Kind:         hdl.Mux(silent, kinds.NameSend(m, engine.KindClose), kinds.NameSend(m, engine.KindEnd)),
		HeaderLength: headerLength.And(silent.Not().Replicate(7)), Header: octets.And(silent.Not().Replicate(8 * HeaderOctets)),
		Address: hdl.Zero(64), Length: hdl.Zero(32)})
	p.Req.Accept(m, p.Message.Ready)
}
