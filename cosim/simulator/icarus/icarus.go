// Package icarus is the engine that runs a design on Icarus Verilog in a separate process. It is slow, but simulates four states.
//
// A VPI module in that process exchanges the pins with the go engine's driver once per cycle, so stalls, stamps and hashes are
// identical. The process ends with its engine, after an error, and with this program.
package icarus

import (
	"fmt"
	"path/filepath"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// Open starts an instance of the design, compiling it if it is not cached.
func Open(d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := o.CheckTrace(); err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	t, err := findTools(o.Context)
	if err != nil {
		return nil, err
	}
	module, err := vpiModule(o.Context, t)
	if err != nil {
		return nil, err
	}
	path, err := compile(o.Context, t, d)
	if err != nil {
		return nil, err
	}
	var w *watch
	if o.Unknown {
		if w, err = newWatch(d, o.Seed); err != nil {
			return nil, err
		}
	}
	m, err := start(o.Context, d, w, t.vvp, arguments(d, module, path, o)...)
	if err != nil {
		return nil, err
	}
	return batch.Drive(d, o, m)
}

// arguments returns the arguments of vvp: its own, the design, and those of the VPI module.
func arguments(d *simulator.Design, module, path string, o simulator.Options) []string {
	args := []string{"-n", "-M", module, "-m", moduleName, path, fmt.Sprintf("+patience=%d", patience)}
	if o.RandomInit || o.Unknown {
		args = append(args, fmt.Sprintf("+random=%d", o.Seed))
	}
	if o.Unknown {
		args = append(args, "+unknown")
	}
	if o.Trace != "" {
		args = append(args, "+trace="+o.Trace)
		if filepath.Ext(o.Trace) == ".fst" {
			args = append(args, "-fst")
		}
	}
	return args
}

// patience is the processor time in seconds after which the logic of a cycle counts as not settling.
var patience = 5
