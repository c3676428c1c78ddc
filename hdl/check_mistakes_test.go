package hdl_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
)

func TestMistakesInNames(t *testing.T) {
	checkMistakes(t, []mistake{
		{"what is no name", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", m.Wire("Upper", 1).Value)    // want: wrong: "Upper" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Wire("1st", 1).Value)      // want: wrong: "1st" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Wire("a__b", 1).Value)     // want: wrong: "a__b" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Wire("a_", 1).Value)       // want: wrong: "a_" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Wire("", 1).Value)         // want: wrong: "" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Let("a b", p.Octet.Value)) // want: wrong: "a b" is not a name; want lower-case words of letters and digits, a letter first, joined by single _
			m.Unused("of no use here", m.Constant("limit", 3, 2))   // want: wrong: "limit" is not a name; want upper-case words of letters and digits, a letter first, joined by single _
		}},
		{"reserved names", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", m.Let("output", p.Octet.Value)) // want: wrong: the name output is reserved
			m.Unused("of no use here", m.Let("logic", p.Octet.Value))  // want: wrong: the name logic is reserved
			m.Unused("of no use here", m.Let("queue", p.Octet.Value))  // want: wrong: the name queue is reserved
			m.Unused("of no use here", m.Let("clk", p.Octet.Value))    // want: wrong: the name clk is reserved
			m.Unused("of no use here", m.Let("rst", p.Octet.Value))    // want: wrong: the name rst is reserved
		}},
		{"names used twice", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", m.Let("octet", p.Octet.Value)) // want: wrong: the name octet is used twice
			m.Unused("of no use here", m.Let("same", p.Octet.Value))
			m.Memory("same", 8, 4) // want: wrong: the name same is used twice
			inner := hdl.Block[struct{ A hdl.In }]{Kind: "inner", Ports: struct{ A hdl.In }{hdl.NewIn(8)},
				Build: func(m *hdl.Module, p struct{ A hdl.In }) { m.Unused("of no use here", p.A.Value) }}
			hdl.Instance(m, "same", inner, struct{ A hdl.In }{p.Octet}) // want: wrong: the name same is used twice
			m.Constant("TWICE", 2, 1)
			m.Constant("TWICE", 2, 1) // want: wrong: the name TWICE is used twice
		}},
		{"states that are no names", func(m *hdl.Module, p samplePorts) {
			f := hdl.NewFSM(m, "mode", spaced(0), spaced(1)) // want: wrong: "MODE_STATE 0" is not a name; want upper-case words of letters and digits, a letter first, joined by single _ // want: wrong: "MODE_STATE 1" is not a name; want upper-case words of letters and digits, a letter first, joined by single _
			m.OnClock(f.Switch(f.In(0), f.In(1, f.Go(0))))
		}},
	})
}

type spaced int

func (s spaced) String() string { return fmt.Sprintf("state %d", int(s)) }

func TestMistakesInDrivingAndReading(t *testing.T) {
	checkMistakes(t, []mistake{
		{"never driven", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", m.Wire("loose", 8).Value)              // want: wrong.loose: the wire is never driven
			m.Unused("of no use here", m.Reg("idle_q", 8, hdl.NoReset).Value) // want: wrong.idle_q: the register is never set
			off := m.Reg("off_q", 8, hdl.NoReset)                             // want: wrong.off_q: the register is never set
			m.Unused("of no use here", off.Value)
			m.OnClock(hdl.If(hdl.Zero(1), off.Set(p.Octet.Value)), hdl.If(p.Flag.Value).ElseIf(hdl.Ones(1)).Else(off.Set(p.Octet.Value)))
			store := m.Memory("store", 8, 16) // want: wrong.store: the memory is never written
			m.Unused("of no use here", store.Read("word_q", p.Flag.Value, p.Nibble.Value, hdl.ReadOld))
		}},
		{"driven twice", func(m *hdl.Module, p samplePorts) {
			w := m.Wire("twice", 8) // want: wrong.twice: the wire is driven 2 times; want 1
			m.Unused("of no use here", w.Value)
			m.Drive(w.Out(), p.Octet.Value)
			hdl.Instance(m, "inner", sample("inner", func(*hdl.Module, samplePorts) {}), samplePorts{p.Octet, p.Nibble, p.Flag, w.Out()})
			r := m.Reg("twice_q", 8, hdl.NoReset) // want: wrong.twice_q: the register is set in 2 processes; want 1
			m.Unused("of no use here", r.Value)
			m.OnClock(r.Set(p.Octet.Value))
			m.OnClock(r.Set(p.Octet.Value))
		}},
		{"never read", func(m *hdl.Module, p samplePorts) {
			store := m.Memory("store", 8, 16) // want: wrong.store: the memory is never read
			store.Write(p.Flag.Value, p.Nibble.Value, p.Octet.Value)
			w := m.Wire("written", 8) // want: wrong.written: the wire is never read; drop it or declare it Unused
			m.Drive(w.Out(), p.Octet.Value)
			m.Let("named", p.Octet.Value)       // want: wrong.named: the name is never read; drop it or declare it Unused
			r := m.Reg("set_q", 8, hdl.NoReset) // want: wrong.set_q: the register is never read; drop it or declare it Unused
			m.OnClock(r.Set(p.Octet.Value))
		}},
		{"bits that are never read", func(m *hdl.Module, p samplePorts) {
			low := m.Let("low", p.Octet.Value) // want: wrong.low: bits 7:3 of the name are never read; drop them or declare them Unused
			m.Unused("of no use here", low.Slice(2, 0))
			middle := m.Let("middle", p.Octet.Value) // want: wrong.middle: bits 4:4 of the name are never read; drop them or declare them Unused
			m.Unused("of no use here", middle.Slice(3, 0))
			m.Unused("of no use here", middle.Slice(7, 5))
			all := m.Let("all", p.Octet.Value)
			m.Unused("of no use here", all.Slice(3, 0))
			m.Unused("of no use here", all.Slice(7, 4))
		}},
		{"bits that are cut off behind an operation are not read", func(m *hdl.Module, p samplePorts) {
			a := m.Let("a", p.Octet.Value) // want: wrong.a: bits 7:4 of the name are never read; drop them or declare them Unused
			b := m.Let("b", p.Octet.Value)
			m.Unused("of no use here", a.Add(b).Truncate(4))
			m.Unused("of no use here", b.Add(b))
		}},
	})
}

func TestMistakesBetweenModules(t *testing.T) {
	var other hdl.Value
	var reg hdl.Reg
	var out hdl.Out
	elsewhere := sample("elsewhere", func(m *hdl.Module, p samplePorts) {
		other = p.Octet.Value
		r := m.Reg("state_q", 8, hdl.NoReset)
		w := m.Wire("nested", 8)
		m.Unused("of no use here", r.Value)
		m.Unused("of no use here", w.Value)
		m.Drive(w.Out(), p.Octet.Value)
		m.OnClock(r.Set(p.Octet.Value))
		reg, out = r, w.Out()
	})
	use := func(m *hdl.Module, p samplePorts) {
		w := m.Wire("result_of", 8)
		m.Unused("of no use here", w.Value)
		hdl.Instance(m, "inner", elsewhere, samplePorts{p.Octet, p.Nibble, p.Flag, w.Out()})
	}
	checkMistakes(t, []mistake{
		{"an input of another module", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			m.Unused("of no use here", other.Not()) // want: wrong: octet belongs to another module; pass it through a port
		}},
		{"a register of another module", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			m.OnClock(hdl.If(p.Flag.Value,
				reg.Set(p.Octet.Value))) // want: wrong: state_q belongs to another module; pass it through a port
		}},
		{"a condition of another module", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			r := m.Reg("mine_q", 1, hdl.NoReset)
			m.Unused("of no use here", r.Value)
			m.OnClock(
				hdl.If(other.Any(), // want: wrong: octet belongs to another module; pass it through a port
					r.Set(p.Flag.Value)))
		}},
		{"a wire of another module", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			m.Drive(out, p.Octet.Value) // want: wrong: nested belongs to another module; pass it through a port
		}},
		{"a pin", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			hdl.Instance(m, "second", sample("second", func(*hdl.Module, samplePorts) {}), samplePorts{p.Octet, p.Nibble, p.Flag, out}) // want: wrong: nested belongs to another module; pass it through a port
		}},
		{"a memory port", func(m *hdl.Module, p samplePorts) {
			use(m, p)
			store := m.Memory("store", 8, 16)
			store.Write(p.Flag.Value, p.Nibble.Value, other) // want: wrong: octet belongs to another module; pass it through a port
			m.Unused("of no use here", store.Read("word_q", p.Flag.Value, p.Nibble.Value, hdl.ReadOld))
		}},
	})
}

func TestCombinationalLoops(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a wire on itself", func(m *hdl.Module, p samplePorts) {
			w := m.Wire("self", 8) // want: wrong: combinational loop: self -> self
			m.Drive(w.Out(), w.Not())
		}},
		{"through names", func(m *hdl.Module, p samplePorts) {
			w := m.Wire("start", 8) // want: wrong: combinational loop: middle -> last -> start -> middle
			a := m.Let("middle", w.Plus(1))
			b := m.Let("last", a.Xor(p.Octet.Value))
			m.Drive(w.Out(), b)
		}},
		{"through an instance, and one inside it", func(m *hdl.Module, p samplePorts) {
			w := m.Wire("out", 8) // want: wrong: combinational loop: inner_in -> out (inner.result) -> inner_in
			in := m.Let("inner_in", w.Plus(1))
			deep := sample("deep", func(*hdl.Module, samplePorts) {})
			inner := hdl.Block[samplePorts]{Kind: "inner", Ports: deep.Ports, Build: func(m *hdl.Module, p samplePorts) {
				hdl.Instance(m, "deeper", deep, p)
			}}
			hdl.Instance(m, "inner", inner, samplePorts{in.In(), p.Nibble, p.Flag, w.Out()})
		}},
		{"a register breaks a loop", func(m *hdl.Module, p samplePorts) {
			r := m.Reg("count_q", 8, hdl.NoReset)
			next := m.Let("following", r.Plus(1))
			m.OnClock(r.Set(next))
			w := m.Wire("self", 1) // want: wrong: combinational loop: self -> self
			m.Drive(w.Out(), w.Not())
		}},
	})
}
