package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// ReadResponderPorts are Reads in, their responses out.
type ReadResponderPorts struct {
	Req     hdl.Sink[engine.ReadRequest]
	Message hdl.Source[engine.TxMessage]
}

const readResponderDoc = `falcon_read_responder turns each Read into READ Response Only (RDMA over Falcon 8.1.3), whose payload the transmit side
reads from memory. One per cycle, one cycle later.`

// ReadResponder is for Reads of at most MaxPayload octets.
func ReadResponder(c engine.Config) hdl.Block[ReadResponderPorts] {
	return hdl.Block[ReadResponderPorts]{
		Kind: "falcon_read_responder", Options: orderOptions(profileOf(c).Order), Params: c.Params("streams", "ird", "max_payload"), Doc: readResponderDoc,
		Ports: ReadResponderPorts{Req: hdl.NewSink(engine.ReadRequestOf(c, c.Profile.AtomicTag())), Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p ReadResponderPorts) {
			r := p.Req.Data
			out := block.NewSkid(m, "response", engine.TxMessageOf(c), p.Message)
			p.Req.Accept(m, out.Room)
			m.Section("Response")
			made := newResponse(m, c, executorRead, r.Tag.(*Reply))
			message := made.message(r.Stream, r.Number, made.read(r.Length, hdl.Zero(1)))
			message.Address, message.Length = r.Address, r.Length
			out.Drive(p.Req.Valid.And(out.Room), message)
		},
	}
}

// AtomicResponderPorts are results of Atomics in, responses out.
type AtomicResponderPorts struct {
	Response hdl.Sink[atomic.AtomicResponse]
	Message  hdl.Source[engine.TxMessage]
	Failed   hdl.Source[engine.Failure] `doc:"memory did not deliver the word of an Atomic"`
}

const atomicResponderDoc = `falcon_atomic_responder turns each result of the atomic unit into ATOMIC Response (RDMA over Falcon 8.1.3), with the word
before the Atomic. If memory did not deliver the word, the response has CE = 1 and Original Data 0, and a failure is
reported. One per cycle, one cycle later.`

// AtomicResponder has no state but its buffers.
func AtomicResponder(c engine.Config) hdl.Block[AtomicResponderPorts] {
	return hdl.Block[AtomicResponderPorts]{
		Kind: "falcon_atomic_responder", Options: orderOptions(profileOf(c).Order), Params: c.Params("streams", "ird"), Doc: atomicResponderDoc,
		Ports: AtomicResponderPorts{Response: hdl.NewSink(atomic.AtomicResponseOf(c)), Message: hdl.NewSource(engine.TxMessageOf(c)), Failed: hdl.NewSource(engine.FailureOf(c))},
		Build: func(m *hdl.Module, p AtomicResponderPorts) {
			a := p.Response.Data
			out, failures := block.NewSkid(m, "response", engine.TxMessageOf(c), p.Message), block.NewSkid(m, "failure", engine.FailureOf(c), p.Failed)
			room := m.Let("has_room", out.Room.And(failures.Room))
			p.Response.Accept(m, room)
			takes := m.Let("takes", p.Response.Valid.And(room))
			m.Section("Response")
			made := newResponse(m, c, executorAtomic, a.Tag.(*Reply))
			out.Drive(takes, made.message(a.Stream, a.Number, made.atomic(a.Original, a.Failed)))
			failures.Drive(takes.And(a.Failed), engine.LocalFailure(c, a.Stream))
		},
	}
}

// RefusalResponderPorts are pulls that are refused in, responses with CE out.
type RefusalResponderPorts struct {
	Req     hdl.Sink[Refusal]
	Message hdl.Source[engine.TxMessage]
}

const refusalResponderDoc = `falcon_refusal_responder answers each pull that is refused with the headers of its response, with CE = 1 and without
payload (FTP 6.4, RDMA over Falcon 8.2). One per cycle, one cycle later.`

// RefusalResponder has no state but its buffer.
func RefusalResponder(c engine.Config) hdl.Block[RefusalResponderPorts] {
	return hdl.Block[RefusalResponderPorts]{
		Kind: "falcon_refusal_responder", Options: orderOptions(profileOf(c).Order), Params: c.Params("streams", "ird"), Doc: refusalResponderDoc,
		Ports: RefusalResponderPorts{Req: hdl.NewSink(RefusalOf(c)), Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p RefusalResponderPorts) {
			r := p.Req.Data
			out := block.NewSkid(m, "response", engine.TxMessageOf(c), p.Message)
			p.Req.Accept(m, out.Room)
			m.Section("Response")
			made := newResponse(m, c, executorRefusal, r.Tag.(*Reply))
			read, word := made.read(hdl.Zero(32), hdl.Ones(1)), made.atomic(hdl.Zero(64), hdl.Ones(1))
			out.Drive(p.Req.Valid.And(out.Room), made.message(r.Stream, r.Number, hdl.Unpack(read, hdl.Mux(r.Atomic, hdl.Pack(word), hdl.Pack(read)))))
		},
	}
}

// response makes the responses of one executor. The packet type has the opcode of the only response in each case (I-62).
type response struct {
	m        *hdl.Module
	c        engine.Config
	executor string
	reply    *Reply
}

// headers are those of a response.
type headers struct {
	Octets hdl.Value // octet i in [8i+7:8i]
	Length hdl.Value // octets of them
	Packet hdl.Value // octets of the packet with its pad
}

func newResponse(m *hdl.Module, c engine.Config, executor string, reply *Reply) response {
	return response{m, c, executor, reply}
}

// rbth is the RBTH of a packet type, by service.
func (r response) rbth(kind spec.Kind, ce, pad hdl.Value) hdl.Value {
	opcode := func(s spec.Service) hdl.Value {
		row := spec.Find(s, spec.PullData, kind, spec.Only, spec.Plain)
		return r.m.Constant(s.String()+"_"+strings.ToUpper(row.Name), spec.OpcodeBits, uint64(row.Opcode))
	}
	return assemble(profileOf(r.c).Order, spec.RBTH, values{"version": hdl.Const(4, spec.Version), "ce": ce, "pad": pad,
		"opcode": hdl.Mux(r.reply.XRC, opcode(spec.XRC), opcode(spec.RC)), "destination_qp": r.reply.Remote, "sn": r.reply.SN})
}

// headers are those of a packet type in its order, with so many octets of payload and pad after them.
func (r response) headers(kind spec.Kind, payload hdl.Value, octets map[spec.Header]hdl.Value) headers {
	row := spec.Find(spec.RC, spec.PullData, kind, spec.Only, spec.Plain)
	var parts []hdl.Value // most significant first: the last header
	for _, h := range row.Headers {
		parts = append([]hdl.Value{octets[h]}, parts...)
	}
	width := profileOf(r.c).headerBits()
	return headers{Octets: hdl.Cat(parts...).ZeroExtend(8 * HeaderOctets), Length: hdl.Const(width, uint64(row.HeaderOctets())),
		Packet: payload.Plus(uint64(row.HeaderOctets()))}
}

func (r response) steth() hdl.Value {
	return assemble(profileOf(r.c).Order, spec.STETH, values{"va": r.reply.SinkVA, "l_key": r.reply.LKey})
}

// read is the response to a Read with length octets of payload.
func (r response) read(length, ce hdl.Value) headers {
	pad := padOf(length)
	padded := r.m.Let("padded_octets", length.Truncate(lengthBits).Add(pad.ZeroExtend(lengthBits)))
	return r.headers(spec.Read, padded, map[spec.Header]hdl.Value{spec.RBTH: r.rbth(spec.Read, ce, pad), spec.STETH: r.steth()})
}

// atomic is the response to an Atomic.
func (r response) atomic(original, ce hdl.Value) headers {
	word := assemble(profileOf(r.c).Order, spec.AtomicAckETH, values{"original_data": original})
	return r.headers(spec.Atomic, hdl.Zero(lengthBits), map[spec.Header]hdl.Value{spec.RBTH: r.rbth(spec.Atomic, ce, hdl.Zero(padBits)),
		spec.AtomicAckETH: word, spec.STETH: r.steth()})
}

// message sends a response without payload.
func (r response) message(stream, number hdl.Value, h headers) engine.TxMessage {
	kinds := r.c.Kinds()
	return engine.TxMessage{Stream: stream, Kind: kinds.NameSend(r.m, kinds.Response(r.executor)), Number: number,
		HeaderLength: h.Length, Header: h.Octets, Address: hdl.Zero(64), Length: hdl.Zero(32),
		Tag: &Sent{Type: typeConstant(r.m, spec.PullData), CID: r.reply.CID, RSN: r.reply.RSN, Length: h.Packet, Fence: hdl.Zero(1), Unfit: hdl.Zero(1), RefusedWork: hdl.Zero(1), First: hdl.Zero(1), More: hdl.Zero(1), List: hdl.Zero(1), Element: hdl.Zero(elementBits)}}
}
