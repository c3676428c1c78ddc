package hdl

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Param is a number of the configuration that a block is built for. It is part of the block's identity and is listed in
// the header of its module.
type Param struct {
	Name  string // as in the configuration
	Value int
}

// Size is a width or a count. One made from a [Parameter] is printed by name.
type Size struct {
	n  int
	ir ir.Size
}

// Fixed is a size printed as a number.
func Fixed(n int) Size { return Size{n: n} }

// Int is the number in the module being built.
func (s Size) Int() int { return s.n }

// Plus is s + n.
func (s Size) Plus(n int) Size {
	s.n += n
	if s.ir.Name != "" {
		s.ir.Plus += n
	}
	return s
}

// Bits is [Bits] for a width that may have a name.
func (s Size) Bits() Value {
	v := Bits(s.n)
	v.e.Size = s.ir
	return v
}

// Parameter is a parameter of a module in Verilog's sense: instances that differ only in parameters share one module. Everything
// that depends on one is declared with a [Size]; [Compile] rejects a module whose text depends on the number.
type Parameter struct {
	name, doc      string
	given, inside  Size
	printedDefault int
}

// NewParameter declares a parameter. Its name is in upper case; given is the value from the instance, def the printed default.
func NewParameter(name, doc string, given Size, def int) Parameter {
	return Parameter{name, doc, given, Size{given.n, ir.Size{Name: name}}, def}
}

// Size is the parameter inside its module.
func (p Parameter) Size() Size { return p.inside }

// SizedOut is [NewOut] for a width that may have a name.
func SizedOut(width Size) Out { return Out{shape: width.Bits()} }

func (p Parameter) declared() ir.Parameter {
	return ir.Parameter{Name: p.name, Doc: p.doc, Value: p.given.n, Default: p.printedDefault, Given: p.given.ir}
}

// IndexSize declares the local parameter name: the bits of an index below n, which is a power of two of at least 2.
func (m *Module) IndexSize(name string, n Size) Size {
	value := bits.Len(uint(n.n - 1))
	if n.ir.Name == "" || n.ir.Plus != 0 {
		m.fail(callers(), "%s.%s: the bits of an index below %d, which is no parameter", m.ir.Name, name, n.n)
		return Fixed(value)
	}
	m.ir.Parameters = append(m.ir.Parameters, ir.Parameter{Name: name, Value: value, Formula: fmt.Sprintf("$clog2(%s)", n.ir.Name)})
	return Size{value, ir.Size{Name: name}}
}

// SizedReg is [Module.Reg] for a width that may have a name.
func (m *Module) SizedReg(name string, width Size, reset Resetting) Reg {
	r := m.Reg(name, width.n, reset)
	r.s.Size = width.ir
	return r
}

// SizedMemory is [Module.Memory] for sizes that may have names.
func (m *Module) SizedMemory(name string, width, depth Size) *Memory {
	mem := m.Memory(name, width.n, depth.n)
	mem.ir.Bits, mem.ir.Words = width.ir, depth.ir
	return mem
}

// identity is the name of a module with all its numbers.
func identity(m *ir.Module) string {
	words := []string{m.Kind}
	for _, p := range m.Params {
		words = append(words, fmt.Sprint(p.Value))
	}
	for _, p := range m.Parameters {
		words = append(words, fmt.Sprint(p.Value))
	}
	return strings.Join(append(words, m.Options...), "_")
}
