package hdl

import (
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Through is a combinational path of the top module from an input port to an output port.
type Through struct {
	In, Out string
	By      []string // signals between them, with the port of the instance that drives each
}

func (t Through) String() string {
	return strings.Join(slices.Concat([]string{t.In}, t.By, []string{t.Out}), " -> ")
}

// Through lists the combinational paths from input to output, the shortest of each pair of ports.
func (d *Design) Through() (list []Through) {
	through := map[*ir.Module]map[*ir.Signal][]*ir.Signal{}
	for _, m := range d.modules {
		g := graphOf(m, through)
		through[m] = g.summary(m)
		if m != d.top {
			continue
		}
		for _, out := range m.Ports {
			list = append(list, g.through(out, through[m][out])...)
		}
	}
	return list
}

// through finds the shortest path from each of the inputs to an output.
func (g *graph) through(out *ir.Signal, inputs []*ir.Signal) (list []Through) {
	next := map[*ir.Signal]*ir.Signal{out: nil} // towards the output
	for queue := []*ir.Signal{out}; len(queue) > 0; queue = queue[1:] {
		for _, s := range g.from[queue[0]] {
			if _, seen := next[s]; !seen {
				next[s] = queue[0]
				queue = append(queue, s)
			}
		}
	}
	for _, in := range inputs {
		t := Through{In: in.Name, Out: out.Name}
		for s := next[in]; s != nil && s != out; s = next[s] {
			name := s.Name
			if via := g.via[s]; via != "" {
				name += " (" + via + ")"
			}
			t.By = append(t.By, name)
		}
		list = append(list, t)
	}
	return list
}
