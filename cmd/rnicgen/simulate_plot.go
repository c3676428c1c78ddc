package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/system"
)

// plotSimulation runs a workload at several loads and sizes and draws the results.
func (a *app) plotSimulation(o simulateOptions, w system.Workload, e system.Engine, whole *system.Report, run func(system.Workload) (*system.Report, error)) error {
	several := func(what string, list []system.Workload) (reports []*system.Report, err error) {
		for i, w := range list {
			a.log.Info("simulating", "plot", what, "run", fmt.Sprintf("%d of %d", i+1, len(list)))
			r, err := run(w)
			if err != nil {
				return nil, err
			}
			if a.ctx.Err() != nil {
				break
			}
			reports = append(reports, r)
		}
		return reports, nil
	}
	loads, err := several("load", w.Loads(e))
	if err != nil {
		return err
	}
	sizes, err := several("contenders", w.Sizes(e))
	if err != nil {
		return err
	}
	var files []outdir.File
	for _, p := range []struct {
		name string
		plot *plot.Plot
	}{{"latency.svg", latencyAgainstLoad(loads)}, {"contenders.svg", rateAgainstNodes(sizes)}, {"fairness.svg", ratesOfStreams(whole)}} {
		var text bytes.Buffer
		svg, err := p.plot.WriterTo(6*vg.Inch, 4*vg.Inch, "svg")
		if err != nil {
			return err
		}
		if _, err := svg.WriteTo(&text); err != nil {
			return err
		}
		files = append(files, outdir.File{Name: p.name, Data: text.Bytes()})
	}
	return outdir.Write(o.plot, outdir.Manifest{Generator: "rnicgen " + engine.Version, Kind: "simulation", Config: map[string]any{"workload": w}}, files)
}

// latencyAgainstLoad draws p50 and p99 of transactions against their rate.
func latencyAgainstLoad(reports []*system.Report) *plot.Plot {
	return drawn("latency against load", "transactions in a microsecond, all nodes", "ns", reports, func(r *system.Report, row system.Row) map[string]plotter.XY {
		return map[string]plotter.XY{" p50": {X: r.Rate(), Y: row.Latency.P50}, " p99": {X: r.Rate(), Y: row.Latency.P99}}
	})
}

// rateAgainstNodes draws the rate of transactions against the number of nodes.
func rateAgainstNodes(reports []*system.Report) *plot.Plot {
	return drawn("rate against contenders", "nodes", "transactions in a microsecond", reports, func(r *system.Report, row system.Row) map[string]plotter.XY {
		return map[string]plotter.XY{"": {X: float64(r.Workload.Nodes), Y: row.PerMicrosecond}}
	})
}

// drawn draws points of each kind of transaction, one in a report for each line; a line is named by the transaction and an ending.
func drawn(title, x, y string, reports []*system.Report, points func(*system.Report, system.Row) map[string]plotter.XY) *plot.Plot {
	lines := map[string]plotter.XYs{}
	for _, r := range reports {
		for _, row := range r.Rows {
			if row.Operation {
				continue
			}
			for ending, p := range points(r, row) {
				name := row.Flow + " " + row.Name + ending
				lines[name] = append(lines[name], p)
			}
		}
	}
	return linesOf(title, x, y, lines)
}

// ratesOfStreams draws the rate of each stream, sorted.
func ratesOfStreams(r *system.Report) *plot.Plot {
	lines := map[string]plotter.XYs{}
	for _, row := range r.Rows {
		if row.Operation || lines[row.Flow] != nil {
			continue
		}
		for i, rate := range slices.Sorted(slices.Values(row.Rates)) {
			lines[row.Flow] = append(lines[row.Flow], plotter.XY{X: float64(i), Y: rate})
		}
	}
	return linesOf("fairness across streams", "streams, slowest first", "transactions in a microsecond", lines)
}

func linesOf(title, x, y string, lines map[string]plotter.XYs) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Y.Min, p.Legend.Top = 0, true
	var list []any
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		list = append(list, name, lines[name])
	}
	if err := plotutil.AddLinePoints(p, list...); err != nil {
		panic(err) // the points are numbers
	}
	return p
}
