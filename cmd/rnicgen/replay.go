package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
)

func (a *app) replayCommand() *cobra.Command {
	var trace string
	c := &cobra.Command{
		Use: "replay CAPTURE.pcap...", Short: "Run captured traffic through the hardware and the golden model", Args: cobra.MinimumNArgs(1),
		Long: `replay takes the iWARP connections out of captures (pcap or pcapng) and sends every DDP segment through the parser; each
record and payload is compared with the golden model's. Atomics in RoCE v2 captures run through the whole responder, and
what it finds in memory is compared with what the captured responder answered.`,
		RunE: func(_ *cobra.Command, files []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			r := cosim.NewReplayer(config, a.engine, engine.Options{Trace: trace})
			reports, err := a.replay(r, files)
			if closing := r.Close(); err == nil {
				err = closing
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

func (a *app) replay(r *cosim.Replayer, files []string) ([]cosim.ReplayReport, error) {
	var reports []cosim.ReplayReport
	for _, f := range files {
		report, err := r.Replay(f)
		if err != nil {
			return nil, err
		}
		a.log.Debug("replayed", "file", f, "fpdus", report.FPDUs)
		reports = append(reports, report)
	}
	return reports, nil
}

func (a *app) replayResult(reports []cosim.ReplayReport) error {
	if err := a.report(reports); err != nil {
		return err
	}
	differs := false
	if a.json != "-" {
		var fpdus, atomics, mismatches int
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "capture\tTCP streams\tFPDUs\tCRCs\tbad\tRoCE atomics\tmismatches")
		for _, r := range reports {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", r.File, r.TCPStreams, r.FPDUs, r.CRCChecked, r.CRCBad, r.Atomics, r.Mismatches)
			fpdus, atomics, mismatches = fpdus+r.FPDUs, atomics+r.Atomics, mismatches+r.Mismatches
		}
		if err := w.Flush(); err != nil {
			return err
		}
		a.printf("%d captures, %d FPDUs, %d RoCE atomics, %d mismatches, engine %s\n", len(reports), fpdus, atomics, mismatches, a.engine)
	}
	for _, r := range reports {
		if r.Mismatches > 0 {
			differs = true
			fmt.Fprintf(a.errs, "mismatch: %s: %v\nreplay it with:\n  rnicgen replay --engine %s%s%s %s\n",
				r.File, r.First, a.engine, a.configArgument(), a.traceArgument(), r.File)
		}
	}
	if differs {
		return errMismatch
	}
	return nil
}
