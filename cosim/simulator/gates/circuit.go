package gates

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// circuit is a simulator.Model: a netlist with a value for each net.
type circuit struct {
	values   []uint8 // by net
	ports    [][]net
	stages   []stage // in dependency order
	flops    []flop
	next     []uint8 // of the flip-flops
	memories []*memory
	settled  bool
}

// gate has up to three inputs; bit a + 2b + 4c of the table is its output.
type gate struct {
	a, b, c, y net
	table      uint8
}

// stage is a list of gates, followed by an asynchronous memory read port, or nil.
type stage struct {
	gates []gate
	read  *readPort
}

// flop is a flip-flop with an enable. Its reset has priority over the enable, or is itself gated by the enable.
type flop struct {
	d, q, enable, reset        net
	enableLow, resetLow, value uint8
	enableFirst                bool
}

// tables holds the truth tables of the gates used by synthesis, over the inputs A, B and S.
var tables = map[string]uint8{
	"$_BUF_": 0b10, "$_NOT_": 0b01, "$_AND_": 0b1000, "$_NAND_": 0b0111, "$_OR_": 0b1110, "$_NOR_": 0b0001, "$_XOR_": 0b0110,
	"$_XNOR_": 0b1001, "$_ANDNOT_": 0b0010, "$_ORNOT_": 0b1011, "$_MUX_": 0b11001010, "$_NMUX_": 0b00110101,
}

// flopType matches a flip-flop with a synchronous reset: polarities of clock, reset with its value, and enable.
var flopType = regexp.MustCompile(`^\$_(?:DFF_P|DFFE_P([NP])|(SDFF|SDFFE|SDFFCE)_P([NP])([01])([NP])?)_$`)

// newCircuit connects the cells of a netlist.
func newCircuit(d *simulator.Design, n *netlist) (*circuit, error) {
	c := &circuit{}
	clock := net(0)
	highest := net(1)
	for _, p := range d.Ports {
		port, has := n.Ports[p.Name]
		if !has || len(port.Bits) != p.Width {
			return nil, fmt.Errorf("port %s is %d bits wide; it must be %d", p.Name, len(port.Bits), p.Width)
		}
		c.ports = append(c.ports, port.Bits)
		highest = max(highest, highestOf(port.Bits))
		if p.Name == d.Clock {
			clock = port.Bits[0]
		}
	}
	s := sorter{driver: map[net]*node{}}
	for _, name := range n.names() {
		cell := n.Cells[name]
		for _, bits := range cell.Connections {
			highest = max(highest, highestOf(bits))
		}
		if err := c.add(&s, cell, clock); err != nil {
			return nil, fmt.Errorf("cell %s of type %s: %w", name, cell.Type, err)
		}
	}
	c.values = make([]uint8, highest+1)
	c.values[1] = 1
	c.next = make([]uint8, len(c.flops))
	var err error
	c.stages, err = s.sort()
	return c, err
}

func highestOf(bits []net) (highest net) {
	for _, b := range bits {
		highest = max(highest, b)
	}
	return highest
}

func (c *circuit) add(s *sorter, cell *cell, clock net) error {
	if table, is := tables[cell.Type]; is {
		g := gate{cell.one("A"), cell.one("B"), cell.one("S"), cell.one("Y"), table}
		s.add(&node{gate: g, needs: []net{g.a, g.b, g.c}}, g.y)
		return nil
	}
	if cell.Type == "$mem_v2" {
		return c.addMemory(s, cell, clock)
	}
	t := flopType.FindStringSubmatch(cell.Type)
	if t == nil {
		return errors.New("not a type known to the gates engine")
	}
	if cell.one("C") != clock {
		return errClock
	}
	f := flop{d: cell.one("D"), q: cell.one("Q"), enable: 1, enableFirst: t[2] == "SDFFCE"}
	if polarity := t[1] + t[5]; polarity != "" {
		f.enable, f.enableLow = cell.one("E"), number(polarity == "N")
	}
	if t[3] != "" {
		f.reset, f.resetLow, f.value = cell.one("R"), number(t[3] == "N"), number(t[4] == "1")
	}
	c.flops = append(c.flops, f)
	return nil
}

var errClock = errors.New("not clocked by the design's clock")

func number(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (c *circuit) Set(port int, value []uint64) {
	for i, n := range c.ports[port] {
		c.values[n] = uint8(value[i/64] >> (i % 64) & 1)
	}
	c.settled = false
}

func (c *circuit) Get(port int, value []uint64) {
	clear(value)
	for i, n := range c.ports[port] {
		value[i/64] |= uint64(c.values[n]) << (i % 64)
	}
}

func (c *circuit) Settle() {
	if c.settled {
		return
	}
	c.settled = true
	v := c.values
	for i := range c.stages {
		s := &c.stages[i]
		for j := range s.gates {
			g := &s.gates[j]
			v[g.y] = g.table >> (v[g.a] | v[g.b]<<1 | v[g.c]<<2) & 1
		}
		if s.read != nil {
			s.read.load(v)
		}
	}
}

// Clock samples the inputs of every flip-flop and memory before any of them changes.
func (c *circuit) Clock() {
	c.Settle()
	v := c.values
	for i := range c.flops {
		f := &c.flops[i]
		enable, reset := v[f.enable]^f.enableLow != 0, v[f.reset]^f.resetLow != 0
		switch {
		case f.enableFirst && !enable:
			c.next[i] = v[f.q]
		case reset:
			c.next[i] = f.value
		case enable:
			c.next[i] = v[f.d]
		default:
			c.next[i] = v[f.q]
		}
	}
	for _, m := range c.memories {
		m.look(v)
	}
	for i := range c.flops {
		v[c.flops[i].q] = c.next[i]
	}
	for _, m := range c.memories {
		m.act(v)
	}
	c.settled = false
}

// randomise sets the flip-flops and memories to a random state.
func (c *circuit) randomise(seed uint64) {
	random := batch.Seed(seed, 0)
	draw := func() uint8 { return uint8(batch.Draw(&random) >> 63) }
	for _, f := range c.flops {
		c.values[f.q] = draw()
	}
	for _, m := range c.memories {
		for i := range m.bits {
			m.bits[i] = draw()
		}
		for _, r := range m.reads {
			for _, n := range r.data {
				c.values[n] = draw()
			}
		}
	}
	c.values[0] = 0 // an unconnected port bit
}
