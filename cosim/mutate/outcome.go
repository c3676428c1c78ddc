package mutate

import (
	"fmt"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Fate is what became of a mutant.
type Fate string

// The fates of mutants.
const (
	ByVerdict  Fate = "verdict"  // something that came out was wrong
	ByHang     Fate = "hang"     // the hardware did not come to rest
	ByProperty Fate = "property" // a property that is proven of the block is not proven of it
	Timing     Fate = "timing"   // everything was right, in other clocks or another order than without the mutant
	Alone      Fate = "alone"    // all traffic was right; the block by itself shows something else on some inputs
	Equivalent Fate = "equivalent"
	Open       Fate = "open"
)

// Meaning is true of a fate that a test of meaning decides: the hardware is wrong, and the test says so. Timing and Alone only
// tell the hardware apart from itself.
func (f Fate) Meaning() bool { return f == ByVerdict || f == ByHang || f == ByProperty }

// Outcome is a mutant and what became of it.
type Outcome struct {
	mutate.Mutant
	Fate  Fate
	By    string // the stage that killed it, or how it was shown to be equivalent
	Says  string // the verdict
	Where mutate.Difference
	took  time.Duration
}

// opened says how many are open, and which when they are few.
func opened(list []Outcome) string {
	n := count(list, Open)
	if n == 0 || n > 40 {
		return fmt.Sprintf("%d open", n)
	}
	var names []string
	for _, m := range list {
		if m.Fate == Open {
			names = append(names, fmt.Sprintf("%s %d", m.Block, m.Number))
		}
	}
	return fmt.Sprintf("%d open (%s)", n, strings.Join(names, ", "))
}

func count(list []Outcome, f Fate) (n int) {
	for i := range list {
		if list[i].Fate == f {
			n++
		}
	}
	return n
}
