package verilog

import (
	"fmt"
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

var zero = &ir.Expr{Op: ir.Const, Width: 1, Value: new(big.Int)}

func (p *printer) process(proc *ir.Process) {
	p.gap()
	p.hoistStmts(proc.Body)
	p.text("    always @(posedge clk) begin\n")
	p.stmts(proc.Body, "        ")
	p.resets(proc.Body)
	p.text("    end\n")
}

// stmts prints statements; the arrows of consecutive assignments are aligned.
func (p *printer) stmts(list []ir.Stmt, indent string) {
	column := 0
	for i, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			if i == 0 || !isAssign(list[i-1]) {
				column = assigned(list[i:])
			}
			p.b.WriteString(layout(indent, fmt.Sprintf("%-*s <= ", column, s.Target.Name), p.name(s.Value), ";"))
		case *ir.If:
			p.ifElse(s, indent, "if (")
		case *ir.Case:
			p.text("%scase (%s)\n", indent, s.Subject.Name)
			for _, a := range s.Arms {
				if len(a.Body) == 0 {
					p.text("%s    %s: ;\n", indent, a.Label)
					continue
				}
				p.text("%s    %s: begin\n", indent, a.Label)
				p.stmts(a.Body, indent+"        ")
				p.text("%s    end\n", indent)
			}
			p.text("%s    default: ;\n%sendcase\n", indent, indent)
		}
	}
}

func isAssign(s ir.Stmt) bool {
	_, is := s.(*ir.Assign)
	return is
}

// assigned is the width of the name column of the leading assignments of list.
func assigned(list []ir.Stmt) int {
	width := 0
	for _, s := range list {
		a, is := s.(*ir.Assign)
		if !is {
			break
		}
		width = max(width, len(a.Target.Name))
	}
	return min(width, 32)
}

func (p *printer) ifElse(s *ir.If, indent, head string) {
	p.b.WriteString(layout(indent, head, p.name(s.Cond), ") begin"))
	p.stmts(s.Then, indent+"    ")
	if len(s.Else) == 0 {
		p.text("%send\n", indent)
		return
	}
	if next, is := s.Else[0].(*ir.If); is && len(s.Else) == 1 {
		p.ifElse(next, indent, "end else if (")
		return
	}
	p.text("%send else begin\n", indent)
	p.stmts(s.Else, indent+"    ")
	p.text("%send\n", indent)
}

// resets prints the effect of rst, last, so that it takes precedence.
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
	width := 0
	for _, s := range list {
		width = max(width, len(s.Name))
	}
	for _, s := range list {
		p.text("            %-*s <= %s;\n", min(width, 32), s.Name, number(&ir.Expr{Op: ir.Const, Width: s.Width, Value: s.Reset, Label: s.Label}))
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
