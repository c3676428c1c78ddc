package mutate

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Kind is the kind of fault of a mutant.
type Kind string

// The kinds of mutants.
const (
	Operator   Kind = "operator"   // another operation: or for and, subtraction for addition, <= for <
	Negation   Kind = "negation"   // a condition is inverted
	Stuck      Kind = "stuck"      // a condition is always 0 or 1
	Lost       Kind = "lost"       // a term is missing
	Choice     Kind = "choice"     // the two values of a choice are swapped
	Constant   Kind = "constant"   // one more, one less, or a bit flipped
	Slicing    Kind = "slice"      // one bit higher or lower
	Operand    Kind = "operand"    // another value of the same width
	Parts      Kind = "parts"      // neighbouring parts of a concatenation are swapped
	Bit        Kind = "bit"        // one bit of a value is inverted or stuck
	Assignment Kind = "assignment" // a register is not set
	Reset      Kind = "reset"      // a register starts with another value
	Arm        Kind = "arm"        // nothing happens in a state
	Port       Kind = "port"       // the address of a memory port is that of another; two pins of an instance are swapped
	Collision  Kind = "collision"  // a read during a write of the same word returns the old one
)

// Kinds lists all kinds.
var Kinds = []Kind{Operator, Negation, Stuck, Lost, Choice, Constant, Slicing, Operand, Parts, Bit, Assignment, Reset, Arm, Port, Collision}

// edit changes one node of the expression in a slot, or another kind of slot. The node has this number in the order of ir.Walk; apply
// receives its copy and the slots of the copied module.
type edit struct {
	slot, node int
	apply      func(e *ir.Expr, of *copied) *ir.Expr
	value      *big.Int // of a reset
}

// candidate is a possible mutant.
type candidate struct {
	kind   Kind
	change string
	edits  []edit
}

// copied is a copy of a module that receives mutants.
type copied struct {
	slots   []slot
	signals map[string]*ir.Signal
	before  []*ir.Expr // original contents of the slots
}

// finder looks for candidates in a module.
type finder struct {
	slots []slot
	rand  *rand.Rand
	found []candidate
	at    int // slot
}

// candidates lists the possible mutants of a module.
func candidates(m *ir.Module, seed uint64) (all []slot, found []candidate) {
	f := &finder{slots: slots(m), rand: rand.New(rand.NewPCG(seed, uint64(len(m.Name))))}
	for i := range f.slots {
		f.at = i
		f.slot(&f.slots[i])
	}
	return f.slots, f.found
}

func (f *finder) add(kind Kind, node int, change string, apply func(e *ir.Expr, of *copied) *ir.Expr) {
	f.found = append(f.found, candidate{kind, change, []edit{{slot: f.at, node: node, apply: apply}}})
}

func (f *finder) slot(s *slot) {
	switch {
	case s.arm != nil:
		f.found = append(f.found, candidate{Arm, "nothing happens", []edit{{slot: f.at}}})
		return
	case s.reset != nil:
		bit := f.rand.IntN(s.reset.Width)
		flipped := new(big.Int).SetBit(s.reset.Reset, bit, s.reset.Reset.Bit(bit)^1)
		f.found = append(f.found, candidate{Reset, fmt.Sprintf("reset to %s became %s", s.reset.Reset, flipped), []edit{{slot: f.at, value: flipped}}})
		return
	}
	root := *s.expr
	switch s.role {
	case asNext:
		if (root.Op != ir.Ref || root.Signal != s.target) && (s.target.Reset != nil || f.assignments(s.target) > 1) {
			target := s.target.Name
			f.add(Assignment, 0, "is not set", func(e *ir.Expr, of *copied) *ir.Expr { return refTo(of.signals[target]) })
		}
	case asIsNew:
		f.add(Collision, 0, "the new word is not seen", func(e *ir.Expr, _ *copied) *ir.Expr { return constant(1, 0) })
		return
	case asAddress, asPin:
		f.partners(s)
	}
	parents := map[*ir.Expr]*ir.Expr{}
	ir.Walk(root, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		for _, a := range e.Args {
			if parents[a] == nil {
				parents[a] = e
			}
		}
	})
	n := -1
	ir.Walk(root, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		n++
		if e.Width == 1 {
			f.condition(n, e, parents[e])
		} else {
			f.bits(n, e, parents[e])
		}
		f.operation(n, e)
		if e.Op == ir.Ref {
			f.operand(n, e, root, s)
		}
	})
}

// assignments counts the assignments of a register. A register with a single one and no reset value would otherwise never be set.
func (f *finder) assignments(target *ir.Signal) (n int) {
	for i := range f.slots {
		if s := &f.slots[i]; s.target == target && s.expr != nil {
			n++
		}
	}
	return n
}

// partners exchanges addresses of memory ports, or pins of an instance.
func (f *finder) partners(s *slot) {
	for i, other := range s.partners {
		if other == f.at || (*f.slots[other].expr) == *s.expr || samePrinted(*f.slots[other].expr, *s.expr) {
			continue
		}
		take := func(from int) func(*ir.Expr, *copied) *ir.Expr {
			return func(_ *ir.Expr, of *copied) *ir.Expr { return of.before[from] }
		}
		if s.role == asAddress {
			f.add(Port, 0, "is the "+f.slots[other].what, take(other))
		} else if other > f.at && (i == 0 || s.partners[i-1] == f.at) { // the next one
			f.found = append(f.found, candidate{Port, "changed places with " + f.slots[other].what,
				[]edit{{slot: f.at, apply: take(other)}, {slot: other, apply: take(f.at)}}})
		}
	}
}

// condition lists the mutants of a 1-bit value.
func (f *finder) condition(n int, e, parent *ir.Expr) {
	if e.Op == ir.Const {
		f.add(Constant, n, fmt.Sprintf("%s became %d", e.Value, 1-e.Value.Int64()), func(e *ir.Expr, _ *copied) *ir.Expr { return constant(1, 1-e.Value.Int64()) })
		return
	}
	inLogic := parent != nil && parent.Width == 1 && (parent.Op == ir.And || parent.Op == ir.Or || parent.Op == ir.Not)
	chosen := parent != nil && parent.Op == ir.Mux && parent.Args[0] == e // swapping the arms is equivalent to its negation
	switch {
	case parent != nil && parent.Op == ir.Not || chosen:
	case e.Op == ir.Not:
		f.add(Negation, n, "negation lost", func(e *ir.Expr, _ *copied) *ir.Expr { return e.Args[0] })
	case e.Op == ir.Eq:
		f.add(Operator, n, "== became !=", become(ir.Ne))
	case e.Op == ir.Ne:
		f.add(Operator, n, "!= became ==", become(ir.Eq))
	default:
		f.add(Negation, n, "negated", func(e *ir.Expr, _ *copied) *ir.Expr { return not(e) })
	}
	if !inLogic { // a stuck term in a larger condition is a lost term, or the whole condition stuck
		for _, v := range []int64{0, 1} {
			f.add(Stuck, n, fmt.Sprintf("stuck at %d", v), func(*ir.Expr, *copied) *ir.Expr { return constant(1, v) })
		}
	}
}

// bits lists the mutants of a wider value.
func (f *finder) bits(n int, e, parent *ir.Expr) {
	if e.Op == ir.Const {
		f.constant(n, e)
		return
	}
	if parent != nil && e.Op != ir.Ref || parent != nil && parent.Op == ir.Slice {
		return // what becomes of it is enough
	}
	bit := f.rand.IntN(e.Width)
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bit))
	switch f.rand.IntN(3) {
	case 0:
		f.add(Bit, n, fmt.Sprintf("bit %d inverted", bit), func(e *ir.Expr, _ *copied) *ir.Expr { return binary(ir.Xor, e, number(e.Width, mask)) })
	case 1:
		rest := new(big.Int).Xor(ones(e.Width), mask)
		f.add(Bit, n, fmt.Sprintf("bit %d stuck at 0", bit), func(e *ir.Expr, _ *copied) *ir.Expr { return binary(ir.And, e, number(e.Width, rest)) })
	default:
		f.add(Bit, n, fmt.Sprintf("bit %d stuck at 1", bit), func(e *ir.Expr, _ *copied) *ir.Expr { return binary(ir.Or, e, number(e.Width, mask)) })
	}
}

// constant changes a constant of several bits.
func (f *finder) constant(n int, e *ir.Expr) {
	change := func(v *big.Int) {
		v.And(v, ones(e.Width))
		f.add(Constant, n, fmt.Sprintf("%s became %s", e.Value, v), func(e *ir.Expr, _ *copied) *ir.Expr { return number(e.Width, v) })
	}
	one := big.NewInt(1)
	change(new(big.Int).Add(e.Value, one))
	if e.Width > 1 && e.Width <= 64 {
		change(new(big.Int).Add(e.Value, ones(e.Width))) // one less
		if e.Width > 2 {
			bit := 1 + f.rand.IntN(e.Width-1)
			change(new(big.Int).SetBit(e.Value, bit, e.Value.Bit(bit)^1))
		}
	}
}

// operation lists the mutants of the operation of a node.
func (f *finder) operation(n int, e *ir.Expr) {
	other := func(from, to string, op ir.Op) { f.add(Operator, n, from+" became "+to, become(op)) }
	lost := func(what string, keeps int) {
		if samePrinted(e, e.Args[keeps]) {
			return
		}
		f.add(Lost, n, what+" lost", func(e *ir.Expr, _ *copied) *ir.Expr { return e.Args[keeps] })
	}
	switch e.Op {
	case ir.And:
		other("&", "|", ir.Or)
		lost("left of &", 1)
		lost("right of &", 0)
	case ir.Or:
		other("|", "&", ir.And)
		lost("left of |", 1)
		lost("right of |", 0)
	case ir.Xor:
		other("^", "|", ir.Or)
		other("^", "&", ir.And)
	case ir.Add:
		other("+", "-", ir.Sub)
		lost("right of +", 0)
	case ir.Sub:
		other("-", "+", ir.Add)
		lost("right of -", 0)
	case ir.Lt:
		other("<", "<=", ir.Le)
	case ir.Le:
		other("<=", "<", ir.Lt)
	case ir.ShiftLeft:
		other("<<", ">>", ir.ShiftRight)
	case ir.ShiftRight:
		other(">>", "<<", ir.ShiftLeft)
	case ir.ReduceOr:
		if e.Args[0].Width > 1 {
			other("reduction |", "&", ir.ReduceAnd)
		}
	case ir.ReduceAnd:
		if e.Args[0].Width > 1 {
			other("reduction &", "|", ir.ReduceOr)
		}
	case ir.ReverseOctets:
		if e.Width > 8 {
			lost("reversal", 0)
		}
	case ir.Mux:
		f.add(Choice, n, "values of ?: changed places", func(e *ir.Expr, _ *copied) *ir.Expr {
			return &ir.Expr{Op: ir.Mux, Width: e.Width, Args: []*ir.Expr{e.Args[0], e.Args[2], e.Args[1]}}
		})
	case ir.Slice:
		f.slice(n, e)
	case ir.Concat:
		for i := range len(e.Args) - 1 {
			if a, b := e.Args[i], e.Args[i+1]; a.Width == b.Width && !samePrinted(a, b) {
				f.add(Parts, n, fmt.Sprintf("parts %d and %d changed places", i, i+1), func(e *ir.Expr, _ *copied) *ir.Expr {
					out := *e
					out.Args = append([]*ir.Expr(nil), e.Args...)
					out.Args[i], out.Args[i+1] = out.Args[i+1], out.Args[i]
					return &out
				})
			}
		}
	}
}

func (f *finder) slice(n int, e *ir.Expr) {
	for _, by := range []int{1, -1} {
		lo := e.Lo + by
		if lo < 0 || lo+e.Width > e.Args[0].Width {
			continue
		}
		f.add(Slicing, n, fmt.Sprintf("[%d:%d] became [%d:%d]", e.Lo+e.Width-1, e.Lo, lo+e.Width-1, lo), func(e *ir.Expr, _ *copied) *ir.Expr {
			return &ir.Expr{Op: ir.Slice, Width: e.Width, Lo: lo, Args: e.Args}
		})
	}
}

// operand replaces a name by another value of the same width: one from the same expression, or a register, so that no new combinational
// dependency arises.
func (f *finder) operand(n int, e, root *ir.Expr, s *slot) {
	var near []*ir.Signal
	seen := map[*ir.Signal]bool{e.Signal: true}
	ir.Walk(root, map[*ir.Expr]bool{}, func(o *ir.Expr) {
		if o.Op == ir.Ref && o.Width == e.Width && !seen[o.Signal] {
			seen[o.Signal], near = true, append(near, o.Signal)
		}
	})
	if len(near) == 0 {
		for _, r := range s.earlier {
			if r.Width == e.Width && !seen[r] && r != s.target {
				near = append(near, r)
			}
		}
	}
	if len(near) == 0 {
		return
	}
	name := near[f.rand.IntN(len(near))].Name
	f.add(Operand, n, fmt.Sprintf("%s became %s", e.Signal.Name, name), func(_ *ir.Expr, of *copied) *ir.Expr { return refTo(of.signals[name]) })
}
