// Package ir is the hardware description as plain data. Package hdl builds it, checks it and prints it;
// package hdl/sim runs it. Nothing here knows Verilog text.
package ir

import "math/big"

// Op is the operation of an expression node.
type Op uint8

// The operations. Operands have the widths that the comment gives; w is the node's own width.
const (
	Const         Op = iota // a constant of w bits
	Ref                     // the value of a signal of w bits
	Shape                   // a width without a value: the field of a bundle prototype
	Poison                  // the result of a mistake, Expr.Err
	Not                     // w
	And                     // w, w
	Or                      // w, w
	Xor                     // w, w
	Add                     // w, w: modulo 2^w
	Sub                     // w, w: modulo 2^w
	Eq                      // n, n -> 1
	Ne                      // n, n -> 1
	Lt                      // n, n -> 1, unsigned
	Le                      // n, n -> 1, unsigned
	ShiftLeft               // w, up to 32: zeros enter; a count of w or more gives zero
	ShiftRight              // w, up to 32: zeros enter; a count of w or more gives zero
	Mux                     // 1, w, w: the second operand when the first is 1
	Concat                  // most significant part first
	Slice                   // n -> bits Lo+w-1 .. Lo
	ReduceAnd               // n -> 1
	ReduceOr                // n -> 1
	ReduceXor               // n -> 1
	Replicate               // n -> n*Group: each bit repeated Group times
	ReverseOctets           // w -> w, a multiple of 8: octet 0 becomes the last
)

// Expr is one node of an expression graph. Nodes are immutable once built and may be shared.
type Expr struct {
	Op     Op
	Width  int
	Args   []*Expr
	Value  *big.Int // Const
	Label  string   // Const: the name it is printed with, if it has one; Slice: that of the bit
	Hex    bool     // Const: printed in hexadecimal
	Signal *Signal  // Ref
	Size   Size     // Shape: how the width is printed, if not as a number
	Lo     int      // Slice: the lowest bit taken
	Group  int      // Replicate: how often each bit is repeated
	Err    error    // Poison
}

// Kind is the kind of driver of a signal.
type Kind uint8

// The kinds of signal.
const (
	Input    Kind = iota // driven from outside the module
	Output               // driven by Driver or an instance
	Wire                 // driven by Driver or an instance
	Named                // a name for Driver
	Register             // set by the one process that assigns it, or by a memory read port
)

func (k Kind) String() string {
	return [...]string{"input", "output", "wire", "name", "register"}[k]
}

// Signal is a named value of a module.
type Signal struct {
	Name   string
	Kind   Kind
	Width  int
	Doc    string      // of a port, for people
	Group  string      // of a port: the title of those that belong together
	Driver *Expr       // Output, Wire, Named; nil when an instance drives it
	Reset  *big.Int    // Register: the value after reset; nil leaves it as it was
	Label  string      // Register: the name that the reset value is printed with, if it has one
	Read   *MemoryRead // Register: set by this read port and by nothing else
	Size   Size        // how Width is printed, if not as a number
	Range  string      // set while it is printed so
	PCs    []uintptr   // where it was made
}

// Size is a width or a count as a parameter of the module gives it: Name + Plus. Without a name it is a number.
type Size struct {
	Name string
	Plus int
}

// SizeOf is the size that the operands of an expression give it.
func SizeOf(e *Expr) Size {
	switch e.Op {
	case Shape:
		return e.Size
	case Ref:
		if e.Signal.Size.Name == "" && e.Signal.Kind == Named && e.Signal.Driver != nil {
			return SizeOf(e.Signal.Driver)
		}
		return e.Signal.Size
	case Not, And, Or, Xor, Add, Sub, ShiftLeft, ShiftRight, Mux:
		for _, a := range e.Args {
			if a.Width != e.Width || a == e.Args[0] && e.Op == Mux {
				continue
			}
			if s := SizeOf(a); s.Name != "" {
				return s
			}
		}
	}
	return Size{}
}

// Rst is the reset of every clocked module, for code that has to refer to it. It is in no list of ports.
var Rst = &Signal{Name: "rst", Kind: Input, Width: 1}

// Stmt is a statement of a clocked process: *Assign, *If or *Case.
type Stmt interface{ stmt() }

// Assign sets a register at the clock edge. The last assignment that is reached wins.
type Assign struct {
	Target *Signal
	Value  *Expr
	PCs    []uintptr
}

// If runs Then when Cond is 1, else Else.
type If struct {
	Cond       *Expr
	Then, Else []Stmt
	PCs        []uintptr
}

// Case runs the body of the arm whose value Subject has, or nothing.
type Case struct {
	Subject *Signal
	Arms    []Arm
	PCs     []uintptr
}

// Arm is one arm of a Case; Label is the printed name of Value.
type Arm struct {
	Label string
	Value uint64
	Body  []Stmt
}

func (*Assign) stmt() {}
func (*If) stmt()     {}
func (*Case) stmt()   {}

// Process is a set of statements that run at each rising clock edge. Registers with a reset value take it
// when the reset input is 1, whatever the statements say.
type Process struct{ Body []Stmt }

// Memory is an array of words. Depth is a power of two, so that no address is out of range.
type Memory struct {
	Name         string
	Width, Depth int
	Bits, Words  Size           // how Width and Depth are printed, if not as numbers
	Range, Last  string         // set while they are printed so
	Writes       []*MemoryWrite // at most one
	Reads        []*MemoryRead
	PCs          []uintptr
}

// MemoryWrite stores Data at Addr at the clock edge when Enable is 1.
type MemoryWrite struct {
	Enable, Addr, Data *Expr
	PCs                []uintptr
}

// MemoryRead loads Target with the word at Addr at the clock edge when Enable is 1, and holds it otherwise.
// When the same edge writes the same address, Target gets the new word if ReadNew, else the old one.
type MemoryRead struct {
	Memory       *Memory
	Target       *Signal
	Enable, Addr *Expr
	ReadNew      bool

	// For a read that has become a plain one: the registers beside Target that compensate.
	Fresh, IsNew *Signal
}

// Instance is a module used inside another.
type Instance struct {
	Name   string
	Module *Module
	Pins   []Pin // one for each port of Module but clk and rst, in its order
	PCs    []uintptr
}

// Pin connects a port of an instance to the parent: In for an input, Out for an output.
type Pin struct {
	Port *Signal
	In   *Expr
	Out  *Signal
}

// Label is an entry of an enumeration, printed as a local parameter.
type Label struct {
	Name  string
	Width int
	Value uint64
	Doc   string // its comment; empty: none
}

// StreamPort lists the ports that form a ready/valid stream.
type StreamPort struct {
	Name         string
	Doc          string // for people
	Sink         bool   // data enters the module
	Valid, Ready *Signal
	Fields       []*Signal
}

// Item is an element of a module body, in print order: *Signal, *Drive, *Process, *Memory,
// *MemoryPorts, *Instance, *Labels, Comment, Section, *Unused.
type Item interface{ item() }

// Drive is the assignment of a Wire or Output declared elsewhere.
type Drive struct {
	Target *Signal
	Value  *Expr
	PCs    []uintptr
}

// MemoryPorts marks where the ports of a memory are printed.
type MemoryPorts struct{ Memory *Memory }

// Labels is one enumeration.
type Labels struct {
	List []Label
	PCs  []uintptr
}

// Comment is text before the item that follows it.
type Comment string

// Section opens a part of the module body.
type Section string

// Unused declares that Value is deliberately not read.
type Unused struct {
	Value *Expr
	Why   string
	PCs   []uintptr
}

func (*Signal) item()      {}
func (*Drive) item()       {}
func (*Process) item()     {}
func (*Memory) item()      {}
func (*Instance) item()    {}
func (*MemoryPorts) item() {}
func (*Labels) item()      {}
func (Comment) item()      {}
func (Section) item()      {}
func (*Unused) item()      {}

// Parameter is a parameter of a module or, with Formula, a local parameter computed from others.
type Parameter struct {
	Name, Doc string
	Value     int    // in this module
	Default   int    // printed
	Given     Size   // in the parent
	Formula   string // of a local parameter
}

// Param is a number from the configuration of a module.
type Param struct {
	Name  string
	Value int
}

// Module is one hardware module. Clocked modules have clk and rst before Ports.
type Module struct {
	Name       string // with all numbers: no other structure has it
	Kind       string // without
	Params     []Param
	Options    []string
	Parameters []Parameter

	Doc     string
	Clocked bool
	Ports   []*Signal // without clk and rst
	Streams []StreamPort
	Items   []Item
	PCs     []uintptr
	Err     error // mistakes found while it was built
}

// Walk calls f for e and every node below it, each node once per seen map.
func Walk(e *Expr, seen map[*Expr]bool, f func(*Expr)) {
	if e == nil || seen[e] {
		return
	}
	seen[e] = true
	f(e)
	for _, a := range e.Args {
		Walk(a, seen, f)
	}
}

// Use is an expression that a module uses directly.
type Use struct {
	Expr   *Expr
	Target *Signal // signal it sets, or nil
	PCs    []uintptr
}

// Uses lists every expression that the module uses directly, in order.
func (m *Module) Uses() []Use {
	var out []Use
	for _, it := range m.Items {
		switch it := it.(type) {
		case *Signal:
			if it.Kind == Named {
				out = append(out, Use{it.Driver, it, it.PCs})
			}
		case *Drive:
			out = append(out, Use{it.Value, it.Target, it.PCs})
		case *Process:
			out = append(out, stmtUses(it.Body)...)
		case *Memory:
			for _, w := range it.Writes {
				out = append(out, Use{w.Enable, nil, w.PCs}, Use{w.Addr, nil, w.PCs}, Use{w.Data, nil, w.PCs})
			}
			for _, r := range it.Reads {
				out = append(out, Use{r.Enable, r.Target, r.Target.PCs}, Use{r.Addr, r.Target, r.Target.PCs})
			}
		case *Instance:
			for _, p := range it.Pins {
				if p.In != nil {
					out = append(out, Use{p.In, nil, it.PCs})
				}
			}
		case *Unused:
			out = append(out, Use{it.Value, nil, it.PCs})
		}
	}
	return out
}

func stmtUses(list []Stmt) []Use {
	var out []Use
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			out = append(out, Use{s.Value, s.Target, s.PCs})
		case *If:
			out = append(out, Use{s.Cond, nil, s.PCs})
			out = append(out, stmtUses(s.Then)...)
			out = append(out, stmtUses(s.Else)...)
		case *Case:
			out = append(out, Use{&Expr{Op: Ref, Width: s.Subject.Width, Signal: s.Subject}, nil, s.PCs})
			for _, a := range s.Arms {
				out = append(out, stmtUses(a.Body)...)
			}
		}
	}
	return out
}
