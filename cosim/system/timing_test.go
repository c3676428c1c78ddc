package system

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/model/system"
)

var update = flag.Bool("update", false, "write model/system/timing.json")

// The timing of the model is that of the hardware of the default configuration with each bus.
func TestTimingIsMeasured(t *testing.T) {
	all := map[string]system.Timing{}
	for _, bus := range block.BusWidths {
		if testing.Short() && !*update && bus != gen.Default().BusBytes {
			continue
		}
		for _, x := range [][]string{nil, {"commit"}} {
			if testing.Short() && !*update && x != nil {
				continue
			}
			c := gen.Default()
			c.BusBytes, c.Extensions = bus, x
			d, err := Measure(c, Options{Engine: "go", Latency: 20})
			require.NoError(t, err)
			all[system.TimingName(bus, c.Protocol())] = d.Timing()
			if !*update {
				assert.Equal(t, d.Timing(), system.TimingOf(bus, c.Protocol()), "bus of %d octets, %v: go test ./cosim/system -run TimingIsMeasured -update", bus, x)
			}
		}
	}
	if *update {
		text, err := json.MarshalIndent(all, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("../../model/system/timing.json", append(text, '\n'), 0o644))
	}
}
