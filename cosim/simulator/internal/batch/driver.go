package batch

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// GoDriver drives a simulator.Model. It is the cycle- and bit-accurate Go equivalent of shim/driver.h in C++.
type GoDriver struct {
	design  *simulator.Design
	block   *Block
	streams []Stream
	pins    []pins
	model   simulator.Model
	failing simulator.FailingModel // the model, if it can fail
	hash    bool
	valid   []int // of each port that is a field of a stream, the port of the stream's valid; -1: none
	clock   int   // port, -1: none
	reset   int
	word    [1]uint64
	value   []uint64 // buffer of the widest port
	agents  []*agent // of the memories
}

// pins are the ports of one stream.
type pins struct {
	dir          simulator.StreamDir
	valid, ready int // ports; a monitor has no ready, -1
	layout       simulator.Layout
	high         bool // the level of a sink's valid
	memory       bool // an agent drives them
}

// NewGoDriver connects a model to the state of its streams.
func NewGoDriver(d *simulator.Design, o simulator.Options, b *Block, streams []Stream, memories []*Memory, model simulator.Model) (*GoDriver, error) {
	g := &GoDriver{design: d, block: b, streams: streams, model: model, hash: o.Hash}
	var err error
	find := func(name string) (i int) {
		if err == nil {
			i, err = d.Port(name)
		}
		return i
	}
	g.failing, _ = model.(simulator.FailingModel)
	g.clock, g.reset = -1, -1
	if d.Clock != "" {
		g.clock, g.reset = find(d.Clock), find(d.Reset)
	}
	for i, s := range d.Streams {
		layout, layoutErr := d.Layout(i)
		if layoutErr != nil {
			return nil, layoutErr
		}
		p := pins{dir: s.Dir, valid: find(s.Valid), ready: -1, layout: layout, memory: d.MemoryOf(i) >= 0}
		if !s.Monitor() {
			p.ready = find(s.Ready)
		}
		g.pins = append(g.pins, p)
	}
	widest := 0
	for _, p := range d.Ports {
		widest = max(widest, p.Words())
		valid := -1
		if name := d.Qualifies(p.Name); name != "" {
			valid = find(name)
		}
		g.valid = append(g.valid, valid)
	}
	g.value = make([]uint64, widest)
	for i, m := range memories {
		g.agents = append(g.agents, newAgent(d, i, g, m))
	}
	return g, err
}

// Run is the batched loop.
func (g *GoDriver) Run() {
	b := g.block
	b.Why = uint64(simulator.MaxCycles)
	for i := range g.pins {
		if g.pins[i].ready < 0 && g.streams[i].full() {
			b.Why = uint64(simulator.OutputFull)
			return
		}
	}
	if g.logFull() {
		b.Why = uint64(simulator.OutputFull)
		return
	}
	for end := b.Cycle + b.MaxCycles; b.Cycle < end; {
		held := g.drive()
		if !g.settle() {
			return
		}
		moved, full := g.sample()
		g.edge(g.hash)
		if g.broken() {
			b.Why = uint64(simulator.Failed)
			return
		}
		if full || g.logFull() {
			b.Idle, b.Why = 0, uint64(simulator.OutputFull)
			return
		}
		if held || moved {
			b.Idle = 0
			continue
		}
		b.Idle++
		if b.IdleLimit != 0 && b.Idle >= b.IdleLimit {
			b.Idle, b.Why = 0, uint64(g.verdict())
			return
		}
	}
}

// Reset holds the reset with every valid and ready low.
func (g *GoDriver) Reset() {
	b := g.block
	b.Why = uint64(simulator.MaxCycles)
	g.setReset(1)
	for i := range g.pins {
		switch {
		case g.pins[i].memory:
		case g.pins[i].dir == simulator.Sink:
			g.withdraw(i)
		default:
			g.ready(i, 0)
		}
	}
	for _, a := range g.agents {
		a.reset()
	}
	for end := b.Cycle + b.MaxCycles; b.Cycle < end; {
		if !g.settle() {
			return
		}
		g.edge(false)
	}
	g.setReset(0)
}

// Err returns the error of a failed model.
func (g *GoDriver) Err() error {
	if g.failing != nil {
		return g.failing.Err()
	}
	return nil
}

// ReadMemory and WriteMemory copy bytes of a memory.
func (g *GoDriver) ReadMemory(memory int, address uint64, bytes []byte) {
	g.agents[memory].pages.read(address, bytes)
}

func (g *GoDriver) WriteMemory(memory int, address uint64, bytes []byte) {
	g.agents[memory].pages.write(address, bytes)
}

// SetPort drives an input.
func (g *GoDriver) SetPort(port int, value []uint64) {
	words := g.value[:len(value)]
	CopyPort(words, value, g.design.Ports[port].Width)
	g.model.Set(port, words)
}

// GetPort reads a port.
func (g *GoDriver) GetPort(port int, value []uint64) {
	g.model.Settle()
	g.model.Get(port, value)
}

// Close closes the model if it is an io.Closer.
func (g *GoDriver) Close() error { return closeModel(g.model) }
