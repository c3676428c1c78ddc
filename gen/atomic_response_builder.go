package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// AtomicResponseBuilderPorts turns replies into segments.
type AtomicResponseBuilderPorts struct {
	Reply hdl.Sink[AtomicReply]
	Tx    hdl.Source[Beat] `hdl:"m_axis_tx"`
}

const atomicResponseBuilderDoc = `atomic_response_builder sends each reply as an Atomic Operation Response: one DDP segment of 30 octets on
queue 3 (RFC 7306 section 5.2.2 and appendix A.2), without a gap between consecutive ones.`

// responseOctets is the length of an Atomic Operation Response.
const responseOctets = 18 + 12

// AtomicResponseBuilder takes ceil(30 / bus bytes) beats a reply.
func AtomicResponseBuilder(busBytes, streams int) hdl.Block[AtomicResponseBuilderPorts] {
	return hdl.Block[AtomicResponseBuilderPorts]{
		Name:  fmt.Sprintf("atomic_response_builder_%d_%d", busBytes, streams),
		Doc:   atomicResponseBuilderDoc,
		Ports: AtomicResponseBuilderPorts{Reply: hdl.NewSink(atomicReply(streams)), Tx: hdl.NewSource(beat(busBytes, streams))},
		Build: func(m *hdl.Module, p AtomicResponseBuilderPorts) { buildAtomicResponseBuilder(m, p, busBytes, streams) },
	}
}

func buildAtomicResponseBuilder(m *hdl.Module, p AtomicResponseBuilderPorts, busBytes, streams int) {
	m.Section("The segment in network order")
	r := p.Reply.Data
	octets := atomicResponseOctets(m, r.Msn, r.Identifier, r.Original)

	m.Section("Its beats, octet 0 first")
	beats := (responseOctets + busBytes - 1) / busBytes
	rest := m.Reg("rest_q", 8*beats*busBytes, hdl.NoReset)
	stream := m.Reg("stream_q", indexWidth(streams), hdl.NoReset)
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	padded := octets.ZeroExtend(max(8*beats*busBytes, 8*responseOctets))
	if beats == 1 {
		ready := m.Let("ready", valid.Not().Or(p.Tx.Ready))
		p.Reply.Accept(m, ready)
		m.OnClock(
			hdl.If(ready, valid.Set(p.Reply.Valid)),
			hdl.If(p.Reply.Valid.And(ready), rest.Set(padded), stream.Set(r.Stream)))
		p.Tx.Drive(m, valid.Value, Beat{Data: rest.Value, Keep: keepMask(busBytes, responseOctets), Last: hdl.Ones(1), User: stream.Value})
		return
	}
	number := m.Reg("beat_q", indexWidth(beats), hdl.ResetTo(0))
	last := m.Let("last", number.Is(uint64(beats-1)))
	ready := m.Let("ready", valid.Not().Or(p.Tx.Ready.And(last)))
	p.Reply.Accept(m, ready)
	m.OnClock(
		hdl.If(ready,
			valid.Set(p.Reply.Valid),
			number.Set(hdl.Zero(number.Width())),
			hdl.If(p.Reply.Valid, rest.Set(padded), stream.Set(r.Stream)),
		).ElseIf(p.Tx.Ready,
			number.Set(number.Plus(1)),
			rest.Set(hdl.Cat(hdl.Zero(8*busBytes), rest.Slice(rest.Width()-1, 8*busBytes))),
		),
	)
	p.Tx.Drive(m, valid.Value, Beat{
		Data: rest.Truncate(8 * busBytes), Last: last, User: stream.Value,
		Keep: hdl.Mux(last, keepMask(busBytes, responseOctets-(beats-1)*busBytes), hdl.Ones(busBytes)),
	})
}

// atomicResponseOctets are those of an Atomic Operation Response, octet 0 in the low bits.
func atomicResponseOctets(m *hdl.Module, msn, identifier, original hdl.Value) hdl.Value {
	ddp := m.Let("ddp_header", assemble(wire.DDPUntaggedTable, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode":          m.Constant("ATOMIC_RESPONSE", 4, uint64(wire.OpAtomicResponse)),
		"invalidate_stag": hdl.Zero(32), "queue_number": hdl.Const(32, uint64(wire.QueueAtomicResponse)),
		"msn": msn, "mo": hdl.Zero(32)}))
	rdmap := m.Let("rdmap_header", assemble(wire.AtomicResponseTable, map[string]hdl.Value{
		"original_request_identifier": identifier, "original_remote_data_value": original}))
	return m.Let("octets", hdl.Cat(ddp, rdmap).ReverseOctets())
}

// keepMask marks the first n octets of a beat.
func keepMask(busBytes, n int) hdl.Value {
	if n == busBytes {
		return hdl.Ones(busBytes)
	}
	return hdl.Cat(hdl.Zero(busBytes-n), hdl.Ones(n))
}
