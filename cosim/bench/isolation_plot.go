package bench

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rnicgen/rnicgen/gen/outdir"
)

// longestBar is the ratio at which a bar is cut off; its label has the number.
const longestBar = 10

// PlotIsolation draws two bar charts, of throughput and of p99 latency, in the order of the rows, the worst at the bottom.
func PlotIsolation(rows []Isolation) ([]outdir.File, error) {
	throughput, err := ratioChart(rows, "throughput of 63 victims / their fair share", isolationThroughput, func(r *Isolation) float64 { return r.Rate.Ratio })
	if err != nil {
		return nil, err
	}
	latency, err := ratioChart(rows, "p99 latency of 63 victims / alone", isolationLatency, func(r *Isolation) float64 { return r.Latency.Ratio })
	return []outdir.File{{Name: "latency.svg", Data: latency}, {Name: "throughput.svg", Data: throughput}}, err
}

var (
	barColor   = color.RGBA{R: 70, G: 120, B: 180, A: 255}
	limitColor = color.RGBA{R: 200, A: 255}
)

// ratioChart is an SVG with a bar for each row and a line at the limit.
func ratioChart(rows []Isolation, title string, limit float64, ratio func(*Isolation) float64) ([]byte, error) {
	p := plot.New()
	p.X.Label.Text, p.X.Min = title, 0
	var values plotter.Values
	var names []string
	for i := len(rows) - 1; i >= 0; i-- {
		value := ratio(&rows[i])
		values = append(values, min(value, longestBar))
		names = append(names, fmt.Sprintf("%s  %.2f", rows[i].Aggressor, value))
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("there are no rows to plot")
	}
	bars, err := plotter.NewBarChart(values, vg.Points(10))
	if err != nil {
		return nil, err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, barColor, 0
	line, err := plotter.NewLine(plotter.XYs{{X: limit, Y: -0.5}, {X: limit, Y: float64(len(rows)) - 0.5}})
	if err != nil {
		return nil, err
	}
	line.Color = limitColor
	p.Add(bars, line)
	p.NominalY(names...)
	w, err := p.WriterTo(7*vg.Inch, vg.Length(len(rows)+4)*14, "svg")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = w.WriteTo(&text)
	return text.Bytes(), err
}
