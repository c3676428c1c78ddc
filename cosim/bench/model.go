package bench

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
)

// modelSpeed compares the golden model with the Verilated hardware, each alone on one processor, with the same work requests
// and segments: the recorded input of one end of random traffic. Each result is the median of several runs.
func modelSpeed() ([]Figure, error) {
	r, err := rnic.Record(rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "model", Messages: 40000, Seed: 1})
	if err != nil {
		return nil, err
	}
	var hardware, model []float64
	for range 5 {
		h, err := r.Device()
		if err != nil {
			return nil, err
		}
		m, err := r.Model()
		if err != nil {
			return nil, err
		}
		hardware, model = append(hardware, h.Seconds()), append(model, m.Seconds())
	}
	return []Figure{AtLeast("golden model against the RTL on Verilator, rnic: messages/s", "times", median(hardware)/median(model), 10)}, nil
}
