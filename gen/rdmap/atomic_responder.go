package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// AtomicResponderPorts turns results of atomics into messages.
type AtomicResponderPorts struct {
	Response hdl.Sink[atomic.AtomicResponse]
	Message  hdl.Source[engine.TxMessage]
}

const atomicResponderDoc = `atomic_responder turns each result of the atomic unit into the message that sends it: an Atomic Operation Response
of 30 octets on queue 3 (RFC 7306 section 5.2.2). A failed result gives a message without octets, on which the
transmit side fails the stream, so that no later response leaves. It is combinational.`

// responseOctets is the length of an Atomic Operation Response.
const responseOctets = 18 + 12

// AtomicResponder has no latency.
func AtomicResponder(c engine.Config) hdl.Block[AtomicResponderPorts] {
	return hdl.Block[AtomicResponderPorts]{
		Kind: "atomic_responder", Params: c.Params("streams", "ird"),
		Doc: atomicResponderDoc,
		Ports: AtomicResponderPorts{Response: hdl.NewSink(atomic.AtomicResponseOf(c)),
			Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p AtomicResponderPorts) {
			a, kinds := p.Response.Data, c.Kinds()
			engine.UnusedTag(m, "of an Atomic Write", a.Tag.(*atomicTag).Write)
			octets := atomicResponseOctets(m, extensions(c), a.Tag.(*atomicTag), a.Original)
			m.Section("Message: the response, or one without octets that fails the stream")
			sent := func(v hdl.Value) hdl.Value { return v.And(a.Failed.Not().Replicate(v.Width())) }
			p.Message.Drive(m, p.Response.Valid, engine.TxMessage{
				Stream: a.Stream, Kind: kinds.NameSend(m, kinds.Response("atomic")), Number: a.Number,
				HeaderLength: sent(hdl.Const(7, responseOctets)), Header: sent(octets).ZeroExtend(8 * HeaderOctets),
				Address: hdl.Zero(64), Length: hdl.Zero(32)})
			p.Response.Accept(m, p.Message.Ready)
		},
	}
}

// atomicResponseOctets are those of an Atomic Operation Response, octet 0 in the low bits.
func atomicResponseOctets(m *hdl.Module, x spec.Extensions, tag *atomicTag, original hdl.Value) hdl.Value {
	_, untagged := wire.DDPTables(x)
	ddp := m.Let("ddp_header", assemble(untagged, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode":          nameOpcode(m, x, spec.AtomicResponse.Opcode()),
		"invalidate_stag": hdl.Zero(32), "queue_number": hdl.Const(32, uint64(wire.QueueAtomicResponse)),
		"msn": tag.AtomicMsn, "mo": hdl.Zero(32)}))
	rdmap := m.Let("rdmap_header", assemble(wire.AtomicResponseTable, map[string]hdl.Value{
		"original_request_identifier": tag.Identifier, "original_remote_data_value": original}))
	return m.Let("octets", hdl.Cat(ddp, rdmap).ReverseOctets())
}
