package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
)

func (a *app) synthCommand() *cobra.Command {
	var target string
	var blocks []string
	var paths int
	var route bool
	var seeds int
	c := &cobra.Command{
		Use: "synth", Short: "Estimate size and speed on an FPGA", Args: cobra.NoArgs,
		Long: `synth synthesises each block of a configuration, and rnic as a whole, with yosys; this takes minutes. For each it reports the logic,
the memories and how they were mapped, and the slowest paths, estimated with a fixed delay per kind of cell and net. The ends of a
path are given with the lines of Go that created them.

The estimate is meant for comparing designs and blocks; results after place and route may differ by a third. --pnr also places and
routes each, on the largest device of the family, with registers at all ports.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			t, err := synth.TargetNamed(target)
			if err != nil {
				return fmt.Errorf("--target: %w", err)
			}
			if paths < 0 {
				return fmt.Errorf("--paths is %d; allowed: at least 0", paths)
			}
			if seeds < 1 {
				return fmt.Errorf("--seeds is %d; allowed: at least 1", seeds)
			}
			if !route {
				seeds = 0
			} else if err := synth.CheckRouter(t); err != nil {
				return fmt.Errorf("--pnr: %w", err)
			}
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			design, err := gen.Compile(config)
			if err != nil {
				return err
			}
			chosen, err := chooseModules(design, blocks)
			if err != nil {
				return err
			}
			if err := synth.CheckTools(); err != nil {
				return err
			}
			return a.synth(chosen, t, paths, seeds)
		},
	}
	var names []string
	for _, t := range synth.Targets {
		names = append(names, t.Name+" ("+t.Doc+")")
	}
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML (default: top rnic, profile rdmap, 64-byte bus, 64 streams)")
	c.Flags().StringVar(&target, "target", "xcup", "FPGA family: "+strings.Join(names, ", "))
	c.Flags().StringSliceVar(&blocks, "block", nil, "synthesise only blocks of these `kinds` (default: all)")
	c.Flags().IntVar(&paths, "paths", 3, "slowest paths to report per block")
	c.Flags().BoolVar(&route, "pnr", false, "place and route with nextpnr; only for ecp5 and ice40")
	c.Flags().IntVar(&seeds, "seeds", 3, "times to place and route each block; the median counts")
	a.jsonFlag(c)
	return c
}

// chooseModules returns the first module of each requested kind.
func chooseModules(d *hdl.Design, wanted []string) (list []*hdl.Design, err error) {
	var kinds []string
	for _, m := range d.Modules() {
		if slices.Contains(kinds, m.Top()) {
			continue
		}
		kinds = append(kinds, m.Top())
		if len(wanted) == 0 || slices.Contains(wanted, m.Top()) {
			list = append(list, m)
		}
	}
	for _, w := range wanted {
		if !slices.Contains(kinds, w) {
			slices.Sort(kinds)
			return nil, fmt.Errorf("--block is %q; allowed: %s", w, strings.Join(kinds, ", "))
		}
	}
	return list, nil
}

// synth reports on designs, each placed and routed with as many seeds.
func (a *app) synth(designs []*hdl.Design, t synth.Target, paths, seeds int) error {
	reports := []*synth.Report{}
	for i, d := range designs {
		r, err := synth.Run(d, t, synth.Options{Context: a.ctx, Paths: paths})
		if err == nil && seeds > 0 {
			r.Routing, err = synth.Route(a.ctx, d, t, seeds)
		}
		if a.interrupted(err) {
			a.printf("interrupted: %d of %d blocks\n", i, len(designs))
			return errors.Join(a.partial(reports), context.Cause(a.ctx))
		}
		if err != nil {
			return err
		}
		a.log.Info("synthesised", "block", d.Top(), "done", i+1, "of", len(designs))
		reports = append(reports, r)
	}
	if err := a.report(reports); err != nil {
		return err
	}
	if a.json != "-" {
		a.printf("%s", synth.Table(reports))
	}
	return nil
}
