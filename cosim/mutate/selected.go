package mutate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// errEndless reports that a mutant runs far longer than the original hardware.
var errEndless = errors.New("the run does not finish")

// selectCycles is the length of the reset before a mutant runs.
const selectCycles = 4

// selected returns a design in which one mutant is selected from the first reset on; 0: none, possibly of a design without mutants.
func selected(d *simulator.Design, number int, w *watch) *simulator.Design {
	one := *d
	one.Hash = true
	one.Wrap = func(e simulator.Engine) (simulator.Engine, error) {
		var err error
		if slices.Contains(d.Statics, mutate.Select) {
			err = e.SetStatic(mutate.Select, uint64(number))
		}
		return &watched{Engine: e, watch: w}, errors.Join(err, e.Reset(selectCycles))
	}
	return &one
}

// watch observes a run at the ports.
type watch struct {
	limit uint64 // the cycle after which the run counts as endless
	ports uint64 // the trace hashes of its engines, taken when they are closed
}

// slack is the number of extra cycles a run may take compared with a run without a mutant.
const slack = 20_000

// watched is an engine that ends endless runs.
type watched struct {
	simulator.Engine
	watch *watch
	calls uint64
}

func (e *watched) Run(maxCycles, idleCycles uint64) (simulator.Result, error) {
	now := e.Cycle()
	// Calls count, too: if a source is always full, no cycle passes.
	if e.calls++; now >= e.watch.limit || e.calls > 4*e.watch.limit {
		return simulator.Result{}, fmt.Errorf("clock %d: %w", now, errEndless)
	}
	return e.Engine.Run(min(maxCycles, e.watch.limit-now), idleCycles)
}

func (e *watched) Close() error {
	err := e.Engine.Close()
	e.watch.ports = e.watch.ports*31 + e.TraceHash()
	return err
}
