package system

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/system"
)

// overFalconOptions are those of the default configuration of the profile falcon; the hardware is compiled once for all tests.
var overFalconOptions = SystemOf(gen.DefaultOf(gen.ProfileFalcon), Options{Quick: true})

// The model of the profile falcon is as fast as its hardware, on every workload that it runs.
func TestFalconModelIsAsFastAsHardware(t *testing.T) {
	for _, name := range system.Shipped() {
		w := shipped(t, name)
		if w.Commits() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if name != "get" {
				long.Test(t)
			}
			near(t, name, w, overFalconOptions)
		})
	}
}

// The model of the profile falcon takes as long as its hardware.
func TestFalconModelTakesAsLongAsHardware(t *testing.T) {
	compareLoads(t, loads(0.03), 8, func(*system.Workload) system.Options { return overFalconOptions })
}
