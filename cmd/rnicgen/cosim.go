package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

// cosimReport is the JSON of cosim.
type cosimReport struct {
	Engine            string  `json:"engine"`
	Config            string  `json:"config"`
	Seed              uint64  `json:"seed"`
	Messages          uint64  `json:"messages"`
	Cycles            uint64  `json:"cycles"`
	Mismatches        int     `json:"mismatches"`
	MessagesPerSecond float64 `json:"messages_per_second"`
}

func (a *app) cosimCommand() *cobra.Command {
	var o cosim.Options
	var w wholeOptions
	var stall string
	c := &cobra.Command{
		Use: "cosim", Short: "Run random traffic through the hardware and the golden model", Args: cobra.NoArgs,
		Long: `cosim sends random segments, right and wrong ones, and accesses of the host through the generated hardware and through
the golden model and compares every beat that comes out, every executed access, and at the end every word of memory.
A run is reproducible from its seed.

Of a configuration with top rnic, an engine with the golden model beside it and a peer exchange random messages, in epochs: a
host at each end posts work, segments may be spoiled on their way, streams end and are opened again. Everything that leaves the
engine is compared with what the model says, and at the end of each epoch memory, registers and what has not left.`,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			if o.Stall, err = engine.ParseStall(stall); err != nil {
				return fmt.Errorf("--stall: %w", err)
			}
			o.Progress = a.progress()
			if config.Top == gen.TopRNIC {
				return a.cosimWhole(config, o, w, stall)
			}
			if err := w.refuse(c); err != nil {
				return err
			}
			r, err := cosim.Run(config, a.engine, o)
			if err != nil {
				return err
			}
			return a.cosimResult(config, o, stall, r)
		},
	}
	a.configFlag(c)
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().Uint64Var(&o.Messages, "messages", 100000, "segments to send; of rnic, work requests of both ends")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the traffic and of the stalls")
	c.Flags().StringVar(&stall, "stall", "none", "hold every stream back: none, a part of all cycles such as 0.25, random:N or bursts:N, N of 256 cycles")
	c.Flags().StringVar(&o.Trace, "trace", "", "write a waveform to this `file`, .fst or .vcd")
	w.flags(c)
	return c
}

// cosimResult reports a run that took place.
func (a *app) cosimResult(config gen.Config, o cosim.Options, stall string, r cosim.Report) error {
	report := cosimReport{Engine: a.engine, Config: a.configName(), Seed: o.Seed, Messages: r.Messages, Cycles: r.Cycles,
		MessagesPerSecond: float64(r.Messages) / r.Elapsed.Seconds()}
	if r.Mismatch != nil {
		report.Mismatches = 1
	}
	if err := a.report(report); err != nil {
		return err
	}
	if r.Mismatch != nil {
		o.Messages = cosim.Minimise(config, a.engine, o, min(o.Messages, r.Mismatch.Messages+1))
		fmt.Fprintf(a.errs, "mismatch: %v\nseed %d; the least run that shows it:\n  %s\n", r.Mismatch, o.Seed, a.again(o, stall))
		return errMismatch
	}
	a.printf("%d messages, %d cycles, 0 mismatches, seed %d, engine %s, %.0f messages/s\n",
		r.Messages, r.Cycles, o.Seed, a.engine, report.MessagesPerSecond)
	return nil
}

// again is the one command that shows a mismatch again, with a waveform.
func (a *app) again(o cosim.Options, stall string) string {
	command := fmt.Sprintf("rnicgen cosim --engine %s%s --messages %d --seed %d", a.engine, a.configArgument(), o.Messages, o.Seed)
	if stall != "none" {
		command += " --stall " + stall
	}
	return command + a.traceArgument()
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
