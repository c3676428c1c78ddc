package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

func (a *app) proveCommand() *cobra.Command {
	var o formal.Options
	var block string
	var jobs int
	c := &cobra.Command{
		Use: "prove", Short: "Prove the properties of every block", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			if !slices.Contains(formal.Solvers(), o.Solver) {
				return fmt.Errorf("--solver is %q; allowed: %s", o.Solver, strings.Join(formal.Solvers(), ", "))
			}
			if err := formal.CheckTools(o.Solver); err != nil {
				return err
			}
			specs, err := prove.ReadSpecs(gen.Specs, gen.SpecDir)
			if err != nil && block == "" {
				return err
			}
			references, err := prove.ReadReferences(gen.Specs, gen.SpecDir)
			if err != nil {
				return err
			}
			blocks, err := prove.Blocks(specs, references, prove.Configs()...)
			if err != nil {
				return err
			}
			if block != "" {
				blocks = slices.DeleteFunc(blocks, func(b prove.Block) bool { return b.Kind != block && b.Name != block })
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, b := range blocks {
				rows, err := b.Prove(ctx, o)
				if err != nil {
					return err
				}
				for _, r := range rows {
					fmt.Fprintf(w, "%s\t%s\t%s %d\t%.1f s\t%s\t%s\n", r.Block, r.Property, r.Kind, r.Depth, r.Seconds, r.Twin, r.Detail)
				}
				w.Flush()
			}
			return nil
		},
	}
	c.Flags().StringVar(&block, "block", "", "prove only the blocks of this `kind`, or the module of this name")
	c.Flags().StringVar(&o.Solver, "solver", formal.Solvers()[0], "SMT solver: "+strings.Join(formal.Solvers(), " or "))
	c.Flags().IntVar(&jobs, "jobs", 1, "blocks at a time")
	c.Flags().StringVar(&o.Trace, "trace", "", "write the waveforms of counterexamples into this `directory`")
	c.Flags().DurationVar(&o.Timeout, "timeout", 5*time.Minute, "longest run of the solver")
	a.jsonFlag(c)
	return c
}
