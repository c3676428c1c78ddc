package falcon

import (
	"fmt"
	"slices"
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

// LengthDoc is that of the length of a work request.
func (*WorkTag) LengthDoc() string {
	return "octets of the element of the local buffer: 8 of an Atomic"
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

// workOpcode is the opcode of a work request taken apart; name prefixes its signals.
type workOpcode struct {
	opcode
	name string
}

func newWorkOpcode(m *hdl.Module, name string, value hdl.Value) workOpcode {
	o := workOpcode{opcode{m: m, names: map[int]hdl.Value{}, services: map[spec.Service]hdl.Value{}}, name}
	for _, s := range allServices {
		o.services[s] = m.Let(name+"_is_of_"+strings.ToLower(s.String()), value.Slice(spec.OpcodeBits-1, operationBits).Eq(m.Constant("SERVICE_"+s.String(), spec.OpcodeBits-operationBits, uint64(s))))
	}
	o.operation = m.Let(name+"_operation", value.Truncate(operationBits))
	for _, row := range workRows() {
		if _, is := o.names[number(row)]; !is {
			o.names[number(row)] = m.Constant(strings.ToUpper(row.Name), operationBits, uint64(number(row)))
		}
	}
	return o
}

// is declares a signal that is 1 for the packet types of work requests that satisfy want. Services with the same operations share the comparisons.
func (o workOpcode) is(name string, want func(row *spec.Operation) bool) hdl.Value {
	services := map[int][]spec.Service{}
	var order []int
	for _, row := range workRows() {
		if n := number(row); want(row) {
			if services[n] == nil {
				order = append(order, n)
			}
			services[n] = append(services[n], row.Opcode.Service())
		}
	}
	var any []hdl.Value
	for len(order) > 0 {
		of := services[order[0]]
		var operations, rest []int
		for _, n := range order {
			if slices.Equal(services[n], of) {
				operations = append(operations, n)
			} else {
				rest = append(rest, n)
			}
		}
		order = rest
		var codes, served []hdl.Value
		for _, n := range operations {
			codes = append(codes, o.operation.Eq(o.names[n]))
		}
		for _, s := range of {
			served = append(served, o.services[s])
		}
		is := hdl.AnyOf(served...).And(hdl.AnyOf(codes...))
		if len(order) > 0 || len(any) > 0 {
			is = o.m.Let(fmt.Sprintf("%s_%s_%d", o.name, name, len(any)), is)
		}
		any = append(any, is)
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

// Octets are the length, or those of an Atomic's word, of which the length must be that of the word. Each response is placed.
func (p Profile) Octets(m *hdl.Module, k engine.WorkKind, length hdl.Value, _ engine.AtomicOperands) (octets hdl.Value, fills, lacks *hdl.Value) {
	wrong := m.Let("is_no_word", p.Word(k).And(length.Ne(hdl.Const(32, wordOctets))))
	return hdl.Mux(p.Word(k), hdl.Const(32, wordOctets), length), nil, &wrong
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
	sent.Fence, sent.Unfit, sent.RefusedWork = w.Tag.(*WorkTag).Fence, w.Unfit, w.Refused
	sent.First, sent.More = w.First, w.Tag.(*WorkTag).More
	return sent
}

// typeConstant declares the code of a Falcon packet type.
func typeConstant(m *hdl.Module, t spec.PacketType) hdl.Value {
	return m.Constant(strings.ToUpper(t.String()), typeBits, uint64(t))
}
