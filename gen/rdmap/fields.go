package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// HeaderOctets is how many of a segment's first octets a record carries: the longest header, that of an
// Atomic Request.
const HeaderOctets = 18 + 52

// header is the first octets of a segment in network order: octet 0 most significant, as the figures draw it.
type header struct{ bits hdl.Value }

// field selects a field of the header that starts at octet at.
func (h header) field(at int, t *wire.Table, name string) hdl.Value {
	f := t.MustField(name)
	top := h.bits.Width() - 1 - 8*at - f.Offset
	return h.bits.Slice(top, top-f.Width+1)
}

// assemble joins the fields of a header, in network order. Reserved fields are zero; every other field is in
// values, and nothing else is.
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
