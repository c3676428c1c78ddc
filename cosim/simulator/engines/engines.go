// Package engines finds an engine by name.
package engines

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gates"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/cosim/simulator/icarus"
	"github.com/rnicgen/rnicgen/cosim/simulator/verilator"
)

// Default is the default engine.
const Default = "verilator"

var all = []struct {
	name string
	open func(*simulator.Design, simulator.Options) (simulator.Engine, error)
}{
	{"go", gosim.Open},
	{"verilator", verilator.Open},
	{"icarus", icarus.Open},
	{"gates", gates.Open},
}

// Names lists the engines.
func Names() []string {
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	return names
}

// Open starts an instance of the design on the named engine.
func Open(name string, d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	for _, e := range all {
		if e.name == name {
			o.Hash = o.Hash || d.Hash
			eng, err := e.open(d, o)
			if err != nil || d.Wrap == nil {
				return eng, err
			}
			wrapped, err := d.Wrap(eng)
			if err != nil {
				return nil, errors.Join(err, eng.Close())
			}
			return wrapped, nil
		}
	}
	return nil, &simulator.UnknownEngineError{Name: name, Allowed: Names()}
}
