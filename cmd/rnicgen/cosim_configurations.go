package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/gen"
)

// configurationReport is the JSON report of one drawn configuration.
type configurationReport struct {
	Config        gen.Config `json:"config"`
	Seed          uint64     `json:"seed"`
	Peer          string     `json:"peer"`
	ActiveStreams int        `json:"active_streams"`
	ErrorRate     float64    `json:"error_rate"`
	MemoryLatency string     `json:"memory_latency"`
	Stall         string     `json:"stall"`
	Messages      uint64     `json:"messages"`
	Cycles        uint64     `json:"cycles"`
	Scenarios     int        `json:"scenarios"`          // directed runs after the traffic
	Mismatch      string     `json:"mismatch,omitempty"` // of the shortest failing run found
	Command       string     `json:"command,omitempty"`  // reproduces the mismatch, with Config in mismatch.yaml
}

// drawnFlags are the flags whose values are drawn per configuration.
var drawnFlags = []string{"config", "seeds", "trace", "unknown", "streams", "active-streams", "peer", "error-rate", "memory-latency", "stall"}

// cosimConfigurations runs drawn configurations, one per processor in parallel: random traffic, then directed runs.
func (a *app) cosimConfigurations(c *cobra.Command, n int, o traffic, w wholeOptions, directed scenarioOptions) error {
	for _, name := range drawnFlags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is %s; allowed: only without --configurations, which draws it", name, c.Flags().Lookup(name).Value)
		}
	}
	if n < 1 || n > 1e6 {
		return fmt.Errorf("--configurations is %d; allowed: 1 to 1000000", n)
	}
	if _, err := w.plan(gen.Default(), a.engine, o); err != nil {
		return err
	}
	scenarios, err := directed.choose(a.engine)
	if err != nil {
		return err
	}
	plans := rnic.Configurations(n, o.Seed)
	for i := range plans {
		plans[i].Engine, plans[i].Context = a.engine, o.Context
		if c.Flags().Changed("messages") {
			plans[i].Messages = o.Messages
		}
	}
	start := time.Now()
	list, err := a.runConfigurations(plans, scenarios)
	early := a.interrupted(err)
	if err != nil && !early {
		return err
	}
	report := cosimReport{Engine: a.engine, Config: "drawn", Seed: o.Seed, Configurations: list}
	directions := 0
	for i, r := range list {
		report.Messages, report.Cycles, directions = report.Messages+r.Messages, report.Cycles+r.Cycles, directions+r.Scenarios
		if r.Mismatch == "" {
			continue
		}
		report.Mismatches++
		fmt.Fprintf(a.errs, "mismatch in configuration %d of %d: %s\nseed %d; reproduce it with this mismatch.yaml:\n\n%s\nand this command:\n  %s\n",
			i+1, n, r.Mismatch, r.Seed, yamlOf(r.Config), r.Command)
	}
	report.MessagesPerSecond = float64(report.Messages) / max(time.Since(start).Seconds(), 1e-9)
	if err := a.reportRun(report, early); err != nil {
		return err
	}
	if report.Mismatches > 0 {
		return errMismatch
	}
	if early {
		a.printf("interrupted: %d of %d configurations started, %d messages, %d scenarios, %d cycles, 0 mismatches so far, engine %s\n", len(list), n, report.Messages, directions, report.Cycles, a.engine)
		return context.Cause(a.ctx)
	}
	a.printf("%d configurations, %d messages, %d scenarios, %d cycles, 0 mismatches, seed %d, engine %s\n", n, report.Messages, directions, report.Cycles, o.Seed, a.engine)
	return nil
}

// runConfigurations runs all plans, or those started before the context ends.
func (a *app) runConfigurations(plans []rnic.Plan, scenarios []scenario.Scenario) ([]configurationReport, error) {
	list := make([]configurationReport, len(plans))
	failures := make([]error, len(plans))
	started := len(plans)
	places := make(chan struct{}, runtime.NumCPU())
	var running sync.WaitGroup
	for i, p := range plans {
		if places <- struct{}{}; p.Context.Err() != nil {
			started = i
			break
		}
		running.Go(func() {
			list[i], failures[i] = a.runConfiguration(p, scenarios)
			a.log.Info("ran", "configuration", i+1, "messages", list[i].Messages, "scenarios", list[i].Scenarios, "cycles", list[i].Cycles, "is", inOneLine(list[i]))
			<-places
		})
	}
	running.Wait()
	return list[:started], errors.Join(failures...)
}

// runConfiguration runs one plan, then the scenarios that its configuration supports.
func (a *app) runConfiguration(p rnic.Plan, scenarios []scenario.Scenario) (configurationReport, error) {
	r, err := rnic.Run(p)
	report := configurationReport{Config: p.Config, Seed: p.Seed, Peer: p.Peer, ActiveStreams: p.Active, ErrorRate: p.ErrorRate,
		MemoryLatency: fmt.Sprintf("%d..%d", p.Latency.Least, p.Latency.Most), Stall: stallText(p.Stall), Messages: r.Messages, Cycles: r.Cycles}
	if p.Active == 0 {
		report.ActiveStreams = p.Config.Streams
	}
	if rnic.IsMismatch(err) {
		short, mismatchErr := shorten(a, rnic.Shorten, p, r.Messages, err)
		report.Mismatch, report.Command = mismatchErr.Error(), a.againWhole(short, 0, " --config mismatch.yaml")
		return report, nil
	}
	if err == nil {
		err = a.directConfiguration(p, scenarios, &report)
	}
	if err != nil {
		err = fmt.Errorf("%w\nconfiguration:\n%s", err, yamlOf(p.Config))
	}
	return report, err
}

// directConfiguration runs the scenarios of a plan.
func (a *app) directConfiguration(p rnic.Plan, scenarios []scenario.Scenario, report *configurationReport) error {
	results, err := scenario.Run(scenario.Plan{Config: p.Config, Engine: p.Engine, Seed: p.Seed, Scenarios: scenarios, Design: p.Design, Quick: p.Quick, Context: p.Context})
	for _, r := range results {
		report.Cycles += r.Cycles
		if r.Skipped == "" {
			report.Scenarios++
		}
	}
	var failed *scenario.Error
	if errors.As(err, &failed) && scenario.IsMismatch(err) {
		report.Mismatch, report.Command = err.Error(), a.againDirected(failed, " --config mismatch.yaml")
		return nil
	}
	return err
}

// yamlOf formats a configuration for --config.
func yamlOf(c gen.Config) string {
	text, err := yaml.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// inOneLine describes a configuration and its traffic.
func inOneLine(r configurationReport) string {
	c := r.Config
	extensions := ""
	if len(c.Extensions) > 0 {
		extensions = " " + strings.Join(c.Extensions, ",")
	}
	return fmt.Sprintf("bus %d, %d streams (%d used), %d STags, IRD %d, ORD %d, receive %d, send %d, payload %d, atomics %d, retire port %t%s; peer %s, errors %g, latency %s, stall %s",
		c.BusBytes, c.Streams, r.ActiveStreams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth, c.RetirePort, extensions,
		r.Peer, r.ErrorRate, r.MemoryLatency, r.Stall)
}
