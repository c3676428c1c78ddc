package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// falconPhases are those of a run for which no flag selects the kind of traffic: out of four quarters of the messages.
var falconPhases = []struct {
	part      uint64
	peer      string
	errorRate float64
	latency   simulator.Latency
	stall     simulator.Stall
}{
	{2, "rtl", 0, simulator.Latency{Least: 1, Most: 1}, simulator.Stall{}},
	{1, "model", 0.03, simulator.Latency{Least: 1, Most: 1}, simulator.Stall{}},
	{1, "rtl", 0.01, simulator.Latency{Least: 1, Most: 100}, simulator.Stall{Mode: simulator.StallRandom, Chance: 64}},
}

// cosimFalcon runs random traffic of the profile.
func (a *app) cosimFalcon(c *cobra.Command, config gen.Config, o traffic, w wholeOptions, seeds uint64, configurations int) error {
	if f := c.Flags().Lookup("scenario"); f.Changed && f.Value.String() != "none" {
		return fmt.Errorf("--scenario is %s; allowed with profile %s: none", f.Value, gen.ProfileFalcon)
	}
	if c.Flags().Changed("configurations") {
		return a.falconConfigurations(c, configurations, o, w)
	}
	whole, err := a.falconPlan(config, o, w)
	if err != nil {
		return err
	}
	phased := inPhases(c)
	return a.cosimSeeds(o, seeds, func(o traffic) (ran, error) {
		p := whole
		p.Seed = o.Seed
		if !phased {
			return a.falconTraffic(p)
		}
		var total ran
		for n, phase := range falconPhases {
			p.Peer, p.ErrorRate, p.Latency, p.Stall = phase.peer, phase.errorRate, phase.latency, phase.stall
			p.Operations = o.Messages * phase.part / 4
			if n == 0 {
				p.Operations += o.Messages - o.Messages/4*4
			}
			if p.Operations == 0 {
				continue
			}
			r, err := a.falconTraffic(p)
			total.messages, total.cycles, total.elapsed = total.messages+r.messages, total.cycles+r.cycles, total.elapsed+r.elapsed
			if err != nil {
				return total, err
			}
		}
		return total, nil
	})
}

// falconPlan checks the flags and returns the plan that they describe.
func (a *app) falconPlan(config gen.Config, o traffic, w wholeOptions) (falcon.Plan, error) {
	if w.streams != 0 {
		config.Streams, w.streams = w.streams, 0 // the plan of the other profile would make room for more regions
	}
	config.STags = max(config.STags, falcon.STags(config.Streams))
	plan, err := w.plan(config, a.engine, o)
	return falcon.Plan{Config: plan.Config, Engine: a.engine, Peer: plan.Peer, Seed: o.Seed, Operations: o.Messages, Pairs: w.active, ErrorRate: plan.ErrorRate, Stall: o.Stall, Latency: plan.Latency,
		Unknown: o.Unknown, Trace: o.Trace, Progress: o.Progress, Context: a.ctx, Design: a.design}, err
}

// falconTraffic carries out a plan.
func (a *app) falconTraffic(p falcon.Plan) (ran, error) {
	began := time.Now()
	s, err := falcon.Run(p)
	r := ran{s.Operations, s.Cycles, time.Since(began)}
	if !falcon.IsMismatch(err) {
		return r, err
	}
	return r, a.mismatchFalcon(p, s.Posted, err)
}

// mismatchFalcon prints a mismatch found after the given number of messages was posted, and the shortest failing run found.
func (a *app) mismatchFalcon(p falcon.Plan, posted uint64, mismatchErr error) error {
	fmt.Fprintf(a.errs, "mismatch after %d messages: %v\nseed %d; searching for a shorter run\n", posted, mismatchErr, p.Seed)
	short, mismatchErr := shorten(a, falcon.Shorten, p, posted, mismatchErr)
	fmt.Fprintf(a.errs, "mismatch after %d messages: %v\nreproduce it with:\n  %s\n", short.Operations, mismatchErr, a.againFalcon(short, a.configArgument()))
	return errMismatch
}

// againFalcon returns the command that reproduces a mismatch with a waveform.
func (a *app) againFalcon(p falcon.Plan, config string) string {
	command := fmt.Sprintf("rnicgen cosim --engine %s%s --messages %d --seed %d --peer %s --streams %d --error-rate %g", a.engine, config, p.Operations, p.Seed, p.Peer, p.Config.Streams, p.ErrorRate)
	if p.Pairs != 0 {
		command += fmt.Sprintf(" --active-streams %d", p.Pairs)
	}
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

// falconConfigurations runs drawn configurations, one per processor in parallel.
func (a *app) falconConfigurations(c *cobra.Command, n int, o traffic, w wholeOptions) error {
	for _, name := range drawnFlags {
		if name != "config" && c.Flags().Changed(name) {
			return fmt.Errorf("--%s is %s; allowed: only without --configurations, which draws it", name, c.Flags().Lookup(name).Value)
		}
	}
	if n < 1 || n > 1e6 {
		return fmt.Errorf("--configurations is %d; allowed: 1 to 1000000", n)
	}
	if _, err := w.plan(gen.Default(), a.engine, o); err != nil {
		return err
	}
	plans := falcon.Configurations(n, o.Seed)
	list, failures := make([]configurationReport, n), make([]error, n)
	places, started := make(chan struct{}, runtime.NumCPU()), n
	var running sync.WaitGroup
	began := time.Now()
	for i, p := range plans {
		if places <- struct{}{}; a.ctx.Err() != nil {
			started = i
			break
		}
		p.Engine, p.Context, p.Quick = a.engine, a.ctx, true
		if c.Flags().Changed("messages") {
			p.Operations = o.Messages
		}
		running.Go(func() {
			list[i], failures[i] = a.falconConfiguration(p)
			a.log.Info("ran", "configuration", i+1, "messages", list[i].Messages, "cycles", list[i].Cycles, "is", inOneLine(list[i]))
			<-places
		})
	}
	running.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	report := cosimReport{Engine: a.engine, Config: "drawn", Seed: o.Seed, Configurations: list[:started]}
	for i, r := range report.Configurations {
		report.Messages, report.Cycles = report.Messages+r.Messages, report.Cycles+r.Cycles
		if r.Mismatch == "" {
			continue
		}
		report.Mismatches++
		fmt.Fprintf(a.errs, "mismatch in configuration %d of %d: %s\nreproduce it with this mismatch.yaml:\n\n%s\nand this command:\n  %s\n", i+1, n, r.Mismatch, yamlOf(r.Config), r.Command)
	}
	report.MessagesPerSecond = float64(report.Messages) / max(time.Since(began).Seconds(), 1e-9)
	early := a.ctx.Err() != nil
	if err := a.reportRun(report, early); err != nil {
		return err
	}
	switch {
	case report.Mismatches > 0:
		return errMismatch
	case early:
		a.printf("interrupted: %d of %d configurations started, %d messages, %d cycles, 0 mismatches so far, engine %s\n", started, n, report.Messages, report.Cycles, a.engine)
		return context.Cause(a.ctx)
	}
	a.printf("%d configurations, %d messages, %d cycles, 0 mismatches, seed %d, engine %s\n", n, report.Messages, report.Cycles, o.Seed, a.engine)
	return nil
}

func (a *app) falconConfiguration(p falcon.Plan) (configurationReport, error) {
	s, err := falcon.Run(p)
	r := configurationReport{Config: p.Config, Seed: p.Seed, Peer: p.Peer, ActiveStreams: p.Pairs, ErrorRate: p.ErrorRate, MemoryLatency: fmt.Sprintf("%d..%d", p.Latency.Least, p.Latency.Most),
		Stall: stallText(p.Stall), Messages: s.Operations, Cycles: s.Cycles}
	if err == nil || a.ctx.Err() != nil {
		return r, nil
	}
	if !falcon.IsMismatch(err) {
		return r, err
	}
	short, err := shorten(a, falcon.Shorten, p, s.Posted, err)
	r.Mismatch, r.Command = err.Error(), a.againFalcon(short, " --config mismatch.yaml")
	return r, nil
}
