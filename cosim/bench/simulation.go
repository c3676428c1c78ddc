package bench

import (
	"bytes"
	"math"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/system"
)

// simulations measure how fast the simulation of many nodes is, what a node takes with few and with many others, each with 64 QPs, and
// how near the model in a network is to the hardware.
func simulations() ([]Figure, error) {
	speeds, err := simulationSpeeds()
	if err != nil {
		return nil, err
	}
	sizes, err := simulationSizes()
	if err != nil {
		return nil, err
	}
	away, err := deviation("all-to-all")
	if err != nil {
		return nil, err
	}
	return append(append(speeds, sizes...),
		AtMost("simulation, all-to-all: rate, p50 and p99 of the model away from those of the hardware", "%", 100*away, 5)), nil
}

// deviation is the largest of a workload, as a fraction.
func deviation(name string) (away float64, err error) {
	text, err := system.OpenShipped(name)
	if err != nil {
		return 0, err
	}
	w, err := system.ReadWorkload(bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	list, err := rtl.Compare(name, w, rtl.SystemOf(gen.Default(), rtl.Options{}))
	for _, c := range list {
		rate, p50, p99 := c.Ratios()
		away = max(away, math.Abs(rate-1), math.Abs(p50-1), math.Abs(p99-1))
	}
	return away, err
}
