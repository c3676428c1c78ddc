package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// requestKind says in 1 bit each what a work request's opcode is. Any is 0 for an opcode that is no work request's.
type requestKind struct{ Write, Read, Atomic, Send, Invalidate, Immediate, Any hdl.Value }

// Request is 1 for what has an answer: an RDMA Read or an Atomic.
func (k requestKind) Request() hdl.Value { return k.Read.Or(k.Atomic) }

// kindOf sorts opcodes. What it names begins with name.
func kindOf(m *hdl.Module, name string, names opcodes, opcode hdl.Value) requestKind {
	oneOf := func(what string, c spec.Class) hdl.Value { return m.Let(name+"_"+what, names.oneOf(opcode, c.All())) }
	k := requestKind{
		Write:      oneOf("is_write", spec.Write),
		Read:       oneOf("is_read", spec.ReadRequest),
		Atomic:     oneOf("is_atomic", spec.AtomicRequest),
		Send:       oneOf("is_send", spec.Sends),
		Invalidate: oneOf("invalidates", spec.SendInvalidate),
		Immediate:  oneOf("is_immediate", spec.Immediate),
	}
	k.Any = hdl.AnyOf(k.Write, k.Read, k.Atomic, k.Send, k.Immediate)
	return k
}

// requestOpcodes are the opcodes of work requests.
func requestOpcodes(m *hdl.Module) opcodes {
	return nameOpcodes(m, (spec.Write | spec.Requests | spec.Receives).All())
}

// requestSegment is what the header of a segment of a work request's message is made of.
type requestSegment struct {
	Work   heldWork
	Local  hdl.Value // TO of the local buffer
	Remote hdl.Value // TO at the peer of this segment's first octet
	Offset hdl.Value // octets of the message before it
	Last   hdl.Value
	Msn    hdl.Value
}

// requestHeader gives the octets of the header, octet i in [8i+7:8i], and how many they are.
func requestHeader(m *hdl.Module, s requestSegment) (octets, length hdl.Value) {
	w, version := s.Work, hdl.Const(2, wire.DDPVersion)
	tagged := m.Let("tagged_header", assemble(wire.DDPTaggedTable, map[string]hdl.Value{
		"t": hdl.Ones(1), "l": s.Last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"stag": w.RemoteSTag, "to": s.Remote,
	}))
	m.Note("Reads and Atomics share the Message Sequence Numbers of queue 1; all else is on queue 0.")
	untagged := m.Let("untagged_header", assemble(wire.DDPUntaggedTable, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": s.Last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"invalidate_stag": w.RemoteSTag.And(w.Kind.Invalidate.Spread(32)),
		"queue_number":    hdl.Mux(w.Kind.Request(), hdl.Const(32, uint64(spec.QueueRequest)), hdl.Const(32, uint64(spec.QueueSend))), "msn": s.Msn, "mo": s.Offset,
	}))
	read := m.Let("read_header", assemble(wire.ReadRequestTable, map[string]hdl.Value{
		"data_sink_stag": w.LocalSTag, "data_sink_to": s.Local, "read_message_size": w.Length,
		"data_source_stag": w.RemoteSTag, "data_source_to": s.Remote,
	}))
	m.Note("What an operation does not use is sent as zero, a mask as ones (RFC 7306 section 5.2.1).")
	swaps := m.Let("swaps", w.Operands.Opcode.Eq(m.Constant("SWAP", 4, uint64(wire.Swap))))
	compares := m.Let("compares", w.Operands.Opcode.Eq(m.Constant("CMP_SWAP", 4, uint64(wire.CmpSwap))))
	atomic := m.Let("atomic_header", assemble(wire.AtomicRequestTable, map[string]hdl.Value{
		"aopcode": w.Operands.Opcode, "request_identifier": s.Msn, "remote_stag": w.RemoteSTag, "remote_to": s.Remote,
		"add_or_swap_data": w.Operands.Data, "add_or_swap_mask": w.Operands.Mask.Or(swaps.Spread(64)),
		"compare_data": w.Operands.Compare.And(compares.Spread(64)),
		"compare_mask": w.Operands.CompareMask.Or(compares.Not().Spread(64)),
	}))
	immediate := assemble(wire.ImmediateTable, map[string]hdl.Value{"immediate_data": w.Operands.Data})

	const ddp = 8 * 18
	fill := func(v hdl.Value, width int) hdl.Value { return hdl.Cat(v, hdl.Zero(width-v.Width())) }
	body := m.Let("message_header", hdl.Select(hdl.Zero(8*HeaderOctets-ddp),
		hdl.When{Cond: w.Kind.Atomic, Then: atomic},
		hdl.When{Cond: w.Kind.Read, Then: fill(read, atomic.Width())},
		hdl.When{Cond: w.Kind.Immediate, Then: fill(immediate, atomic.Width())}))
	header := m.Let("header", hdl.Mux(w.Kind.Write, fill(tagged, 8*HeaderOctets), hdl.Cat(untagged, body)))
	count := func(tables ...*wire.Table) hdl.Value {
		n := 0
		for _, t := range tables {
			n += t.Octets
		}
		return hdl.Const(7, uint64(n))
	}
	length = m.Let("header_length", hdl.Select(count(wire.DDPUntaggedTable),
		hdl.When{Cond: w.Kind.Write, Then: count(wire.DDPTaggedTable)},
		hdl.When{Cond: w.Kind.Atomic, Then: count(wire.DDPUntaggedTable, wire.AtomicRequestTable)},
		hdl.When{Cond: w.Kind.Read, Then: count(wire.DDPUntaggedTable, wire.ReadRequestTable)},
		hdl.When{Cond: w.Kind.Immediate, Then: count(wire.DDPUntaggedTable, wire.ImmediateTable)}))
	return header.ReverseOctets(), length
}
