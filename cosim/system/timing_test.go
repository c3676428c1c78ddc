package system

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/model/system"
)

var update = flag.Bool("update", false, "write model/system/timing.json")

// timings compares measured timings with those of the model, or writes them. A short test measures the default bus only.
func timings(t *testing.T, measured map[string]system.Timing) {
	const path = "../../model/system/timing.json"
	if !*update {
		for name, m := range measured {
			assert.Equal(t, m, system.TimingNamed(name), "%s: go test ./cosim/system -run TimingIsMeasured -update", name)
		}
		return
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	all := map[string]system.Timing{}
	require.NoError(t, json.Unmarshal(text, &all))
	maps.Copy(all, measured)
	text, err = json.MarshalIndent(all, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
}

func skipsBus(bus int) bool { return testing.Short() && !*update && bus != gen.Default().BusBytes }

// The timing of the model is that of the hardware of the default configuration with each bus.
func TestTimingIsMeasured(t *testing.T) {
	all := map[string]system.Timing{}
	for _, bus := range block.BusWidths {
		for _, x := range [][]string{nil, {"commit"}} {
			if skipsBus(bus) || testing.Short() && !*update && x != nil {
				continue
			}
			c := gen.Default()
			c.BusBytes, c.Extensions = bus, x
			d, err := Measure(c, Options{Engine: "go", Latency: 20})
			require.NoError(t, err)
			all[system.TimingName(bus, c.Protocol())] = d.Timing()
		}
	}
	timings(t, all)
}

// The same of the profile falcon.
func TestFalconTimingIsMeasured(t *testing.T) {
	all := map[string]system.Timing{}
	for _, bus := range block.BusWidths {
		if skipsBus(bus) {
			continue
		}
		c := gen.DefaultOf(gen.ProfileFalcon)
		c.BusBytes = bus
		d, err := MeasureFalcon(c, Options{Engine: "go", Latency: 20})
		require.NoError(t, err)
		all[system.FalconTimingName(bus)] = d.Timing()
	}
	timings(t, all)
}
