// Package gates is the engine that simulates the synthesised design: the netlist of yosys, gate by gate, in this process.
// Memories stay memories; everything else is a gate of two or three inputs or a flip-flop.
package gates

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// Open synthesises the design, unless the cache has its netlist, and starts an instance.
func Open(d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := o.TwoStates("gates"); err != nil {
		return nil, err
	}
	if o.Trace != "" {
		return nil, fmt.Errorf("trace file %s: the gates engine writes none; the engines go, verilator and icarus do", o.Trace)
	}
	o = o.WithDefaults()
	path, err := Synthesise(o.Context, d)
	if err != nil {
		return nil, err
	}
	n, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("netlist of %s: %w", d.Top, err)
	}
	m, err := newCircuit(d, n)
	if err != nil {
		return nil, fmt.Errorf("netlist of %s: %w", d.Top, err)
	}
	if o.RandomInit {
		m.randomise(o.Seed)
	}
	return batch.Drive(d, o, m)
}
