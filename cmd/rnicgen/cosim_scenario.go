package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/gen"
)

// scenarioOptions selects the directed runs after random traffic.
type scenarioOptions struct {
	list string
}

func (o *scenarioOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.list, "scenario", "", "comma-separated `names` of directed runs, in place of random traffic; all, none, or list; default: all, after random traffic, on verilator; none on other engines")
}

// only reports whether scenarios were named, which replaces random traffic.
func (o *scenarioOptions) only() bool { return o.list != "" && o.list != "all" && o.list != "none" }

// choose returns the selected scenarios; the default is all on verilator and none on other engines.
func (o *scenarioOptions) choose(engine string) ([]scenario.Scenario, error) {
	list := o.list
	if list == "" {
		if list = "none"; engine == "verilator" {
			list = "all"
		}
	}
	chosen, err := scenario.Select(list)
	if err != nil {
		return nil, fmt.Errorf("--scenario: %w", err)
	}
	return chosen, nil
}

// againDirected returns the command that reproduces the mismatch of a scenario.
func (a *app) againDirected(failed *scenario.Error, config string) string {
	return fmt.Sprintf("rnicgen cosim --engine %s%s --scenario %s --seed %d%s", a.engine, config, failed.Scenario, failed.Seed, a.traceArgument())
}

// runScenarios runs the directed runs of a configuration. It prints any mismatch.
func (a *app) runScenarios(config gen.Config, so scenarioOptions, o traffic) error {
	if so.list == "list" {
		for _, s := range scenario.All() {
			long := ""
			if s.Long {
				long = " (long: runs only when named)"
			}
			a.printf("%-20s %s%s\n", s.Name, s.Doc, long)
		}
		return nil
	}
	chosen, err := so.choose(a.engine)
	if err != nil || len(chosen) == 0 {
		return err
	}
	p := scenario.Plan{Config: config, Engine: a.engine, Seed: o.Seed, Scenarios: chosen, Unknown: o.Unknown, Context: o.Context}
	if len(chosen) == 1 {
		p.Trace = o.Trace
	}
	start := time.Now()
	results, err := scenario.Run(p)
	var failed *scenario.Error
	if errors.As(err, &failed) && scenario.IsMismatch(err) {
		fmt.Fprintf(a.errs, "mismatch: %v\nreproduce it with:\n  %s\n", err, a.againDirected(failed, a.configArgument()))
		report := cosimReport{Engine: a.engine, Config: a.configName(), Seed: o.Seed, Mismatches: 1, Scenario: failed.Scenario}
		return errors.Join(a.report(report), errMismatch)
	}
	if err != nil && !a.interrupted(err) {
		return err
	}
	var cycles uint64
	ran, skipped := 0, []string(nil)
	for _, r := range results {
		cycles += r.Cycles
		if r.Skipped != "" {
			skipped = append(skipped, fmt.Sprintf("scenario %s skipped: %s", r.Name, r.Skipped))
			continue
		}
		ran++
		a.log.Info("scenario", "name", r.Name, "cycles", r.Cycles, "elapsed", r.Elapsed.Round(time.Millisecond))
	}
	if a.interrupted(err) {
		a.printf("interrupted: %d of %d scenarios started, %d cycles, 0 mismatches so far, seed %d, engine %s\n", len(results), len(chosen), cycles, o.Seed, a.engine)
		return errors.Join(a.partial(cosimReport{Engine: a.engine, Config: a.configName(), Seed: o.Seed, Cycles: cycles}), context.Cause(a.ctx))
	}
	if so.only() {
		if err := a.report(cosimReport{Engine: a.engine, Config: a.configName(), Seed: o.Seed, Cycles: cycles}); err != nil {
			return err
		}
	}
	a.printf("%s%d scenarios, %d cycles, 0 mismatches, seed %d, engine %s, %.1f s\n", strings.Join(append(skipped, ""), "\n"),
		ran, cycles, o.Seed, a.engine, time.Since(start).Seconds())
	return nil
}
