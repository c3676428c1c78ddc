package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/mutate"
	"github.com/rnicgen/rnicgen/gen"
)

// mutateReport is the JSON of mutate.
type mutateReport struct {
	Blocks     []mutate.Row   `json:"blocks"`
	Open       []mutantReport `json:"open"`
	Equivalent []mutantReport `json:"equivalent"`
	Killed     []mutantReport `json:"killed"`
}

// mutantReport is one mutant and what became of it.
type mutantReport struct {
	Block   string `json:"block"`
	Number  int    `json:"number"`
	Source  string `json:"source"` // file and line of the generator
	Place   string `json:"place"`
	Change  string `json:"change"`
	Verilog string `json:"verilog,omitempty"` // file and line; of those that were not killed, as what follows is
	Before  string `json:"before,omitempty"`
	After   string `json:"after,omitempty"`
	Shown   string `json:"shown,omitempty"`  // how, of an equivalent one
	Killed  string `json:"killed,omitempty"` // by a verdict, a hang, timing, a sequence, or a property
	By      string `json:"by,omitempty"`     // the stage of the tests that killed it
}

func (a *app) mutateCommand() *cobra.Command {
	var o mutate.Options
	c := &cobra.Command{
		Use: "mutate", Short: "Put slips into the hardware and see that the tests find them", Args: cobra.NoArgs,
		Long: `mutate makes mutants of every block: the hardware with one small slip in it, as == that became !=, a term that was lost, or
a register that is not set. It runs random messages with the golden model beside them, and the test vectors, against each. A
mutant is killed by a verdict, because the hardware comes to no end, or because a port shows anything in another clock than is
committed. What is left is killed by a committed sequence of inputs on which the block, by itself, shows something else, or because
a property that is proven of the block is not proven of it; or it is shown to do the same as the block as written; or it is open.

Without a configuration, blocks are tested in small configurations. Only there are clocks and sequences committed.

It exits with 1 when a mutant is open.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.config != "" {
				config, err := a.readConfig()
				if err != nil {
					return err
				}
				config.RetirePort = true // which the golden model follows
				o.Configs = []gen.Config{config}
			}
			if o.Limit < 0 || o.Jobs < 1 {
				return fmt.Errorf("--limit is %d and --jobs %d; allowed: a limit of 0 (all) or more, at least 1 job", o.Limit, o.Jobs)
			}
			if o.Limit == 0 {
				o.Limit = -1
			}
			if info, err := os.Stat(o.Keep); o.Keep != "" && (err != nil || !info.IsDir()) {
				return fmt.Errorf("--keep: %s is not a directory", o.Keep)
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
			return a.mutateResult(r, time.Since(start), early, o.Seed)
		},
	}
	a.configFlag(c)
	a.jsonFlag(c)
	c.Flags().StringSliceVar(&o.Blocks, "block", nil, "the blocks to test, by their kinds as in rx_check,fifo (default: all)")
	c.Flags().IntVar(&o.Limit, "limit", mutate.DefaultLimit, "mutants a block, spread over it; 0: all")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "of the choice of mutants")
	c.Flags().BoolVar(&o.Late, "late", false, "run long traffic before sequences and proofs, not only for what they leave; takes hours")
	c.Flags().StringVar(&o.Keep, "keep", "", "look for sequences that tell open mutants apart, and add them to this `directory`")
	c.Flags().IntVar(&o.Jobs, "jobs", 2, "mutants at a time")
	return c
}

func (a *app) mutateResult(r *mutate.Report, took time.Duration, early bool, seed uint64) error {
	report := mutateReport{Blocks: r.Rows, Open: mutants(r, mutate.Open), Equivalent: mutants(r, mutate.Equivalent),
		Killed: mutants(r, mutate.ByVerdict, mutate.ByHang, mutate.ByTiming, mutate.BySequence, mutate.ByProperty)}
	write, how := a.report, ""
	if early {
		write, how = a.partial, fmt.Sprintf("interrupted, seed %d: ", seed)
	}
	if err := write(report); err != nil {
		return err
	}
	all := r.Total()
	if a.json != "-" {
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "block\tmutants\tof\tkilled\tby verdict\tby hang\tby timing\tby sequence\tby property\tequivalent\topen\tseconds\t")
		for _, row := range append(r.Rows, all) {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t\n", row.Block, row.Mutants, row.Available, row.Killed,
				row.KilledByVerdict(), row.KilledByHang, row.KilledByTiming, row.KilledBySequence, row.KilledByProperty, row.Equivalent, row.Open, row.Seconds)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	for _, m := range report.Open {
		a.printf("open: %s, mutant %d, %s: %s %s\n  %s\n  - %s\n  + %s\n", m.Block, m.Number, m.Source, m.Place, m.Change, m.Verilog, m.Before, m.After)
	}
	a.printf("%s%d mutants of %d blocks: %d killed (%d by verdict, %d by hang, %d by timing, %d by a sequence, %d by a property), %d equivalent, %d open, %s\n", how, all.Mutants, len(r.Rows),
		all.Killed, all.KilledByVerdict(), all.KilledByHang, all.KilledByTiming, all.KilledBySequence, all.KilledByProperty, all.Equivalent, all.Open, took.Round(time.Second))
	if all.Open > 0 {
		return errMismatch
	}
	if early {
		return context.Cause(a.ctx)
	}
	return nil
}

func mutants(r *mutate.Report, fates ...mutate.Fate) []mutantReport {
	list := []mutantReport{}
	for _, m := range r.Of(fates...) {
		one := mutantReport{Block: m.Block, Number: m.Number, Source: fmt.Sprintf("%s:%d", m.File, m.Line), Place: m.Place, Change: m.Change}
		switch m.Fate {
		case mutate.Equivalent:
			one.Shown = m.By
		case mutate.ByVerdict, mutate.ByHang, mutate.ByTiming, mutate.BySequence, mutate.ByProperty:
			one.Killed, one.By = string(m.Fate), m.By
		}
		if one.Killed == "" {
			one.Verilog, one.Before, one.After = fmt.Sprintf("%s:%d", m.Where.File, m.Where.Line), m.Where.Before, m.Where.After
		}
		list = append(list, one)
	}
	return list
}
