package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// vectorsReport is the JSON report of vectors.
type vectorsReport struct {
	Dir          string          `json:"dir"`
	Config       suite.Config    `json:"config"`
	Files        int             `json:"files"`
	Summary      vectors.Summary `json:"summary"`
	ErrorPercent int             `json:"errorPercent"` // percentage of tests, rounded down
}

func (a *app) vectorsCommand() *cobra.Command {
	var dir string
	var seed uint64
	var flags bool
	c := &cobra.Command{
		Use: "vectors --out DIR", Short: "Write conformance vectors for a configuration", Args: cobra.NoArgs,
		Long: `vectors writes the golden model's outcomes of directed and random tests: vectors.json with its schema, $readmemh files with a
self-checking bench in plain Verilog, a pcap, and manifest.json (sha256 of each file). Version, configuration
and seed determine every byte. README.txt in the directory explains how to run the bench in any simulator.

With profile: falcon it writes vectors of RDMA over Falcon: vectors.json with its schema and their description, the decisions on unclear
text, and a self-checking bench.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if config.Profile == gen.ProfileFalcon {
				return a.falconVectors(config, dir, seed, flags)
			}
			var s vectors.Summary
			files, err := await(a.ctx, func() (files []outdir.File, err error) {
				files, s, err = vectors.Generate(config, seed)
				return files, err
			})
			if a.interrupted(err) {
				a.printf("interrupted: nothing written, seed %d\n", seed)
				return errors.Join(a.partial(vectorsReport{Dir: dir, Config: suite.Config{Config: config, Seed: seed}}), context.Cause(a.ctx))
			}
			if err != nil {
				return err
			}
			if err := outdir.Write(dir, vectors.Manifest(config, seed), files); err != nil {
				return err
			}
			if flags && a.json != "-" {
				if err := s.WriteFlags(a.out); err != nil {
					return err
				}
			}
			acceptable := ""
			if s.Acceptable > 0 {
				acceptable = fmt.Sprintf(", %d acceptable", s.Acceptable)
			}
			a.printf("%d tests, %d with errors (%d %%)%s, %d files in %s\n", s.Tests, s.Errors, s.ErrorShare(), acceptable, len(files)+1, dir)
			return a.report(vectorsReport{Dir: dir, Config: suite.Config{Config: config, Seed: seed}, Files: len(files) + 1,
				Summary: s, ErrorPercent: s.ErrorShare()})
		},
	}
	a.configFlag(c)
	c.Flags().StringVar(&dir, "out", "", "directory to write")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the random tests")
	c.Flags().BoolVar(&flags, "flags", false, "list the number of tests per flag")
	a.jsonFlag(c)
	_ = c.MarkFlagRequired("out")
	return c
}
