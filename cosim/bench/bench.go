// Package bench measures the figures that the project promises. Hardware figures are in cycles and beats, exact on every
// machine; software figures are ratios of two measurements made alternately in one run.
package bench

import (
	"context"
	"fmt"
	"math"
)

// Figure is one measured figure and the limit that it must meet.
type Figure struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Bar   float64 `json:"bar"`
	Met   bool    `json:"met"`
}

// AtLeast is a figure that is better when it is larger.
func AtLeast(name, unit string, value, bar float64) Figure {
	return Figure{name, unit, round(value), bar, value >= bar}
}

// AtMost is a figure that is better when it is smaller.
func AtMost(name, unit string, value, bar float64) Figure {
	return Figure{name, unit, round(value), bar, value <= bar}
}

func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// Run measures everything; say is called with what is measured next. If the context ends, the figures measured so far are returned.
func Run(ctx context.Context, say func(what string)) ([]Figure, error) {
	var out []Figure
	for _, part := range []struct {
		what    string
		measure func() ([]Figure, error)
	}{
		{"parser throughput", parserThroughput},
		{"writes", writes},
		{"receives", receives},
		{"read responses", readResponses},
		{"fetch adds", fetchAdds},
		{"streams that share the responder", sharing},
		{"atomics on one word, slow writes", combine},
		{"requests", requestsOut},
		{"atomic latency", atomicLatency},
		{"Flush, Verify, Atomic Write", commits},
		{"RDMA over Falcon, target", falconTargets},
		{"RDMA over Falcon, initiator", falconInitiators},
		{"LUTs of 16 and 16,384 streams: some minutes", func() ([]Figure, error) { return growth(ctx) }},
		{"engine against a plain C++ loop", software},
		{"allocations of the decoder", decoder},
		{"golden model against the RTL", modelSpeed},
		{"simulation of many nodes", simulations},
		{"generate", generate},
	} {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		say(part.what)
		figures, err := part.measure()
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("bench, %s: %w", part.what, err)
		}
		out = append(out, figures...)
	}
	return out, nil
}
