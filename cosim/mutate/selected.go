package mutate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// errEndless says that a mutant goes on for cycles in which the hardware would long have been done.
var errEndless = errors.New("it does not come to an end")

// selectCycles are those of the reset with which a mutant begins.
const selectCycles = 4

// selected gives a design in which one mutant is chosen from the first reset on; 0: none, of a design that may have no mutants.
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

// watch looks at a run from outside.
type watch struct {
	limit uint64 // the clock after which the run is endless
	ports uint64 // the trace hashes of its engines, when they are closed
}

// slack is what a run may take beyond the cycles that it takes without a mutant.
const slack = 20_000

// watched is an engine that ends runs which are endless.
type watched struct {
	simulator.Engine
	watch *watch
	calls uint64
}

func (e *watched) Run(maxCycles, idleCycles uint64) (simulator.Result, error) {
	now := e.Cycle()
	// Calls count too: a source that is always full lets no clock pass.
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
