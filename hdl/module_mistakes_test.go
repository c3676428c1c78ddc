package hdl_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
)

func TestMistakesInModules(t *testing.T) {
	checkMistakes(t, []mistake{
		{"registers", func(m *hdl.Module, p samplePorts) {
			m.Reg("empty_q", 0, hdl.NoReset)                  // want: wrong.empty_q: width 0: a value has at least 1 bit
			m.Reg("count", 8, hdl.NoReset)                    // want: wrong.count: a register's name ends in _q
			m.Reg("count_q", 3, hdl.ResetTo(8))               // want: wrong.count_q: the reset value 8 does not fit in 3 bits
			hdl.NewRegOf(m, "beat", hdl.Bits(0), hdl.NoReset) // want: width 0: a value has at least 1 bit
		}},
		{"wires", func(m *hdl.Module, p samplePorts) {
			m.Wire("empty", 0)                    // want: wrong.empty: width 0: a value has at least 1 bit
			hdl.NewStream(m, "data", hdl.Bits(0)) // want: width 0: a value has at least 1 bit
		}},
		{"driving", func(m *hdl.Module, p samplePorts) {
			m.Drive(p.Result, p.Nibble.Value)                // want: drive: result is 8 bits, nibble is 4 bits
			m.Drive(p.Result, hdl.Value{})                   // want: drive result: no value given
			m.Drive(p.Result, hdl.Bits(8))                   // want: drive result: no value given
			m.Drive(hdl.NewOut(8), p.Octet.Value)            // want: drive: the output belongs to no module
			m.Drive(hdl.Wire{}.Out(), p.Octet.Value)         // want: drive: the output belongs to no module
			hdl.NewSink(hdl.Bits(8)).Accept(m, p.Flag.Value) // want: drive: the output belongs to no module
		}},
		{"pins", func(m *hdl.Module, p samplePorts) {
			inner := sample("inner", func(*hdl.Module, samplePorts) {})
			y := m.Wire("result_of", 8)
			m.Unused("of no use here", y.Value)
			hdl.Instance(m, "a", inner, samplePorts{Nibble: p.Nibble, Flag: p.Flag, Result: y.Out()})                       // want: a.octet: the port is not connected
			hdl.Instance(m, "b", inner, samplePorts{Octet: hdl.NewIn(8), Nibble: p.Nibble, Flag: p.Flag, Result: y.Out()})  // want: b.octet: the port is not connected
			hdl.Instance(m, "c", inner, samplePorts{Octet: p.Octet, Nibble: p.Nibble, Flag: p.Flag})                        // want: c.result: the port is not connected
			hdl.Instance(m, "d", inner, samplePorts{Octet: p.Octet, Nibble: p.Nibble, Flag: p.Flag, Result: hdl.NewOut(8)}) // want: d.result: the port is not connected
			hdl.Instance(m, "e", inner, samplePorts{Octet: p.Flag, Nibble: p.Nibble, Flag: p.Flag, Result: y.Out()})        // want: e.octet: the port is 8 bits, flag is 1 bits
			hdl.Instance(m, "f", inner, samplePorts{p.Octet, p.Nibble, p.Flag, m.Wire("narrow", 7).Out()})                  // want: f.result: the port is 8 bits, narrow is 7 bits
		}},
		{"optional ports", func(m *hdl.Module, p samplePorts) {
			type maybe struct{ A, B *hdl.In }
			one, two := hdl.NewIn(1), hdl.NewIn(1)
			inner := hdl.Block[maybe]{Kind: "inner", Ports: maybe{A: &one, B: &two}, Build: func(m *hdl.Module, p maybe) {
				m.Unused("of no use here", p.A.Value)
				m.Unused("of no use here", p.B.Value)
			}}
			hdl.Instance(m, "less", inner, maybe{A: &p.Flag}) // want: less: 1 wires given for the 2 ports of inner
		}},
		{"statements", func(m *hdl.Module, p samplePorts) {
			r := m.Reg("count_q", 8, hdl.NoReset)
			m.OnClock(
				r.Set(p.Nibble.Value),        // want: set: count_q is 8 bits, nibble is 4 bits
				r.Set(hdl.Value{}),           // want: set count_q: an operand has no value
				hdl.Reg{}.Set(p.Octet.Value), // want: set: the register is not declared
				hdl.If(p.Nibble.Value),       // want: if: the condition nibble is 4 bits, want 1
				hdl.If(hdl.Value{}). // want: if: an operand has no value
							ElseIf(p.Octet.Value), // want: if: the condition octet is 8 bits, want 1
				nil,
			)
		}},
		{"memories", func(m *hdl.Module, p samplePorts) {
			m.Memory("thin", 0, 8)   // want: wrong.thin: width 0: a word has at least 1 bit
			m.Memory("odd", 8, 6)    // want: wrong.odd: depth 6 is not a power of two of at least 2
			m.Memory("single", 8, 1) // want: wrong.single: depth 1 is not a power of two of at least 2
			store := m.Memory("store", 8, 16)
			store.Write(p.Flag.Value, p.Nibble.Value, p.Octet.Value)
			store.Write(p.Flag.Value, p.Nibble.Value, p.Octet.Value)      // want: wrong.store: a second write port; a memory has one
			store.Read("word", p.Flag.Value, p.Nibble.Value, hdl.ReadOld) // want: wrong.word: a register's name ends in _q
		}},
		{"memory operands", func(m *hdl.Module, p samplePorts) {
			a, b, c, d := m.Memory("a", 8, 16), m.Memory("b", 8, 16), m.Memory("c", 8, 16), m.Memory("d", 8, 16)
			a.Write(p.Nibble.Value, p.Nibble.Value, p.Octet.Value)    // want: a: the write enable is 1 bits, nibble is 4 bits
			b.Write(p.Flag.Value, p.Octet.Value, p.Octet.Value)       // want: b: the write address is 4 bits, octet is 8 bits
			c.Write(p.Flag.Value, p.Nibble.Value, p.Nibble.Value)     // want: c: the write data is 8 bits, nibble is 4 bits
			d.Write(p.Flag.Value, p.Nibble.Value, hdl.Value{})        // want: d write data: an operand has no value
			d.Read("x_q", p.Octet.Value, p.Nibble.Value, hdl.ReadOld) // want: d: the read enable is 1 bits, octet is 8 bits
			d.Read("z_q", hdl.Zero(1), p.Nibble.Value, hdl.ReadNew)   // want: d: the read enable is always 0
			d.Read("y_q", p.Flag.Value, p.Octet.Value, hdl.ReadNew)   // want: d: the read address is 4 bits, octet is 8 bits
		}},
		{"state machines", func(m *hdl.Module, p samplePorts) {
			hdl.NewFSM(m, "short", idle)                            // want: wrong.short: a state machine has at least 2 states
			f := hdl.NewFSM(m, "mode", idle, busy, idle)            // want: wrong.mode: state Idle is listed twice
			m.OnClock(f.Switch(f.In(idle), f.In(busy), f.In(busy))) // want: mode: state Busy has two cases
			m.OnClock(f.Switch(f.In(idle)))                         // want: mode: state Busy has no case
			m.OnClock(f.Switch(f.In(idle), f.In(busy), f.In(lost))) // want: mode: case Lost is not one of its states
		}},
		{"unknown states", func(m *hdl.Module, p samplePorts) {
			f := hdl.NewFSM(m, "mode", idle, busy)
			m.Unused("of no use here", f.Is(lost)) // want: mode: Lost is not one of its states
			m.OnClock(f.Switch(
				f.In(idle, f.Go(lost)), // want: mode: Lost is not one of its states
				f.In(busy),
			))
		}},
	})
}

// mode is a state machine's enumeration.
type mode uint8

const (
	idle mode = iota
	busy
	lost
	inTransit
)

func (m mode) String() string { return [...]string{"Idle", "Busy", "Lost", "InTransit"}[m] }
