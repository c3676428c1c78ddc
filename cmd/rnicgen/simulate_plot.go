package main

import (
	"bytes"
	"fmt"
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
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "latency against load", "transactions in a microsecond, all nodes", "ns"
	p.Y.Min = 0
	lines := map[string]plotter.XYs{}
	for _, r := range reports {
		for _, row := range r.Rows {
			if !row.Operation {
				name := row.Flow + " " + row.Name
				lines[name+" p50"] = append(lines[name+" p50"], plotter.XY{X: r.Rate(), Y: row.Latency.P50})
				lines[name+" p99"] = append(lines[name+" p99"], plotter.XY{X: r.Rate(), Y: row.Latency.P99})
			}
		}
	}
	addLines(p, lines)
	return p
}

// rateAgainstNodes draws the rate of transactions against the number of nodes.
func rateAgainstNodes(reports []*system.Report) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "rate against contenders", "nodes", "transactions in a microsecond"
	p.Y.Min = 0
	lines := map[string]plotter.XYs{}
	for _, r := range reports {
		for _, row := range r.Rows {
			if !row.Operation {
				name := row.Flow + " " + row.Name
				lines[name] = append(lines[name], plotter.XY{X: float64(r.Workload.Nodes), Y: row.PerMicrosecond})
			}
		}
	}
	addLines(p, lines)
	return p
}

// ratesOfStreams draws the rate of each stream, sorted.
func ratesOfStreams(r *system.Report) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "fairness across streams", "streams, slowest first", "transactions in a microsecond"
	p.Y.Min = 0
	lines := map[string]plotter.XYs{}
	for _, row := range r.Rows {
		if row.Operation || lines[row.Flow] != nil {
			continue
		}
		for i, rate := range slices.Sorted(slices.Values(row.Rates)) {
			lines[row.Flow] = append(lines[row.Flow], plotter.XY{X: float64(i), Y: rate})
		}
	}
	addLines(p, lines)
	return p
}

func addLines(p *plot.Plot, lines map[string]plotter.XYs) {
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []any
	for _, name := range names {
		list = append(list, name, lines[name])
	}
	if err := plotutil.AddLinePoints(p, list...); err != nil {
		panic(err) // the points are numbers
	}
	p.Legend.Top = true
}
