package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/spf13/cobra"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/system"
)

// simulateOptions are the flags of simulate.
type simulateOptions struct {
	workload string
	nodes    int
	rtl      []string
	engine   string
	seed     uint64
	plot     string
	trace    string
	monitor  bool
	compare  bool
}

// simulateReport is the JSON report of simulate.
type simulateReport struct {
	Config string `json:"config"`
	Name   string `json:"name"` // of the workload
	Engine string `json:"engine"`
	*system.Report
}

func (a *app) simulateCommand() *cobra.Command {
	var o simulateOptions
	c := &cobra.Command{
		Use: "simulate", Short: "Simulate a network of nodes with RNICs under a workload", Args: cobra.NoArgs,
		Long: `simulate runs a workload on nodes, each a host, its memory and an RNIC, that a switch connects; two nodes are connected directly. It
prints, for each kind of transaction and of operation, throughput and latency.

A workload is a YAML file, or one of those that come with the program: ` + strings.Join(system.Shipped(), ", ") + `. It says how
many nodes there are, what the network and the memory are like, and what hosts do to each other; docs/simulate.md describes it.

An RNIC is the golden model with the timing that was measured on the hardware, or, for the nodes in rtl of the workload or --rtl, the
generated hardware itself. With profile: falcon in --config, RNICs speak RDMA over Falcon, and the network may reorder packets.

Without --config, a workload with flush, verify or atomic_write has RNICs with the extension commit.

The result depends on the workload and its seed only. Nodes run on all cores, for as long as they cannot know of each other because of
the latency of links; --engine serial runs one event after the other, on akita's serial engine.`,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			if err := o.checkCompare(); err != nil {
				return err
			}
			w, err := o.read(c)
			if err != nil {
				return err
			}
			if a.config == "" && w.Commits() {
				config.Extensions = []string{"commit"}
			}
			return a.simulate(config, w, o)
		},
	}
	a.configFlag(c)
	a.jsonFlag(c)
	c.Flags().StringVar(&o.workload, "workload", "ping-pong", "`file`, or name of one that comes with the program")
	c.Flags().IntVar(&o.nodes, "nodes", 0, "number of nodes (default: that of the workload)")
	c.Flags().StringSliceVar(&o.rtl, "rtl", nil, "`nodes` whose RNIC is the hardware, such as 0,2-3 or all (default: those of the workload)")
	c.Flags().StringVar(&o.engine, "engine", "parallel", "parallel or serial")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "seed of what hosts draw (default: that of the workload)")
	c.Flags().StringVar(&o.plot, "plot", "", "run the workload also at other loads and on fewer nodes, and write plots, in SVG, to this `directory`")
	c.Flags().StringVar(&o.trace, "trace", "", "write the tasks of hosts, RNICs and memories to this `file`, .csv, for akita's viewer Daisen")
	c.Flags().BoolVar(&o.compare, "compare", false, "run the workload with the model and with the hardware as all RNICs; exit with 1 if a rate, or p50, or p99 of 2,000 transactions or more, differs by more than 5 %")
	c.Flags().BoolVar(&o.monitor, "monitor", false, "serve akita's page on the simulation until interrupted; its address is on standard error")
	return c
}

// read reads the workload, with what flags change.
func (o *simulateOptions) read(c *cobra.Command) (w system.Workload, err error) {
	if o.engine != "serial" && o.engine != "parallel" {
		return w, fmt.Errorf("--engine is %q; allowed: serial, parallel", o.engine)
	}
	text, err := os.ReadFile(o.workload)
	if errors.Is(err, os.ErrNotExist) {
		text, err = system.OpenShipped(o.workload)
	}
	if err != nil {
		return w, fmt.Errorf("--workload: %w", err)
	}
	if w, err = system.ReadWorkload(bytes.NewReader(text)); err != nil {
		return w, fmt.Errorf("%s: %w", o.workload, err)
	}
	if c.Flags().Changed("nodes") {
		w.Nodes = o.nodes
	}
	if c.Flags().Changed("rtl") {
		if w.RTL, err = system.ParseNodes(o.rtl); err != nil {
			return w, fmt.Errorf("--rtl: %w", err)
		}
	}
	if c.Flags().Changed("seed") {
		w.Seed = o.seed
	}
	return w, nil
}

// simulate runs a workload and prints its report.
func (a *app) simulate(config gen.Config, w system.Workload, o simulateOptions) error {
	options := rtl.SystemOf(config, rtl.Options{Context: a.ctx})
	options.Parallel = o.engine == "parallel"
	run := func(w system.Workload, prepared func(sim.Engine, []system.Part)) (*system.Report, error) {
		options.Prepared = prepared
		s, err := system.New(w, options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.workload, err)
		}
		stop := a.follow(s)
		r, err := s.Run()
		stop()
		return r, errors.Join(err, s.Close())
	}
	if o.compare {
		return a.compareSimulation(o, w, options)
	}
	if o.plot != "" {
		if err := outdir.Check(o.plot); err != nil {
			return err
		}
	}
	var trace *traceFile
	if o.trace != "" {
		var err error
		if trace, err = newTraceFile(o.trace); err != nil {
			return err
		}
		defer func() { _ = trace.discard() }()
	}
	r, err := run(w, func(engine sim.Engine, parts []system.Part) {
		if trace != nil {
			trace.collect(parts)
		}
		if o.monitor {
			monitor(engine, parts)
		}
	})
	if err != nil {
		return err
	}
	early := a.ctx.Err() != nil
	if err := a.reportRun(simulateReport{a.configName(), o.workload, o.engine, r}, early); err != nil {
		return err
	}
	if err := a.printSimulation(r); err != nil {
		return err
	}
	if trace != nil {
		if err := trace.finish(); err != nil {
			return fmt.Errorf("--trace: %w", err)
		}
	}
	if early {
		a.printf("interrupted\n")
		return context.Cause(a.ctx)
	}
	if o.plot != "" {
		if err := a.plotSimulation(o, w, options.Config, r, func(w system.Workload) (*system.Report, error) { return run(w, nil) }); err != nil {
			return err
		}
	}
	if o.monitor {
		a.log.Info("the simulation is over; interrupt to end the page")
		<-a.ctx.Done()
	}
	return nil
}

// follow logs how far a simulation is, until the function that it returns is called.
func (a *app) follow(s *system.System) (stop func()) {
	over := make(chan struct{})
	go func() {
		for tick := time.NewTicker(2 * time.Second); ; {
			select {
			case <-over:
				tick.Stop()
				return
			case <-tick.C:
				a.log.Info("simulating", "simulated", time.Duration(s.Now()*1e9).String())
			}
		}
	}()
	return func() { close(over) }
}

func (a *app) printSimulation(r *system.Report) error {
	if a.json == "-" {
		return nil
	}
	a.printf("%d nodes, %d cycles, %.3f us simulated\n\n", r.Workload.Nodes, r.Cycles, r.Seconds*1e6)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "flow\t\tcount\tretries\tper us\tGbit/s\tp50 ns\tp90\tp99\tp99.9\tmax\t")
	for _, row := range r.Rows {
		name, l := row.Name, row.Latency
		if row.Operation {
			name = "- " + name
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.3f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t\n", row.Flow, name, row.Count, row.Retries, row.PerMicrosecond, row.Gbps, l.P50, l.P90, l.P99, l.P999, l.Most)
	}
	return w.Flush()
}
