package ir

// Clone copies a module. The copy shares nothing with the original except the modules of its instances, so passes may change it in place.
// Nodes shared within the module are shared within the copy.
func (m *Module) Clone() *Module {
	c := &cloner{map[*Signal]*Signal{Rst: Rst}, map[*Expr]*Expr{}, map[*Memory]*Memory{}}
	out := *m
	out.Ports = c.signals(m.Ports)
	out.Streams = nil
	for _, s := range m.Streams {
		s.Valid, s.Ready, s.Fields = c.signal(s.Valid), c.signal(s.Ready), c.signals(s.Fields)
		out.Streams = append(out.Streams, s)
	}
	out.Items = nil
	for _, it := range m.Items {
		out.Items = append(out.Items, c.item(it))
	}
	return &out
}

type cloner struct {
	ofSignal map[*Signal]*Signal
	ofExpr   map[*Expr]*Expr
	ofMemory map[*Memory]*Memory
}

func (c *cloner) signals(list []*Signal) []*Signal {
	var out []*Signal
	for _, s := range list {
		out = append(out, c.signal(s))
	}
	return out
}

func (c *cloner) signal(s *Signal) *Signal {
	if s == nil || c.ofSignal[s] != nil {
		return c.ofSignal[s]
	}
	out := *s
	c.ofSignal[s] = &out
	out.Driver = c.expr(s.Driver)
	if s.Read != nil {
		c.memory(s.Read.Memory) // sets out.Read
	}
	return &out
}

func (c *cloner) expr(e *Expr) *Expr {
	if e == nil || c.ofExpr[e] != nil {
		return c.ofExpr[e]
	}
	out := *e
	c.ofExpr[e] = &out
	out.Signal = c.signal(e.Signal)
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, c.expr(a))
	}
	return &out
}

func (c *cloner) memory(m *Memory) *Memory {
	if c.ofMemory[m] != nil {
		return c.ofMemory[m]
	}
	out := *m
	c.ofMemory[m] = &out
	out.Writes, out.Reads = nil, nil
	for _, w := range m.Writes {
		out.Writes = append(out.Writes, &MemoryWrite{c.expr(w.Enable), c.expr(w.Addr), c.expr(w.Data), w.PCs})
	}
	for _, r := range m.Reads {
		read := *r
		out.Reads = append(out.Reads, &read)
		read.Memory, read.Enable, read.Addr = &out, c.expr(r.Enable), c.expr(r.Addr)
		read.Target, read.Fresh, read.IsNew = c.signal(r.Target), c.signal(r.Fresh), c.signal(r.IsNew)
		if read.Target.Read == r {
			read.Target.Read = &read
		}
	}
	return &out
}

func (c *cloner) item(it Item) Item {
	switch it := it.(type) {
	case *Signal:
		return c.signal(it)
	case *Drive:
		return &Drive{c.signal(it.Target), c.expr(it.Value), it.PCs}
	case *Process:
		return &Process{c.stmts(it.Body)}
	case *Memory:
		return c.memory(it)
	case *MemoryPorts:
		return &MemoryPorts{c.memory(it.Memory)}
	case *Instance:
		out := *it
		out.Pins = nil
		for _, p := range it.Pins {
			out.Pins = append(out.Pins, Pin{p.Port, c.expr(p.In), c.signal(p.Out)})
		}
		return &out
	case *Unused:
		return &Unused{c.expr(it.Value), it.Why, it.PCs}
	}
	return it // text and enumerations are immutable
}

func (c *cloner) stmts(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			out = append(out, &Assign{c.signal(s.Target), c.expr(s.Value), s.PCs})
		case *If:
			out = append(out, &If{c.expr(s.Cond), c.stmts(s.Then), c.stmts(s.Else), s.PCs})
		case *Case:
			next := &Case{Subject: c.signal(s.Subject), PCs: s.PCs}
			for _, a := range s.Arms {
				a.Body = c.stmts(a.Body)
				next.Arms = append(next.Arms, a)
			}
			out = append(out, next)
		}
	}
	return out
}
