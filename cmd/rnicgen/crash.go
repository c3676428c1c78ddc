package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/crash"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// crashOptions are the flags of crash.
type crashOptions struct {
	plan    crash.Plan
	streams []int
	broken  string
}

func (a *app) crashCommand() *cobra.Command {
	var o crashOptions
	c := &cobra.Command{
		Use: "crash", Short: "Crash the host after every cycle while peers append to persistent logs", Args: cobra.NoArgs,
		Long: fmt.Sprintf(`crash lets peers append records to logs in the persistent memory of the host, and crashes the host after every cycle. For each record a
peer sends, back to back, an RDMA Write, a Flush, a Verify and an Atomic Write of the tail, which is the number of the last valid
record, and a Flush of the tail. Caches in front of storage lose their contents. After each crash, for every choice of
lines that the caches may have evicted by then, the tail must name only records that are complete in storage, and all that were
acknowledged. In every fourth log a record is damaged on its way: its Verify must end the stream.

It prints a row per number of streams, and the timeline of a record: when it was volatile, persistent and acknowledged. It exits with
1 when a crash loses something, and at the first such cycle.

--break leaves out a step, or does it wrong, and should exit with 1:
  %s        records are not flushed
  %s  records are flushed to global visibility only
  %s       records are not verified, and some are damaged on their way
  %s     the platform answers a flush before it has done it`, crash.Flush, crash.Persistence, crash.Verify, crash.Platform),
		RunE: func(*cobra.Command, []string) error {
			config, err := a.readRDMAP()
			if err != nil {
				return err
			}
			if a.config == "" {
				config.Extensions = []string{"commit"}
			}
			if config.Protocol()&spec.Commit == 0 {
				return fmt.Errorf("%s: extensions is %q; allowed for crash: commit among them", a.config, config.Extensions)
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			o.plan.Config, o.plan.Engine, o.plan.Context, o.plan.Break = config, a.engine, a.ctx, crash.Break(o.broken)
			for _, streams := range o.streams {
				o.plan.Streams = streams
				if err := o.plan.Check(); err != nil {
					return fmt.Errorf("--%w", err)
				}
			}
			return a.crash(o)
		},
	}
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML, with the extension commit (default: "+defaults()+", that extension)")
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().IntSliceVar(&o.streams, "streams", []int{1, 2, 64}, "`numbers` of streams, each with a log; a run for each")
	c.Flags().IntVar(&o.plan.Records, "records", 8, "records of each log")
	c.Flags().IntVar(&o.plan.Octets, "octets", 200, "octets of a record")
	c.Flags().IntVar(&o.plan.Line, "line", 64, "octets that caches move together")
	c.Flags().Uint64Var(&o.plan.Latency, "latency", 100, "most cycles of memory and of a flush; each is drawn")
	c.Flags().Uint64Var(&o.plan.Seed, "seed", 1, "seed of the logs, of latencies and of the initial state")
	c.Flags().StringVar(&o.broken, "break", "", "break this `step`: "+breaks())
	return c
}

func breaks() string {
	var names []string
	for _, b := range crash.Breaks() {
		names = append(names, string(b))
	}
	return strings.Join(names, ", ")
}

// crash runs a plan for each number of streams, up to the first fault.
func (a *app) crash(o crashOptions) error {
	results := []crash.Result{}
	var err error
	for _, streams := range o.streams {
		a.log.Info("crashing", "streams", streams)
		o.plan.Streams = streams
		var r crash.Result
		if r, err = crash.Run(o.plan); err != nil {
			break
		}
		results = append(results, r)
		if r.Fault != "" {
			break
		}
	}
	early := a.interrupted(err)
	if err != nil && !early {
		return err
	}
	if err := a.reportRun(results, early); err != nil {
		return err
	}
	if len(results) > 0 {
		if err := a.printCrashes(results); err != nil {
			return err
		}
	}
	if early {
		a.printf("interrupted: %d of %d runs\n", len(results), len(o.streams))
		return context.Cause(a.ctx)
	}
	last := results[len(results)-1]
	if last.Transaction != nil {
		a.printf("\n%s", last.Transaction.Draw())
	}
	if last.Fault != "" {
		fmt.Fprintf(a.errs, "%s\n", last.Fault)
		return errMismatch
	}
	return nil
}

func (a *app) printCrashes(results []crash.Result) error {
	if a.json == "-" {
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "streams\trecords\tcrashes\tstates checked\tacknowledged\tdamaged\tended by Verify\tfaults\t")
	for _, r := range results {
		faults := 0
		if r.Fault != "" {
			faults = 1
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Streams, r.Records, r.Crashes, r.Checks, r.Acknowledged, r.Damaged, r.Ended, faults)
	}
	return w.Flush()
}
