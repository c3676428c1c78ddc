package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

func (a *app) proveCommand() *cobra.Command {
	var o prove.Options
	var block string
	c := &cobra.Command{
		Use: "prove", Short: "Prove the properties of every block", Args: cobra.NoArgs,
		Long: `prove proves the properties of every block for all inputs, in small configurations: by k-induction or, where that does not close,
for a bounded number of cycles from reset. For each stream it proves that an offer remains until accepted; for a block that only
forwards a child's stream, by composition. A negative control of each property, broken on purpose, must fail from reset.

The properties are those of gen/testdata/spec. It exits with 1 when a property or negative control has an unexpected result, or
when a block has no properties.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkProve(o); err != nil {
				return err
			}
			files, wrong := prove.Read(gen.Specs, gen.SpecDir)
			blocks, err := prove.All(files)
			if err != nil {
				return err
			}
			chosen, err := choose(blocks, block)
			if err != nil {
				return err
			}
			if wrong == nil && block == "" {
				wrong = prove.Complete(files, blocks)
			}
			if wrong != nil {
				fmt.Fprintf(a.errs, "%v\n", wrong)
				return errMismatch
			}
			return a.prove(chosen, o)
		},
	}
	c.Flags().StringVar(&block, "block", "", "prove only the blocks of this `kind`, or the module of this name")
	c.Flags().StringVar(&o.Solver, "solver", formal.Solvers()[0], "SMT solver: "+strings.Join(formal.Solvers(), " or "))
	c.Flags().IntVar(&o.Jobs, "jobs", max(1, runtime.NumCPU()/2), "blocks in parallel; each runs two solvers")
	c.Flags().StringVar(&o.Trace, "trace", "", "write waveforms of counterexamples to this `directory`")
	c.Flags().DurationVar(&o.Timeout, "timeout", 10*time.Minute, "time limit for each solver run")
	a.jsonFlag(c)
	return c
}

// checkProve validates the options before any work.
func (a *app) checkProve(o prove.Options) error {
	if err := a.checkJSON(); err != nil {
		return err
	}
	if !slices.Contains(formal.Solvers(), o.Solver) {
		return fmt.Errorf("--solver is %q; allowed: %s", o.Solver, strings.Join(formal.Solvers(), ", "))
	}
	if o.Jobs < 1 {
		return fmt.Errorf("--jobs is %d; allowed: at least 1", o.Jobs)
	}
	if o.Timeout <= 0 {
		return fmt.Errorf("--timeout is %v; allowed: more than 0", o.Timeout)
	}
	if o.Trace != "" {
		if info, err := os.Stat(o.Trace); err != nil {
			return fmt.Errorf("--trace: %s: %w; allowed: an existing directory", o.Trace, reason(err))
		} else if !info.IsDir() {
			return fmt.Errorf("--trace: %s is not a directory; allowed: an existing directory", o.Trace)
		}
	}
	return o.CheckTools()
}

// choose selects the blocks of a kind or name; the first of each kind runs the negative controls.
func choose(blocks []prove.Block, name string) ([]prove.Block, error) {
	if name == "" {
		return blocks, nil
	}
	var out []prove.Block
	var kinds []string
	for _, b := range blocks {
		if b.Kind == name || b.Name == name {
			b.First = b.First || len(out) == 0
			out = append(out, b)
		}
		if b.First {
			kinds = append(kinds, b.Kind)
		}
	}
	if out == nil {
		slices.Sort(kinds)
		return nil, fmt.Errorf("--block is %q; allowed: %s", name, strings.Join(kinds, ", "))
	}
	return out, nil
}

func (a *app) prove(blocks []prove.Block, o prove.Options) error {
	o.Controls = true
	o.Progress = func(name string, done, of int) { a.log.Info("proven", "block", name, "done", done, "of", of) }
	started := time.Now()
	rows, err := prove.Prove(a.ctx, blocks, o)
	write, how := a.report, ""
	early := a.interrupted(err)
	if early {
		write, how = a.partial, "interrupted: "
	} else if err != nil {
		return err
	}
	if err := write(rows); err != nil {
		return err
	}
	if a.json != "-" {
		if err := prove.Write(a.out, rows); err != nil {
			return err
		}
	}
	a.printf("%s%s\n", how, prove.Summary(rows, o.Solver, time.Since(started)))
	switch {
	case early:
		return context.Cause(a.ctx)
	case !prove.OK(rows):
		return errMismatch
	}
	return nil
}
