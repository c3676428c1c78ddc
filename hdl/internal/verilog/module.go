// Package verilog prints a module as Verilog-2005. It is the only place that knows the syntax of the language. Its input has been checked,
// so it reports no errors.
package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Module prints one module without parameters, under its full name, as are its instances.
func Module(m *ir.Module) string {
	return printed(m, &printer{named: func(m *ir.Module) string { return m.Name }})
}

// Parametric prints one module under its kind, with parameters instead of the numbers given by its instances; for a top module those
// numbers are the defaults. prefix precedes the name of every module.
func Parametric(m *ir.Module, prefix string, top bool) string {
	return printed(parametric(m), &printer{parametric: true, top: top, named: func(m *ir.Module) string { return prefix + m.Kind }})
}

func printed(m *ir.Module, p *printer) string {
	p.hoisted, p.reads, p.used, p.labelled = map[*ir.Expr]*ir.Expr{}, map[*ir.Signal][]bool{}, map[string]bool{}, mentioned(m)
	for _, s := range m.Ports {
		p.used[s.Name] = true
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			p.used[it.Name] = true
		case *ir.Memory:
			p.used[it.Name] = true
		case *ir.Instance:
			p.used[it.Name] = true
		}
	}
	p.header(m)
	p.body(m)
	p.text("endmodule\n`default_nettype wire\n")
	return p.b.String()
}

type printer struct {
	b        strings.Builder
	hoisted  map[*ir.Expr]*ir.Expr // hoisted expressions to their names
	order    []*ir.Expr            // hoisted expressions, in text order
	reads    map[*ir.Signal][]bool // which bits of a hoisted value are read
	used     map[string]bool
	index    string          // of the loops
	labelled map[string]bool // which constants the text mentions
	columns  columns         // of the current declarations
	joined   bool            // the next item belongs to the line before, with no empty line between

	named           func(*ir.Module) string
	parametric, top bool
}

func (p *printer) text(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *printer) header(m *ir.Module) {
	p.comment("", m.Doc)
	p.key(m)
	p.text("`default_nettype none\n")
	p.text("module %s ", p.named(m))
	if p.parametric {
		p.parameters(m)
	}
	p.text("(\n")
	p.ports(m)
	p.text(");\n")
	for _, l := range m.Parameters {
		if p.parametric && l.Formula != "" {
			p.text("    localparam %s = %s;\n", l.Name, l.Formula)
		}
	}
}

// parameters prints the parameters of the module.
func (p *printer) parameters(m *ir.Module) {
	var list []ir.Parameter
	for _, l := range m.Parameters {
		if l.Formula == "" {
			list = append(list, l)
		}
	}
	if list == nil {
		return
	}
	lines, width := make([]string, len(list)), 0
	for i, l := range list {
		value, comma := l.Default, ","
		if p.top {
			value = l.Value
		}
		if i == len(list)-1 {
			comma = ""
		}
		lines[i] = fmt.Sprintf("    parameter %s = %d%s", l.Name, value, comma)
		width = max(width, len(lines[i]))
	}
	p.text("#(\n")
	for i, l := range list {
		p.text("%-*s // %s\n", width, lines[i], l.Doc)
	}
	p.text(") ")
}

// arguments prints the parameter values of an instance.
func (p *printer) arguments(m *ir.Module) string {
	var list []string
	for _, l := range m.Parameters {
		if l.Formula != "" || !p.parametric {
			continue
		}
		given := fmt.Sprint(l.Value)
		if l.Given.Name != "" {
			given = text(l.Given)
		}
		list = append(list, fmt.Sprintf(".%s(%s)", l.Name, given))
	}
	if list == nil {
		return ""
	}
	return "#(" + strings.Join(list, ", ") + ") "
}

// signalBits is the range of a signal's declaration.
func signalBits(s *ir.Signal) string {
	if s.Range != "" {
		return s.Range
	}
	return bits(s.Width)
}

func bits(width int) string {
	if width == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0]", width-1)
}

// column pads s to width and adds a space, or is empty when the column is.
func column(s string, width int) string {
	if width == 0 {
		return ""
	}
	return fmt.Sprintf("%-*s ", width, s)
}

func (p *printer) instance(inst *ir.Instance) {
	p.gap()
	pins := [][2]string{}
	if inst.Module.Clocked {
		pins = append(pins, [2]string{"clk", "clk"}, [2]string{"rst", "rst"})
	}
	for _, pin := range inst.Pins {
		if pin.In != nil {
			p.hoist(pin.In, inst.Name+"_"+pin.Port.Name)
		}
	}
	width := len("clk")
	for _, pin := range inst.Pins {
		width = max(width, len(pin.Port.Name))
	}
	for _, pin := range inst.Pins {
		if pin.In == nil {
			pins = append(pins, [2]string{pin.Port.Name, pin.Out.Name})
			continue
		}
		e := p.name(pin.In)
		value := line(e)
		if len("        . (),")+width+len(value) > limit && e.Op == ir.Concat {
			value = broken("        ", e)
		}
		pins = append(pins, [2]string{pin.Port.Name, value})
	}
	p.text("    %s %s%s (\n", p.named(inst.Module), p.arguments(inst.Module), inst.Name)
	for i, c := range pins {
		comma := ","
		if i == len(pins)-1 {
			comma = ""
		}
		p.text("        .%-*s (%s)%s\n", width, c[0], c[1], comma)
	}
	p.text("    );\n")
}
