package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Header builds the DDP and RDMAP headers of a work request's message.
func (p Profile) Header(m *hdl.Module, w engine.HeldWork) (octets, length hdl.Value) {
	taggedTable, untaggedTable := wire.DDPTables(p.Extensions)
	version, last := hdl.Const(2, wire.DDPVersion), hdl.Ones(1)
	tagged := m.Let("tagged_header", assemble(taggedTable, map[string]hdl.Value{
		"t": hdl.Ones(1), "l": last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"stag": w.Remote.STag, "to": w.Remote.TO,
	}))
	m.Note("Requests share the Message Sequence Numbers of queue 1; all else is on queue 0.")
	untaggedHeader := m.Let("untagged_header", assemble(untaggedTable, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": last, "dv": version, "rv": hdl.Const(2, wire.RDMAPVersion), "opcode": w.Opcode,
		"invalidate_stag": w.Remote.STag.And(w.Kind.Invalidate.Replicate(32)),
		"queue_number":    hdl.Mux(w.Kind.Request(), hdl.Const(32, uint64(spec.QueueRequest)), hdl.Const(32, uint64(spec.QueueSend))), "msn": w.Number, "mo": hdl.Zero(32),
	}))
	immediate := assemble(wire.ImmediateTable, map[string]hdl.Value{"immediate_data": w.Operands.Data})

	type shape struct {
		is     hdl.Value
		table  *wire.Table
		header hdl.Value
	}
	var shapes []shape
	for i, r := range p.requests() {
		shapes = append(shapes, shape{w.Kind.Requests[i].Of, r.table(), m.Let(r.Executor+"_header", assemble(r.table(), r.fields(m, w)))})
	}
	shapes = append(shapes, shape{w.Kind.Immediate, wire.ImmediateTable, immediate})

	fill := func(v hdl.Value, width int) hdl.Value {
		if v.Width() == width {
			return v
		}
		return hdl.Cat(v, hdl.Zero(width-v.Width()))
	}
	count := func(octets int) hdl.Value { return hdl.Const(7, uint64(octets)) }
	const most = 8 * (HeaderOctets - untagged)
	var bodies []hdl.When
	lengths := []hdl.When{{Cond: w.Kind.Write, Then: count(wire.DDPTaggedTable.Octets)}}
	for _, h := range shapes {
		bodies = append(bodies, hdl.When{Cond: h.is, Then: fill(h.header, most)})
		lengths = append(lengths, hdl.When{Cond: h.is, Then: count(untagged + h.table.Octets)})
	}
	body := m.Let("rdmap_header", hdl.Select(hdl.Zero(most), bodies...))
	header := m.Let("header", hdl.Mux(w.Kind.Write, fill(tagged, 8*HeaderOctets), hdl.Cat(untaggedHeader, body)))
	length = m.Let("header_length", hdl.Select(count(untagged), lengths...))
	return header.ReverseOctets(), length
}
