package hdl

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// State is what the states of a machine are: a Go enumeration with names.
type State interface {
	~int | ~uint8
	fmt.Stringer
}

// FSM is a state machine over the Go enumeration S.
type FSM[S State] struct {
	m      *Module
	reg    Reg
	name   string
	states []S
}

// NewFSM declares the register NAME_q, which resets to the first state, and names every state in the output.
func NewFSM[S State](m *Module, name string, states ...S) *FSM[S] {
	pcs := callers()
	f := &FSM[S]{m: m, name: name, states: states}
	if len(states) < 2 {
		m.fail(pcs, "%s.%s: a state machine has at least 2 states", m.ir.Name, name)
		f.states = []S{0, 1}
	}
	width := bits.Len(uint(len(f.states) - 1))
	labels := &ir.Labels{PCs: pcs}
	for i, s := range f.states {
		if slices.Contains(f.states[:i], s) {
			m.fail(pcs, "%s.%s: state %v is listed twice", m.ir.Name, name, s)
		}
		labels.List = append(labels.List, ir.Label{Name: f.label(s), Width: width, Value: uint64(i)})
	}
	m.add(labels)
	reset := ResetTo(0)
	reset.label = f.label(f.states[0])
	f.reg = m.Reg(name+"_q", width, reset)
	return f
}

func (f *FSM[S]) label(s S) string {
	return strings.ToUpper(f.name + "_" + snake(s.String()))
}

func (f *FSM[S]) index(s S) (uint64, bool) {
	i := slices.Index(f.states, s)
	return uint64(max(i, 0)), i >= 0
}

// Is is 1 in state s.
func (f *FSM[S]) Is(s S) Value {
	i, known := f.index(s)
	if !known {
		return poison(1, "%s: %v is not one of its states", f.name, s)
	}
	return f.reg.Eq(f.code(s, i))
}

// Go makes s the next state.
func (f *FSM[S]) Go(s S) Stmt {
	i, known := f.index(s)
	if !known {
		return f.reg.Set(poison(f.reg.Width(), "%s: %v is not one of its states", f.name, s))
	}
	return f.reg.Set(f.code(s, i))
}

func (f *FSM[S]) code(s S, i uint64) Value {
	v := Const(f.reg.Width(), i)
	v.e.Label = f.label(s)
	return v
}

// In holds the statements of one state for Switch.
func (f *FSM[S]) In(s S, stmts ...Stmt) StateCase[S] { return StateCase[S]{s, stmts} }

// StateCase is the case of one state.
type StateCase[S State] struct {
	state S
	stmts Stmts
}

// Switch runs the statements of the current state. Every state must have a case, even if empty.
func (f *FSM[S]) Switch(cases ...StateCase[S]) Stmt {
	pcs := callers()
	c := &ir.Case{Subject: f.reg.s, PCs: pcs}
	handled := map[S]bool{}
	for _, sc := range cases {
		i, known := f.index(sc.state)
		switch {
		case !known:
			f.m.fail(pcs, "%s: case %v is not one of its states", f.name, sc.state)
			continue
		case handled[sc.state]:
			f.m.fail(pcs, "%s: state %v has two cases", f.name, sc.state)
			continue
		}
		handled[sc.state] = true
		c.Arms = append(c.Arms, ir.Arm{Label: f.label(sc.state), Value: i, Body: sc.stmts.build()})
	}
	for _, s := range f.states {
		if !handled[s] {
			f.m.fail(pcs, "%s: state %v has no case", f.name, s)
		}
	}
	return assign{c}
}
