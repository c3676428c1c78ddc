package mutate

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// errEndless says that a mutant goes on for clocks in which the hardware would long have been done.
var errEndless = errors.New("it does not come to an end")

// selectClocks are those of the reset with which a mutant begins.
const selectClocks = 4

// selected gives a design in which one mutant is chosen from the first reset on. What it does within a run is bounded by limit.
func selected(d *engine.Design, number int, l *limit) *engine.Design {
	one := *d
	one.Wrap = func(e engine.Engine) (engine.Engine, error) {
		err := errors.Join(e.SetStatic(mutate.Select, uint64(number)), e.Reset(selectClocks))
		return &bounded{Engine: e, limit: l}, err
	}
	return &one
}

// limit is the clock after which a run is endless.
type limit struct{ clock uint64 }

// slack is what a run may take beyond the clocks that it takes without a mutant.
const slack = 20_000

// bounded is an engine that ends runs which are endless.
type bounded struct {
	engine.Engine
	limit *limit
	calls uint64
}

func (b *bounded) Run(maxCycles, idleCycles uint64) (engine.Result, error) {
	now := b.Cycle()
	// Calls count too: a source that is always full lets no clock pass.
	if b.calls++; now >= b.limit.clock || b.calls > 4*b.limit.clock {
		return engine.Result{}, fmt.Errorf("clock %d: %w", now, errEndless)
	}
	return b.Engine.Run(min(maxCycles, b.limit.clock-now), idleCycles)
}
