package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/model/system"
)

// compareSimulation runs a workload with the model and with the hardware as all RNICs.
func (a *app) compareSimulation(o simulateOptions, w system.Workload, options system.Options) error {
	list, err := rtl.Compare(o.workload, w, options)
	if err != nil {
		return err
	}
	early := a.ctx.Err() != nil
	if err := a.reportRun(list, early); err != nil {
		return err
	}
	near := true
	if a.json != "-" {
		t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "flow\t\tcount\tper us: model\thardware\tratio\tp50 ns: model\thardware\tratio\tp99 ns: model\thardware\tratio\t")
		for _, c := range list {
			rate, p50, p99 := c.Ratios()
			near = near && c.Near()
			m, h := c.Model, c.RTL
			fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.0f\t%.0f\t%.3f\t%.0f\t%.0f\t%.3f\t\n", m.Flow, m.Name, m.Count, m.PerMicrosecond, h.PerMicrosecond, rate,
				m.Latency.P50, h.Latency.P50, p50, m.Latency.P99, h.Latency.P99, p99)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if early {
		a.printf("interrupted\n")
		return context.Cause(a.ctx)
	}
	if !near {
		return errMismatch
	}
	return nil
}

// checkCompare refuses flags that say something else.
func (o *simulateOptions) checkCompare() error {
	switch {
	case !o.compare:
		return nil
	case o.plot != "" || o.trace != "" || o.monitor:
		return errors.New("--compare with --plot, --trace or --monitor; allowed: one of them")
	case len(o.rtl) > 0:
		return errors.New("--compare with --rtl; allowed: without, as it runs both")
	}
	return nil
}
