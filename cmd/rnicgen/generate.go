package main

import (
	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

func (a *app) generateCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use: "generate --out DIR", Short: "Write the Verilog of a configuration", Args: cobra.NoArgs,
		Long: `generate writes rtl/*.v, rnic.f (a file list), rnic.core (FuseSoC) and manifest.json (sha256 of each file). The output is a function of the configuration, byte for byte. The directory is written completely or not at all; one that rnicgen wrote is replaced.`,
		RunE: func(*cobra.Command, []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			files, err := gen.Generate(config)
			if err != nil {
				return err
			}
			err = outdir.Write(dir, outdir.Manifest{Generator: "rnicgen " + engine.Version, Kind: "rtl", Config: config}, files)
			if err != nil {
				return err
			}
			a.printf("%d files in %s\n", len(files)+1, dir)
			return nil
		},
	}
	a.configFlag(c)
	c.Flags().StringVar(&dir, "out", "", "directory to write")
	_ = c.MarkFlagRequired("out")
	return c
}
