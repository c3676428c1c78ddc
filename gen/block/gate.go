package block

import "github.com/rnicgen/rnicgen/hdl"

// Gate is a stage of a [Pipeline] in front of which items wait. After it they do not. A signal that is needed on both sides is kept with
// its item. What a signal says in the stage is that of the first item that waits, for as long as it does.
type Gate struct {
	Room  hdl.Value // one more item may enter the pipeline
	Waits hdl.Value // an item waits in front of the stage
	pass  hdl.Wire  // it goes on

	m       *hdl.Module
	name    string
	stage   int
	depth   int
	enters  hdl.Value // an item is in the stage before
	waits   hdl.Wire
	befores []hdl.Value // what is kept of that
	kept    []hdl.Wire  // and of the first one that waits
}

// NewGatedPipeline is [NewPipeline] with a gate in front of stage, for up to depth items between the input and it; depth is a power of two. The user
// drives the gate with [Gate.Pass].
func NewGatedPipeline(m *hdl.Module, name string, take hdl.Value, stage, depth, last int) (*Pipeline, *Gate) {
	p := NewPipeline(m, take, stage-1)
	g := &Gate{m: m, name: name, stage: stage, depth: depth, enters: p.valid[stage-1], pass: m.Wire(name+"_pass", 1), waits: m.Wire(name+"_waits", 1)}
	p.gate, g.Waits = g, g.waits.Value
	used, left := m.Reg(name+"_used_q", IndexWidth(depth)+1, hdl.ResetTo(0)), m.Reg(name+"_left_q", 1, hdl.ResetTo(0))
	fewer := left.ZeroExtend(used.Width())
	m.OnClock(left.Set(g.pass.Value), used.Set(hdl.Mux(take, m.Let(name+"_if_one_more", used.Plus(1).Sub(fewer)), m.Let(name+"_if_none", used.Sub(fewer)))))
	g.Room = used.Bit(used.Width() - 1).Not()
	p.valid = append(p.valid, g.pass.Value)
	p.extend("", last)
	return p, g
}

// Pass lets the first item that waits go on; it may be 1 only if one does.
func (g *Gate) Pass(passes hdl.Value) { g.m.Drive(g.pass.Out(), passes) }

// carry keeps a signal of the stage before.
func (g *Gate) carry(name string, before hdl.Value) hdl.Value {
	w := g.m.Wire(name+"_"+g.name, before.Width())
	g.befores, g.kept = append(g.befores, before), append(g.kept, w)
	return w.Value
}

// close places the buffer, when it is known what is kept.
func (g *Gate) close() {
	m := g.m
	m.Section("Items that wait")
	all := hdl.Cat(g.befores...)
	out := hdl.NewStream(m, g.name+"_first", Word{hdl.Bits(all.Width())})
	Roomy(m, g.name, g.depth, g.enters, Word{all}, out.Source())
	first := out.Sink()
	m.Drive(g.waits.Out(), first.Valid)
	first.Accept(m, g.pass.Value)
	at := all.Width()
	for i, w := range g.kept {
		at -= g.befores[i].Width()
		m.Drive(w.Out(), first.Data.Data.Slice(at+g.befores[i].Width()-1, at))
	}
}
