// Package verilog prints a module as Verilog-2005. It is the only place that knows the language's text; what
// it is given has been checked, so it reports nothing.
package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Module prints one module.
func Module(m *ir.Module) string {
	p := &printer{hoisted: map[*ir.Expr]*ir.Expr{}, reads: map[*ir.Signal][]bool{}, used: map[string]bool{}, labelled: mentioned(m)}
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
	hoisted  map[*ir.Expr]*ir.Expr // what is selected from, to its name
	order    []*ir.Expr            // what is hoisted, in the order of the text
	reads    map[*ir.Signal][]bool // which bits of a hoisted value are read
	used     map[string]bool
	index    string          // of the loops
	labelled map[string]bool // which constants the text mentions
	columns  columns         // of the present declarations
	joined   bool            // the next item belongs to the line before, with no empty line between
}

func (p *printer) text(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *printer) header(m *ir.Module) {
	p.comment("", m.Doc)
	p.text("`default_nettype none\n")
	ports := m.Ports
	if m.Clocked {
		ports = append([]*ir.Signal{{Name: "clk", Width: 1}, {Name: "rst", Width: 1}}, ports...)
	}
	p.text("module %s (\n", m.Name)
	width := 0
	for _, s := range ports {
		width = max(width, len(bits(s.Width)))
	}
	for i, s := range ports {
		dir, comma := "input ", ","
		if s.Kind == ir.Output {
			dir = "output"
		}
		if i == len(ports)-1 {
			comma = ""
		}
		p.text("    %s wire %s%s%s\n", dir, column(bits(s.Width), width), s.Name, comma)
	}
	p.text(");\n")
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
	for _, pin := range inst.Pins {
		if pin.In != nil {
			pins = append(pins, [2]string{pin.Port.Name, line(p.name(pin.In))})
		} else {
			pins = append(pins, [2]string{pin.Port.Name, pin.Out.Name})
		}
	}
	width := 0
	for _, c := range pins {
		width = max(width, len(c[0]))
	}
	p.text("    %s %s (\n", inst.Module.Name, inst.Name)
	for i, c := range pins {
		comma := ","
		if i == len(pins)-1 {
			comma = ""
		}
		p.text("        .%-*s (%s)%s\n", width, c[0], c[1], comma)
	}
	p.text("    );\n")
}
