package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/rnic/replay"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// replayReport is the JSON report of one replayed capture.
type replayReport struct {
	File        string         `json:"file"`
	TCPStreams  int            `json:"tcp_streams"`
	FPDUs       int            `json:"fpdus"`
	CRCChecked  int            `json:"crc_checked"`
	CRCBad      int            `json:"crc_bad"`
	Names       map[string]int `json:"messages"`       // segments per opcode name; every name is present
	Other       int            `json:"other_segments"` // segments with a reserved opcode or too short for one
	Atomics     int            `json:"roce_atomics"`   // RoCE atomics that the captured responder answered
	Differences int            `json:"mismatches"`
	replay.Report
}

func (a *app) replayCommand() *cobra.Command {
	var trace string
	c := &cobra.Command{
		Use: "replay CAPTURE.pcap...", Short: "Run captured traffic through the hardware and the golden model", Args: cobra.MinimumNArgs(1),
		Long: `replay extracts the iWARP connections from captures (pcap or pcapng) and replaces each host by an engine, shadowed by the golden
model. The engine receives what its host received and posts what its host posted. Its messages, completions and final memory are
compared with the capture. Regions, rights, buffers and memory contents are inferred from the capture. STags whose index is
outside the STag table are mapped to another row; nothing else of a segment changes.

Atomics in RoCE v2 captures that have a captured response, and the RDMA Writes of their queue pairs, run as iWARP. With the
extension commit, so do FLUSHes, ATOMIC WRITEs, and the Reads of queue pairs that have any.`,
		RunE: func(_ *cobra.Command, files []string) error {
			config, err := a.readRDMAP()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			reports, err := a.replay(replay.New(replay.Options{Config: config, Engine: a.engine, Trace: trace, Context: a.ctx, Grow: a.config == ""}), files)
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
	c.Flags().StringVar(&trace, "trace", "", "write a waveform of each side to this `file`, .fst or .vcd; -client or -server is added to its name")
	return c
}

func (a *app) replay(r *replay.Replayer, files []string) ([]replayReport, error) {
	reports := []replayReport{}
	for _, f := range files {
		c, err := capture.Open(f)
		if err != nil {
			return reports, err
		}
		report := replayReportOf(f, c.Summary())
		if report.Report, err = r.Replay(c); err != nil {
			return reports, fmt.Errorf("%s: %w", f, err)
		}
		report.Differences, report.Atomics = report.Report.Mismatches, report.RoCEAtomics
		a.log.Debug("replayed", "file", f, "fpdus", report.FPDUs)
		reports = append(reports, report)
	}
	return reports, nil
}

// replayReportOf summarises a capture.
func replayReportOf(file string, s capture.Summary) replayReport {
	r := replayReport{File: file, TCPStreams: s.TCPStreams, FPDUs: s.FPDUs, CRCChecked: s.CRCChecked, CRCBad: s.CRCBad, Names: map[string]int{}, Other: s.FPDUs}
	for _, m := range spec.Operations {
		r.Names[m.Name] = s.Segments[m.Name]
		r.Other -= s.Segments[m.Name]
	}
	return r
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
		if r.Differences > 0 {
			differs = true
			fmt.Fprintf(a.errs, "mismatch: %s: %v\nreproduce it with:\n  rnicgen replay --engine %s%s%s %s\n",
				r.File, r.First, a.engine, a.configArgument(), a.traceArgument(), r.File)
		}
	}
	if differs {
		return errMismatch
	}
	return nil
}

func (a *app) replayTable(reports []replayReport) error {
	var fpdus, messages, octets, atomics, flushes, writes, mismatches int
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "capture\tTCP streams\tFPDUs\tCRCs\tbad\tmessages\tmemory octets\tSTags mapped\tRoCE atomics\tmismatches")
	for _, r := range reports {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", r.File, r.TCPStreams, r.FPDUs, r.CRCChecked, r.CRCBad,
			r.Messages, r.MemoryOctets, r.STagsMapped, r.Atomics, r.Differences)
		fpdus, atomics, mismatches = fpdus+r.FPDUs, atomics+r.Atomics, mismatches+r.Differences
		messages, octets = messages+r.Messages, octets+r.MemoryOctets
		flushes, writes = flushes+r.RoCEFlushes, writes+r.RoCEAtomicWrites
	}
	if err := w.Flush(); err != nil {
		return err
	}
	commits := ""
	if flushes+writes > 0 {
		commits = fmt.Sprintf("%d RoCE flushes, %d RoCE atomic writes, ", flushes, writes)
	}
	a.printf("%d captures, %d FPDUs, %d messages, %d octets of memory, %d RoCE atomics, %s%d mismatches, engine %s\n",
		len(reports), fpdus, messages, octets, atomics, commits, mismatches, a.engine)
	return nil
}
