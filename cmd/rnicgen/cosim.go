package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// cosimReport is the JSON of cosim.
type cosimReport struct {
	Engine            string  `json:"engine"`
	Config            string  `json:"config"`
	Seed              uint64  `json:"seed"`
	Seeds             uint64  `json:"seeds,omitempty"` // that were run from this one on, when there are several
	Messages          uint64  `json:"messages"`
	Cycles            uint64  `json:"cycles"`
	Mismatches        int     `json:"mismatches"`
	MessagesPerSecond float64 `json:"messages_per_second"`
	Scenario          string  `json:"scenario,omitempty"` // that has the mismatch

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
		Long: `cosim exchanges random messages between an engine, followed by the golden model, and a peer, in epochs: a host at each end posts
work, segments may be spoiled on their way, streams end and are opened again. Every output of the engine is compared with the
model, and at the end of each epoch also memory, registers and outstanding items.

A run is reproducible from its seed, which also determines the random initial state of registers and memories.

Unless flags select the kind of traffic, memory or stalls, half of the messages are valid ones on fast memory; then some have
errors, and the last quarter also runs on slow memory and under stalls. All phases use the same seed.

With --configurations N, --seed draws N configurations from everything that is allowed, each with its own traffic: errors, slow
memory, stalls, the kind of peer, the number of streams in use. The directed runs follow. A mismatch is printed with its
configuration and the command that reproduces it.

With --unknown, on icarus, registers and memories start unknown; after reset no valid, no ready, no field of a beat and no
other output may be unknown.`,
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
	c.Flags().Uint64Var(&o.Messages, "messages", 100000, "work requests of both ends")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the traffic, of the stalls and of the state at the start")
	c.Flags().Uint64Var(&seeds, "seeds", 1, "run this many seeds, from --seed on, each with --messages")
	c.Flags().IntVar(&configurations, "configurations", 0, "draw this many configurations by --seed, and run each with its own traffic and the directed runs")
	c.Flags().StringVar(&stall, "stall", "none", "stall every stream: none, a fraction of all cycles such as 0.25, random:N or bursts:N, N of 256 cycles")
	c.Flags().BoolVar(&o.Unknown, "unknown", false, "start from unknown state, which must reach no output; engine icarus")
	c.Flags().StringVar(&o.Trace, "trace", "", "write a waveform to this `file`, .fst or .vcd")
	w.flags(c)
	directed.flags(c)
	return c
}

// traffic is what all runs of cosim have.
type traffic struct {
	Messages, Seed uint64
	Stall          simulator.Stall
	Unknown        bool
	Trace          string
	Progress       func(messages, cycles uint64)
	Context        context.Context
}

// ran is what came of one seed. What a mismatch was is printed already.
type ran struct {
	messages, cycles uint64
	elapsed          time.Duration
}

// cosimSeeds runs seeds one after the other, up to the first with a mismatch, and reports all of them.
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
		a.printf("interrupted: %d messages, %d cycles, 0 mismatches so far, in seed %d, engine %s\n", report.Messages, report.Cycles, o.Seed, a.engine)
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

// progress logs how far a run has come, every few seconds.
func (a *app) progress() func(messages, cycles uint64) {
	last := time.Now()
	return func(messages, cycles uint64) {
		if now := time.Now(); now.Sub(last) > 3*time.Second {
			last = now
			a.log.Info("running", "messages", messages, "cycles", cycles)
		}
	}
}
