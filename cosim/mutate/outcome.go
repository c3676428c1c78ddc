package mutate

import (
	"fmt"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Outcome is the outcome of testing a mutant.
type Outcome string

// Outcomes of mutants.
const (
	ByVerdict  Outcome = "verdict"  // an output was wrong
	ByHang     Outcome = "hang"     // the hardware did not become idle
	ByProperty Outcome = "property" // a property proven of the block is not proven of the mutant
	Timing     Outcome = "timing"   // all outputs were valid, but in other cycles or another order than without the mutant
	Alone      Outcome = "alone"    // all traffic passed; the isolated block differs on some inputs
	Equivalent Outcome = "equivalent"
	Open       Outcome = "open"
)

// Meaning reports whether a test of meaning decided the outcome: the hardware is wrong, and the test shows it. Timing and Alone
// only distinguish the mutant from the original hardware.
func (f Outcome) Meaning() bool { return f == ByVerdict || f == ByHang || f == ByProperty }

// Result is a mutant and its outcome.
type Result struct {
	mutate.Mutant
	Outcome Outcome
	By      string // the stage that killed it, or the method that proved it equivalent
	Says    string // the verdict
	Where   mutate.Difference
	took    time.Duration
}

// opened describes how many are open, and lists them if they are few.
func opened(list []Result) string {
	n := count(list, Open)
	if n == 0 || n > 40 {
		return fmt.Sprintf("%d open", n)
	}
	var names []string
	for _, m := range list {
		if m.Outcome == Open {
			names = append(names, fmt.Sprintf("%s %d", m.Block, m.Number))
		}
	}
	return fmt.Sprintf("%d open (%s)", n, strings.Join(names, ", "))
}

func count(list []Result, f Outcome) (n int) {
	for i := range list {
		if list[i].Outcome == f {
			n++
		}
	}
	return n
}
