package hdl_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/hdl"
)

// randomDesign draws a design that uses every construct of the language. All names start with prefix, so
// that one build can contain many designs.
func randomDesign(t *rapid.T, prefix string) *hdl.Design {
	g := &designer{draw: func(low, high int, what string) int { return rapid.IntRange(low, high).Draw(t, what) }, prefix: prefix}
	d, err := hdl.Compile(g.block(2).Block, hdl.AnyNesting)
	if err != nil {
		t.Fatalf("a random design has mistakes: %v", err)
	}
	return d
}

// designer draws modules. Draws made while a module is first built are recorded on a tape, so that a second
// instance of the same block is identical.
type designer struct {
	draw   func(low, high int, what string) int
	prefix string
	blocks int
}

// mixPorts is a module with plain ports and a stream in each direction.
type mixPorts struct {
	A, B   hdl.In
	Stream hdl.Sink[mixBeat]
	Y      hdl.Out
	Out    hdl.Source[mixBeat]
}

type mixBeat struct {
	Data  hdl.Value
	Inner struct{ Kind hdl.Value }
}

// tape records and replays draws.
type tape struct {
	list []int
	pos  int
}

func (g *designer) block(depth int) drawn {
	g.blocks++
	name := fmt.Sprintf("%s_%d", g.prefix, g.blocks)
	beat := mixBeat{Data: hdl.Bits(g.width())}
	beat.Inner.Kind = hdl.Bits(g.width())
	rec, y := &tape{}, g.width()
	return drawn{y, hdl.Block[mixPorts]{
		Kind: name, Doc: name + " is drawn at random.",
		Ports: mixPorts{hdl.NewIn(g.width()), hdl.NewIn(g.width()), hdl.NewSink(beat), hdl.NewOut(y), hdl.NewSource(beat)},
		Build: func(m *hdl.Module, p mixPorts) {
			rec.pos = 0
			c := &chooser{designer: g, tape: rec, m: m, depth: depth}
			c.body(p, beat, y)
		},
	}}
}

// drawn is a block and the width of its output y.
type drawn struct {
	y int
	hdl.Block[mixPorts]
}

// Interesting widths: one bit, less than a word, around one word and around two.
func (g *designer) width() int { return widthOf(g.draw) }

func widthOf(draw func(low, high int, what string) int) int {
	switch draw(0, 5, "width class") {
	case 0:
		return 1
	case 1, 2:
		return draw(2, 9, "width")
	case 3:
		return draw(10, 63, "width")
	case 4:
		return draw(63, 66, "width")
	}
	return draw(67, 130, "width")
}

// chooser draws the body of one module.
type chooser struct {
	*designer
	tape   *tape
	m      *hdl.Module
	depth  int
	pool   []hdl.Value // can be read
	regs   []hdl.Reg
	wires  []pendingWire
	unread []hdl.Value // must still reach an output
	names  int
}

// pendingWire is a wire that is driven later, from values older than itself, to avoid loops.
type pendingWire struct {
	hdl.Wire
	before int
}

func (c *chooser) pick(low, high int, what string) int {
	if c.tape.pos == len(c.tape.list) {
		c.tape.list = append(c.tape.list, c.draw(low, high, what))
	}
	c.tape.pos++
	return c.tape.list[c.tape.pos-1]
}

func (c *chooser) width() int { return widthOf(c.pick) }

func (c *chooser) name(what string) string {
	c.names++
	return fmt.Sprintf("%s_%d", what, c.names)
}

func (c *chooser) body(p mixPorts, beat mixBeat, y int) {
	c.keep(p.A.Value, p.B.Value, p.Stream.Valid, p.Stream.Data.Data, p.Stream.Data.Inner.Kind, p.Out.Ready)
	for range c.pick(1, 4, "registers") {
		reset := hdl.NoReset
		if c.pick(0, 1, "has reset") == 1 {
			reset = hdl.ResetTo(uint64(c.pick(0, 1, "reset value")))
		}
		r := c.m.Reg(c.name("reg")+"_q", c.width(), reset)
		c.regs = append(c.regs, r)
		c.keep(r.Value)
	}
	held := hdl.NewRegOf(c.m, c.name("held"), beat, hdl.ResetTo(0))
	c.keep(held.Q.Data, held.Q.Inner.Kind)
	for range c.pick(1, 8, "items") {
		c.item()
	}
	c.m.Section("What the clock does.")
	c.m.OnClock(hdl.If(c.condition(), held.Set(mixBeat{c.value(beat.Data.Width()), struct{ Kind hdl.Value }{c.value(beat.Inner.Kind.Width())}})))
	for _, r := range c.regs {
		c.m.OnClock(c.update(r, 2)...)
	}
	for _, w := range c.wires {
		all := c.pool
		c.pool = c.pool[:w.before]
		c.m.Drive(w.Out(), c.value(w.Width()))
		c.pool = all
	}
	c.m.Section("Everything reaches an output.")
	sum := c.m.Let("sum", hdl.AnyOf(c.parities()...).Xor(c.bit()))
	c.m.Drive(p.Y, c.value(y).Xor(sum.ZeroExtend(y)))
	p.Stream.Accept(c.m, c.bit())
	out := mixBeat{Data: c.value(beat.Data.Width())}
	out.Inner.Kind = c.value(beat.Inner.Kind.Width())
	p.Out.Drive(c.m, c.bit(), out)
}

// parities has one bit per value that must be read, so that a wrong bit is visible.
func (c *chooser) parities() []hdl.Value {
	out := []hdl.Value{c.bit()}
	for _, v := range c.unread {
		out = append(out, v.Parity())
	}
	return out
}

func (c *chooser) keep(list ...hdl.Value) {
	c.pool = append(c.pool, list...)
	c.unread = append(c.unread, list...)
}

func (c *chooser) item() {
	switch c.pick(0, 7, "item") {
	case 0, 1, 2:
		c.m.Note("A name for an expression.")
		c.keep(c.m.Let(c.name("let"), c.expr(c.width(), 3)))
	case 3:
		w := pendingWire{c.m.Wire(c.name("wire"), c.width()), len(c.pool)}
		c.wires = append(c.wires, w)
		c.keep(w.Value)
	case 4:
		c.memory()
	case 5:
		c.machine()
	default:
		c.instances()
	}
}

func (c *chooser) memory() {
	addr, word := c.pick(1, 4, "address bits"), c.width()
	mem := c.m.Memory(c.name("memory"), word, 1<<addr)
	early := c.pick(0, 3, "write first") > 0
	if early {
		mem.Write(c.condition(), c.value(addr), c.value(word))
	}
	for range c.pick(1, 2, "reads") {
		mode := hdl.ReadOld
		if c.pick(0, 1, "mode") == 1 {
			mode = hdl.ReadNew
		}
		c.keep(mem.Read(c.name("read")+"_q", c.condition(), c.value(addr), mode))
	}
	if !early {
		mem.Write(c.condition(), c.value(addr), c.value(word))
	}
}

type phase uint8

func (p phase) String() string { return fmt.Sprintf("Phase%c", 'A'+p) }

func (c *chooser) machine() {
	states := make([]phase, c.pick(2, 5, "states"))
	for i := range states {
		states[i] = phase(i)
	}
	f := hdl.NewFSM(c.m, c.name("machine"), states...)
	cases := make([]hdl.StateCase[phase], len(states))
	to := hdl.Reg{}
	if len(c.regs) > 0 && c.pick(0, 1, "machine sets a register") == 1 {
		to, c.regs = c.regs[len(c.regs)-1], c.regs[:len(c.regs)-1]
	}
	for i, s := range states {
		var body []hdl.Stmt
		if c.pick(0, 3, "leaves") > 0 {
			next := states[c.pick(0, len(states)-1, "next state")]
			body = append(body, hdl.If(c.condition(), f.Go(next)))
		}
		if to.Width() > 0 && (i == 0 || c.pick(0, 1, "sets") == 1) {
			body = append(body, to.Set(c.value(to.Width())))
		}
		cases[i] = f.In(s, body...)
	}
	cases[0] = f.In(states[0], f.Go(states[1]))
	if to.Width() > 0 {
		cases[0] = f.In(states[0], f.Go(states[1]), to.Set(c.value(to.Width())))
	}
	c.m.OnClock(f.Switch(cases...))
	for _, s := range states {
		c.keep(f.Is(s))
	}
}

// instances uses a new block once or twice.
func (c *chooser) instances() {
	if c.depth == 0 {
		return
	}
	g := &designer{draw: c.pick, prefix: fmt.Sprintf("%s_%d_%d", c.prefix, c.depth, c.tape.pos)}
	b := g.block(c.depth - 1)
	beat := mixBeat{Data: hdl.Bits(b.Ports.Stream.Data.Data.Width())}
	beat.Inner.Kind = hdl.Bits(b.Ports.Stream.Data.Inner.Kind.Width())
	for range c.pick(1, 2, "instances") {
		name := c.name("inst")
		in, out := hdl.NewStream(c.m, name+"_in", beat), hdl.NewStream(c.m, name+"_out", beat)
		y := c.m.Wire(name+"_y", b.y)
		data := mixBeat{Data: c.value(beat.Data.Width())}
		data.Inner.Kind = c.value(beat.Inner.Kind.Width())
		in.Source().Drive(c.m, c.bit(), data)
		ready := c.bit()
		a, bb := c.value(b.Ports.A.Width()), c.value(b.Ports.B.Width())
		hdl.Instance(c.m, name, b.Block, mixPorts{A: a.In(), B: bb.In(), Stream: in.Sink(), Y: y.Out(), Out: out.Source()})
		out.Sink().Accept(c.m, ready)
		c.keep(y.Value, in.Source().Ready, out.Sink().Valid, out.Sink().Data.Data, out.Sink().Data.Inner.Kind)
	}
}

func (c *chooser) update(r hdl.Reg, depth int) []hdl.Stmt {
	switch c.pick(0, 4, "statement") {
	case 0:
		return []hdl.Stmt{r.Set(c.expr(r.Width(), 2))}
	case 1:
		if depth > 0 {
			return append(c.update(r, depth-1), c.update(r, depth-1)...)
		}
	case 2:
		if depth > 0 {
			return []hdl.Stmt{hdl.If(c.condition(), c.update(r, depth-1)...).Else(c.update(r, depth-1)...)}
		}
	case 3:
		if depth > 0 {
			s := hdl.If(c.condition(), c.update(r, depth-1)...).ElseIf(c.condition(), c.update(r, depth-1)...)
			if c.pick(0, 1, "else") == 1 {
				return []hdl.Stmt{s.Else(c.update(r, depth-1)...)}
			}
			return []hdl.Stmt{s}
		}
	}
	return []hdl.Stmt{hdl.If(c.condition(), r.Set(c.value(r.Width())))}
}
