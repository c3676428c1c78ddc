package verilog

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// parametric copies a module and sets the text of everything that has a size: ranges, depths, the top bit of a sized value, and constants
// beside one.
func parametric(m *ir.Module) *ir.Module {
	if len(m.Parameters) == 0 {
		return m
	}
	m = m.Clone()
	for _, s := range m.Ports {
		s.Range = sizedRange(s.Size)
	}
	seen := map[*ir.Expr]bool{}
	for _, u := range m.Uses() {
		target := ir.Size{}
		if u.Target != nil {
			target = u.Target.Size
		}
		sizeConstant(u.Expr, target)
		ir.Walk(u.Expr, seen, sizeOperands)
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			size := it.Size
			if size.Name == "" && it.Kind == ir.Named {
				size = ir.SizeOf(it.Driver)
			}
			it.Range = sizedRange(size)
			if it.Reset != nil && it.Reset.Sign() == 0 && it.Label == "" && size.Name != "" {
				it.Label = zeros(size)
			}
		case *ir.Memory:
			it.Range = sizedRange(it.Bits)
			if it.Words.Name != "" {
				it.Last = text(ir.Size{Name: it.Words.Name, Plus: it.Words.Plus - 1})
			}
		}
	}
	return m
}

// text is "DEPTH", "DEPTH+1", "DEPTH-1".
func text(s ir.Size) string {
	switch {
	case s.Plus > 0:
		return fmt.Sprintf("%s+%d", s.Name, s.Plus)
	case s.Plus < 0:
		return fmt.Sprintf("%s-%d", s.Name, -s.Plus)
	}
	return s.Name
}

func sizedRange(s ir.Size) string {
	if s.Name == "" {
		return ""
	}
	return "[" + text(ir.Size{Name: s.Name, Plus: s.Plus - 1}) + ":0]"
}

func zeros(s ir.Size) string {
	if s.Plus != 0 {
		return "{(" + text(s) + "){1'b0}}"
	}
	return "{" + s.Name + "{1'b0}}"
}

// sizeOperands gives the constants beside sized values, and the top bit of one, their texts.
func sizeOperands(e *ir.Expr) {
	switch e.Op {
	case ir.Slice:
		if s := ir.SizeOf(e.Args[0]); s.Name != "" && e.Width == 1 && e.Lo == e.Args[0].Width-1 {
			e.Label = text(ir.Size{Name: s.Name, Plus: s.Plus - 1})
		}
	case ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Eq, ir.Ne, ir.Lt, ir.Le:
		size := ir.SizeOf(e.Args[0])
		if size.Name == "" {
			size = ir.SizeOf(e.Args[1])
		}
		for i, a := range e.Args {
			sizeConstant(a, size)
			if (e.Op == ir.Add || e.Op == ir.Sub) && i == 1 && size.Name != "" && a.Op == ir.Const && a.Value.IsUint64() && a.Value.Uint64() == 1 {
				a.Label = "1'b1" // Verilog extends it
			}
		}
	case ir.Mux:
		sizeConstant(e.Args[1], ir.SizeOf(e))
		sizeConstant(e.Args[2], ir.SizeOf(e))
	}
}

func sizeConstant(e *ir.Expr, size ir.Size) {
	if size.Name != "" && e.Op == ir.Const && e.Label == "" && e.Value.Sign() == 0 {
		e.Label = zeros(size)
	}
}
