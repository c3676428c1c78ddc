package mutate

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// trace is what a stage sees of hardware at its ports, to the clock.
type trace struct {
	Clocks []uint64 `json:"clocks"` // at which each step was over
	Ports  uint64   `json:"ports"`  // the hash of everything that was visible at the ports in every clock
}

func (t trace) equal(o trace) bool { return t.Ports == o.Ports && slices.Equal(t.Clocks, o.Clocks) }

// The traces of the tests without a mutant, in the configurations of Configs. They are cycle-exact: a change of the hardware
// that makes anything come a clock earlier or later, or in another order, changes them, and has to be meant.
//
//go:embed testdata/traces.json
var tracesText []byte

// tracesOfConfig are those of a configuration, by stage.
type tracesOfConfig struct {
	Config gen.Config       `json:"config"`
	Traces map[string]trace `json:"traces"`
}

func tracesOf(c gen.Config) map[string]trace {
	var all []tracesOfConfig
	if json.Unmarshal(tracesText, &all) != nil {
		return nil
	}
	for _, one := range all {
		if reflect.DeepEqual(one.Config, c) {
			return one.Traces
		}
	}
	return nil
}
