package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// invalidates is the Invalidate STag of a message: of a Send with Invalidate, or of a request of the extension.
func (p Profile) invalidates(w engine.HeldWork) hdl.Value {
	stag := w.Remote.STag.And(w.Kind.Invalidate.Replicate(32))
	if tag, has := w.Tag.(*workTag); has {
		stag = stag.Or(tag.Invalidate.And(p.committing(w.Kind).Replicate(32)))
	}
	return stag
}

// committing is 1 for work requests of the extension.
func (p Profile) committing(k engine.WorkKind) hdl.Value {
	var is []hdl.Value
	for i, r := range p.requests() {
		if r.Class&spec.Committing != 0 {
			is = append(is, k.Requests[i].Of)
		}
	}
	return hdl.AnyOf(is...)
}

// shapeName is the name of the octets of a kind of requests, or of Immediate Data after them.
func shapeName(p Profile, i int) string {
	if list := p.requests(); i < len(list) {
		return "octets_of_" + list[i].Executor
	}
	return "octets_of_immediate"
}

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
		"invalidate_stag": p.invalidates(w),
		"queue_number":    hdl.Mux(w.Kind.Request(), hdl.Const(32, uint64(spec.QueueRequest)), hdl.Const(32, uint64(spec.QueueSend))), "msn": w.Number, "mo": hdl.Zero(32),
	}))
	immediate := assemble(wire.ImmediateTable, map[string]hdl.Value{"immediate_data": w.Operands.Data})

	count := func(octets int) hdl.Value { return hdl.Const(7, uint64(octets)) }
	type shape struct{ is, header, length hdl.Value }
	var shapes []shape
	for i, r := range p.requests() {
		octets, length := assemble(r.table(), r.fields(m, w)), count(untagged+r.table().Octets)
		if x, has := r.executor.(tailed); has {
			tail, more := x.tail(m, w)
			octets, length = hdl.Cat(octets, tail.ReverseOctets()), length.Add(more.ZeroExtend(7))
		}
		shapes = append(shapes, shape{w.Kind.Requests[i].Of, m.Let(r.Executor+"_header", octets), length})
	}
	shapes = append(shapes, shape{w.Kind.Immediate, immediate, count(untagged + wire.ImmediateTable.Octets)})

	fill := func(v hdl.Value, width int) hdl.Value {
		if v.Width() == width {
			return v
		}
		return hdl.Cat(v, hdl.Zero(width-v.Width()))
	}
	const most = 8 * (HeaderOctets - untagged)
	var bodies []hdl.When
	lengths := []hdl.When{{Cond: w.Kind.Write, Then: count(wire.DDPTaggedTable.Octets)}}
	for _, h := range shapes {
		bodies = append(bodies, hdl.When{Cond: h.is, Then: fill(h.header, most)})
		lengths = append(lengths, hdl.When{Cond: h.is, Then: h.length})
	}
	choice := hdl.Select(hdl.Zero(most), bodies...)
	if p.commits() {
		m.Note("One kind at most: AND and OR, as the conditions would follow each other otherwise.")
		for i, b := range bodies {
			if one := m.Let(shapeName(p, i), b.Then.And(b.Cond.Replicate(most))); i == 0 {
				choice = one
			} else {
				choice = choice.Or(one)
			}
			if i%3 == 2 && i < len(bodies)-1 {
				choice = m.Let(shapeName(p, i)+"_or_before", choice)
			}
		}
	}
	body := m.Let("rdmap_header", choice)
	header := m.Let("header", hdl.Mux(w.Kind.Write, fill(tagged, 8*HeaderOctets), hdl.Cat(untaggedHeader, body)))
	length = m.Let("header_length", hdl.Select(count(untagged), lengths...))
	return header.ReverseOctets(), length
}
