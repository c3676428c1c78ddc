package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/fuzz"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
)

// soakReport is the JSON report of soak.
type soakReport struct {
	Config          string        `json:"config"`
	Seed            uint64        `json:"seed"`
	Programs        int           `json:"programs"`
	Kept            int           `json:"kept"`
	Reached         int           `json:"reached"`
	Messages        uint64        `json:"messages"`
	Cycles          uint64        `json:"cycles"`
	CyclesPerSecond float64       `json:"cycles_per_second"`
	Findings        []soakFinding `json:"findings"`
}

type soakFinding struct {
	Program       string     `json:"program"`
	Configuration gen.Config `json:"configuration"`
	Problem       string     `json:"problem"`
	Vector        string     `json:"vector,omitempty"` // directory
}

// soakOptions holds the flags of soak.
type soakOptions struct {
	cycles, seed         uint64
	out, corpus, program string
}

func (a *app) soakCommand() *cobra.Command {
	var o soakOptions
	c := &cobra.Command{
		Use: "soak", Short: "Search for traffic on which hardware and model differ", Args: cobra.NoArgs,
		Long: `soak runs random traffic through the whole engine on Verilator, next to the golden model, guided by coverage: traffic that reaches
a new line, branch, port bit or functional bin is kept and mutated further. It ends after the given number of cycles and reports
the rate and the findings. A finding is minimised and printed as a program, octets that encode the choices of the traffic; with
--out it is also written as a directory of test vectors, provided that its profile is rdmap and the specification determines its
outcome. --program runs a single program. It exits with 1 when hardware and model differ.`,
		RunE: func(*cobra.Command, []string) error {
			if o.cycles == 0 {
				return errors.New("--cycles is 0; allowed: at least 1")
			}
			configs := fuzz.Configs()
			if a.config != "" {
				config, err := a.readConfig()
				if err != nil {
					return err
				}
				configs = []gen.Config{config}
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			return a.soak(configs, o)
		},
	}
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML (default: each program chooses one of a few small ones)")
	a.jsonFlag(c)
	c.Flags().Uint64Var(&o.cycles, "cycles", 1_000_000, "minimum number of clock cycles to simulate")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the search")
	c.Flags().StringVar(&o.out, "out", "", "write findings below this `directory`")
	c.Flags().StringVar(&o.corpus, "corpus", "", "start with the programs in this `directory`, and save those with new coverage to it")
	c.Flags().StringVar(&o.program, "program", "", "run only this program, in hex; with --out write it as a vector")
	return c
}

func (a *app) soak(configs []gen.Config, o soakOptions) error {
	hardware, err := fuzz.Open(configs...)
	if err != nil {
		return err
	}
	options := fuzz.Options{Hardware: hardware, Cycles: o.cycles, Seed: o.seed, Context: a.ctx}
	if o.program != "" {
		p, err := hex.DecodeString(o.program)
		if err != nil {
			return fmt.Errorf("--program is %q; allowed: octets in hex", o.program)
		}
		options.Cycles, options.Corpus = 0, []fuzz.Program{p}
	} else if err := a.readCorpus(o.corpus, &options); err != nil {
		return err
	}
	options.Progress = func(r fuzz.Result) {
		a.log.Info("searching", "programs", r.Programs, "kept", r.Kept, "reached", r.Reached, "cycles", r.Cycles)
	}
	r, err := fuzz.Run(options)
	write, how := a.report, ""
	early := a.interrupted(err)
	if early {
		write, how = a.partial, "interrupted: "
	} else if err != nil {
		return err
	}
	report := soakReport{Config: a.configName(), Seed: o.seed, Programs: r.Programs, Kept: r.Kept, Reached: r.Reached, Messages: r.Messages,
		Cycles: r.Cycles, CyclesPerSecond: float64(r.Cycles) / max(r.Elapsed.Seconds(), 1e-9), Findings: []soakFinding{}}
	var programs []fuzz.Program
	for _, f := range r.Findings {
		report.Findings = append(report.Findings, soakFinding{Program: f.Program.String(), Configuration: f.Config, Problem: f.Err.Error()})
		programs = append(programs, f.Program)
	}
	if o.program != "" && len(r.Findings) == 0 && o.out != "" {
		report.Findings, programs = append(report.Findings, soakFinding{Program: o.program, Configuration: options.Corpus[0].Config(hardware)}), options.Corpus
	}
	for i, p := range programs {
		if o.out == "" || early { // writing a vector runs the program again
			break
		}
		if report.Findings[i].Vector, err = a.writeFound(filepath.Join(o.out, fmt.Sprintf("found-%d", i+1)), p, hardware); err != nil {
			fmt.Fprintf(a.errs, "no vector for program %v: %v\n", p, err)
		}
	}
	if err := write(report); err != nil {
		return err
	}
	for i, f := range r.Findings {
		fmt.Fprintf(a.errs, "finding %d: %v\nminimised from %d to %d octets; reproduce it with:\n  rnicgen soak%s --program %v\n", i+1, f.Err, f.Found,
			len(f.Program), a.configArgument(), f.Program)
	}
	a.printf("%s%d programs, %d kept, %d features reached, %d messages, %d cycles, %.0f cycles/s, %d findings, seed %d\n",
		how, r.Programs, r.Kept, r.Reached, r.Messages, r.Cycles, report.CyclesPerSecond, len(r.Findings), o.seed)
	switch {
	case early:
		return context.Cause(a.ctx)
	case len(r.Findings) > 0:
		return errMismatch
	}
	return nil
}

// readCorpus reads the programs in a directory, and saves those with new coverage to it.
func (a *app) readCorpus(dir string, o *fuzz.Options) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--corpus: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.program"))
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		o.Corpus = append(o.Corpus, text)
	}
	o.Kept = func(p fuzz.Program) {
		name := filepath.Join(dir, p.Name()+".program")
		if err := os.WriteFile(name, p, 0o644); err != nil {
			a.log.Warn("program not kept", "file", name, "error", err)
		}
	}
	return nil
}

// writeFound writes a program as a directory of test vectors.
func (a *app) writeFound(dir string, p fuzz.Program, hardware []fuzz.Hardware) (string, error) {
	files, err := fuzz.Vector(p, hardware)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	return dir, outdir.Write(dir, vectors.Manifest(p.Config(hardware), vectors.DefaultSeed), files)
}
