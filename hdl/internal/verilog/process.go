package verilog

import (
	"fmt"
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

var zero = &ir.Expr{Op: ir.Const, Width: 1, Value: new(big.Int)}

func (p *printer) process(proc *ir.Process) {
	p.hoistStmts(proc.Body)
	p.text("    always @(posedge clk) begin\n")
	p.stmts(proc.Body, "        ")
	p.resets(proc.Body)
	p.text("    end\n")
}

func (p *printer) stmts(list []ir.Stmt, indent string) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			p.b.WriteString(layout(indent, s.Target.Name+" <= ", p.name(s.Value), ";"))
		case *ir.If:
			p.text("%s", indent)
			p.ifElse(s, indent)
		case *ir.Case:
			p.text("%scase (%s)\n", indent, s.Subject.Name)
			for _, a := range s.Arms {
				p.text("%s    %s: begin\n", indent, a.Label)
				p.stmts(a.Body, indent+"        ")
				p.text("%s    end\n", indent)
			}
			p.text("%s    default: begin\n%s    end\n%sendcase\n", indent, indent, indent)
		}
	}
}

func (p *printer) ifElse(s *ir.If, indent string) {
	p.b.WriteString(layout("", "if (", p.name(s.Cond), ") begin"))
	p.stmts(s.Then, indent+"    ")
	if len(s.Else) == 0 {
		p.text("%send\n", indent)
		return
	}
	if next, is := s.Else[0].(*ir.If); is && len(s.Else) == 1 {
		p.text("%send else ", indent)
		p.ifElse(next, indent)
		return
	}
	p.text("%send else begin\n", indent)
	p.stmts(s.Else, indent+"    ")
	p.text("%send\n", indent)
}

// resets prints what rst does, last, so that it wins.
func (p *printer) resets(body []ir.Stmt) {
	var list []*ir.Signal
	seen := map[*ir.Signal]bool{}
	var visit func([]ir.Stmt)
	visit = func(body []ir.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *ir.Assign:
				if s.Target.Reset != nil && !seen[s.Target] {
					seen[s.Target] = true
					list = append(list, s.Target)
				}
			case *ir.If:
				visit(s.Then)
				visit(s.Else)
			case *ir.Case:
				for _, a := range s.Arms {
					visit(a.Body)
				}
			}
		}
	}
	visit(body)
	if list == nil {
		return
	}
	p.text("        if (rst) begin\n")
	for _, s := range list {
		p.text("            %s <= %s;\n", s.Name, number(&ir.Expr{Op: ir.Const, Width: s.Width, Value: s.Reset}))
	}
	p.text("        end\n")
}

func (p *printer) hoistStmts(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			p.hoist(s.Value, s.Target.Name)
		case *ir.If:
			p.hoist(s.Cond, "condition")
			p.hoistStmts(s.Then)
			p.hoistStmts(s.Else)
		case *ir.Case:
			for _, a := range s.Arms {
				p.hoistStmts(a.Body)
			}
		}
	}
}

// memory prints the ports of a memory in the form that synthesis recognises.
func (p *printer) memory(m *ir.Memory) {
	for _, w := range m.Writes {
		p.hoistAll([]*ir.Expr{w.Enable, w.Addr, w.Data}, m.Name+"_write")
	}
	for _, r := range m.Reads {
		p.hoistAll([]*ir.Expr{r.Enable, r.Addr}, r.Target.Name)
	}
	p.text("    always @(posedge clk) begin\n")
	for _, w := range m.Writes {
		p.b.WriteString(layout("        ", "if (", p.name(w.Enable), ") begin"))
		p.b.WriteString(layout("            ", fmt.Sprintf("%s[%s] <= ", m.Name, line(p.name(w.Addr))), p.name(w.Data), ";"))
		p.text("        end\n")
	}
	for _, r := range m.Reads {
		addr := line(p.name(r.Addr))
		p.b.WriteString(layout("        ", "if (", p.name(r.Enable), ") begin"))
		if r.ReadNew && len(m.Writes) > 0 {
			w := m.Writes[0]
			hit := &ir.Expr{Op: ir.And, Width: 1, Args: []*ir.Expr{p.name(w.Enable),
				{Op: ir.Eq, Width: 1, Args: []*ir.Expr{p.name(w.Addr), p.name(r.Addr)}}}}
			p.text("            %s <= (%s) ? %s : %s[%s];\n", r.Target.Name, line(hit), operand(p.name(w.Data), ir.Mux), m.Name, addr)
		} else {
			p.text("            %s <= %s[%s];\n", r.Target.Name, m.Name, addr)
		}
		p.text("        end\n")
	}
	p.text("    end\n")
}
