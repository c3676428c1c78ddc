package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Header makes the DDP and RDMAP headers of a work request's segment.
func (Profile) Header(m *hdl.Module, s engine.RequestSegment) (octets, length hdl.Value) {
	w, version := s.Work, hdl.Const(2, wire.DDPVersion)
	tagged := m.Let("tagged_header", assemble(wire.DDPTaggedTable, map[string]hdl.Value{
		"t": hdl.Ones(1), "l": s.Last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"stag": w.RemoteSTag, "to": s.Remote,
	}))
	m.Note("Reads and Atomics share the Message Sequence Numbers of queue 1; all else is on queue 0.")
	untagged := m.Let("untagged_header", assemble(wire.DDPUntaggedTable, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": s.Last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"invalidate_stag": w.RemoteSTag.And(w.Kind.Invalidate.Spread(32)),
		"queue_number":    hdl.Mux(w.Kind.Request(), hdl.Const(32, uint64(spec.QueueRequest)), hdl.Const(32, uint64(spec.QueueSend))), "msn": s.Number, "mo": s.Offset,
	}))
	read := m.Let("read_header", assemble(wire.ReadRequestTable, map[string]hdl.Value{
		"data_sink_stag": w.LocalSTag, "data_sink_to": s.Local, "read_message_size": w.Length,
		"data_source_stag": w.RemoteSTag, "data_source_to": s.Remote,
	}))
	m.Note("What an operation does not use is sent as zero, a mask as ones (RFC 7306 section 5.2.1).")
	swaps := m.Let("swaps", w.Operands.Opcode.Eq(m.Constant("SWAP", 4, uint64(wire.Swap))))
	compares := m.Let("compares", w.Operands.Opcode.Eq(m.Constant("CMP_SWAP", 4, uint64(wire.CmpSwap))))
	atomic := m.Let("atomic_header", assemble(wire.AtomicRequestTable, map[string]hdl.Value{
		"aopcode": w.Operands.Opcode, "request_identifier": s.Number, "remote_stag": w.RemoteSTag, "remote_to": s.Remote,
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
