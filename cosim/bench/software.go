package bench

import (
	"errors"
	"slices"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/verilator"
	"github.com/rnicgen/rnicgen/gen"
)

// software compares, on the Verilated default configuration, the batched engine and the whole cosimulation (stimulus,
// model, comparison) with a loop as one would write it by hand in C++, in the same library: clocks a second, of each side
// the median of several turns. Engine and loop are compared by their processor time; cosimulation, which uses both
// processors, and loop by the clock.
func software() ([]Figure, error) {
	c := gen.DefaultAtomics()
	d, err := cosim.RNICAtomics(c)
	if err != nil {
		return nil, err
	}
	beats, err := cosim.Load(c, d, 1, 20000)
	if err != nil {
		return nil, err
	}
	load := verilator.Load{Beats: beats, Cycles: 400000, Pairs: 3}
	var engines, whole []float64
	allocs := ^uint64(0)
	for range 7 {
		speed, err := verilator.Measure(d, engine.Options{Seed: 1, Buffer: 1 << 13}, load)
		if err != nil {
			return nil, err
		}
		r, err := cosim.RunDesign(c, d, "verilator", cosim.Options{Messages: 1000000, Seed: 1})
		if err != nil {
			return nil, err
		}
		if r.Mismatch != nil {
			return nil, errors.Join(errors.New("hardware and model differ"), r.Mismatch)
		}
		nsACycle := float64(r.Elapsed.Nanoseconds()) / float64(r.Cycles)
		engines, whole = append(engines, speed.Ratio), append(whole, speed.PlainWallNs/nsACycle)
		allocs = min(allocs, speed.Allocs)
	}
	return []Figure{
		AtLeast("batched engine against a plain C++ loop", "of its speed", median(engines), 0.95),
		AtLeast("whole cosimulation against the same loop", "of its speed", median(whole), 0.85),
		AtMost("Go allocations a cycle in the batched loop", "allocations", float64(allocs)/float64(load.Cycles), 0),
	}, nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
