package hdl_test

import (
	"math/big"
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
)

func TestMistakesInExpressions(t *testing.T) {
	checkMistakes(t, []mistake{
		{"operands of different widths", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", p.Octet.Add(p.Nibble.Value)) // want: add: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Sub(p.Nibble.Value)) // want: sub: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.And(p.Nibble.Value)) // want: and: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Or(p.Nibble.Value))  // want: or: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Xor(p.Nibble.Value)) // want: xor: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Eq(p.Nibble.Value))  // want: eq: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Ne(p.Nibble.Value))  // want: ne: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Lt(p.Nibble.Value))  // want: lt: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", p.Octet.Le(p.Nibble.Value))  // want: le: operand widths differ: octet is 8 bits, nibble is 4 bits
		}},
		{"an operand is named by what it is", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", p.Octet.Add(hdl.Const(3, 5)))                                                                                                                // want: add: operand widths differ: octet is 8 bits, 3'd5 is 3 bits
			m.Unused("of no use here", p.Octet.Add(p.Octet.Slice(6, 1)))                                                                                                            // want: add: operand widths differ: octet is 8 bits, octet[6:1] is 6 bits
			m.Unused("of no use here", p.Octet.Add(p.Octet.Bit(3)))                                                                                                                 // want: add: operand widths differ: octet is 8 bits, octet[3] is 1 bits
			m.Unused("of no use here", p.Octet.Add(p.Nibble.Sub(p.Nibble.Value)))                                                                                                   // want: add: operand widths differ: octet is 8 bits, (difference of nibble, nibble) is 4 bits
			m.Unused("of no use here", p.Flag.Add(hdl.Cat(p.Octet.Value, p.Octet.Value, p.Octet.Value, p.Octet.Value, p.Octet.Value, p.Octet.Value, p.Octet.Value, p.Octet.Value))) // want: add: operand widths differ: flag is 1 bits, (join of ...) is 64 bits
		}},
		{"no operand", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", p.Octet.Add(hdl.Value{}))            // want: add: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Not())                   // want: not: an operand has no value
			m.Unused("of no use here", p.Octet.Add(hdl.Bits(8)))            // want: add: an operand is a width without a value (hdl.Bits)
			m.Unused("of no use here", hdl.Cat(p.Octet.Value, hdl.Value{})) // want: cat: an operand has no value
			m.Unused("of no use here", hdl.Cat())                           // want: cat: no operand
			m.Unused("of no use here", hdl.AnyOf())                         // want: any of: no operand
			m.Unused("of no use here", hdl.AllOf())                         // want: all of: no operand
			m.Unused("of no use here", hdl.Value{}.Is(1))                   // want: is: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Plus(1))                 // want: plus: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Any())                   // want: any: an operand has no value
			m.Unused("of no use here", hdl.Value{}.All())                   // want: all: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Parity())                // want: parity: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Replicate(2))            // want: replicate: an operand has no value
			m.Unused("of no use here", hdl.Value{}.ReverseOctets())         // want: reverse octets: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Truncate(2))             // want: truncate: an operand has no value
			m.Unused("of no use here", hdl.Value{}.ZeroExtend(2))           // want: zero extend: an operand has no value
			m.Unused("of no use here", hdl.Value{}.SignExtend(2))           // want: sign extend: an operand has no value
			m.Unused("of no use here", hdl.Value{}.Slice(3, 2))             // want: slice: an operand has no value
			m.Unused("of no use here", p.Octet.ShiftLeft(hdl.Value{}))      // want: shift left: an operand has no value
			m.Unused("of no use here", p.Octet.ShiftRight(hdl.Value{}))     // want: shift right: an operand has no value
			m.Unused("of no use here", hdl.Value{})                         // want: unused: an operand has no value
			m.Unused("", p.Octet.Value)                                     // want: unused: no reason; allowed: a text that says why nothing reads it
		}},
		{"constants", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", hdl.Const(3, 8))                 // want: const: 8 does not fit in 3 bits
			m.Unused("of no use here", hdl.Hex(3, 8))                   // want: const: 8 does not fit in 3 bits
			m.Unused("of no use here", hdl.Const(0, 0))                 // want: const: width 0: a value has at least 1 bit
			m.Unused("of no use here", hdl.Ones(-1))                    // want: const: width -1: a value has at least 1 bit
			m.Unused("of no use here", hdl.ConstBig(3, big.NewInt(-1))) // want: const: -1 does not fit in 3 bits
			m.Unused("of no use here", p.Nibble.Is(16))                 // want: const: 16 does not fit in 4 bits
			m.Unused("of no use here", p.Nibble.Plus(16))               // want: const: 16 does not fit in 4 bits
			m.Unused("of no use here", m.Constant("LIMIT", 3, 8))       // want: const: 8 does not fit in 3 bits
		}},
		{"mux", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", hdl.Mux(p.Nibble.Value, p.Octet.Value, p.Octet.Value))                         // want: mux: the select nibble is 4 bits, want 1
			m.Unused("of no use here", hdl.Mux(p.Flag.Value, p.Octet.Value, p.Nibble.Value))                          // want: mux: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", hdl.Mux(hdl.Value{}, p.Octet.Value, p.Octet.Value))                            // want: mux: an operand has no value
			m.Unused("of no use here", hdl.Select(p.Octet.Value, hdl.When{Cond: p.Octet.Value, Then: p.Octet.Value})) // want: mux: the select octet is 8 bits, want 1
		}},
		{"selections", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", p.Octet.Slice(8, 0))  // want: slice: [8:0] is not inside octet of 8 bits
			m.Unused("of no use here", p.Octet.Slice(3, -1)) // want: slice: [3:-1] is not inside octet of 8 bits
			m.Unused("of no use here", p.Octet.Slice(2, 3))  // want: slice: [2:3] is not inside octet of 8 bits
			m.Unused("of no use here", p.Octet.Bit(8))       // want: slice: [8:8] is not inside octet of 8 bits
			m.Unused("of no use here", p.Octet.Truncate(9))  // want: truncate: octet is 8 bits, fewer than 9
			m.Unused("of no use here", p.Octet.Truncate(0))  // want: truncate: width 0: a value has at least 1 bit
		}},
		{"extensions", func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", p.Octet.ZeroExtend(7))    // want: zero extend: octet is 8 bits, more than 7
			m.Unused("of no use here", p.Octet.SignExtend(7))    // want: sign extend: octet is 8 bits, more than 7
			m.Unused("of no use here", p.Octet.Replicate(0))     // want: replicate: 0 times; at least 1 is needed
			m.Unused("of no use here", p.Nibble.ReverseOctets()) // want: reverse octets: nibble is 4 bits, not a multiple of 8
		}},
		{"one mistake is one message, however far it goes", func(m *hdl.Module, p samplePorts) {
			bad := p.Octet.Add(p.Nibble.Value) // want: add: operand widths differ: octet is 8 bits, nibble is 4 bits
			m.Unused("of no use here", bad)
			far := m.Let("far", bad.Truncate(3).ZeroExtend(20).SignExtend(21).Replicate(3).ReverseOctets().ShiftLeft(bad))
			r := m.Reg("state_q", 5, hdl.NoReset)
			m.OnClock(hdl.If(bad.Any(), r.Set(far)), r.Set(hdl.Mux(bad, bad, bad).Eq(bad)))
			m.Drive(m.Wire("driven", 3).Out(), hdl.Cat(bad, far))
			mem := m.Memory("store", 4, 4)
			mem.Write(bad, bad, bad)
			m.Unused("of no use here", mem.Read("word_q", bad.Is(1), far, hdl.ReadOld))
			hdl.Instance(m, "inner", sample("inner", func(*hdl.Module, samplePorts) {}),
				samplePorts{bad.In(), p.Nibble, p.Flag, m.Wire("inner_result", 8).Out()})
		}},
		{"several mistakes are all reported", func(m *hdl.Module, p samplePorts) {
			named := m.Let("named", p.Octet.Add(p.Nibble.Value)) // want: add: operand widths differ: octet is 8 bits, nibble is 4 bits
			r := m.Reg("state_q", 8, hdl.NoReset)
			m.OnClock(
				r.Set(named),
				r.Set(p.Octet.Bit(9)), // want: slice: [9:9] is not inside octet of 8 bits
			)
		}},
	})
}
