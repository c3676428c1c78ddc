package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// lineWidth is the maximum width of a line with a trailing comment.
const lineWidth = 120

// enumerations counts consecutive enumerations to print in columns.
func enumerations(items []ir.Item) int {
	for n, it := range items {
		if _, is := it.(*ir.Labels); !is {
			return n
		}
	}
	return len(items)
}

// labels prints the constants that the module mentions.
func (p *printer) labels(items []ir.Item) {
	var list []ir.Label
	width, name := 0, 0
	for _, it := range items {
		for _, s := range it.(*ir.Labels).List {
			if !p.labelled[s.Name] {
				continue
			}
			list = append(list, s)
			width, name = max(width, len(bits(s.Width))), max(name, len(s.Name))
		}
	}
	if list != nil {
		p.gapAfterBlock()
	}
	for _, s := range list {
		line := fmt.Sprintf("    localparam %s%-*s = %d'd%d;", column(bits(s.Width), width), name, s.Name, s.Width, s.Value)
		switch {
		case s.Doc == "":
		case len(line)+len(s.Doc) <= lineWidth-4:
			line += " // " + s.Doc
		default:
			p.comment("    ", s.Doc)
		}
		p.text("%s\n", line)
	}
}

// mentioned finds the names of constants in expressions, cases and reset values.
func mentioned(m *ir.Module) map[string]bool {
	out := map[string]bool{}
	seen := map[*ir.Expr]bool{}
	for _, u := range m.Uses() {
		ir.Walk(u.Expr, seen, func(e *ir.Expr) { out[e.Label] = true })
	}
	var arms func(list []ir.Stmt)
	arms = func(list []ir.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ir.If:
				arms(s.Then)
				arms(s.Else)
			case *ir.Case:
				for _, a := range s.Arms {
					out[a.Label] = true
					arms(a.Body)
				}
			}
		}
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			out[it.Label] = true
		case *ir.Process:
			arms(it.Body)
		}
	}
	return out
}
