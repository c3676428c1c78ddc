package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/mutate"
	"github.com/rnicgen/rnicgen/gen"
)

// mutateReport is the JSON report of mutate.
type mutateReport struct {
	Score      float64        `json:"meaning_score,omitempty"` // of complete runs only: an interrupted run is biased to mutants that are killed early
	Blocks     []mutate.Row   `json:"blocks"`
	Open       []mutantReport `json:"open"`
	Other      []mutantReport `json:"other"` // timing and alone: differs, but no test of meaning fails
	Equivalent []mutantReport `json:"equivalent"`
	Killed     []mutantReport `json:"killed"`
}

// mutantReport is one mutant and its outcome.
type mutantReport struct {
	Block   string `json:"block"`
	Number  int    `json:"number"`
	Source  string `json:"source"` // file and line of the generator
	Place   string `json:"place"`
	Change  string `json:"change"`
	Verilog string `json:"verilog,omitempty"` // file and line; this field to Other: only if not killed
	Before  string `json:"before,omitempty"`
	After   string `json:"after,omitempty"`
	Shown   string `json:"shown,omitempty"`  // how an equivalent mutant was proven
	Other   string `json:"other,omitempty"`  // where it differs: timing or alone
	Killed  string `json:"killed,omitempty"` // by a verdict, a hang or a property
	By      string `json:"by,omitempty"`     // the test stage that killed it, or in which it differs
}

func (a *app) mutateCommand() *cobra.Command {
	var o mutate.Options
	var least float64
	c := &cobra.Command{
		Use: "mutate", Short: "Insert faults into the hardware and check that the tests find them", Args: cobra.NoArgs,
		Long: `mutate creates mutants of every block: the hardware with one small fault, such as == changed to !=, a dropped term, or a register
that is not set. It runs random messages, compared with the golden model, and the test vectors on each mutant. A mutant is killed
by a verdict, a hang, or a property that holds for the block but not for the mutant: these are tests of meaning. The meaning score
is the percentage of killed mutants among those that are not equivalent.

The others are reported separately. timing: every verdict was correct, but in different cycles. alone: all traffic was correct, but
the isolated block differs on random or computed inputs. equivalent: a proof shows that nothing ever differs. open: none of these.

Without --config, blocks are tested in a small configuration: those of the profile rdmap in one of it, others in one of falcon.

It exits with 1 when a mutant is open or the score of all blocks is below --least.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.config != "" {
				config, err := a.readConfig()
				if err != nil {
					return err
				}
				config.RetirePort = config.Profile == gen.ProfileRDMAP // which its golden model follows
				o.Configs = []gen.Config{config}
			}
			if o.Limit < 0 || o.Jobs < 1 {
				return fmt.Errorf("--limit is %d and --jobs is %d; allowed: --limit at least 0 (0: all), --jobs at least 1", o.Limit, o.Jobs)
			}
			if o.Limit == 0 {
				o.Limit = -1
			}
			if least < 0 || least > 100 {
				return fmt.Errorf("--least is %v; allowed: 0 to 100 percent", least)
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			start := time.Now()
			o.Progress = func(text string) { a.log.Info(text, "after", time.Since(start).Round(time.Second).String()) }
			o.Context = a.ctx
			r, err := mutate.Run(o)
			early := a.interrupted(err)
			if early && r == nil {
				r = &mutate.Report{}
			} else if err != nil && !early {
				return err
			}
			return a.mutateResult(r, time.Since(start), early, o.Seed, least)
		},
	}
	a.configFlag(c)
	a.jsonFlag(c)
	c.Flags().StringSliceVar(&o.Blocks, "block", nil, "kinds of blocks to test, such as rx_check,fifo (default: all)")
	c.Flags().IntVar(&o.Limit, "limit", mutate.DefaultLimit, "mutants per block, spread evenly; 0: all")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed for the choice of mutants")
	c.Flags().BoolVar(&o.Late, "late", false, "run long traffic and proofs on every mutant that survives short traffic, not only on a few; takes hours")
	c.Flags().Float64Var(&least, "least", 0, "required meaning score in `percent`")
	c.Flags().IntVar(&o.Jobs, "jobs", 2, "mutants in parallel")
	return c
}

func (a *app) mutateResult(r *mutate.Report, took time.Duration, early bool, seed uint64, least float64) error {
	all := r.Total()
	report := mutateReport{Blocks: r.Rows, Open: mutants(r, mutate.Open), Other: mutants(r, mutate.Timing, mutate.Alone),
		Equivalent: mutants(r, mutate.Equivalent), Killed: mutants(r, mutate.ByVerdict, mutate.ByHang, mutate.ByProperty)}
	write, how := a.report, fmt.Sprintf("meaning score %.1f %%: ", all.Score)
	if early {
		write, how = a.partial, fmt.Sprintf("interrupted, seed %d: ", seed)
	} else {
		report.Score = all.Score
	}
	if err := write(report); err != nil {
		return err
	}
	if a.json != "-" {
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "block\tmutants\tof\tscore\tkilled\tby verdict\tby hang\tby property\ttiming\talone\tequivalent\topen\tseconds\t")
		for _, row := range append(r.Rows, all) {
			fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t\n", row.Block, row.Mutants, row.Available, row.Score, row.Killed,
				row.KilledByVerdict, row.KilledByHang, row.KilledByProperty, row.Timing, row.Alone, row.Equivalent, row.Open, row.Seconds)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	for _, m := range report.Open {
		a.printf("open: %s, mutant %d, %s: %s %s\n  %s\n  - %s\n  + %s\n", m.Block, m.Number, m.Source, m.Place, m.Change, m.Verilog, m.Before, m.After)
	}
	a.printf("%s%d of %d mutants of %d blocks killed (%d by verdict, %d by hang, %d by a property), %d equivalent, %d differ in timing, %d differ alone, %d open, %s\n",
		how, all.Killed, all.Mutants, len(r.Rows), all.KilledByVerdict, all.KilledByHang, all.KilledByProperty, all.Equivalent,
		all.Timing, all.Alone, all.Open, took.Round(time.Second))
	if !early && all.Score < least {
		a.printf("the required meaning score is %.1f %%\n", least)
		return errMismatch
	}
	if all.Open > 0 {
		return errMismatch
	}
	if early {
		return context.Cause(a.ctx)
	}
	return nil
}

func mutants(r *mutate.Report, outcomes ...mutate.Outcome) []mutantReport {
	list := []mutantReport{}
	for _, m := range r.Of(outcomes...) {
		one := mutantReport{Block: m.Block, Number: m.Number, Source: fmt.Sprintf("%s:%d", m.File, m.Line), Place: m.Place, Change: m.Change}
		switch m.Outcome {
		case mutate.Equivalent:
			one.Shown = m.By
		case mutate.Timing, mutate.Alone:
			one.Other, one.By = string(m.Outcome), m.By
		case mutate.ByVerdict, mutate.ByHang, mutate.ByProperty:
			one.Killed, one.By = string(m.Outcome), m.By
		}
		if one.Killed == "" {
			one.Verilog, one.Before, one.After = fmt.Sprintf("%s:%d", m.Where.File, m.Where.Line), m.Where.Before, m.Where.After
		}
		list = append(list, one)
	}
	return list
}
