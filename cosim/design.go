package cosim

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/hdl"
)

// Design describes to engines how to drive a compiled design. Inputs that belong to no stream are constants set by the caller;
// outputs named PREFIX_*, with a PREFIX_valid, form a stream that is never stalled. Streams of one port, such as the channels of
// AXI4, are named after their valid ports without "valid": m_axi_aw.
func Design(d *hdl.Design, monitors ...string) *simulator.Design {
	e := &simulator.Design{Top: d.Top(), Clock: "clk", Reset: "rst", Simulate: func(o simulator.Options) (simulator.Model, error) { return gosim.Simulate(d, o) }}
	for _, f := range d.Files() {
		e.Files = append(e.Files, simulator.File{Name: f.Name, Text: f.Text})
	}
	e.Ports = []simulator.Port{{Name: "clk", Dir: simulator.In, Width: 1}, {Name: "rst", Dir: simulator.In, Width: 1}}
	widths := map[string]int{}
	for _, p := range d.Ports() {
		widths[p.Name] = p.Width
	}
	// The widest fields start at a word boundary of the packed beat.
	wideFirst := func(fields []string) []string {
		fields = slices.Clone(fields)
		slices.SortStableFunc(fields, func(a, b string) int { return widths[b] - widths[a] })
		return fields
	}
	for _, in := range d.Places() {
		i := simulator.Instance{Path: in.Path, Module: in.Kind, Variant: in.Module}
		for _, p := range in.Ports {
			dir := simulator.In
			if p.Out {
				dir = simulator.Out
			}
			i.Ports = append(i.Ports, simulator.Port{Name: p.Name, Dir: dir, Width: p.Width})
		}
		e.Instances = append(e.Instances, i)
	}
	inStream := map[string]bool{}
	for _, s := range d.Streams() {
		dir := simulator.Source
		if s.Sink {
			dir = simulator.Sink
		}
		fields := wideFirst(s.Fields)
		e.Streams = append(e.Streams, simulator.Stream{Name: s.Name, Dir: dir, Valid: s.Valid, Ready: s.Ready, Fields: fields})
		for _, name := range append(fields, s.Valid, s.Ready) {
			inStream[name] = true
		}
	}
	for _, p := range d.Ports() {
		dir := simulator.In
		if p.Out {
			dir = simulator.Out
		} else if !inStream[p.Name] {
			e.Statics = append(e.Statics, p.Name)
		}
		e.Ports = append(e.Ports, simulator.Port{Name: p.Name, Dir: dir, Width: p.Width})
	}
	for _, prefix := range monitors {
		s := simulator.Stream{Name: prefix, Dir: simulator.Source, Valid: prefix + "_valid"}
		for _, p := range d.Ports() {
			if p.Out && len(p.Name) > len(prefix) && p.Name[:len(prefix)+1] == prefix+"_" && p.Name != s.Valid {
				s.Fields = append(s.Fields, p.Name)
			}
		}
		s.Fields = wideFirst(s.Fields)
		e.Streams = append(e.Streams, s)
	}
	return e
}
