package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type aluOp struct {
	Opcode                                     wire.AOpCode
	Original, Data, Mask, Compare, CompareMask uint64
}

const ones = 0xFFFFFFFF_FFFFFFFF

// All values are computed by hand from RFC 7306 sections 5.1.1 and 5.1.2, and from draft-00 for Swap.
var aluTable = []struct {
	says string
	op   aluOp
	want uint64
}{
	// FetchAdd, mask 0: one field of 64 bits.
	{"adds", aluOp{wire.FetchAdd, 5, 7, 0, 0, 0}, 12},
	{"wraps at 2^64", aluOp{wire.FetchAdd, ones, 1, 0, 0, 0}, 0},
	{"adding all ones subtracts 1", aluOp{wire.FetchAdd, 0, ones, 0, 0, 0}, ones},
	{"carries into the high half", aluOp{wire.FetchAdd, 0x00000000_FFFFFFFF, 1, 0, 0, 0}, 0x00000001_00000000},
	{"adds the high halves too", aluOp{wire.FetchAdd, 0x12345678_00000000, 0x11111111_00000001, 0, 0, 0}, 0x23456789_00000001},
	{"ignores the compare operands", aluOp{wire.FetchAdd, 5, 7, 0, 99, ones}, 12},

	// FetchAdd with fields: a mask bit marks the top bit of a field, whose carry out is dropped.
	{"64 fields of 1 bit: exclusive or", aluOp{wire.FetchAdd, 0xF0F0F0F0_12345678, 0xFF00FF00_0000FFFF, ones, 0, 0}, 0x0FF00FF0_1234A987},
	{"64 fields, all bits set twice", aluOp{wire.FetchAdd, ones, ones, ones, 0, 0}, 0},
	{"bit 0: a field of 1 bit below one of 63", aluOp{wire.FetchAdd, 3, 3, 1, 0, 0}, 4},
	{"bit 31: two halves", aluOp{wire.FetchAdd, 0x00000001_FFFFFFFF, 0x00000001_00000001, 1 << 31, 0, 0}, 0x00000002_00000000},
	{"bit 31: the upper half wraps alone", aluOp{wire.FetchAdd, 0xFFFFFFFF_00000001, 0x00000001_00000001, 1 << 31, 0, 0}, 2},
	{"bit 32: 33 bits below 31", aluOp{wire.FetchAdd, 0x00000001_FFFFFFFF, 1, 1 << 32, 0, 0}, 0},
	{"bit 32: no carry out of bit 31 is lost", aluOp{wire.FetchAdd, 0x00000000_FFFFFFFF, 1, 1 << 32, 0, 0}, 0x00000001_00000000},
	{"bit 62: no carry into bit 63", aluOp{wire.FetchAdd, 0x7FFFFFFF_FFFFFFFF, 1, 1 << 62, 0, 0}, 0},
	{"bit 61: the bits above are unchanged", aluOp{wire.FetchAdd, 0x7FFFFFFF_FFFFFFFF, 1, 1 << 61, 0, 0}, 0x40000000_00000000},
	{"bit 63 changes nothing", aluOp{wire.FetchAdd, 0x80000000_00000001, 0x80000000_00000002, 1 << 63, 0, 0}, 3},
	{"8 octets", aluOp{wire.FetchAdd, 0xFF017F80_00FF0102, 0x01010101_01010101, 0x80808080_80808080, 0, 0}, 0x00028081_01000203},

	// CmpSwap: the bits of Mask are replaced when the bits of CompareMask are equal.
	{"equal: swaps", aluOp{wire.CmpSwap, 5, 9, ones, 5, ones}, 9},
	{"not equal: stays", aluOp{wire.CmpSwap, 5, 9, ones, 4, ones}, 5},
	{"bit 0 differs", aluOp{wire.CmpSwap, 0xAAAAAAAA_55555555, 9, ones, 0xAAAAAAAA_55555554, ones}, 0xAAAAAAAA_55555555},
	{"bit 31 differs", aluOp{wire.CmpSwap, 0x00000000_80000000, 9, ones, 0, ones}, 0x00000000_80000000},
	{"bit 32 differs", aluOp{wire.CmpSwap, 0x00000001_00000000, 9, ones, 0, ones}, 0x00000001_00000000},
	{"bit 62 differs", aluOp{wire.CmpSwap, 0x40000000_00000000, 9, ones, 0, ones}, 0x40000000_00000000},
	{"bit 63 differs", aluOp{wire.CmpSwap, 0x80000000_00000000, 9, ones, 0, ones}, 0x80000000_00000000},
	{"differs only in bits not compared", aluOp{wire.CmpSwap, 0x11111111_22222222, 9, ones, 0x99999999_22222222, 0x00000000_FFFFFFFF}, 9},
	{"one bit compared, equal", aluOp{wire.CmpSwap, 0x80000000_00000000, 9, ones, ones, 1 << 63}, 9},
	{"one bit compared, not equal", aluOp{wire.CmpSwap, 0x7FFFFFFF_FFFFFFFF, 9, ones, ones, 1 << 63}, 0x7FFFFFFF_FFFFFFFF},
	{"nothing compared: always swaps", aluOp{wire.CmpSwap, 5, 9, ones, 4, 0}, 9},
	{"low half swapped", aluOp{wire.CmpSwap, 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB, 0x00000000_FFFFFFFF, 0, 0}, 0x11111111_BBBBBBBB},
	{"high half swapped", aluOp{wire.CmpSwap, 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB, 0xFFFFFFFF_00000000, 0, 0}, 0xAAAAAAAA_22222222},
	{"bits 0, 31, 32, 62 and 63 swapped", aluOp{wire.CmpSwap, 0, ones, 0xC0000001_80000001, 0, 0}, 0xC0000001_80000001},
	{"bits 0, 31, 32, 62 and 63 cleared", aluOp{wire.CmpSwap, ones, 0, 0xC0000001_80000001, 0, 0}, 0x3FFFFFFE_7FFFFFFE},
	{"nothing swapped", aluOp{wire.CmpSwap, 5, 9, 0, 5, ones}, 5},
}

// The table on the whole unit: each row uses its own word of memory.
func TestAtomicsByHand(t *testing.T) {
	for name, extensions := range map[string][]string{"RFC 7306": {}, "draft-00": {"draft00"}} {
		t.Run(name, func(t *testing.T) {
			c := atomicUnitConfig(32, 16)
			c.Profile = rdmap.Profile{Draft00: len(extensions) > 0}
			b := openAtomicUnit(t, c, fixed(3))
			var list []atomicRequest
			for i, row := range aluTable {
				word := uint64(0x1000 + 5*i)
				b.memory[word] = row.op.Original
				list = append(list, atomicRequest{word: word, opcode: row.op.Opcode, data: row.op.Data, mask: row.op.Mask, compare: row.op.Compare, compareMask: row.op.CompareMask})
			}
			b.run(list...)
			for i, row := range aluTable {
				assert.Equal(t, row.want, b.memory[list[i].word], "%v %s: %+v", row.op.Opcode, row.says, row.op)
				assert.Equal(t, atomicOutcome{original: row.op.Original, result: row.want}, b.outcomes[i])
			}
		})
	}
}

// An opcode that the configuration does not execute leaves the word unchanged, whatever the operands; Swap of draft-00 ignores all masks
// and compares nothing.
func TestAtomicOpcodes(t *testing.T) {
	const original, data = 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB
	for name, extensions := range map[string][]string{"RFC 7306": {}, "draft-00": {"draft00"}} {
		t.Run(name, func(t *testing.T) {
			c := atomicUnitConfig(32, 16)
			c.Profile = rdmap.Profile{Draft00: len(extensions) > 0}
			b := openAtomicUnit(t, c, fixed(3))
			var list []atomicRequest
			for opcode := range wire.AOpCode(16) {
				if opcode == wire.FetchAdd || opcode == wire.CmpSwap {
					continue
				}
				for i, operands := range []atomicRequest{{compare: 0x33333333_44444444, compareMask: ones}, {mask: ones, compare: original, compareMask: ones}} {
					operands.word, operands.opcode, operands.data = 0x1000+16*uint64(opcode)+8*uint64(i), opcode, data
					b.memory[operands.word] = original
					list = append(list, operands)
				}
			}
			b.run(list...)
			for i, r := range list {
				want := uint64(original)
				if r.opcode == 1 && len(extensions) > 0 {
					want = data
				}
				assert.Equal(t, want, b.memory[r.word], "AOpCode %d", r.opcode)
				assert.Equal(t, atomicOutcome{original: original, result: want}, b.outcomes[i], "AOpCode %d", r.opcode)
			}
		})
	}
}
