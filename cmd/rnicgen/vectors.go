package main

import (
	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
)

func (a *app) vectorsCommand() *cobra.Command {
	var dir string
	var seed uint64
	c := &cobra.Command{
		Use: "vectors --out DIR", Short: "Write conformance vectors of a configuration", Args: cobra.NoArgs,
		Long: `vectors writes what the golden model says to directed and random tests: vectors.json with its schema, $readmemh files
with a bench in plain Verilog that checks itself, a pcap, and manifest.json (sha256 of each file). The same version,
configuration and seed give the same bytes. README.txt in the directory tells how to run the bench in any simulator.`,
		RunE: func(*cobra.Command, []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			files, s, err := vectors.Generate(config, seed)
			if err != nil {
				return err
			}
			if err := outdir.Write(dir, vectors.Manifest(config, seed), files); err != nil {
				return err
			}
			a.printf("%d tests, %d of them errors (%d %%), %d files in %s\n", s.Tests, s.Errors, s.ErrorShare(), len(files)+1, dir)
			return nil
		},
	}
	a.configFlag(c)
	c.Flags().StringVar(&dir, "out", "", "directory to write")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the random tests")
	_ = c.MarkFlagRequired("out")
	return c
}
