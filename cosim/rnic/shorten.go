package rnic

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim"
)

// Shorten searches for a short run that shows the fault of a plan that failed after the given number of messages, and returns it with
// its error. It tries at most the given number of runs, and none once ctx has ended.
func Shorten(ctx context.Context, p Plan, failed uint64, mismatch error, runs int) (Plan, error) {
	bare := p
	bare.Context, bare.Trace, bare.Progress, bare.Coverage, bare.Observer, bare.Script = ctx, "", nil, nil, nil, nil
	t, mismatch := cosim.Shorten(ctx, p.traffic(), failed, mismatch, runs, func(t cosim.Traffic) (uint64, error) {
		r, err := Run(bare.with(t))
		if !IsMismatch(err) {
			err = nil
		}
		return r.Messages, err
	})
	bare.Trace, bare.Context = p.Trace, p.Context
	return bare.with(t), mismatch
}

func (p Plan) traffic() cosim.Traffic {
	return cosim.Traffic{Messages: p.Messages, Seed: p.Seed, Active: p.Active, ErrorRate: p.ErrorRate, Latency: p.Latency, Stall: p.Stall}
}

func (p Plan) with(t cosim.Traffic) Plan {
	p.Messages, p.Seed, p.Active, p.ErrorRate, p.Latency, p.Stall = t.Messages, t.Seed, t.Active, t.ErrorRate, t.Latency, t.Stall
	return p
}
