package aig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Follows reports whether some assertions hold in a cycle, from any state, if all assertions hold in the depth cycles before it and all
// assumptions in all of these cycles. goals are their positions in Bad. known is false if patience runs out.
func (n *Netlist) Follows(ctx context.Context, goals []int, depth int, patience time.Duration) (holds, known bool, err error) {
	said, err := run(ctx, "problem.cnf", n.step(goals, depth), patience, "cadical", "-q", "-n", "problem.cnf")
	var exit *exec.ExitError
	switch {
	case errors.Is(err, errPatience):
		return false, false, nil
	case errors.As(err, &exit) && exit.ExitCode() == unsatisfiable:
		return true, true, nil
	case errors.As(err, &exit) && exit.ExitCode() == satisfiable:
		return false, true, nil
	case err == nil:
		err = fmt.Errorf("the solver cadical ended without an answer: %q", said)
	}
	return false, false, err
}

// The exit codes that tell a verdict, as in the competitions of SAT solvers.
const satisfiable, unsatisfiable = 10, 20

// step is the question of [Netlist.Follows] in DIMACS: it has a solution if they do not hold.
func (n *Netlist) step(goals []int, depth int) []byte {
	clauses, count := &bytes.Buffer{}, 0
	clause := func(lits ...int) {
		for _, l := range lits {
			fmt.Fprintf(clauses, "%d ", l)
		}
		clauses.WriteString("0\n")
		count++
	}
	at := func(l Lit, cycle int) int {
		variable := int(l>>1) + cycle*n.Vars + 1
		if l&1 == 1 {
			return -variable
		}
		return variable
	}
	for cycle := range depth + 1 {
		clause(-at(0, cycle))
		for _, g := range n.Ands {
			is, a, b := at(g.Is, cycle), at(g.A, cycle), at(g.B, cycle)
			clause(-is, a)
			clause(-is, b)
			clause(is, -a, -b)
		}
		for _, l := range n.Constraints {
			clause(at(l, cycle))
		}
		if cycle == depth {
			break
		}
		for _, l := range n.Bad {
			clause(-at(l, cycle))
		}
		for _, l := range n.Latches {
			is, next := at(l.Is, cycle+1), at(l.Next, cycle)
			clause(-is, next)
			clause(is, -next)
		}
	}
	var fails []int
	for _, g := range goals {
		fails = append(fails, at(n.Bad[g], depth))
	}
	clause(fails...)
	return append(fmt.Appendf(nil, "p cnf %d %d\n", (depth+1)*n.Vars+1, count), clauses.Bytes()...)
}
