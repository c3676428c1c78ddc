package rnic

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Shorten searches for a short run that shows the fault of a plan that failed after the given number of messages, and returns it with
// its error. It tries at most the given number of runs, and none once ctx has ended. A run is a plan of its own: fewer messages, other
// seeds, fewer streams, and no stalls, slow memory or errors if the fault shows without them.
func Shorten(ctx context.Context, p Plan, failed uint64, wrong error, runs int) (Plan, error) {
	s := shortening{ctx: ctx, best: p, wrong: wrong, runs: runs}
	s.best.Trace, s.best.Progress, s.best.Coverage, s.best.Observer, s.best.Script = "", nil, nil, nil, nil
	if cut := s.best; failed < cut.Messages {
		cut.Messages = max(failed, 1)
		s.try(cut)
	}
	s.search()
	s.bisect()
	s.simplify()
	s.best.Trace, s.best.Context = p.Trace, p.Context
	return s.best, s.wrong
}

// shortening is the search for a short run.
type shortening struct {
	ctx   context.Context
	best  Plan
	wrong error // of best
	runs  int   // left
}

// try runs a plan, which becomes best if it fails.
func (s *shortening) try(p Plan) bool {
	if s.runs--; s.runs < 0 || s.ctx.Err() != nil {
		return false
	}
	p.Context = s.ctx
	r, err := Run(p)
	if !IsMismatch(err) {
		return false
	}
	s.best, s.wrong = p, err
	if r.Messages < p.Messages { // the messages posted before the failure may be enough
		p.Messages = max(r.Messages, 1)
		s.try(p)
	}
	return true
}

// seedsOfLength is the number of seeds tried at each length.
const seedsOfLength = 6

// search tries short runs with several seeds, on few streams and on all, shortest first.
func (s *shortening) search() {
	from := s.best
	for n := uint64(1); n < from.Messages; n *= 4 {
		for i := range uint64(seedsOfLength) {
			p := from
			p.Messages, p.Seed, p.Active = n, from.Seed+i, [...]int{1, 2, from.Active}[i%3]
			if s.try(p) {
				return
			}
		}
	}
}

// bisect removes messages from the end of the best run.
func (s *shortening) bisect() {
	for passing := uint64(0); s.best.Messages-passing > 1; {
		p := s.best
		if p.Messages = passing + (s.best.Messages-passing)/2; !s.try(p) {
			passing = p.Messages
		}
	}
}

// simplify removes whatever the fault does not need.
func (s *shortening) simplify() {
	for _, without := range []func(*Plan){
		func(p *Plan) { p.Active = 1 },
		func(p *Plan) { p.Stall = simulator.Stall{} },
		func(p *Plan) { p.Latency = simulator.Latency{Least: 1, Most: 1} },
		func(p *Plan) { p.ErrorRate = 0 },
	} {
		p := s.best
		without(&p)
		s.try(p)
	}
}
