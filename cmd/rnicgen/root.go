package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// Exit codes.
const (
	exitAgreement = 0
	exitMismatch  = 1
	exitBadInput  = 2
)

// errMismatch ends a command that has already printed its report.
var errMismatch = errors.New("hardware and model differ")

// app holds the state shared by all commands.
type app struct {
	out, errs io.Writer
	log       hclog.Logger
	config    string // path of a YAML file; empty: the defaults
	engine    string
	json      string // path of the machine-readable report; - is standard output
	quiet     bool

	design *simulator.Design // of cosim, in place of that of the configuration; tests pass a broken one

	ctx  context.Context // canceled by a signal; carries the logger
	late error           // a report that could not be written; printed at the end
}

// run executes the program until it finishes or the context ends.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	printed := &output{to: out}
	a := &app{out: printed, errs: errs, ctx: ctx}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(printed)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	late := errors.Join(a.late, printed.err)
	if printed.err != nil && errors.Is(err, printed.err) {
		err = nil // it is printed as late
	}
	if err != nil && !errors.Is(err, errMismatch) || late != nil {
		fmt.Fprintf(errs, "rnicgen: %v\n", errors.Join(err, late))
	}
	switch {
	case errors.Is(err, errMismatch):
		return exitMismatch
	case a.interrupted(err):
		return exitInterrupted(context.Cause(ctx))
	case err != nil || late != nil:
		return exitBadInput
	}
	return exitAgreement
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "rnicgen",
		Short: "Generate RNIC hardware, cosimulate it with a golden model, write test vectors",
		Long: `rnicgen generates readable Verilog for the RDMA part of a network card, cosimulates it with an independently
written golden model, and writes test vectors for other simulators.

Exit codes: 0 agreement; 1 mismatch; 2 bad usage or input, or a tool, file or disk that fails; 130 and 143 interrupted by SIGINT
and SIGTERM. An interrupted run reports its progress, also in --json with "interrupted": true, and leaves no partial file. A second
signal exits immediately.`,
		SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			level := hclog.Info
			if a.quiet {
				level = hclog.Warn
			}
			a.log = hclog.New(&hclog.LoggerOptions{Name: "rnicgen", Level: level, Output: a.errs, DisableTime: true})
			a.ctx = hclog.WithContext(c.Context(), a.log)
		},
	}
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on standard error")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.generateCommand(), a.cosimCommand(), a.replayCommand(), a.vectorsCommand(), a.checkVectorsCommand(), a.requirementsCommand(),
		a.proveCommand(), a.mutateCommand(), a.coverageCommand(), a.soakCommand(), a.crashCommand(), a.simulateCommand(), a.timingCommand(), a.benchCommand(), a.synthCommand(), a.verifyCommand(), a.versionCommand())
	return root
}

func (a *app) configFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML (default: "+defaults()+")")
}

func defaults() string {
	d := gen.Default()
	return fmt.Sprintf("top %s, profile %s, %d-byte bus, %d streams", d.Top, d.Profile, d.BusBytes, d.Streams)
}

func (a *app) engineFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.engine, "engine", engines.Default, "simulator: "+strings.Join(engines.Names(), ", "))
}

func (a *app) jsonFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.json, "json", "", "write the report as JSON to this `file` (- for standard output)")
}

// configText returns the file given by --config; nothing without one.
func (a *app) configText() ([]byte, error) {
	if a.config == "" {
		return nil, nil
	}
	text, err := os.ReadFile(a.config)
	if err != nil {
		return nil, fmt.Errorf("--config: %s: %w", a.config, reason(err))
	}
	return text, nil
}

// readConfig reads the file given by --config, or returns the default configuration.
func (a *app) readConfig() (gen.Config, error) {
	text, err := a.configText()
	if err != nil || a.config == "" {
		return gen.Default(), err
	}
	c, err := gen.ReadConfig(bytes.NewReader(text))
	if err != nil {
		return c, fmt.Errorf("%s: %w", a.config, err)
	}
	return c, nil
}

// configName returns the configuration's name in reports: the file, or default.
func (a *app) configName() string {
	if a.config == "" {
		return "default"
	}
	return a.config
}

// configArgument returns --config for a printed command.
func (a *app) configArgument() string {
	if a.config == "" {
		return ""
	}
	return " --config " + a.config
}

// traceArgument returns the flag for a waveform in a printed command.
func (a *app) traceArgument() string {
	switch a.engine {
	case "gates": // writes no waveforms
		return ""
	case "go":
		return " --trace mismatch.vcd"
	}
	return " --trace mismatch.fst"
}

// printf writes to standard output, unless the JSON report goes there.
func (a *app) printf(format string, args ...any) {
	if a.json != "-" {
		fmt.Fprintf(a.out, format, args...)
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(*cobra.Command, []string) { fmt.Fprintf(a.out, "rnicgen %s\n", engine.Version) },
	}
}
