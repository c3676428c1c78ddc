package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic/replay"
	"github.com/rnicgen/rnicgen/gen"
)

// replayReport is the JSON of replay for one capture. Mismatches of the first part counts those of both.
type replayReport struct {
	cosim.ReplayReport
	*replay.Report // nil: the captured connections did not run through rnic
}

func (a *app) replayCommand() *cobra.Command {
	var trace string
	c := &cobra.Command{
		Use: "replay CAPTURE.pcap...", Short: "Run captured traffic through the hardware and the golden model", Args: cobra.MinimumNArgs(1),
		Long: `replay takes the iWARP connections out of captures (pcap or pcapng) and sends every DDP segment through the parser; each
record and payload is compared with the golden model's. Atomics in RoCE v2 captures run through the whole responder, and
what it finds in memory is compared with what the captured responder answered.

Unless a configuration says top: rnic_atomics, both sides of each iWARP connection are then an rnic with the golden model
beside it. It receives what its side received, and posts what its side had posted. Compared with the capture are the messages
that it sends, its completions, and its memory at the end. Regions, rights, buffers and what was in memory are inferred from
the capture. STags whose index is not in the STag table are given another row; nothing else of a segment is changed.`,
		RunE: func(_ *cobra.Command, files []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			atomics, whole := replayConfigs(config, a.config != "")
			r := cosim.NewReplayer(atomics, a.engine, engine.Options{Trace: trace, Context: a.ctx})
			var connections *replay.Replayer
			if whole != nil {
				connections = replay.New(replay.Options{Config: *whole, Engine: a.engine, Trace: trace, Context: a.ctx, Grow: a.config == ""})
			}
			reports, err := a.replay(r, connections, files)
			if closing := r.Close(); err == nil {
				err = closing
			}
			if a.interrupted(err) {
				a.printf("interrupted: %d of %d captures replayed, engine %s\n", len(reports), len(files), a.engine)
				return errors.Join(a.partial(reports), context.Cause(a.ctx))
			}
			if err != nil {
				return err
			}
			return a.replayResult(reports)
		},
	}
	a.configFlag(c)
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().StringVar(&trace, "trace", "", "write a waveform to this `file`, .fst or .vcd")
	return c
}

// replayConfigs are the configurations of the parser and of rnic_atomics, and of rnic, nil when it is not wanted.
func replayConfigs(c gen.Config, named bool) (atomics gen.Config, whole *gen.Config) {
	switch {
	case !named:
		return gen.DefaultAtomics(), &c
	case c.Top == gen.TopRNIC:
		atomics = gen.DefaultAtomics()
		atomics.Extensions, atomics.BusBytes, atomics.Streams = c.Extensions, c.BusBytes, c.Streams
		return atomics, &c
	}
	return c, nil
}

func (a *app) replay(r *cosim.Replayer, connections *replay.Replayer, files []string) ([]replayReport, error) {
	reports := []replayReport{}
	for _, f := range files {
		first, err := r.Replay(f)
		if err != nil {
			return reports, err
		}
		report := replayReport{ReplayReport: first}
		if connections != nil {
			c, err := capture.Open(f)
			if err != nil {
				return reports, err
			}
			second, err := connections.Replay(c)
			if err != nil {
				return reports, fmt.Errorf("%s: %w", f, err)
			}
			report.add(second)
		}
		a.log.Debug("replayed", "file", f, "fpdus", report.FPDUs)
		reports = append(reports, report)
	}
	return reports, nil
}

// add joins what became of the connections.
func (r *replayReport) add(whole replay.Report) {
	r.Report = &whole
	r.ReplayReport.Mismatches += whole.Mismatches
	if r.ReplayReport.First == nil {
		r.ReplayReport.First = whole.First
	}
}

func (a *app) replayResult(reports []replayReport) error {
	if err := a.report(reports); err != nil {
		return err
	}
	if a.json != "-" {
		if err := a.replayTable(reports); err != nil {
			return err
		}
	}
	differs := false
	for _, r := range reports {
		if r.ReplayReport.Mismatches > 0 {
			differs = true
			fmt.Fprintf(a.errs, "mismatch: %s: %v\nreplay it with:\n  rnicgen replay --engine %s%s%s %s\n",
				r.File, r.ReplayReport.First, a.engine, a.configArgument(), a.traceArgument(), r.File)
		}
	}
	if differs {
		return errMismatch
	}
	return nil
}

func (a *app) replayTable(reports []replayReport) error {
	var fpdus, messages, octets, atomics, mismatches int
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "capture\tTCP streams\tFPDUs\tCRCs\tbad\tmessages\tmemory octets\tSTags mapped\tRoCE atomics\tmismatches")
	for _, r := range reports {
		var whole replay.Report
		if r.Report != nil {
			whole = *r.Report
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", r.File, r.TCPStreams, r.FPDUs, r.CRCChecked, r.CRCBad,
			whole.Messages, whole.MemoryOctets, whole.STagsMapped, r.Atomics, r.ReplayReport.Mismatches)
		fpdus, atomics, mismatches = fpdus+r.FPDUs, atomics+r.Atomics, mismatches+r.ReplayReport.Mismatches
		messages, octets = messages+whole.Messages, octets+whole.MemoryOctets
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.printf("%d captures, %d FPDUs, %d messages, %d octets of memory, %d RoCE atomics, %d mismatches, engine %s\n",
		len(reports), fpdus, messages, octets, atomics, mismatches, a.engine)
	return nil
}
