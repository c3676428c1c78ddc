// Package gosim is the engine that simulates a design in this process, in Go. It needs no external tool.
package gosim

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// Open starts an instance of the design's own simulation.
func Open(d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := o.TwoStates("go"); err != nil {
		return nil, err
	}
	if d.Simulate == nil {
		return nil, fmt.Errorf("%s exists only as Verilog, which the go engine cannot run", d.Top)
	}
	if o.Coverage != nil {
		return nil, fmt.Errorf("%s on the go engine: coverage is not supported; allowed: verilator", d.Top)
	}
	o = o.WithDefaults()
	model, err := d.Simulate(o)
	if err != nil {
		return nil, err
	}
	return batch.Drive(d, o, model)
}
