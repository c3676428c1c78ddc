package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/bench"
)

func (a *app) benchCommand() *cobra.Command {
	var o isolationOptions
	c := &cobra.Command{
		Use: "bench", Short: "Measure the project's performance targets", Args: cobra.NoArgs,
		Long: `bench measures hardware in cycles and beats, which are identical on every machine, and software as ratios of two
quantities measured alternately in one run. It exits with 1 when a target is missed.

With --isolation it measures, in cycles, 63 streams beside one that loads a shared resource as heavily as it can: one row per aggressor,
with throughput against the fair share and p50 and p99 latency with and without it, the worst row last. A deadlock is reported with the aggressor's name.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			if o.on {
				return a.isolate(o)
			}
			figures, err := bench.Run(a.ctx, func(what string) { a.log.Info("measuring", "what", what) })
			early := a.interrupted(err)
			if err != nil && !early {
				return err
			}
			if err := a.reportRun(figures, early); err != nil {
				return err
			}
			met := true
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			if a.json != "-" {
				fmt.Fprintln(w, "figure\tvalue\tunit\ttarget\tmet")
			}
			for _, f := range figures {
				met = met && f.Met
				if a.json != "-" {
					fmt.Fprintf(w, "%s\t%g\t%s\t%g\t%t\n", f.Name, f.Value, f.Unit, f.Bar, f.Met)
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if early {
				a.printf("interrupted: %d figures measured\n", len(figures))
				return context.Cause(a.ctx)
			}
			if !met {
				return errMismatch
			}
			return nil
		},
	}
	a.jsonFlag(c)
	o.flags(c)
	return c
}
