package mutate

import (
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// alive holds the bits of each signal and memory of a design that matter: those that an output of the top depends on, through any
// registers, memories and instances. Instances of one module are taken together: a bit of a port matters if it matters in one of them.
// No bit that matters depends on one that does not.
type alive struct {
	signals  map[*ir.Signal]*big.Int
	memories map[*ir.Memory]*big.Int
	modules  map[string]*ir.Module
	changed  bool
}

// findAlive analyses modules that instantiate each other.
func findAlive(modules []*ir.Module) *alive {
	a := &alive{map[*ir.Signal]*big.Int{}, map[*ir.Memory]*big.Int{}, map[string]*ir.Module{}, true}
	for _, m := range modules {
		a.modules[m.Name] = m
	}
	for _, p := range modules[len(modules)-1].Ports {
		if p.Kind == ir.Output {
			a.need(p, ones(p.Width))
		}
	}
	for a.changed {
		a.changed = false
		for i := len(modules) - 1; i >= 0; i-- { // parents first
			a.module(modules[i])
		}
	}
	return a
}

// of returns the bits of a signal that matter.
func (a *alive) of(s *ir.Signal) *big.Int {
	if bits := a.signals[s]; bits != nil {
		return bits
	}
	return new(big.Int)
}

func (a *alive) need(s *ir.Signal, bits *big.Int) {
	before := a.of(s)
	if now := new(big.Int).Or(before, bits); now.Cmp(before) != 0 {
		a.signals[s], a.changed = now, true
	}
}

func (a *alive) module(m *ir.Module) {
	for i := len(m.Items) - 1; i >= 0; i-- {
		switch it := m.Items[i].(type) {
		case *ir.Signal:
			if it.Kind == ir.Named {
				a.expr(it.Driver, a.of(it))
			}
		case *ir.Drive:
			a.expr(it.Value, a.of(it.Target))
		case *ir.Process:
			a.stmts(it.Body)
		case *ir.Memory:
			a.memory(it)
		case *ir.Instance:
			child := a.modules[it.Module.Name]
			for n, p := range it.Pins {
				port := child.Ports[n]
				if p.In != nil {
					a.expr(p.In, a.of(port))
				} else {
					a.need(port, a.of(p.Out))
				}
			}
		}
	}
}

func (a *alive) memory(m *ir.Memory) {
	words := a.memories[m]
	if words == nil {
		words = new(big.Int)
	}
	for _, r := range m.Reads {
		if bits := a.of(r.Target); bits.Sign() > 0 {
			a.expr(r.Enable, big.NewInt(1))
			a.expr(r.Addr, ones(r.Addr.Width))
			words = new(big.Int).Or(words, bits)
		}
	}
	a.memories[m] = words
	for _, w := range m.Writes {
		if words.Sign() > 0 {
			a.expr(w.Enable, big.NewInt(1))
			a.expr(w.Addr, ones(w.Addr.Width))
			a.expr(w.Data, words)
		}
	}
}

// stmts reports whether one of the registers set matters.
func (a *alive) stmts(list []ir.Stmt) (matters bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			bits := a.of(s.Target)
			a.expr(s.Value, bits)
			matters = matters || bits.Sign() > 0
		case *ir.If:
			then, other := a.stmts(s.Then), a.stmts(s.Else)
			if then || other {
				a.expr(s.Cond, big.NewInt(1))
				matters = true
			}
		case *ir.Case:
			for _, arm := range s.Arms {
				if a.stmts(arm.Body) {
					a.need(s.Subject, ones(s.Subject.Width))
					matters = true
				}
			}
		}
	}
	return matters
}

// expr records that some bits of an expression matter.
func (a *alive) expr(e *ir.Expr, bits *big.Int) {
	if bits.Sign() == 0 {
		return
	}
	switch e.Op {
	case ir.Ref:
		a.need(e.Signal, bits)
	case ir.Not, ir.And, ir.Or, ir.Xor:
		for _, arg := range e.Args {
			a.expr(arg, bits)
		}
	case ir.Mux:
		a.expr(e.Args[0], big.NewInt(1))
		a.expr(e.Args[1], bits)
		a.expr(e.Args[2], bits)
	case ir.Concat:
		low := e.Width
		for _, arg := range e.Args {
			low -= arg.Width
			part := new(big.Int).Rsh(bits, uint(low))
			a.expr(arg, part.And(part, ones(arg.Width)))
		}
	case ir.Slice:
		a.expr(e.Args[0], new(big.Int).Lsh(bits, uint(e.Lo)))
	case ir.Add, ir.Sub: // carries propagate upwards
		for _, arg := range e.Args {
			a.expr(arg, ones(bits.BitLen()))
		}
	default:
		for _, arg := range e.Args {
			a.expr(arg, ones(arg.Width))
		}
	}
}
