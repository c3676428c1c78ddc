package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// The opcode of a work request is that of its message if that is an Only packet.

// WorkTag is what a work request has beside the engine's operands. A datagram has its address in the Remote buffer: the Queue Key is the
// STag, the number of the QP TO[23:0], and the CID begins at TO[32].
type WorkTag struct {
	Solicited hdl.Value `doc:"1: the peer's completion is solicited"`
	Fence     hdl.Value `doc:"1: starts when no pull of the QP is outstanding"`
	SRQ       hdl.Value `hdl:"srq" doc:"of XRC: number of the shared receive queue at the peer"`
	More      hdl.Value `doc:"1: the next beat of the QP has another element of the local buffer; all else is the same in both"`
}

// More is a field of the tag.
func (Profile) More(tag any) (more hdl.Value, may bool) { return tag.(*WorkTag).More, true }

// addressCID is where the CID of a datagram begins.
const addressCID = 32

// workRows are the packet types whose opcode a work request may have.
func workRows() (list []*spec.Operation) {
	for _, row := range rows() {
		if row.Source == spec.Initiator && row.Position == spec.Only {
			list = append(list, row)
		}
	}
	return list
}

// workOpcode is the opcode of a work request; name prefixes its signals.
type workOpcode struct {
	m     *hdl.Module
	name  string
	value hdl.Value
	codes map[spec.Opcode]hdl.Value
}

func newWorkOpcode(m *hdl.Module, name string, value hdl.Value) workOpcode {
	o := workOpcode{m, name, value, map[spec.Opcode]hdl.Value{}}
	for _, row := range workRows() {
		code := row.Opcode.Service().String() + "_" + strings.ToUpper(row.Name)
		o.codes[row.Opcode] = m.Constant(code, spec.OpcodeBits, uint64(row.Opcode))
	}
	return o
}

// is declares a signal that is 1 for the packet types of work requests that satisfy want.
func (o workOpcode) is(name string, want func(row *spec.Operation) bool) hdl.Value {
	var any []hdl.Value
	for _, row := range workRows() {
		if want(row) {
			any = append(any, o.value.Eq(o.codes[row.Opcode]))
		}
	}
	return o.m.Let(o.name+"_"+name, hdl.AnyOf(any...))
}

// Work classifies opcodes.
func (p Profile) Work(m *hdl.Module, name string, opcode hdl.Value) engine.WorkKind {
	o := newWorkOpcode(m, name, opcode)
	suffix := func(x spec.Suffix) func(*spec.Operation) bool {
		return func(row *spec.Operation) bool { return row.Suffix == x }
	}
	kind := func(k spec.Kind) func(*spec.Operation) bool {
		return func(row *spec.Operation) bool { return row.Kind&k != 0 }
	}
	k := engine.WorkKind{Write: o.is("is_write", kind(spec.Write)), Send: o.is("is_send", kind(spec.Send)),
		Invalidate: o.is("invalidates", suffix(spec.Invalidate)), Immediate: o.is("is_immediate", suffix(spec.Immediate))}
	pulls := map[string]hdl.Value{executorRead: o.is("is_read", kind(spec.Read)), executorAtomic: o.is("is_atomic", kind(spec.Atomic)),
		executorRefusal: hdl.Zero(1)}
	for _, x := range executorNames {
		k.Requests = append(k.Requests, hdl.Name(x, pulls[x]))
	}
	k.More = p.messageKindOf(o)
	k.Any = hdl.AnyOf(k.Write, k.Send, k.Request())
	return k
}

// Word is 1 for an Atomic.
func (Profile) Word(k engine.WorkKind) hdl.Value {
	for _, r := range k.Requests {
		if r.Name == executorAtomic {
			return r.Of
		}
	}
	return hdl.Value{}
}

// Octets are the length, or those of an Atomic's word. Each response is placed.
func (p Profile) Octets(_ *hdl.Module, k engine.WorkKind, length hdl.Value, _ engine.AtomicOperands) (octets hdl.Value, fills, lacks *hdl.Value) {
	return hdl.Mux(p.Word(k), hdl.Const(32, wordOctets), length), nil, nil
}

// wordOctets are those of an Atomic's word.
const wordOctets = 8

// Message is what Falcon needs of a work request's packets, as far as it is known: RSN and Length are those of a packet.
func (p Profile) Message(m *hdl.Module, w engine.HeldWork) any {
	sent := engine.ZeroOf(p.MessageTag()).(*Sent)
	code := func(t spec.PacketType) hdl.Value { return typeConstant(m, t) }
	sent.Type = m.Let("falcon_type", hdl.Mux(w.Kind.Request(), code(spec.PullRequest), code(spec.PushRequest)))
	cid := sent.CID.Width()
	sent.CID = m.Let("datagram_cid", w.Remote.TO.Slice(addressCID+cid-1, addressCID))
	sent.Fence, sent.Unfit = w.Tag.(*WorkTag).Fence, w.Unfit
	sent.First, sent.More = w.First, w.Tag.(*WorkTag).More
	return sent
}

// typeConstant declares the code of a Falcon packet type.
func typeConstant(m *hdl.Module, t spec.PacketType) hdl.Value {
	return m.Constant(strings.ToUpper(t.String()), typeBits, uint64(t))
}
