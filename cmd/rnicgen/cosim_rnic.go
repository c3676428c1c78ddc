package main

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
)

// wholeOptions are the flags of cosim that only rnic has.
type wholeOptions struct {
	peer      string
	streams   int
	active    int
	errorRate float64
	latency   string
}

var wholeFlags = []string{"peer", "streams", "active-streams", "error-rate", "memory-latency"}

func (w *wholeOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&w.peer, "peer", "model", "of rnic: the other end, model or rtl")
	c.Flags().IntVar(&w.streams, "streams", 0, "of rnic: RDMAP Streams, in place of those of the configuration")
	c.Flags().IntVar(&w.active, "active-streams", 0, "of rnic: use so many of the streams, the last one among them; 0: all")
	c.Flags().Float64Var(&w.errorRate, "error-rate", 0, "of rnic: part of the messages that something is wrong with, 0 to 1")
	c.Flags().StringVar(&w.latency, "memory-latency", "1..1", "of rnic: clocks that memory takes, drawn for each burst from `A..B`")
}

// refuse tells which flag belongs to rnic alone.
func (w *wholeOptions) refuse(c *cobra.Command) error {
	for _, name := range wholeFlags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is %s; allowed: with a configuration whose top is %s", name, c.Flags().Lookup(name).Value, gen.TopRNIC)
		}
	}
	return nil
}

// plan checks the flags and makes a plan of them.
func (w *wholeOptions) plan(config gen.Config, name string, o cosim.Options) (p rnic.Plan, err error) {
	if w.streams != 0 {
		config.Streams = w.streams
		if need := rnic.STags(config.Streams); config.STags < need && need <= 1<<16 {
			config.STags = 1 << bits.Len(uint(need-1))
		}
	}
	p = rnic.Plan{Config: config, Engine: name, Peer: w.peer, Messages: o.Messages, Seed: o.Seed, ErrorRate: w.errorRate, Stall: o.Stall,
		Active: w.active, Unknown: o.Unknown, Trace: o.Trace, Progress: o.Progress}
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
		errs = append(errs, errors.New("messages is 0; allowed: at least 1"))
	}
	least, most, given := strings.Cut(w.latency, "..")
	from, err1 := strconv.ParseUint(least, 10, 32)
	to, err2 := strconv.ParseUint(most, 10, 32)
	if p.Latency = (engine.Latency{Least: from, Most: to}); !given || err1 != nil || err2 != nil || from < 1 || from > to || to > maxLatency {
		refuse("memory-latency", fmt.Sprintf("%q", w.latency), fmt.Sprintf("A..B with 1 <= A <= B <= %d", maxLatency))
	}
	return p, errors.Join(errs...)
}

// maxLatency keeps a run from taking for ever.
const maxLatency = 100000

// cosimWhole runs random traffic through rnic.
func (a *app) cosimWhole(config gen.Config, o cosim.Options, w wholeOptions, stall string) (ran, error) {
	plan, err := w.plan(config, a.engine, o)
	if err != nil {
		return ran{}, err
	}
	r, err := rnic.Run(plan)
	if rnic.IsMismatch(err) {
		fmt.Fprintf(a.errs, "mismatch after %d messages: %v\nseed %d; the run that shows it:\n  %s\n", r.Messages, err, o.Seed, a.againWhole(plan, w, stall))
		err = errMismatch
	}
	return ran{r.Messages, r.Cycles, r.Elapsed}, err
}

// againWhole is the command that shows a mismatch again, with a waveform.
func (a *app) againWhole(p rnic.Plan, w wholeOptions, stall string) string {
	command := fmt.Sprintf("rnicgen cosim --engine %s%s --messages %d --seed %d --peer %s", a.engine, a.configArgument(), p.Messages, p.Seed, w.peer)
	if w.streams != 0 {
		command += fmt.Sprintf(" --streams %d", w.streams)
	}
	if w.active != 0 {
		command += fmt.Sprintf(" --active-streams %d", w.active)
	}
	if w.errorRate != 0 {
		command += fmt.Sprintf(" --error-rate %g", w.errorRate)
	}
	if w.latency != "1..1" {
		command += " --memory-latency " + w.latency
	}
	if stall != "none" {
		command += " --stall " + stall
	}
	if p.Unknown {
		command += " --unknown"
	}
	return command + a.traceArgument()
}
