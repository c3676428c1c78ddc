package falcon

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim"
)

// Shorten searches for a short run that shows the fault of a plan that failed after it had posted the given number of work requests,
// and returns it with its error. It tries at most the given number of runs, and none once ctx has ended.
func Shorten(ctx context.Context, p Plan, posted uint64, mismatch error, runs int) (Plan, error) {
	bare := p
	bare.Context, bare.Trace, bare.Progress, bare.Coverage = ctx, "", nil, nil
	t, mismatch := cosim.Shorten(ctx, p.traffic(), posted, mismatch, runs, func(t cosim.Traffic) (uint64, error) {
		s, err := Run(bare.with(t))
		if !IsMismatch(err) {
			err = nil
		}
		return s.Posted, err
	})
	bare.Trace, bare.Context = p.Trace, p.Context
	return bare.with(t), mismatch
}

func (p Plan) traffic() cosim.Traffic {
	return cosim.Traffic{Messages: p.Operations, Seed: p.Seed, Active: p.Pairs, ErrorRate: p.ErrorRate, Latency: p.Latency, Stall: p.Stall}
}

func (p Plan) with(t cosim.Traffic) Plan {
	p.Operations, p.Seed, p.Pairs, p.ErrorRate, p.Latency, p.Stall = t.Messages, t.Seed, t.Active, t.ErrorRate, t.Latency, t.Stall
	return p
}
