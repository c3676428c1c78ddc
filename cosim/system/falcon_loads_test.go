package system

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/system"
)

// overFalconOptions are those of the default configuration of the profile falcon; the hardware is compiled once for all tests.
var overFalconOptions = SystemOf(gen.DefaultOf(gen.ProfileFalcon), Options{Quick: true})

// The model of the profile falcon is as fast as its hardware, on every workload that it runs. The short test runs fewer transactions.
func TestFalconModelIsAsFastAsHardware(t *testing.T) {
	for _, name := range system.Shipped() {
		w := shipped(t, name)
		if w.Commits() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				if name != "get" {
					long.Test(t)
				}
				for i := range w.Flows {
					w.Flows[i].Transactions /= 10
					w.Flows[i].For /= 4
				}
			}
			list, err := Compare(name, w, overFalconOptions)
			require.NoError(t, err)
			require.NotEmpty(t, list)
			for _, c := range list {
				rate, p50, p99 := c.Ratios()
				t.Logf("%-10s %-10s n %6d  rate %8.3f %8.3f %.3f  p50 %6.0f %6.0f %.3f  p99 %6.0f %6.0f %.3f", c.Model.Flow, c.Model.Name, c.Model.Count, c.Model.PerMicrosecond,
					c.RTL.PerMicrosecond, rate, c.Model.Latency.P50, c.RTL.Latency.P50, p50, c.Model.Latency.P99, c.RTL.Latency.P99, p99)
				assert.True(t, c.Near(), "%s %s", c.Model.Flow, c.Model.Name)
			}
		})
	}
}

// The model of the profile falcon takes as long as its hardware.
func TestFalconModelTakesAsLongAsHardware(t *testing.T) {
	compareLoads(t, loads(0.03), 8, func(*system.Workload) system.Options { return overFalconOptions })
}
