package gen

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// fault is one check: when cond holds and no fault before it does, the segment has this error, reported with
// this layer, error type and code, or, when given is set, with those that a record has already.
type fault struct {
	kind               wire.ErrorKind
	cond               hdl.Value
	layer, etype, code uint64
	given              *Record
}

func (f fault) row(name hdl.Value) hdl.Value {
	if f.given != nil {
		return hdl.Cat(f.given.Error, f.given.Term.Layer, f.given.Term.Etype, f.given.Term.Code)
	}
	return hdl.Cat(name, hdl.Const(4, f.layer), hdl.Const(4, f.etype), hdl.Hex(8, f.code))
}

// firstFault selects the first fault that holds. Error and Term are 0 when none does.
func firstFault(m *hdl.Module, faults []fault) (kind hdl.Value, t Term) {
	names := map[wire.ErrorKind]hdl.Value{}
	for _, f := range faults {
		if _, named := names[f.kind]; !named && f.given == nil {
			names[f.kind] = m.Constant(strings.ToUpper("error_"+f.kind.String()), 4, uint64(f.kind))
		}
	}
	var rows []hdl.When
	for _, f := range faults {
		rows = append(rows, hdl.When{Cond: f.cond, Then: f.row(names[f.kind])})
	}
	m.Note("{error, layer, error type, error code}")
	first := m.Let("fault", hdl.Select(hdl.Zero(20), rows...))
	return first.Slice(19, 16), Term{Layer: first.Slice(15, 12), Etype: first.Slice(11, 8), Code: first.Slice(7, 0)}
}

// opcodes names RDMAP opcodes as the specification does.
type opcodes map[wire.Opcode]hdl.Value

func nameOpcodes(m *hdl.Module, list ...wire.Opcode) opcodes {
	names := opcodes{}
	for _, o := range list {
		names[o] = m.Constant(strings.ToUpper(o.Name()), 4, uint64(o))
	}
	return names
}
