// Package same shows that mutants do what the module does that they were made of.
//
// Yosys makes formulas of the module, and z3 looks at two of it side by side: one as written, one a mutant. They have the same
// inputs and begin in the same state, whatever it is. The proof is by induction on clocks: a relation between the two states is
// looked for that holds when they are equal, that no clock ends, and under which nothing differs that can be seen from outside.
//
// At first the relation says that all registers and memories are equal, whatever the state. That is enough for most. If it is
// not, states that cannot be reached after a reset are left out, as far as simple facts tell, which are proven first (facts.go),
// and with them what the module does before its first reset; and a register that can differ is taken out of the relation, or has
// to be equal only while another has some value: data beside a valid bit.
//
// What nothing visible of the whole design depends on is not compared: bits of a port that no module reads.
//
// Nothing is assumed of what is around the module but two rules of streams, which rnicgen prove shows: a beat that is offered
// stays offered until it is taken, and nobody looks at the data of a stream that is not valid.
//
// Instances in the module are not looked at: what they put out is the same in both as long as what goes into them is, which is
// shown. A module is shown in the sizes that it has where its mutants are tested: it is the module that was tested, and no other.
package same

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/formal"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Effort is how far to go.
type Effort int

// The efforts: Quick looks at mutants that are the same in every state, Thorough also at the states that can be reached.
const (
	Quick Effort = iota
	Thorough
)

// Find tells how each of some mutants, all of one module, was shown to do the same, by its number; of the others it says nothing.
func Find(s *mutate.Set, mutants []mutate.Mutant, effort Effort) (map[int]string, error) {
	if err := formal.CheckTools("z3"); err != nil {
		return nil, err
	}
	alone := s.Alone(mutants)
	text, err := formulas(alone)
	if err != nil {
		return nil, err
	}
	p, err := newProver(alone, text)
	if err != nil {
		return nil, err
	}
	found := map[int]string{}
	for _, m := range mutants {
		how, err := p.shows(mutate.SelectOf(m), effort)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("mutant %d of %s: %w", m.Number, m.Module, err), p.solver.close())
		}
		if how != "" {
			found[m.Number] = how
		}
	}
	return found, p.solver.close()
}

// formulas makes SMT-LIB 2 of a module.
func formulas(a mutate.Alone) (string, error) {
	dir, err := os.MkdirTemp("", "rnicgen-same-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "module.v"), []byte(a.Text), 0o644); err != nil {
		return "", err
	}
	c := exec.Command("yosys", "-q", "-p", "read_verilog module.v; prep -top "+a.Top+"; memory_nordff; opt_clean; dffunmap; write_smt2 -wires module.smt2")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("yosys: %s: %w\n%s", a.Top, err, strings.TrimSpace(string(out)))
	}
	text, err := os.ReadFile(filepath.Join(dir, "module.smt2"))
	return string(text), err
}
