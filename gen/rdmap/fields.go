package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// HeaderOctets is the number of leading octets of a segment in a record: the longest header, that of an Atomic Request.
const HeaderOctets = 18 + 52

// header is octets of a segment in network order, octet 0 most significant, as in the figures. Each field that is read becomes a
// signal whose name begins with that of the header.
type header struct {
	m     *hdl.Module
	name  string
	bits  hdl.Value
	named map[string]headerField // by name of the field
}

type headerField struct {
	top, width int
	value      hdl.Value
}

// newHeader declares the octets as a signal.
func newHeader(m *hdl.Module, name string, bits hdl.Value) header {
	return header{m, name, m.Let(name, bits), map[string]headerField{}}
}

// field returns a field of the header that starts at octet at.
func (h header) field(at int, t *wire.Table, name string) hdl.Value {
	return h.fieldAs(h.name+"_"+name, at, t, name)
}

// fieldAs is [header.field] with an explicit signal name, unless the field has one already. If two tables have different fields of the
// same name, the table name prefixes the second.
func (h header) fieldAs(as string, at int, t *wire.Table, name string) hdl.Value {
	f := t.MustField(name)
	field := headerField{top: h.bits.Width() - 1 - 8*at - f.Offset, width: f.Width}
	if has, is := h.named[name]; is && has.top == field.top && has.width == field.width {
		return has.value
	} else if is {
		name = t.Name + "_" + name
		as = h.name + "_" + name
		if has, is := h.named[name]; is {
			return has.value
		}
	}
	field.value = h.m.Let(as, h.bits.Slice(field.top, field.top-f.Width+1))
	h.named[name] = field
	return field.value
}

// assemble concatenates the fields of a header in network order. Reserved fields are zero; values must hold exactly the others.
func assemble(t *wire.Table, values map[string]hdl.Value) hdl.Value {
	var parts []hdl.Value
	given := 0
	for _, f := range t.Fields {
		v, is := values[f.Name]
		switch {
		case is:
			given++
			parts = append(parts, v)
		case f.Reserved:
			parts = append(parts, hdl.Zero(f.Width))
		default:
			parts = append(parts, hdl.Value{})
		}
	}
	if given != len(values) {
		return hdl.Value{}
	}
	return hdl.Cat(parts...)
}
