package hdl

import (
	"math/big"
	"regexp"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
	"github.com/rnicgen/rnicgen/hdl/internal/verilog"
)

// poisons returns the mistakes behind the poisoned expressions that the module uses.
func poisons(m *ir.Module) []error {
	var errs []error
	seen := map[*ir.Expr]bool{}
	for _, u := range m.Uses() {
		ir.Walk(u.Expr, seen, func(n *ir.Expr) {
			if n.Op == ir.Poison && n.Err != nil {
				errs = append(errs, n.Err)
			}
		})
	}
	return errs
}

var (
	identifier = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	constant   = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
)

// checkNames requires names to be legal, not reserved, and unique.
func checkNames(m *ir.Module) []error {
	var errs []error
	seen := map[string]bool{}
	check := func(name string, pcs []uintptr, pattern *regexp.Regexp, want string) {
		switch {
		case !pattern.MatchString(name):
			errs = append(errs, errorf(pcs, "%s: %q is not a name; want %s", m.Name, name, want))
		case verilog.Reserved(name) || name == "clk" || name == "rst":
			errs = append(errs, errorf(pcs, "%s: the name %s is reserved", m.Name, name))
		case seen[name]:
			errs = append(errs, errorf(pcs, "%s: the name %s is used twice", m.Name, name))
		}
		seen[name] = true
	}
	const lower = "lower-case words of letters and digits, a letter first, joined by single _"
	check(m.Name, m.PCs, identifier, lower)
	for _, p := range m.Ports {
		check(p.Name, p.PCs, identifier, lower)
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			check(it.Name, it.PCs, identifier, lower)
		case *ir.Memory:
			check(it.Name, it.PCs, identifier, lower)
		case *ir.Instance:
			check(it.Name, it.PCs, identifier, lower)
		case *ir.Labels:
			for _, l := range it.List {
				check(l.Name, it.PCs, constant, "upper-case words of letters and digits, a letter first, joined by single _")
			}
		}
	}
	return errs
}

// signals lists the ports and the declared signals of the module, in order.
func signals(m *ir.Module) []*ir.Signal {
	out := append([]*ir.Signal(nil), m.Ports...)
	for _, it := range m.Items {
		if s, is := it.(*ir.Signal); is {
			out = append(out, s)
		}
	}
	return out
}

// checkOwners requires every signal that the module mentions to be its own.
func checkOwners(m *ir.Module) []error {
	own := map[*ir.Signal]bool{}
	for _, s := range signals(m) {
		own[s] = true
	}
	var errs []error
	foreign := func(s *ir.Signal, pcs []uintptr) {
		if s != nil && !own[s] {
			own[s] = true
			errs = append(errs, errorf(pcs, "%s: %s belongs to another module; pass it through a port", m.Name, s.Name))
		}
	}
	seen := map[*ir.Expr]bool{}
	for _, u := range m.Uses() {
		foreign(u.Target, u.PCs)
		ir.Walk(u.Expr, seen, func(n *ir.Expr) { foreign(n.Signal, u.PCs) })
	}
	for _, it := range m.Items {
		if inst, is := it.(*ir.Instance); is {
			for _, p := range inst.Pins {
				foreign(p.Out, inst.PCs)
			}
		}
	}
	return errs
}

// checkDrivers requires every output and wire to be driven once, and every register to be set in one process.
func checkDrivers(m *ir.Module) []error {
	drivers := map[*ir.Signal]int{}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Drive:
			drivers[it.Target]++
		case *ir.Instance:
			for _, p := range it.Pins {
				if p.Out != nil {
					drivers[p.Out]++
				}
			}
		case *ir.Process:
			here := map[*ir.Signal]bool{}
			targets(it.Body, here)
			for s := range here {
				drivers[s]++
			}
		}
	}
	var errs []error
	for _, it := range m.Items {
		if mem, is := it.(*ir.Memory); is && len(mem.Writes) == 0 {
			errs = append(errs, errorf(mem.PCs, "%s.%s: the memory is never written", m.Name, mem.Name))
		}
	}
	for _, s := range signals(m) {
		n := drivers[s]
		switch {
		case s.Kind == ir.Input || s.Kind == ir.Named:
		case s.Read != nil: // a process cannot set it
		case s.Kind == ir.Register && n == 0:
			errs = append(errs, errorf(s.PCs, "%s.%s: the register is never set", m.Name, s.Name))
		case s.Kind == ir.Register && n > 1:
			errs = append(errs, errorf(s.PCs, "%s.%s: the register is set in %d processes; want 1", m.Name, s.Name, n))
		case n == 0:
			errs = append(errs, errorf(s.PCs, "%s.%s: the %s is never driven", m.Name, s.Name, s.Kind))
		case n > 1:
			errs = append(errs, errorf(s.PCs, "%s.%s: the %s is driven %d times; want 1", m.Name, s.Name, s.Kind, n))
		}
	}
	return errs
}

// targets finds the registers that statements set, except unreachable ones.
func targets(list []ir.Stmt, into map[*ir.Signal]bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Assign:
			into[s.Target] = true
		case *ir.If:
			if !isZero(s.Cond) {
				targets(s.Then, into)
			}
			if !isOnes(s.Cond) {
				targets(s.Else, into)
			}
		case *ir.Case:
			for _, a := range s.Arms {
				targets(a.Body, into)
			}
		}
	}
}

// checkReaders requires every bit of every signal to be read or declared unused.
func checkReaders(m *ir.Module) []error {
	read := map[*ir.Signal]*big.Int{}
	mark := func(s *ir.Signal, lo, width int) {
		if read[s] == nil {
			read[s] = new(big.Int)
		}
		bits := new(big.Int).Lsh(big.NewInt(1), uint(width))
		bits.Sub(bits, big.NewInt(1))
		read[s].Or(read[s], bits.Lsh(bits, uint(lo)))
	}
	seen := map[*ir.Expr]bool{}
	var visit func(e *ir.Expr)
	visit = func(e *ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		switch {
		case e.Op == ir.Ref:
			mark(e.Signal, 0, e.Width)
		case e.Op == ir.Slice && e.Args[0].Op == ir.Ref:
			mark(e.Args[0].Signal, e.Lo, e.Width)
		default:
			for _, a := range e.Args {
				visit(a)
			}
		}
	}
	for _, u := range m.Uses() {
		visit(u.Expr)
	}
	var errs []error
	for _, it := range m.Items {
		if mem, is := it.(*ir.Memory); is && len(mem.Reads) == 0 {
			errs = append(errs, errorf(mem.PCs, "%s.%s: the memory is never read", m.Name, mem.Name))
		}
	}
	for _, s := range signals(m) {
		if s.Kind == ir.Output {
			continue
		}
		hi, lo, all := unread(read[s], s.Width)
		switch {
		case lo < 0:
		case all:
			errs = append(errs, errorf(s.PCs, "%s.%s: the %s is never read; drop it or declare it Unused", m.Name, s.Name, s.Kind))
		default:
			errs = append(errs, errorf(s.PCs, "%s.%s: bits %d:%d of the %s are never read; drop them or declare them Unused", m.Name, s.Name, hi, lo, s.Kind))
		}
	}
	return errs
}

// unread finds the first run of unread bits; lo is -1 if there is none.
func unread(bits *big.Int, width int) (hi, lo int, all bool) {
	if bits == nil {
		return width - 1, 0, true
	}
	lo = -1
	for i := range width {
		if bits.Bit(i) == 0 {
			if lo < 0 {
				lo = i
			}
			hi = i
		} else if lo >= 0 {
			break
		}
	}
	return hi, lo, lo == 0 && hi == width-1
}
