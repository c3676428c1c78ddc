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
	p := &printer{hoisted: map[*ir.Expr]*ir.Expr{}, used: map[string]bool{}}
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
	p.functions(m)
	p.body(m)
	p.text("endmodule\n`default_nettype wire\n")
	return p.b.String()
}

type printer struct {
	b       strings.Builder
	hoisted map[*ir.Expr]*ir.Expr // what is selected from, to its name
	used    map[string]bool
}

func (p *printer) text(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *printer) header(m *ir.Module) {
	for _, l := range strings.Split(strings.TrimSpace(m.Doc), "\n") {
		p.text("%s\n", strings.TrimRight("// "+l, " "))
	}
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

func (p *printer) body(m *ir.Module) {
	var unused []*ir.Expr
	for i := 0; i < len(m.Items); {
		switch it := m.Items[i].(type) {
		case *ir.Signal, *ir.Drive:
			n := run(m.Items[i:])
			p.declarations(m.Items[i : i+n])
			i += n
			continue
		case *ir.Process:
			p.process(it)
		case *ir.Memory:
			p.text("    reg %s %s [0:%d];\n", bits(it.Width), it.Name, it.Depth-1)
		case *ir.MemoryPorts:
			p.memory(it.Memory)
		case *ir.Instance:
			p.instance(it)
		case *ir.Labels:
			n := 1
			list := append([]ir.Label(nil), it.List...)
			for ; i+n < len(m.Items); n++ {
				more, is := m.Items[i+n].(*ir.Labels)
				if !is {
					break
				}
				list = append(list, more.List...)
			}
			p.labels(list)
			i += n
			continue
		case ir.Section:
			p.text("\n    // ---- %s\n", string(it))
		case ir.Comment:
			for _, l := range strings.Split(string(it), "\n") {
				p.text("    // %s\n", l)
			}
		case *ir.Unused:
			unused = append(unused, it.Value)
		}
		i++
	}
	if unused != nil {
		p.hoistAll(unused, "unused")
		for i, e := range unused {
			unused[i] = p.name(e)
		}
		p.b.WriteString("\n" + layout("    ", "wire unused = &", &ir.Expr{Op: ir.Concat, Width: 2,
			Args: append([]*ir.Expr{zero}, unused...)}, ";"))
	}
}

// run counts the declarations that follow each other and are printed in columns.
func run(items []ir.Item) int {
	n := 0
	for ; n < len(items); n++ {
		switch items[n].(type) {
		case *ir.Signal, *ir.Drive:
		default:
			return n
		}
	}
	return n
}

func (p *printer) declarations(items []ir.Item) {
	width, name := 0, 0
	for _, it := range items {
		if s, is := it.(*ir.Signal); is {
			width = max(width, len(bits(s.Width)))
			if s.Kind == ir.Named {
				name = max(name, len(s.Name))
			}
		}
	}
	name = min(name, 24)
	assigned := 0
	for _, it := range items {
		if d, is := it.(*ir.Drive); is {
			assigned = max(assigned, len(d.Target.Name))
		}
	}
	assigned = min(assigned, 32)
	for _, it := range items {
		switch it := it.(type) {
		case *ir.Drive:
			p.hoist(it.Value, it.Target.Name)
			p.b.WriteString(layout("    ", fmt.Sprintf("assign %-*s = ", assigned, it.Target.Name), p.name(it.Value), ";"))
		case *ir.Signal:
			word := "wire"
			if it.Kind == ir.Register {
				word = "reg "
			}
			head := fmt.Sprintf("%s %s", word, column(bits(it.Width), width))
			if it.Kind != ir.Named {
				p.text("    %s%s;\n", head, it.Name)
				continue
			}
			p.hoist(it.Driver, it.Name)
			p.b.WriteString(layout("    ", fmt.Sprintf("%s%-*s = ", head, name, it.Name), p.name(it.Driver), ";"))
		}
	}
}

func (p *printer) labels(list []ir.Label) {
	width, name := 0, 0
	for _, s := range list {
		width, name = max(width, len(bits(s.Width))), max(name, len(s.Name))
	}
	for _, s := range list {
		p.text("    localparam %s%-*s = %d'd%d;\n", column(bits(s.Width), width), name, s.Name, s.Width, s.Value)
	}
}

func (p *printer) instance(inst *ir.Instance) {
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
