package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

func functionName(e *ir.Expr) string {
	if e.Op == ir.Spread {
		return fmt.Sprintf("spread_%dx%d", e.Args[0].Width, e.Group)
	}
	return fmt.Sprintf("reverse_%d_octets", e.Width/8)
}

// functions prints the helpers that the module's expressions call, in the order of their first use.
func (p *printer) functions(m *ir.Module) {
	seen, done := map[*ir.Expr]bool{}, map[string]bool{}
	m.Exprs(func(e *ir.Expr, _ *ir.Signal) {
		ir.Walk(e, seen, func(n *ir.Expr) {
			if n.Op != ir.ReverseOctets && (n.Op != ir.Spread || n.Args[0].Width == 1) {
				return
			}
			if name := functionName(n); !done[name] {
				done[name] = true
				p.function(name, n)
			}
		})
	})
}

func (p *printer) function(name string, e *ir.Expr) {
	in := e.Args[0].Width
	doc, loop := "repeats each bit in place.", fmt.Sprintf("%s[%d * i +: %d] = {%d{bits[i]}};", name, e.Group, e.Group, e.Group)
	count := in
	if e.Op == ir.ReverseOctets {
		doc, count = "makes octet 0 the most significant one.", in/8
		loop = fmt.Sprintf("%s[8 * i +: 8] = bits[8 * (%d - i) +: 8];", name, count-1)
	}
	p.text("    // %s %s\n", name, doc)
	p.text("    function [%d:0] %s;\n        input [%d:0] bits;\n        integer i;\n", e.Width-1, name, in-1)
	p.text("        begin\n            for (i = 0; i < %d; i = i + 1) begin\n                %s\n            end\n        end\n    endfunction\n\n", count, loop)
}
