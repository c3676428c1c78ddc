// Package gates is the engine that simulates the synthesised design: the netlist of yosys, gate by gate, in this process.
// Memories remain memories; all other logic is gates of two or three inputs and flip-flops.
package gates

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// Open starts an instance of the design, synthesising its netlist if it is not cached.
func Open(d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := o.TwoStates("gates"); err != nil {
		return nil, err
	}
	if o.Trace != "" {
		return nil, fmt.Errorf("trace file %s: the gates engine does not write waveforms; allowed: go, verilator, icarus", o.Trace)
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
