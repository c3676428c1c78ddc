package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// memory prints the ports of a memory in the form that synthesis recognises. Addresses that are computed
// get a name.
func (p *printer) memory(m *ir.Memory) {
	var names []ir.Item
	named := func(e *ir.Expr, name string) *ir.Expr {
		if e.Op == ir.Ref || e.Op == ir.Slice && e.Args[0].Op == ir.Ref {
			return e
		}
		s := &ir.Signal{Name: p.fresh(name), Kind: ir.Named, Width: e.Width, Driver: e}
		names = append(names, s)
		return &ir.Expr{Op: ir.Ref, Width: e.Width, Signal: s}
	}
	var writes []ir.MemoryWrite
	for _, w := range m.Writes {
		writes = append(writes, ir.MemoryWrite{Enable: w.Enable, Addr: named(w.Addr, m.Name+"_write_addr"), Data: w.Data})
	}
	reads := make([]ir.MemoryRead, len(m.Reads))
	for i, r := range m.Reads {
		base := strings.TrimSuffix(r.Target.Name, "_q")
		reads[i] = ir.MemoryRead{Target: r.Target, Enable: r.Enable, Addr: named(r.Addr, base+"_addr")}
	}
	p.gap()
	p.declarations(names)
	for _, w := range writes {
		p.hoistAll([]*ir.Expr{w.Enable, w.Data}, m.Name+"_write")
	}
	for i, r := range reads {
		p.hoist(r.Enable, m.Reads[i].Target.Name)
	}
	p.text("    always @(posedge clk) begin\n")
	for _, w := range writes {
		indent, end := p.enable(w.Enable)
		p.b.WriteString(layout(indent, fmt.Sprintf("%s[%s] <= ", m.Name, line(w.Addr)), p.name(w.Data), ";"))
		p.text("%s", end)
	}
	for _, r := range reads {
		word := fmt.Sprintf("%s[%s]", m.Name, line(r.Addr))
		indent, end := p.enable(r.Enable)
		p.text("%s%s <= %s;\n%s", indent, r.Target.Name, word, end)
	}
	p.text("    end\n")
}

// enable opens the conditional of a port; a port that is always enabled has none.
func (p *printer) enable(e *ir.Expr) (indent, end string) {
	const outer = "        "
	if e.Op == ir.Const && e.Value.Sign() > 0 {
		return outer, ""
	}
	p.b.WriteString(layout(outer, "if (", p.name(e), ") begin"))
	return outer + "    ", outer + "end\n"
}
