package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// cosimReport is the JSON report of cosim.
type cosimReport struct {
	Engine            string  `json:"engine"`
	Config            string  `json:"config"`
	Seed              uint64  `json:"seed"`
	Seeds             uint64  `json:"seeds,omitempty"` // number of seeds run, from Seed on, if several
	Messages          uint64  `json:"messages"`
	Cycles            uint64  `json:"cycles"`
	Mismatches        int     `json:"mismatches"`
	MessagesPerSecond float64 `json:"messages_per_second"`
	Scenario          string  `json:"scenario,omitempty"` // with the mismatch

	Configurations []configurationReport `json:"configurations,omitempty"` // with --configurations
}

func (a *app) cosimCommand() *cobra.Command {
	var o traffic
	var w wholeOptions
	var directed scenarioOptions
	var stall string
	var seeds uint64
	var configurations int
	c := &cobra.Command{
		Use: "cosim", Short: "Run random traffic through the hardware and the golden model", Args: cobra.NoArgs,
		Long: `cosim exchanges random messages between an engine, shadowed by the golden model, and a peer. A run is divided into epochs: a host
at each end posts work, segments may be corrupted in flight, streams close and reopen. Every output of the engine is compared with
the model, and so are memory, registers and outstanding items at the end of each epoch.

A run is reproducible from its seed, which also determines the random initial state of registers and memories.

Unless flags select the traffic, memory or stalls, a run has three phases with the same seed: half of the messages are valid, with
fast memory; a quarter includes errors; the last quarter also has slow memory and stalls.

--configurations N draws N random configurations from --seed, each with its own traffic: errors, memory latency, stalls, kind of
peer, number of streams in use. Each is followed by the directed runs. A mismatch is printed with its configuration and the
command that reproduces it.

With profile: falcon, two ends post work to each other over a Falcon that delivers in any order that the connections allow, retries
after RNR, and returns credits late. Each end is an engine or the golden model, and each work request, receive, octet and credit is
accounted for. There are no directed runs; with --configurations, --config only names the profile.

With --unknown (icarus only), registers and memories start as x; after reset no valid, ready, beat field or other output may be x.`,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			if o.Stall, err = simulator.ParseStall(stall); err != nil {
				return fmt.Errorf("--stall: %w", err)
			}
			if seeds == 0 {
				return errors.New("--seeds is 0; allowed: at least 1")
			}
			o.Progress, o.Context = a.progress(), a.ctx
			if config.Profile == gen.ProfileFalcon {
				return a.cosimFalcon(c, config, o, w, seeds, configurations)
			}
			if c.Flags().Changed("configurations") {
				return a.cosimConfigurations(c, configurations, o, w, directed)
			}
			run := func(o traffic) (ran, error) { return a.cosimWhole(config, o, w) }
			if inPhases(c) {
				run = func(o traffic) (ran, error) { return a.cosimPhases(config, o, w) }
			}
			if !directed.only() {
				if err := a.cosimSeeds(o, seeds, run); err != nil {
					return err
				}
			}
			return a.runScenarios(config, directed, o)
		},
	}
	a.configFlag(c)
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().Uint64Var(&o.Messages, "messages", 100000, "work requests, both ends together")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the traffic, the stalls and the initial state")
	c.Flags().Uint64Var(&seeds, "seeds", 1, "run this many consecutive seeds, starting at --seed, each with --messages")
	c.Flags().IntVar(&configurations, "configurations", 0, "draw this many configurations from --seed; run each with its own traffic and the directed runs")
	c.Flags().StringVar(&stall, "stall", "none", "stall every stream: none, a fraction of the cycles such as 0.25, random:N or bursts:N for N of 256 cycles")
	c.Flags().BoolVar(&o.Unknown, "unknown", false, "start from x, which must not reach any output; icarus only")
	c.Flags().StringVar(&o.Trace, "trace", "", "write a waveform to this `file`, .fst or .vcd")
	w.flags(c)
	directed.flags(c)
	return c
}

// traffic holds the options common to all cosim runs.
type traffic struct {
	Messages, Seed uint64
	Stall          simulator.Stall
	Unknown        bool
	Trace          string
	Progress       func(messages, cycles uint64)
	Context        context.Context
}

// ran is the result of one seed. A mismatch has already been printed.
type ran struct {
	messages, cycles uint64
	elapsed          time.Duration
}

// cosimSeeds runs consecutive seeds up to the first mismatch and reports their totals.
func (a *app) cosimSeeds(o traffic, seeds uint64, run func(traffic) (ran, error)) error {
	first := o.Seed
	report := cosimReport{Engine: a.engine, Config: a.configName(), Seed: first}
	var total ran
	var err error
	for n := uint64(1); n <= seeds && err == nil; n++ {
		o.Seed = first + n - 1
		var r ran
		r, err = run(o)
		total.messages, total.cycles, total.elapsed = total.messages+r.messages, total.cycles+r.cycles, total.elapsed+r.elapsed
		if seeds > 1 {
			report.Seeds = n
		}
	}
	switch {
	case errors.Is(err, errMismatch):
		report.Mismatches = 1
	case err != nil && !a.interrupted(err):
		return err
	}
	report.Messages, report.Cycles = total.messages, total.cycles
	report.MessagesPerSecond = float64(total.messages) / max(total.elapsed.Seconds(), 1e-9)
	if a.interrupted(err) {
		a.printf("interrupted: %d messages, %d cycles, 0 mismatches so far, seed %d, engine %s\n", report.Messages, report.Cycles, o.Seed, a.engine)
		return errors.Join(a.partial(report), context.Cause(a.ctx))
	}
	if failed := a.report(report); failed != nil || err != nil {
		return errors.Join(failed, err)
	}
	which := fmt.Sprintf("seed %d", first)
	if seeds > 1 {
		which = fmt.Sprintf("%d seeds from %d on", seeds, first)
	}
	a.printf("%d messages, %d cycles, 0 mismatches, %s, engine %s, %.0f messages/s\n",
		report.Messages, report.Cycles, which, a.engine, report.MessagesPerSecond)
	return nil
}

// progress logs the progress of a run every few seconds.
func (a *app) progress() func(messages, cycles uint64) {
	last := time.Now()
	return func(messages, cycles uint64) {
		if now := time.Now(); now.Sub(last) > 3*time.Second {
			last = now
			a.log.Info("running", "messages", messages, "cycles", cycles)
		}
	}
}
