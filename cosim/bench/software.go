package bench

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/verilator"
	"github.com/rnicgen/rnicgen/gen"
)

// software compares, on the Verilated default configuration, the batched engine with a handwritten C++ loop in the same library:
// processor time per cycle, each the median of several runs.
func software() ([]Figure, error) {
	d, err := rnic.Design(gen.Default())
	if err != nil {
		return nil, err
	}
	d.Memories = nil
	beats, err := rnic.Load(d, mixedSegments(20000))
	if err != nil {
		return nil, err
	}
	load := verilator.Load{Beats: beats, Cycles: 100000, Pairs: 3}
	var engines []float64
	allocs := ^uint64(0)
	for range 7 {
		speed, err := verilator.Measure(d, simulator.Options{Seed: 1, Buffer: 1 << 13}, load)
		if err != nil {
			return nil, err
		}
		engines = append(engines, speed.Ratio)
		allocs = min(allocs, speed.Allocs)
	}
	return []Figure{
		AtLeast("batched engine against a plain C++ loop", "of its speed", median(engines), 0.95),
		AtMost("Go allocations per cycle in the batched loop", "allocations", float64(allocs)/float64(load.Cycles), 0),
	}, nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
