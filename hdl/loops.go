package hdl

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// checkLoops finds paths through expressions and instances that return to where they began without passing a
// register. Modules are in order, children first, so that an instance is known by which of its outputs depend on
// which of its inputs.
func checkLoops(modules []*ir.Module) []error {
	var errs []error
	through := map[*ir.Module]map[*ir.Signal][]*ir.Signal{}
	for _, m := range modules {
		g := graphOf(m, through)
		if loop := g.loop(signals(m)); loop != nil {
			errs = append(errs, errorf(loop[0].PCs, "%s: combinational loop: %s", m.Name, g.path(loop)))
			continue
		}
		through[m] = g.summary(m)
	}
	return errs
}

// graph holds the combinational dependencies of each signal, and the instance that each passes through.
type graph struct {
	from map[*ir.Signal][]*ir.Signal
	via  map[*ir.Signal]string
}

func graphOf(m *ir.Module, through map[*ir.Module]map[*ir.Signal][]*ir.Signal) *graph {
	g := &graph{map[*ir.Signal][]*ir.Signal{}, map[*ir.Signal]string{}}
	refs := func(e *ir.Expr) (out []*ir.Signal) {
		ir.Walk(e, map[*ir.Expr]bool{}, func(n *ir.Expr) {
			if n.Op == ir.Ref && n.Signal.Kind != ir.Register {
				out = append(out, n.Signal)
			}
		})
		return out
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if it.Kind == ir.Named {
				g.from[it] = refs(it.Driver)
			}
		case *ir.Drive:
			g.from[it.Target] = refs(it.Value)
		case *ir.Instance:
			inputs := map[*ir.Signal]*ir.Expr{}
			for _, p := range it.Pins {
				inputs[p.Port] = p.In
			}
			for _, p := range it.Pins {
				if p.Out == nil {
					continue
				}
				g.via[p.Out] = it.Name + "." + p.Port.Name
				for _, in := range through[it.Module][p.Port] {
					g.from[p.Out] = append(g.from[p.Out], refs(inputs[in])...)
				}
			}
		}
	}
	return g
}

// loop returns the signals of a loop, each depending on the next, or nil.
func (g *graph) loop(order []*ir.Signal) []*ir.Signal {
	const open, done = 1, 2
	state := map[*ir.Signal]int{}
	var stack, found []*ir.Signal
	var visit func(s *ir.Signal) bool
	visit = func(s *ir.Signal) bool {
		switch state[s] {
		case done:
			return false
		case open:
			for i, t := range stack {
				if t == s {
					found = append([]*ir.Signal(nil), stack[i:]...)
				}
			}
			return true
		}
		state[s] = open
		stack = append(stack, s)
		for _, t := range g.from[s] {
			if visit(t) {
				return true
			}
		}
		stack = stack[:len(stack)-1]
		state[s] = done
		return false
	}
	for _, s := range order {
		if visit(s) {
			return found
		}
	}
	return nil
}

// path prints a loop in the direction of data flow.
func (g *graph) path(loop []*ir.Signal) string {
	names := []string{}
	for i := len(loop) - 1; i >= 0; i-- {
		name := loop[i].Name
		if via := g.via[loop[i]]; via != "" {
			name += " (" + via + ")"
		}
		names = append(names, name)
	}
	return strings.Join(append(names, names[0]), " -> ")
}

// summary returns, for each output port, the input ports that it depends on combinationally.
func (g *graph) summary(m *ir.Module) map[*ir.Signal][]*ir.Signal {
	out := map[*ir.Signal][]*ir.Signal{}
	for _, p := range m.Ports {
		if p.Kind != ir.Output {
			continue
		}
		seen := map[*ir.Signal]bool{}
		var visit func(s *ir.Signal)
		visit = func(s *ir.Signal) {
			if seen[s] {
				return
			}
			seen[s] = true
			if s.Kind == ir.Input {
				out[p] = append(out[p], s)
			}
			for _, t := range g.from[s] {
				visit(t)
			}
		}
		visit(p)
	}
	return out
}
