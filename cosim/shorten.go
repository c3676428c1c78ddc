package cosim

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Traffic is the part of a plan of random traffic that Shorten changes.
type Traffic struct {
	Messages  uint64 // work requests of both ends together
	Seed      uint64
	Active    int               // number of streams, or of pairs of QPs, in use; 0: all
	ErrorRate float64           // fraction of faulty messages
	Latency   simulator.Latency // of memory
	Stall     simulator.Stall
}

// Shorten searches for a short run that shows the fault of traffic that failed after the given number of messages, and returns it
// with its error. It tries at most the given number of runs, and none once ctx has ended. A run is traffic of its own: fewer
// messages, other seeds, fewer streams, and no stalls, slow memory or errors if the fault shows without them. The function run
// returns the number of messages that a run posted and its mismatch, or nil without one.
func Shorten(ctx context.Context, t Traffic, failed uint64, mismatch error, runs int, run func(Traffic) (messages uint64, mismatch error)) (Traffic, error) {
	s := shortening{ctx: ctx, run: run, best: t, mismatch: mismatch, runs: runs}
	if cut := s.best; failed < cut.Messages {
		cut.Messages = max(failed, 1)
		s.try(cut)
	}
	s.search()
	s.bisect()
	s.simplify()
	return s.best, s.mismatch
}

// shortening is the search for a short run.
type shortening struct {
	ctx      context.Context
	run      func(Traffic) (uint64, error)
	best     Traffic
	mismatch error // of best
	runs     int   // left
}

// try runs traffic, which becomes best if it fails.
func (s *shortening) try(t Traffic) bool {
	if s.runs--; s.runs < 0 || s.ctx.Err() != nil {
		return false
	}
	messages, mismatch := s.run(t)
	if mismatch == nil {
		return false
	}
	s.best, s.mismatch = t, mismatch
	if messages < t.Messages { // the messages posted before the failure may be enough
		t.Messages = max(messages, 1)
		s.try(t)
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
			t := from
			t.Messages, t.Seed, t.Active = n, from.Seed+i, [...]int{1, 2, from.Active}[i%3]
			if s.try(t) {
				return
			}
		}
	}
}

// bisect removes messages from the end of the best run.
func (s *shortening) bisect() {
	for passing := uint64(0); s.best.Messages-passing > 1; {
		t := s.best
		if t.Messages = passing + (s.best.Messages-passing)/2; !s.try(t) {
			passing = t.Messages
		}
	}
}

// simplify removes whatever the fault does not need.
func (s *shortening) simplify() {
	for _, without := range []func(*Traffic){
		func(t *Traffic) { t.Active = 1 },
		func(t *Traffic) { t.Stall = simulator.Stall{} },
		func(t *Traffic) { t.Latency = simulator.Latency{Least: 1, Most: 1} },
		func(t *Traffic) { t.ErrorRate = 0 },
	} {
		t := s.best
		without(&t)
		s.try(t)
	}
}
