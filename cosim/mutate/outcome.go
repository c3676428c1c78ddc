package mutate

import (
	"fmt"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Outcome is what became of a mutant.
type Outcome string

// The outcomes of mutants.
const (
	ByVerdict  Outcome = "verdict"  // something that came out was wrong
	ByHang     Outcome = "hang"     // the hardware did not come to rest
	ByProperty Outcome = "property" // a property that is proven of the block is not proven of it
	Timing     Outcome = "timing"   // everything was right, in other cycles or another order than without the mutant
	Alone      Outcome = "alone"    // all traffic was right; the block by itself shows something else on some inputs
	Equivalent Outcome = "equivalent"
	Open       Outcome = "open"
)

// Meaning is true of a outcome that a test of meaning decides: the hardware is wrong, and the test says so. Timing and Alone only
// tell the hardware apart from itself.
func (f Outcome) Meaning() bool { return f == ByVerdict || f == ByHang || f == ByProperty }

// Result is a mutant and what became of it.
type Result struct {
	mutate.Mutant
	Outcome Outcome
	By      string // the stage that killed it, or how it was shown to be equivalent
	Says    string // the verdict
	Where   mutate.Difference
	took    time.Duration
}

// opened says how many are open, and which when they are few.
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
