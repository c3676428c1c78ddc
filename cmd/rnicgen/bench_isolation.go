package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/bench"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

// isolationOptions are the flags of bench --isolation.
type isolationOptions struct {
	on         bool
	aggressors []string
	seed       uint64
	plot       string
}

func (o *isolationOptions) flags(c *cobra.Command) {
	c.Flags().BoolVar(&o.on, "isolation", false, "measure 63 streams beside an aggressor")
	c.Flags().StringSliceVar(&o.aggressors, "aggressor", nil, "with --isolation: only these `names`, separated by commas")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "with --isolation: seed of the requests")
	c.Flags().StringVar(&o.plot, "plot", "", "with --isolation: write bar charts of the ratios, in SVG, to this `directory`")
}

func (o *isolationOptions) check() error {
	const allowed = "allowed: only with --isolation"
	if !o.on && len(o.aggressors) > 0 {
		return fmt.Errorf("--aggressor %s; %s", strings.Join(o.aggressors, ","), allowed)
	}
	if !o.on && o.plot != "" {
		return fmt.Errorf("--plot %s; %s", o.plot, allowed)
	}
	for _, name := range o.aggressors {
		if known := bench.Aggressors(); !slices.Contains(known, name) {
			return fmt.Errorf("--aggressor is %q; allowed: %s", name, strings.Join(known, ", "))
		}
	}
	if o.plot != "" {
		return outdir.Check(o.plot)
	}
	return nil
}

// isolate measures and prints the table of isolation.
func (a *app) isolate(o isolationOptions) error {
	rows, err := bench.Isolate(a.ctx, o.seed, o.aggressors, func(name string) { a.log.Info("measuring", "aggressor", name) })
	early := a.interrupted(err)
	if err != nil && !early {
		return err
	}
	if err := a.reportRun(rows, early); err != nil {
		return err
	}
	if a.json != "-" {
		if err := a.printIsolation(rows); err != nil {
			return err
		}
	}
	if early {
		a.printf("interrupted: %d aggressors measured\n", len(rows))
		return context.Cause(a.ctx)
	}
	if o.plot != "" {
		if err := a.plotIsolation(o, rows); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(rows, func(r bench.Isolation) bool { return !r.Met }) {
		return errMismatch
	}
	return nil
}

func (a *app) printIsolation(rows []bench.Isolation) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "aggressor\tresource\tslowed most\tper cycle: alone\tfair\twith\tratio\tdelayed most\tp50: alone\twith\tp99: alone\twith\tratio\tmet")
	for _, r := range rows {
		t, l := r.Rate, r.Latency
		met := fmt.Sprint(r.Met)
		switch {
		case len(r.Stuck) > 0:
			met = fmt.Sprintf("deadlock of %d streams", len(r.Stuck))
		case r.Exception != "":
			met = "exception: " + r.Exception
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.4f\t%.4f\t%.4f\t%.3f\t%s\t%d\t%d\t%d\t%d\t%.2f\t%s\n", r.Aggressor, r.Resource, t.Kind, t.Alone, t.Fair, t.With,
			t.Ratio, l.Kind, l.AloneP50, l.P50, l.AloneP99, l.P99, l.Ratio, met)
	}
	return w.Flush()
}

func (a *app) plotIsolation(o isolationOptions, rows []bench.Isolation) error {
	files, err := bench.PlotIsolation(rows)
	if err != nil {
		return err
	}
	config := map[string]any{"seed": o.seed, "aggressors": o.aggressors}
	return outdir.Write(o.plot, outdir.Manifest{Generator: "rnicgen " + engine.Version, Kind: "isolation", Config: config}, files)
}
