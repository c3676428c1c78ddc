package rdmap

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// extensions are those of a configuration's profile.
func extensions(c engine.Config) spec.Extensions { return c.Profile.(Profile).Extensions }

// opcodes are the constants of RDMAP opcodes, named as in the specification.
type opcodes map[spec.Opcode]hdl.Value

func nameOpcodes(m *hdl.Module, x spec.Extensions, list []spec.Opcode) opcodes {
	names := opcodes{}
	for _, o := range list {
		names[o] = nameOpcode(m, x, o)
	}
	return names
}

// nameOpcode declares the constant of an opcode.
func nameOpcode(m *hdl.Module, x spec.Extensions, o spec.Opcode) hdl.Value {
	row, _ := x.Operation(o)
	return m.Constant(strings.ToUpper(row.Name), x.OpcodeBits(), uint64(o))
}

// oneOf is 1 if opcode is in list.
func (names opcodes) oneOf(opcode hdl.Value, list []spec.Opcode) hdl.Value {
	var is []hdl.Value
	for _, o := range list {
		is = append(is, opcode.Eq(names[o]))
	}
	return hdl.AnyOf(is...)
}
