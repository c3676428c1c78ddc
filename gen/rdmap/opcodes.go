package rdmap

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// opcodes are the constants of RDMAP opcodes, named as in the specification.
type opcodes map[spec.Opcode]hdl.Value

func nameOpcodes(m *hdl.Module, list []spec.Opcode) opcodes {
	names := opcodes{}
	for _, o := range list {
		names[o] = nameOpcode(m, o)
	}
	return names
}

// nameOpcode declares the constant of an opcode.
func nameOpcode(m *hdl.Module, o spec.Opcode) hdl.Value {
	return m.Constant(strings.ToUpper(o.Name()), spec.OpcodeBits, uint64(o))
}

// oneOf is 1 if opcode is in list.
func (names opcodes) oneOf(opcode hdl.Value, list []spec.Opcode) hdl.Value {
	var is []hdl.Value
	for _, o := range list {
		is = append(is, opcode.Eq(names[o]))
	}
	return hdl.AnyOf(is...)
}
