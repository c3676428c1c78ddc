package mutate

import (
	_ "embed"
	"encoding/json"
	"reflect"

	"github.com/rnicgen/rnicgen/gen"
)

// The clocks that the tests take without a mutant, in the configurations of Configs. They are cycle-exact: a change of the
// hardware that makes it faster or slower by a clock changes them, and has to be meant.
//
//go:embed testdata/clocks.json
var clocksText []byte

// clocksOfConfig are those of a configuration, by stage: the clock at which each step was over.
type clocksOfConfig struct {
	Config gen.Config          `json:"config"`
	Clocks map[string][]uint64 `json:"clocks"`
}

func clocksOf(c gen.Config) map[string][]uint64 {
	var all []clocksOfConfig
	if json.Unmarshal(clocksText, &all) != nil {
		return nil
	}
	for _, one := range all {
		if reflect.DeepEqual(one.Config, c) {
			return one.Clocks
		}
	}
	return nil
}
