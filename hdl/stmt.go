package hdl

import "github.com/rnicgen/rnicgen/hdl/internal/ir"

// Stmt takes effect at a clock edge. Statements are values: a helper can return some.
type Stmt interface{ build() []ir.Stmt }

// Stmts is several statements in order; the last one that sets a register takes effect. A nil is ignored.
type Stmts []Stmt

func (l Stmts) build() []ir.Stmt {
	var out []ir.Stmt
	for _, s := range l {
		if s != nil {
			out = append(out, s.build()...)
		}
	}
	return out
}

type assign struct{ s ir.Stmt }

func (a assign) build() []ir.Stmt { return []ir.Stmt{a.s} }

// Set loads the register at the clock edge; v has its width.
func (r Reg) Set(v Value) Stmt {
	if r.s == nil {
		return assign{&ir.Assign{Value: poison(1, "set: the register is not declared").e, PCs: callers()}}
	}
	if p, is := bad("set "+r.s.Name, r.s.Width, v); is {
		v = p
	} else if v.Width() != r.s.Width {
		v = poison(r.s.Width, "set: %s is %d bits, %s is %d bits", r.s.Name, r.s.Width, describe(v.e), v.Width())
	}
	return assign{&ir.Assign{Target: r.s, Value: v.e, PCs: callers()}}
}

// IfStmt is a conditional statement; Else and ElseIf extend it.
type IfStmt struct{ head, tail *ir.If }

// If runs the statements when cond, a value of 1 bit, is 1.
func If(cond Value, then ...Stmt) *IfStmt {
	n := &ir.If{Cond: condition(cond), Then: Stmts(then).build(), PCs: callers()}
	return &IfStmt{n, n}
}

// ElseIf runs the statements when no earlier condition holds and cond does.
func (s *IfStmt) ElseIf(cond Value, then ...Stmt) *IfStmt {
	n := &ir.If{Cond: condition(cond), Then: Stmts(then).build(), PCs: callers()}
	s.tail.Else = []ir.Stmt{n}
	s.tail = n
	return s
}

// Else runs the statements when no earlier condition holds.
func (s *IfStmt) Else(other ...Stmt) Stmt {
	s.tail.Else = Stmts(other).build()
	return s
}

func (s *IfStmt) build() []ir.Stmt { return []ir.Stmt{s.head} }

func condition(c Value) *ir.Expr {
	if p, is := bad("if", 1, c); is {
		return p.e
	}
	if c.Width() != 1 {
		return poison(1, "if: the condition %s is %d bits, want 1", describe(c.e), c.Width()).e
	}
	return c.e
}

// OnClock adds statements that run at each rising clock edge. Registers with a reset value take it while rst
// is 1. All statements that set a register must be in one OnClock.
func (m *Module) OnClock(stmts ...Stmt) {
	if body := Stmts(stmts).build(); body != nil {
		m.ir.Clocked = true
		m.add(&ir.Process{Body: body})
	}
}
