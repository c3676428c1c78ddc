package synth

import (
	"cmp"
	"slices"
	"strings"
)

// arc is a dependency of an output of a cell on its inputs.
type arc struct {
	of     kind
	inputs []arcInput
}

type arcInput struct {
	from  bit
	delay float64 // of the cell
	near  bool    // no net delay
}

// pin is an endpoint of paths: a register, a memory, or a port of the module.
type pin struct {
	bit   bit
	cell  string
	port  string
	delay float64 // clock to output, or setup
	outer bool    // a port of the module
}

// timing is a netlist as a graph.
type timing struct {
	target  *Target
	readers map[bit]int
	arcs    map[bit]arc
	starts  map[bit]pin
	ends    []pin
	arrived map[bit]arrival
}

// arrival is when a net is stable, and its critical predecessor.
type arrival struct {
	at     float64
	before bit
	levels int
	done   bool
}

func newTiming(t *Target, n *netlist) *timing {
	g := &timing{target: t, readers: map[bit]int{}, arcs: map[bit]arc{}, starts: map[bit]pin{}, arrived: map[bit]arrival{}}
	for name, c := range n.Cells {
		is := t.cellOf(c.Type)
		var inputs []pin
		var outputs []pin
		for port, bits := range c.Connections {
			for i, b := range bits {
				p := pin{bit: b, cell: name, port: port}
				switch {
				case b == 0:
				case c.Directions[port] == "output":
					outputs = append(outputs, pin{bit: b, cell: name, port: port, delay: float64(i)})
				default:
					g.readers[b]++
					p.delay = float64(i)
					inputs = append(inputs, p)
				}
			}
		}
		g.add(is, inputs, outputs)
	}
	for name, p := range n.Ports {
		for _, b := range p.Bits {
			switch {
			case b == 0:
			case p.Direction == "input":
				g.starts[b] = pin{bit: b, port: name, delay: g.flipFlop().delay, outer: true}
			default:
				g.ends = append(g.ends, pin{bit: b, port: name, delay: g.flipFlop().setup, outer: true})
			}
		}
	}
	return g
}

// flipFlop models the register outside a port.
func (g *timing) flipFlop() cell {
	for _, c := range g.target.cells {
		if c.kind == flipFlop {
			return c
		}
	}
	return cell{}
}

// add adds a cell. The delay of a pin is its place in its port until then.
func (g *timing) add(is cell, inputs, outputs []pin) {
	end := func(p pin) {
		if !strings.HasPrefix(p.port, is.clock) {
			p.delay = is.setup
			g.ends = append(g.ends, p)
		}
	}
	switch is.kind {
	case flipFlop, blockRAM, dsp:
		for _, p := range outputs {
			p.delay = is.delay
			g.starts[p.bit] = p
		}
		for _, p := range inputs {
			end(p)
		}
	case lutRAM:
		var a arc
		for _, p := range inputs {
			reads := slices.ContainsFunc(strings.Fields(is.address), func(prefix string) bool { return strings.HasPrefix(p.port, prefix) })
			if reads {
				a.inputs = append(a.inputs, arcInput{from: p.bit, delay: is.delay})
			}
			end(p)
		}
		a.of = lutRAM
		for _, p := range outputs {
			g.arcs[p.bit] = a
		}
	default:
		for _, out := range outputs {
			a := arc{of: is.kind}
			for _, in := range inputs {
				if is.perBit && in.delay > out.delay {
					continue // a later stage of the chain
				}
				next := arcInput{from: in.bit, delay: is.delay, near: slices.Contains(strings.Fields(is.direct), in.port)}
				if is.perBit && next.near {
					next.delay = is.perStage
				}
				a.inputs = append(a.inputs, next)
			}
			g.arcs[out.bit] = a
		}
	}
}

// arrive computes when a net is stable. Loops count as stable from the start.
func (g *timing) arrive(b bit) arrival {
	if a, is := g.arrived[b]; is {
		return a
	}
	if s, is := g.starts[b]; is {
		a := arrival{at: s.delay, done: true}
		g.arrived[b] = a
		return a
	}
	g.arrived[b] = arrival{}
	arc := g.arcs[b]
	out := arrival{done: true}
	for _, in := range arc.inputs {
		from := g.arrive(in.from)
		at := from.at + in.delay
		if !in.near {
			at += g.target.netDelay(g.readers[in.from])
		}
		levels := from.levels
		if arc.of == lut || arc.of == lutRAM || arc.of == carry && !in.near {
			levels++
		}
		if at > out.at {
			out.at, out.before = at, in.from
		}
		out.levels = max(out.levels, levels)
	}
	g.arrived[b] = out
	return out
}

// reach is an end with its delay.
type reach struct {
	pin
	delay  float64
	levels int
}

// slowest lists the ends, slowest first.
func (g *timing) slowest() (list []reach) {
	for _, e := range g.ends {
		a := g.arrive(e.bit)
		list = append(list, reach{e, a.at + g.target.netDelay(g.readers[e.bit]) + e.delay, a.levels})
	}
	slices.SortFunc(list, func(a, b reach) int {
		return cmp.Or(cmp.Compare(b.delay, a.delay), cmp.Compare(a.cell, b.cell), cmp.Compare(a.port, b.port), cmp.Compare(a.bit, b.bit))
	})
	return list
}

// way lists the nets of a path from its start.
func (g *timing) way(b bit) (list []bit) {
	for b != 0 {
		list = append(list, b)
		b = g.arrived[b].before
	}
	slices.Reverse(list)
	return list
}
