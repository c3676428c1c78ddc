package sim

import "github.com/rnicgen/rnicgen/hdl/internal/ir"

// flat is a design without hierarchy.
type flat struct {
	*graph
	inputs    map[string]*node
	signals   []signal
	registers []register
	memories  []memory
	rst       *node
	ports     int // the first signals are the ports of the top module
}

// register is a register and its next value.
type register struct{ now, next *node }

// memory is an array of words with the nodes that its ports look at.
type memory struct {
	name               string
	width, depth       int
	enable, addr, data *node // nil without a write port
	reads              []memoryRead
}

type memoryRead struct {
	target, enable, addr *node
}

// scope is one instance of a module.
type scope struct {
	f       *flat
	module  *ir.Module
	path    string // with a dot at its end, or empty
	drivers map[*ir.Signal]func() *node
	values  map[*ir.Signal]*node
	exprs   map[*ir.Expr]*node
	inner   []*scope
}

func flatten(top *ir.Module) *flat {
	f := &flat{graph: newGraph(), inputs: map[string]*node{}}
	f.rst = f.fresh(input, 1)
	root := f.open(top, "")
	if top.Clocked {
		f.inputs["rst"] = f.rst
		f.signals = append(f.signals, signal{name: "rst", node: f.rst, input: true})
	}
	for _, p := range top.Ports {
		if p.Kind == ir.Input {
			n := f.fresh(input, p.Width)
			f.inputs[p.Name] = n
			root.values[p] = n
		}
	}
	f.ports = len(f.signals) + len(top.Ports)
	root.collect()
	return f
}

// open creates a scope for a module and for each instance in it, and finds the driver of each signal.
func (f *flat) open(m *ir.Module, path string) *scope {
	s := &scope{f: f, module: m, path: path, drivers: map[*ir.Signal]func() *node{},
		values: map[*ir.Signal]*node{ir.Rst: f.rst}, exprs: map[*ir.Expr]*node{}}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			switch it.Kind {
			case ir.Named:
				s.drivers[it] = func() *node { return s.expr(it.Driver) }
			case ir.Register:
				s.values[it] = f.fresh(state, it.Width)
			}
		case *ir.Drive:
			s.drivers[it.Target] = func() *node { return s.expr(it.Value) }
		case *ir.Instance:
			child := f.open(it.Module, path+it.Name+".")
			s.inner = append(s.inner, child)
			for _, p := range it.Pins {
				if p.In != nil {
					child.drivers[p.Port] = func() *node { return s.expr(p.In) }
				} else {
					s.drivers[p.Out] = func() *node { return child.signal(p.Port) }
				}
			}
		}
	}
	return s
}

// signal is the node that a signal of the scope stands for.
func (s *scope) signal(sig *ir.Signal) *node {
	n := s.values[sig]
	if n == nil {
		n = s.drivers[sig]()
		s.values[sig] = n
	}
	return n
}

func (s *scope) expr(e *ir.Expr) *node {
	n := s.exprs[e]
	if n == nil {
		n = s.build(e)
		s.exprs[e] = n
	}
	return n
}

func (s *scope) build(e *ir.Expr) *node {
	switch e.Op {
	case ir.Const:
		return s.f.big(e.Width, e.Value)
	case ir.Ref:
		return s.signal(e.Signal)
	}
	args := make([]*node, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.expr(a)
	}
	switch e.Op {
	case ir.Slice:
		return s.f.slice(args[0], e.Lo, e.Width)
	case ir.Replicate:
		return s.f.spread(args[0], e.Group)
	}
	return s.f.op(e.Op, e.Width, args...)
}

// collect lists the signals, registers and memories of the scope and of those inside it.
func (s *scope) collect() {
	name := func(sig *ir.Signal) {
		s.f.signals = append(s.f.signals, signal{name: s.path + sig.Name, node: s.signal(sig),
			input: s.path == "" && sig.Kind == ir.Input, register: sig.Kind == ir.Register})
	}
	for _, p := range s.module.Ports {
		name(p)
	}
	for _, it := range s.module.Items {
		switch it := it.(type) {
		case *ir.Signal:
			name(it)
		case *ir.Process:
			s.process(it)
		case *ir.Memory:
			s.memory(it)
		}
	}
	for _, child := range s.inner {
		child.collect()
	}
}

func (s *scope) process(p *ir.Process) {
	after := newState(nil)
	s.run(p.Body, after)
	for _, sig := range after.order {
		next := after.values[sig]
		if sig.Reset != nil {
			next = s.f.op(ir.Mux, sig.Width, s.f.rst, s.f.big(sig.Width, sig.Reset), next)
		}
		s.f.registers = append(s.f.registers, register{s.values[sig], next})
	}
}

func (s *scope) memory(it *ir.Memory) {
	m := memory{name: s.path + it.Name, width: it.Width, depth: it.Depth}
	for _, w := range it.Writes {
		m.enable, m.addr, m.data = s.expr(w.Enable), s.expr(w.Addr), s.expr(w.Data)
	}
	for _, r := range it.Reads {
		m.reads = append(m.reads, memoryRead{s.values[r.Target], s.expr(r.Enable), s.expr(r.Addr)})
	}
	s.f.memories = append(s.f.memories, m)
}

// next holds the values of registers after the clock edge, as far as statements have set them.
type next struct {
	order  []*ir.Signal
	values map[*ir.Signal]*node
	before *next
}

func newState(before *next) *next { return &next{values: map[*ir.Signal]*node{}, before: before} }

func (n *next) set(sig *ir.Signal, v *node) {
	if n.values[sig] == nil {
		n.order = append(n.order, sig)
	}
	n.values[sig] = v
}

// get is the next value of sig, or nil if no statement has set it.
func (n *next) get(sig *ir.Signal) *node {
	for ; n != nil; n = n.before {
		if v := n.values[sig]; v != nil {
			return v
		}
	}
	return nil
}

func (s *scope) run(list []ir.Stmt, n *next) {
	for _, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			n.set(st.Target, s.expr(st.Value))
		case *ir.If:
			s.choose(s.expr(st.Cond), st.Then, st.Else, n)
		case *ir.Case:
			s.arms(s.signal(st.Subject), st.Arms, n)
		}
	}
}

func (s *scope) arms(subject *node, arms []ir.Arm, n *next) {
	branches := make([]*next, len(arms))
	var order []*ir.Signal
	seen := map[*ir.Signal]bool{}
	for i, a := range arms {
		branches[i] = newState(n)
		s.run(a.Body, branches[i])
		for _, sig := range branches[i].order {
			if !seen[sig] {
				seen[sig] = true
				order = append(order, sig)
			}
		}
	}
	for _, sig := range order {
		out := s.held(n, sig)
		for i := len(arms) - 1; i >= 0; i-- {
			if v := branches[i].values[sig]; v != nil {
				is := s.f.op(ir.Eq, 1, subject, s.f.number(subject.width, arms[i].Value))
				out = s.f.op(ir.Mux, sig.Width, is, v, out)
			}
		}
		n.set(sig, out)
	}
}

func (s *scope) choose(cond *node, then, other []ir.Stmt, n *next) {
	yes, no := newState(n), newState(n)
	s.run(then, yes)
	s.run(other, no)
	for _, sig := range append(yes.order, no.order...) {
		n.set(sig, s.f.op(ir.Mux, sig.Width, cond, s.held(yes, sig), s.held(no, sig)))
	}
}

func (s *scope) held(n *next, sig *ir.Signal) *node {
	if v := n.get(sig); v != nil {
		return v
	}
	return s.values[sig]
}
