package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cmd/rnicgen/evidence"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

// verification is one step of verify: a command of this program, as a user would call it. WORK in its arguments stands
// for a directory that exists during the run.
type verification struct {
	name  string
	shows string // what it shows
	args  []string
	alone bool // it uses all processors, or later steps need its output
}

// verifications returns all steps in the order in which they start.
func verifications() []verification {
	steps := []verification{
		{name: "vectors", shows: "conformance vectors", args: []string{"vectors", "--flags", "--out", "WORK/vectors"}, alone: true},
		{name: "requirements", shows: "evidence for each requirement of the specifications", args: []string{"requirements"}},
	}
	for _, e := range engines.Names() {
		steps = append(steps,
			verification{name: "check-" + e, shows: "all vectors on engine " + e, args: []string{"check-vectors", "--engine", e, "WORK/vectors"}},
			verification{name: "cosim-" + e, shows: "10,000 random messages on engine " + e, args: []string{"cosim", "--engine", e, "--messages", "10000"}})
	}
	steps = append(steps,
		verification{name: "unknown", shows: "starting from x, no output is x after reset, on 4-state Icarus",
			args: []string{"cosim", "--engine", "icarus", "--unknown", "--messages", "2000"}},
		verification{name: "seeds", shows: "100 seeds, each with a different random initial state", args: []string{"cosim", "--seeds", "100", "--messages", "2000"}})
	for _, l := range limits {
		run := []string{"cosim", "--config", "WORK/" + l.file(), "--messages", "10000", "--error-rate", "0.02"}
		steps = append(steps, verification{name: "limit-" + l.name, shows: "random traffic with " + l.shows, args: append(run, l.args...), alone: l.alone})
	}
	steps = append(steps,
		verification{name: "configurations", shows: "200 configurations drawn from all that are allowed, each with its own traffic", args: []string{"cosim", "--configurations", "200"}, alone: true},
		verification{name: "soak", shows: "10,000,000 cycles of coverage-guided traffic", args: []string{"soak", "--cycles", "10000000"}},
		verification{name: "coverage", shows: "coverage of lines, port bits and functional bins by all vectors and fixed random runs", args: []string{"coverage"}},
		verification{name: "prove", shows: "the properties of every block, and a negative control of each", args: []string{"prove"}, alone: true},
		verification{name: "mutate", shows: "mutants of every block: the share killed by tests of meaning, and the outcome of the others", args: []string{"mutate", "--least", "75"}, alone: true},
	)
	return steps
}

func (a *app) verifyCommand() *cobra.Command {
	var out string
	var only []string
	var all []string
	for _, s := range verifications() {
		all = append(all, s.name)
	}
	c := &cobra.Command{
		Use: "verify --out DIR", Short: "Gather all evidence in one directory", Args: cobra.NoArgs,
		Long: `verify runs every check of this program and writes one directory: evidence.md for people; evidence.json with the versions of
all tools and the sha256 of the Verilog under test; and the output and report of each step. It runs one step per processor
in parallel. The directory is rewritten after every step, so that an interrupted run leaves its results. A failed step does not
stop the others; the exit code is then 1.`,
		RunE: func(*cobra.Command, []string) error {
			for _, name := range only {
				if !slices.Contains(all, name) {
					return fmt.Errorf("--step is %q; allowed: %s", name, strings.Join(all, ", "))
				}
			}
			if err := outdir.Check(out); err != nil {
				return err
			}
			steps := slices.DeleteFunc(verifications(), func(s verification) bool { return len(only) > 0 && !slices.Contains(only, s.name) })
			e, err := a.verify(steps, out)
			if err != nil {
				return err
			}
			early := a.ctx.Err() != nil
			e.Complete = len(only) == 0 && !early
			if err := e.Write(out); err != nil {
				return err
			}
			verdict := "PASS"
			switch {
			case early:
				verdict = "interrupted"
			case !e.OK():
				verdict = "FAIL"
			}
			a.printf("%s: %d steps, evidence in %s\n", verdict, len(e.Steps), filepath.Join(out, "evidence.md"))
			switch {
			case early:
				return context.Cause(a.ctx)
			case !e.OK():
				return errMismatch
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "directory to write")
	c.Flags().StringSliceVar(&only, "step", nil, "run only these steps: "+strings.Join(all, ", "))
	_ = c.MarkFlagRequired("out")
	return c
}

// verify runs steps, one per processor in parallel, and rewrites out after each.
func (a *app) verify(steps []verification, out string) (*evidence.Evidence, error) {
	e := &evidence.Evidence{Started: time.Now().UTC().Format(time.RFC3339), Generator: "rnicgen " + engine.Version, Source: evidence.Source()}
	var err error
	if e.Tools, err = evidence.Tools(a.ctx); err != nil {
		return nil, err
	}
	rtl, err := evidence.RTLOf(gen.Default())
	if err != nil {
		return nil, err
	}
	e.RTL = []evidence.RTL{rtl}
	work, err := os.MkdirTemp("", "rnicgen-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for _, l := range limits {
		if err := os.WriteFile(filepath.Join(work, l.file()), []byte(l.config), 0o644); err != nil {
			return nil, err
		}
	}
	done := make([]*evidence.Step, len(steps))
	var lock sync.Mutex
	finish := func(i int, step evidence.Step) {
		lock.Lock()
		defer lock.Unlock()
		done[i], e.Steps = &step, nil
		for _, s := range done {
			if s != nil {
				e.Steps = append(e.Steps, *s)
			}
		}
		a.printf("%-4s  %-22s %8.1f s  %s\n", step.Verdict(), step.Name, step.Seconds, step.Summary)
		err = errors.Join(err, e.Write(out))
	}
	var running sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for i, s := range steps {
		if s.alone {
			running.Wait()
		}
		if a.ctx.Err() != nil {
			break
		}
		places <- struct{}{}
		running.Go(func() {
			a.log.Info("verifying", "step", s.name, "what", s.shows)
			finish(i, s.run(a.ctx, work))
			<-places
		})
		if s.alone {
			running.Wait()
		}
	}
	running.Wait()
	return e, err
}

// run executes one step.
func (s verification) run(ctx context.Context, work string) evidence.Step {
	var args []string
	for _, arg := range s.args {
		args = append(args, strings.ReplaceAll(arg, "WORK", work))
	}
	report := filepath.Join(work, s.name+".json")
	args = append(args, "--json", report)
	var printed, failed bytes.Buffer
	start := time.Now()
	done := evidence.Step{Name: s.name, Shows: s.shows, Command: "rnicgen " + strings.ReplaceAll(strings.Join(s.args, " "), "WORK/", "")}
	done.Exit = run(ctx, append(args, "--quiet"), &printed, &failed)
	done.Seconds = time.Since(start).Seconds()
	local := func(text string) string { return strings.ReplaceAll(text, work+string(filepath.Separator), "") }
	done.Printed = local(printed.String() + failed.String())
	lines := strings.Split(strings.TrimSpace(done.Printed), "\n")
	done.Summary = lines[len(lines)-1]
	if data, err := os.ReadFile(report); err == nil {
		done.Report = []byte(local(string(data)))
	}
	return done
}
