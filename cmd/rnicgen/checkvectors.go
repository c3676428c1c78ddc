package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/falcon"
)

// checked is the JSON report of an interrupted check.
type checked struct {
	Dir    string `json:"dir"`
	Engine string `json:"engine"`
	Tests  int    `json:"tests"`
}

func (a *app) checkVectorsCommand() *cobra.Command {
	o := vectors.CheckOptions{Options: simulator.Options{RandomInit: true}}
	c := &cobra.Command{
		Use: "check-vectors DIR", Short: "Replay a vector directory against the hardware and the golden model", Args: cobra.ExactArgs(1),
		Long: `check-vectors verifies a directory written by vectors (sha256 of each file, schema), and replays every test in it against the
golden model and against hardware generated from the directory's configuration. With --engine model only the golden model runs. With
profile: falcon, the hardware runs the tests that need nothing it lacks; the others are counted.

With --unknown (icarus only), registers and memories start as x; after reset no valid, ready, beat field or other output may be x.`,
		RunE: func(c *cobra.Command, dirs []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			if falcon.Is(dirs[0]) {
				return a.checkFalcon(dirs[0], o)
			}
			o.Engine, o.Options.Context = a.engine, a.ctx
			if a.engine == falcon.Engine { // alone
				o.Engine = ""
			}
			done := checked{Dir: dirs[0], Engine: a.engine}
			o.Progress = func(tests, _ int) { done.Tests = tests }
			report, err := vectors.Check(dirs[0], o)
			if a.interrupted(err) {
				a.printf("interrupted: %d tests done, engine %s\n", done.Tests, a.engine)
				return errors.Join(a.partial(done), context.Cause(a.ctx))
			}
			if err != nil {
				return err
			}
			if err := a.report(report); err != nil {
				return err
			}
			if a.json != "-" {
				if err := report.Write(a.out); err != nil {
					return err
				}
			}
			if !report.OK() {
				return errMismatch
			}
			return nil
		},
	}
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().BoolVar(&o.Options.Unknown, "unknown", false, "start from x, which must not reach any output; icarus only")
	c.Flags().BoolVar(&o.Permissive, "permissive", false, "accept every outcome that the specifications permit, not only this project's choice")
	c.Flags().Uint64Var(&o.Quiet, "quiet-cycles", 0, "cycles without a handshake after which the hardware counts as idle; 0: derived from the configuration")
	c.Flags().IntSliceVar(&o.TcIDs, "tcid", nil, "run only the tests with these ids")
	return c
}
