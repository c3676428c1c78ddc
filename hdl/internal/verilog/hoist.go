package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// hoist declares a wire for every expression below e that Verilog cannot select bits from. Its name combines the use of the expression
// and its operation.
func (p *printer) hoist(e *ir.Expr, owner string) { p.walk(e, owner, false) }

func (p *printer) hoistAll(list []*ir.Expr, owner string) {
	for _, e := range list {
		p.walk(e, owner, false)
	}
}

// walk hoists e and the expressions below it; a root is one for which a wire is already being declared.
func (p *printer) walk(e *ir.Expr, owner string, isRoot bool) {
	for _, a := range e.Args {
		p.walk(a, owner, false)
	}
	switch {
	case p.hoisted[e] != nil:
	case e.Op == ir.Slice:
		p.wire(e.Args[0], owner, opWords[e.Args[0].Op])
	case octetwise(e), bitwise(e):
		if !isPart(e.Args[0]) {
			p.wire(e.Args[0], owner, map[bool]string{true: "octets", false: "bits"}[octetwise(e)])
		}
		if isLong(e) && !isRoot {
			p.wire(e, owner, opWords[e.Op])
		}
	}
}

var opWords = map[ir.Op]string{ir.Add: "sum", ir.Sub: "difference", ir.ShiftLeft: "shifted", ir.ShiftRight: "shifted",
	ir.Replicate: "replicated", ir.ReverseOctets: "reversed"}

// wire names an expression, once.
func (p *printer) wire(from *ir.Expr, owner, what string) {
	if from.Op == ir.Ref || p.hoisted[from] != nil {
		return
	}
	s := &ir.Signal{Name: p.fresh(strings.TrimSuffix(owner, "_q") + "_" + what), Kind: ir.Named, Width: from.Width}
	p.define(s.Name, bits(from.Width), from)
	p.hoisted[from] = &ir.Expr{Op: ir.Ref, Width: from.Width, Signal: s}
	p.order = append(p.order, from)
}

func (p *printer) fresh(name string) string {
	out := name
	for i := 2; p.used[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	p.used[out] = true
	return out
}

// name returns e with hoisted parts replaced by their names, and records which of their bits are read.
func (p *printer) name(e *ir.Expr) *ir.Expr {
	if h := p.hoisted[e]; h != nil {
		p.read(h.Signal, 0, h.Width)
		return h
	}
	if e.Op == ir.Slice && p.hoisted[e.Args[0]] != nil {
		h := p.hoisted[e.Args[0]]
		p.read(h.Signal, e.Lo, e.Width)
		return &ir.Expr{Op: ir.Slice, Width: e.Width, Lo: e.Lo, Args: []*ir.Expr{h}}
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
	if args != nil {
		c := *e
		c.Args = args
		e = &c
	}
	return expanded(e)
}

func (p *printer) read(s *ir.Signal, lo, width int) {
	if p.reads[s] == nil {
		p.reads[s] = make([]bool, s.Width)
	}
	for i := lo; i < lo+width; i++ {
		p.reads[s][i] = true
	}
}

// leftovers are the unselected bits of hoisted values.
func (p *printer) leftovers() []*ir.Expr {
	var out []*ir.Expr
	for _, from := range p.order {
		h := p.hoisted[from]
		read := p.reads[h.Signal]
		for hi := h.Width - 1; hi >= 0; hi-- {
			lo := hi
			for lo >= 0 && !read[lo] {
				lo--
			}
			if lo < hi {
				out = append(out, &ir.Expr{Op: ir.Slice, Width: hi - lo, Lo: lo + 1, Args: []*ir.Expr{h}})
				hi = lo
			}
		}
	}
	return out
}
