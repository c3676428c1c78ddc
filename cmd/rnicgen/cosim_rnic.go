package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// wholeOptions holds the flags for random traffic.
type wholeOptions struct {
	peer      string
	streams   int
	active    int
	errorRate float64
	latency   string
}

func (w *wholeOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&w.peer, "peer", "model", "the peer: model or rtl")
	c.Flags().IntVar(&w.streams, "streams", 0, "number of streams, overriding the configuration")
	c.Flags().IntVar(&w.active, "active-streams", 0, "use only this many streams, including the last; 0: all")
	c.Flags().Float64Var(&w.errorRate, "error-rate", 0, "fraction of messages with an error, 0 to 1")
	c.Flags().StringVar(&w.latency, "memory-latency", "1..1", "memory latency in cycles, drawn per burst from `A..B`")
}

// plan checks the flags and returns the plan that they describe.
func (w *wholeOptions) plan(config gen.Config, name string, o traffic) (p rnic.Plan, err error) {
	if w.streams != 0 {
		config.Streams = w.streams
		if need := rnic.STags(config.Streams); config.STags < need && need <= 1<<16 {
			config.STags = 1 << bits.Len(uint(need-1))
		}
	}
	p = rnic.Plan{Config: config, Engine: name, Peer: w.peer, Messages: o.Messages, Seed: o.Seed, ErrorRate: w.errorRate, Stall: o.Stall,
		Active: w.active, Unknown: o.Unknown, Trace: o.Trace, Progress: o.Progress, Context: o.Context}
	var errs []error
	refuse := func(flag string, value any, allowed string) {
		errs = append(errs, fmt.Errorf("--%s is %v; allowed: %s", flag, value, allowed))
	}
	if err := config.Check(); err != nil {
		errs = append(errs, err)
	}
	if w.peer != "model" && w.peer != "rtl" {
		refuse("peer", fmt.Sprintf("%q", w.peer), "model or rtl")
	}
	if !(w.errorRate >= 0 && w.errorRate <= 1) || math.IsNaN(w.errorRate) {
		refuse("error-rate", w.errorRate, "0 to 1")
	}
	if w.active < 0 || w.active > config.Streams {
		refuse("active-streams", w.active, fmt.Sprintf("1 to %d, or 0 for all", config.Streams))
	}
	if o.Messages == 0 {
		errs = append(errs, errors.New("--messages is 0; allowed: at least 1"))
	}
	least, most, given := strings.Cut(w.latency, "..")
	from, err1 := strconv.ParseUint(least, 10, 32)
	to, err2 := strconv.ParseUint(most, 10, 32)
	if p.Latency = (simulator.Latency{Least: from, Most: to}); !given || err1 != nil || err2 != nil || from < 1 || from > to || to > maxLatency {
		refuse("memory-latency", fmt.Sprintf("%q", w.latency), fmt.Sprintf("A..B with 1 <= A <= B <= %d", maxLatency))
	}
	return p, errors.Join(errs...)
}

// maxLatency, in cycles, bounds the duration of a run.
const maxLatency = 100000

// phase is one part of a default run, for which no flag selects the kind of traffic.
type phase struct {
	part      uint64 // quarters of the messages
	errorRate float64
	latency   string
	stall     string
}

// phases start with valid messages on fast memory.
var phases = []phase{{2, 0, "1..1", "none"}, {1, 0.05, "1..1", "none"}, {1, 0.02, "1..100", "random:64"}}

// phaseFlags are the flags that select one kind of run.
var phaseFlags = []string{"error-rate", "memory-latency", "stall", "trace"}

// inPhases reports whether a run goes through all phases.
func inPhases(c *cobra.Command) bool {
	return !slices.ContainsFunc(phaseFlags, func(name string) bool { return c.Flags().Changed(name) })
}

// cosimPhases runs a seed in phases.
func (a *app) cosimPhases(config gen.Config, o traffic, w wholeOptions) (total ran, err error) {
	left, all := o.Messages, o.Messages
	for i, p := range phases {
		if o.Messages = (all*p.part + 3) / 4; i == len(phases)-1 || o.Messages > left {
			o.Messages = left
		}
		if left -= o.Messages; o.Messages == 0 && i > 0 {
			continue
		}
		if o.Stall, err = simulator.ParseStall(p.stall); err != nil {
			return total, err
		}
		w.errorRate, w.latency = p.errorRate, p.latency
		r, err := a.cosimWhole(config, o, w)
		total.messages, total.cycles, total.elapsed = total.messages+r.messages, total.cycles+r.cycles, total.elapsed+r.elapsed
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// cosimWhole runs random traffic through rnic.
func (a *app) cosimWhole(config gen.Config, o traffic, w wholeOptions) (ran, error) {
	plan, err := w.plan(config, a.engine, o)
	if err != nil {
		return ran{}, err
	}
	plan.Design = a.design
	r, err := rnic.Run(plan)
	if rnic.IsMismatch(err) {
		err = a.mismatch(plan, w.streams, r.Messages, err)
	}
	return ran{r.Messages, r.Cycles, r.Elapsed}, err
}

// mismatch prints a mismatch found after the given number of messages, and the shortest failing run found.
func (a *app) mismatch(p rnic.Plan, streams int, messages uint64, mismatchErr error) error {
	fmt.Fprintf(a.errs, "mismatch after %d messages: %v\nseed %d; searching for a shorter run\n", messages, mismatchErr, p.Seed)
	short, mismatchErr := shorten(a, rnic.Shorten, p, messages, mismatchErr)
	fmt.Fprintf(a.errs, "mismatch after %d messages: %v\nreproduce it with:\n  %s\n", short.Messages, mismatchErr, a.againWhole(short, streams, a.configArgument()))
	return errMismatch
}

// shortenRuns and shortenTime limit the search for a shorter run.
const (
	shortenRuns = 400
	shortenTime = 30 * time.Second
)

// shorten searches for a shorter run with a mismatch, with the search of a profile.
func shorten[P any](a *app, search func(context.Context, P, uint64, error, int) (P, error), p P, failed uint64, mismatchErr error) (P, error) {
	ctx, stop := context.WithTimeout(a.ctx, shortenTime)
	defer stop()
	return search(ctx, p, failed, mismatchErr, shortenRuns)
}

// stallText formats a stall for --stall.
func stallText(s simulator.Stall) string {
	if s.Mode == simulator.StallNone {
		return "none"
	}
	return fmt.Sprintf("%s:%d", s.Mode, s.Chance)
}

// againWhole returns the command that reproduces a mismatch with a waveform. streams overrides the configuration's
// unless it is 0.
func (a *app) againWhole(p rnic.Plan, streams int, config string) string {
	command := fmt.Sprintf("rnicgen cosim --engine %s%s --messages %d --seed %d --peer %s", a.engine, config, p.Messages, p.Seed, p.Peer)
	if streams != 0 {
		command += fmt.Sprintf(" --streams %d", streams)
	}
	if p.Active != 0 {
		command += fmt.Sprintf(" --active-streams %d", p.Active)
	}
	command += fmt.Sprintf(" --error-rate %g", p.ErrorRate) // one phase only
	if p.Latency.Most > 1 {
		command += fmt.Sprintf(" --memory-latency %d..%d", p.Latency.Least, p.Latency.Most)
	}
	if text := stallText(p.Stall); text != "none" {
		command += " --stall " + text
	}
	if p.Unknown {
		command += " --unknown"
	}
	return command + a.traceArgument()
}
