package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/coverage/falcon"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

// coverageReached is the JSON report of an interrupted run.
type coverageReached struct {
	Config string `json:"config"`
	Run    string `json:"run"`
}

func (a *app) coverageCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "coverage", Short: "Measure the coverage of the hardware", Args: cobra.NoArgs,
		Long: `coverage runs all vectors and fixed random traffic through the hardware on Verilator, next to the golden model, and reports the
coverage per kind and block: lines and branches of the Verilog, rising and falling edges of port bits, and functional bins, one per
possible incoming message: opcode, error, alignment, length, and row of the ordering tables; with the profile falcon opcode, error,
ordering mode, error mode and length. An item that is not covered is either waived with a reason, in a file that is part of rnicgen, or
open.

With --out it writes the table, lcov files with their sources, the bins with the rules for impossible ones, and the waived
items. It exits with 1 when an item is open, a waiver has no effect, or hardware and model differ.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			if out != "" {
				if err := outdir.Check(out); err != nil {
					return err
				}
			}
			var at coverageReached
			o := coverage.Options{Context: a.ctx, Progress: func(config, run string) {
				at = coverageReached{config, run}
				a.log.Info("running", "config", config, "run", run)
			}}
			if a.config != "" {
				config, err := a.readConfig()
				if err != nil {
					return err
				}
				if config.Profile == gen.ProfileFalcon {
					o.Profile = falcon.Profile{}
				}
				o.Configs = []coverage.Config{{Name: config.Top, Config: config}}
			}
			r, err := coverage.Run(o)
			if a.interrupted(err) {
				a.printf("interrupted: run %q of configuration %q, nothing measured yet\n", at.Run, at.Config)
				return errors.Join(a.partial(at), context.Cause(a.ctx))
			}
			var wrong *coverage.MismatchError
			if errors.As(err, &wrong) {
				fmt.Fprintf(a.errs, "%v\n", err)
				return errMismatch
			}
			if err != nil {
				return err
			}
			if out != "" {
				files, err := r.Files()
				if err != nil {
					return err
				}
				if err := outdir.Write(out, outdir.Manifest{Generator: "rnicgen " + engine.Version, Kind: "coverage", Config: o.Configs}, files); err != nil {
					return err
				}
			}
			if err := a.report(slices.Concat(r.Rows, r.Totals())); err != nil {
				return err
			}
			if a.json != "-" {
				if err := r.Write(a.out); err != nil {
					return err
				}
			}
			if !r.OK() {
				return errMismatch
			}
			return nil
		},
	}
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML (default: that of the committed Verilog)")
	c.Flags().StringVar(&out, "out", "", "write the report to this `directory`")
	a.jsonFlag(c)
	return c
}
