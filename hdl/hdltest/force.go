package hdltest

import (
	"math/big"
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Force breaks a design: it replaces the named value by a constant in every use of a module, both in the printed Verilog and in hdl/sim.
// Tests use it to show that a check can fail.
func Force(t testing.TB, d *hdl.Design, module, name string, value uint64) {
	t.Helper()
	seen := map[*ir.Module]bool{}
	if !force(d.IR(), module, name, value, seen) {
		t.Fatalf("there is no value %s in a module %s", name, module)
	}
}

func force(m *ir.Module, module, name string, value uint64, seen map[*ir.Module]bool) (done bool) {
	if seen[m] {
		return false
	}
	seen[m] = true
	constant := func(width int) *ir.Expr {
		return &ir.Expr{Op: ir.Const, Width: width, Value: new(big.Int).SetUint64(value)}
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if m.Name == module && it.Name == name && it.Kind == ir.Named {
				it.Driver, done = constant(it.Width), true
			}
		case *ir.Drive:
			if m.Name == module && it.Target.Name == name {
				it.Value, done = constant(it.Target.Width), true
			}
		case *ir.Instance:
			done = force(it.Module, module, name, value, seen) || done
		}
	}
	return done
}
