package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// columns are the column widths in a run of declarations and assignments.
type columns struct{ word, bits, name, assigned int }

func columnsOf(items []ir.Item) columns {
	c := columns{}
	for _, it := range items {
		switch it := it.(type) {
		case *ir.Signal:
			c.bits, c.word = max(c.bits, len(signalBits(it))), max(c.word, len(word(it)))
			if it.Kind == ir.Named {
				c.name = max(c.name, len(it.Name))
			}
		case *ir.Memory:
			c.bits, c.word = max(c.bits, len(memoryBits(it))), max(c.word, len("reg"))
		case *ir.Drive:
			c.assigned = max(c.assigned, len(it.Target.Name))
		}
	}
	c.name, c.assigned = min(c.name, 24), min(c.assigned, 32)
	return c
}

func word(s *ir.Signal) string {
	if s.Kind == ir.Register {
		return "reg"
	}
	return "wire"
}

// declarations prints consecutive items.
func (p *printer) declarations(items []ir.Item) {
	p.columns = columnsOf(items)
	for _, it := range items {
		switch it := it.(type) {
		case *ir.Drive:
			p.walk(it.Value, it.Target.Name, true)
			if v := p.name(it.Value); isLong(v) {
				p.loop(it.Target.Name, v)
				continue
			}
			p.b.WriteString(layout("    ", fmt.Sprintf("assign %-*s = ", p.columns.assigned, it.Target.Name), p.name(it.Value), ";"))
		case *ir.Memory:
			last := it.Last
			if last == "" {
				last = fmt.Sprint(it.Depth - 1)
			}
			p.text("    %s%s [0:%s];\n", p.declare("reg", memoryBits(it)), it.Name, last)
		case *ir.Signal:
			if it.Kind != ir.Named {
				p.text("    %s%s;\n", p.declare(word(it), signalBits(it)), it.Name)
				continue
			}
			p.walk(it.Driver, it.Name, true)
			p.define(it.Name, signalBits(it), it.Driver)
		}
	}
	p.columns = columns{}
}

// declare is a declaration up to the name.
func (p *printer) declare(word, bits string) string {
	return fmt.Sprintf("%-*s %s", p.columns.word, word, column(bits, max(p.columns.bits, len(bits))))
}

func memoryBits(m *ir.Memory) string {
	if m.Range != "" {
		return m.Range
	}
	return bits(m.Width)
}

// define declares a wire with its value.
func (p *printer) define(name, bits string, value *ir.Expr) {
	if value = p.name(value); isLong(value) {
		p.text("    %s%s;\n", p.declare("wire", bits), name)
		p.loop(name, value)
		return
	}
	head := fmt.Sprintf("%s%-*s = ", p.declare("wire", bits), p.columns.name, name)
	p.b.WriteString(layout("    ", head, value, ";"))
}
