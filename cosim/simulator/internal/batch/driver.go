package batch

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// GoDriver drives an engine.Model. It says in Go what shim/driver.h says in C++, cycle by cycle and bit by bit.
type GoDriver struct {
	design  *simulator.Design
	block   *Block
	streams []Stream
	pins    []pins
	model   simulator.Model
	failing simulator.FailingModel // the model, if it can give up
	hash    bool
	valid   []int // of each port that is a field of a stream, the port of the stream's valid; -1: none
	clock   int   // port, -1: none
	reset   int
	word    [1]uint64
	value   []uint64 // room for the widest port
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

// settle lets the logic follow the pins; false when the model has given up.
func (g *GoDriver) settle() bool {
	g.model.Settle()
	if g.Err() != nil {
		g.block.Why = uint64(simulator.Failed)
		return false
	}
	return true
}

// Err says why the model has given up, nil when it has not.
func (g *GoDriver) Err() error {
	if g.failing != nil {
		return g.failing.Err()
	}
	return nil
}

// drive sets the pins of a cycle. It tells whether a stall held a queued beat back.
func (g *GoDriver) drive() (held bool) {
	for _, a := range g.agents {
		held = a.drive(g.block.Cycle) || held
	}
	for i := range g.pins {
		if g.pins[i].memory {
			continue
		}
		s := &g.streams[i]
		stall := s.stall()
		if g.pins[i].dir == simulator.Source {
			g.ready(i, number(!stall && !s.full()))
			continue
		}
		switch {
		case s.Valid != 0: // stays on offer
		case s.Head == s.Tail:
			g.withdraw(i)
		case stall:
			g.withdraw(i)
			held = true
		default:
			g.offer(i)
		}
	}
	return held
}

// sample takes the handshakes of a settled cycle. It tells whether there was one, or a stall prevented one, and whether
// a source's buffer became full.
func (g *GoDriver) sample() (moved, full bool) {
	for _, a := range g.agents {
		moved = a.sample(g.block.Cycle) || moved
	}
	for i := range g.pins {
		s, p := &g.streams[i], &g.pins[i]
		if p.memory {
			continue
		}
		if p.dir == simulator.Sink {
			s.Ready = g.get(p.ready)
			s.Offered += s.Valid
			if s.Valid&s.Ready != 0 {
				s.stamp(s.Head, g.block.Cycle)
				s.Head++
				s.Valid = 0
				moved = true
			}
			continue
		}
		s.Valid = g.get(p.valid)
		s.Offered += s.Valid
		switch {
		case s.Valid == 0:
		case s.Ready != 0:
			g.collect(i)
			s.stamp(s.Tail, g.block.Cycle)
			s.Tail++
			moved = true
			full = full || s.full()
		case !s.full():
			moved = true // held back by a stall only
		}
	}
	return moved, full
}

// edge takes the trace hash, when it is wanted, and lets the clock rise.
func (g *GoDriver) edge(hash bool) {
	if hash {
		for i, p := range g.design.Ports {
			if i == g.clock || slices.Contains(g.design.Statics, p.Name) || g.valid[i] >= 0 && g.get(g.valid[i]) == 0 {
				continue
			}
			value := g.value[:p.Words()]
			g.model.Get(i, value)
			for _, word := range value {
				g.block.Hash = Mix(g.block.Hash, word)
			}
		}
	}
	g.model.Clock()
	g.block.Cycle++
}

// verdict says what it means that nothing moved.
func (g *GoDriver) verdict() simulator.Why {
	why := simulator.Quiet
	for _, a := range g.agents {
		if a.pending() {
			why = simulator.Stuck
		}
	}
	for i := range g.pins {
		if g.pins[i].memory {
			continue
		}
		s := &g.streams[i]
		sink := g.pins[i].dir == simulator.Sink
		if !sink && s.full() {
			return simulator.OutputFull
		}
		if sink && s.Head != s.Tail || !sink && s.Valid != 0 {
			why = simulator.Stuck
		}
	}
	return why
}

// broken tells whether a rule of AXI4 is.
func (g *GoDriver) broken() (broken bool) {
	for _, a := range g.agents {
		broken = broken || a.Rule != 0
	}
	return broken
}

// logFull tells whether a memory's log may have no room for the effects of a cycle.
func (g *GoDriver) logFull() (full bool) {
	for _, a := range g.agents {
		full = full || a.logFull()
	}
	return full
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

// Close closes the model, if that is to be done.
func (g *GoDriver) Close() error { return closeModel(g.model) }
