package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// hoist declares a wire for every expression below e that Verilog cannot select bits from. Its name is that
// of what the expression is for, joined with what it is.
func (p *printer) hoist(e *ir.Expr, owner string) { p.hoistAll([]*ir.Expr{e}, owner) }

func (p *printer) hoistAll(list []*ir.Expr, owner string) {
	for _, e := range list {
		p.walk(e, owner)
	}
}

var opWords = map[ir.Op]string{ir.Add: "sum", ir.Sub: "difference", ir.ShiftLeft: "shifted", ir.ShiftRight: "shifted",
	ir.Spread: "spread", ir.ReverseOctets: "reversed"}

func (p *printer) walk(e *ir.Expr, owner string) {
	for _, a := range e.Args {
		p.walk(a, owner)
	}
	if e.Op != ir.Slice || e.Args[0].Op == ir.Ref || p.hoisted[e.Args[0]] != nil {
		return
	}
	from := e.Args[0]
	s := &ir.Signal{Name: p.fresh(owner + "_" + opWords[from.Op]), Kind: ir.Named, Width: from.Width}
	p.b.WriteString(layout("    ", fmt.Sprintf("wire %s%s = ", column(bits(s.Width), len(bits(s.Width))), s.Name), p.name(from), ";"))
	p.hoisted[from] = &ir.Expr{Op: ir.Ref, Width: from.Width, Signal: s}
}

func (p *printer) fresh(name string) string {
	out := name
	for i := 2; p.used[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	p.used[out] = true
	return out
}

// name gives e with the hoisted parts replaced by their names.
func (p *printer) name(e *ir.Expr) *ir.Expr {
	if h := p.hoisted[e]; h != nil {
		return h
	}
	var args []*ir.Expr
	for i, a := range e.Args {
		n := p.name(a)
		if n != a && args == nil {
			args = append([]*ir.Expr(nil), e.Args...)
		}
		if args != nil {
			args[i] = n
		}
	}
	if args == nil {
		return e
	}
	c := *e
	c.Args = args
	return &c
}
