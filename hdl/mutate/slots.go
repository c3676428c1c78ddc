package mutate

import (
	"runtime"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// slot is a place in a module that can be changed. The slots of a module and of its copy correspond.
type slot struct {
	expr   **ir.Expr  // an expression that the module uses directly
	arm    *ir.Arm    // of a case
	reset  *ir.Signal // a register with a reset value
	target *ir.Signal // signal that the expression sets, or nil
	role   role
	what   string // for people
	pcs    []uintptr

	partners []int        // interchangeable slots: pins and addresses of one width
	process  *ir.Process  // of a reset value
	earlier  []*ir.Signal // registers declared before
}

// role is the use of an expression.
type role uint8

const (
	asValue   role = iota // of a wire or an output
	asNext                // of a register
	asCond                // of an if
	asPin                 // of an instance
	asEnable              // of a memory
	asAddress             // of a memory
	asData                // of a memory
	asArm
	asReset
	asIsNew // of the register that records a read during a write of the same word
)

// slots lists the slots of a module, in text order.
func slots(m *ir.Module) []slot {
	l := &lister{isNew: map[*ir.Signal]bool{}}
	for _, it := range m.Items {
		if mem, is := it.(*ir.Memory); is {
			for _, r := range mem.Reads {
				l.isNew[r.IsNew] = r.IsNew != nil
			}
		}
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if it.Kind == ir.Named {
				l.add(slot{expr: &it.Driver, target: it, what: it.Name, pcs: it.PCs})
			}
			if it.Kind == ir.Register {
				l.registers = append(l.registers, it)
			}
		case *ir.Drive:
			l.add(slot{expr: &it.Value, target: it.Target, what: it.Target.Name, pcs: it.PCs})
		case *ir.Process:
			l.process = it
			l.resets = map[*ir.Signal]bool{}
			l.stmts(it.Body)
		case *ir.MemoryPorts:
			l.memory(it.Memory)
		case *ir.Instance:
			l.instance(it)
		}
	}
	return l.list
}

type lister struct {
	list      []slot
	registers []*ir.Signal
	process   *ir.Process
	pcs       []uintptr // of the enclosing statement
	resets    map[*ir.Signal]bool
	isNew     map[*ir.Signal]bool
}

func (l *lister) add(s slot) int {
	s.earlier = l.registers[:len(l.registers):len(l.registers)]
	if s.pcs == nil {
		s.pcs = l.pcs
	}
	l.list = append(l.list, s)
	return len(l.list) - 1
}

func (l *lister) stmts(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			r := asNext
			if l.isNew[s.Target] {
				r = asIsNew
			}
			pcs := s.PCs
			if pcs == nil {
				pcs = s.Target.PCs
			}
			l.add(slot{expr: &s.Value, target: s.Target, role: r, what: s.Target.Name, pcs: pcs})
			if s.Target.Reset != nil && !l.resets[s.Target] {
				l.resets[s.Target] = true
				l.add(slot{reset: s.Target, target: s.Target, role: asReset, what: s.Target.Name, pcs: s.Target.PCs, process: l.process})
			}
		case *ir.If:
			before := l.pcs
			if s.PCs != nil {
				l.pcs = s.PCs
			} else if a, is := s.Then[0].(*ir.Assign); is { // of a memory read that sees the word being written
				l.pcs = a.Target.PCs
			}
			l.add(slot{expr: &s.Cond, role: asCond, what: "a condition", pcs: s.PCs})
			l.stmts(s.Then)
			l.stmts(s.Else)
			l.pcs = before
		case *ir.Case:
			for i := range s.Arms {
				if a := &s.Arms[i]; len(a.Body) > 0 {
					l.add(slot{arm: a, role: asArm, what: s.Subject.Name + " " + a.Label, pcs: s.PCs})
					l.stmts(a.Body)
				}
			}
		}
	}
}

func (l *lister) memory(m *ir.Memory) {
	var addresses []int
	address := func(e **ir.Expr, what string, pcs []uintptr) {
		addresses = append(addresses, l.add(slot{expr: e, role: asAddress, what: what, pcs: pcs}))
	}
	for _, w := range m.Writes {
		l.add(slot{expr: &w.Enable, role: asEnable, what: m.Name + " write enable", pcs: w.PCs})
		address(&w.Addr, m.Name+" write address", w.PCs)
		l.add(slot{expr: &w.Data, role: asData, what: m.Name + " write data", pcs: w.PCs})
	}
	for _, r := range m.Reads {
		l.add(slot{expr: &r.Enable, role: asEnable, what: r.Target.Name + " read enable", pcs: r.Target.PCs})
		address(&r.Addr, r.Target.Name+" read address", r.Target.PCs)
	}
	for _, a := range addresses {
		l.list[a].partners = addresses
	}
}

func (l *lister) instance(inst *ir.Instance) {
	byWidth := map[int][]int{}
	for i := range inst.Pins {
		if p := &inst.Pins[i]; p.In != nil {
			n := l.add(slot{expr: &p.In, role: asPin, what: inst.Name + "." + p.Port.Name, pcs: inst.PCs})
			byWidth[p.In.Width] = append(byWidth[p.In.Width], n)
		}
	}
	for _, same := range byWidth {
		for _, n := range same {
			l.list[n].partners = same
		}
	}
}

// frame is the line of the generator that created the slot.
func (s *slot) frame() (f runtime.Frame) {
	if frames := ir.Outside(s.pcs); len(frames) > 0 {
		f = frames[0]
	}
	return f
}
