package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/wire"
)

type aluOp struct {
	Opcode                                     wire.AOpCode
	Original, Data, Mask, Compare, CompareMask uint64
}

type aluResult struct{ Original, Result uint64 }

const ones = 0xFFFFFFFF_FFFFFFFF

// Every value is computed by hand from RFC 7306 sections 5.1.1 and 5.1.2, and from draft-00 for Swap.
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
	{"ignores what is compared", aluOp{wire.FetchAdd, 5, 7, 0, 99, ones}, 12},

	// FetchAdd with fields: a mask bit is the top bit of its field, the carry out of it is dropped.
	{"64 fields of 1 bit: exclusive or", aluOp{wire.FetchAdd, 0xF0F0F0F0_12345678, 0xFF00FF00_0000FFFF, ones, 0, 0}, 0x0FF00FF0_1234A987},
	{"64 fields, all bits set twice", aluOp{wire.FetchAdd, ones, ones, ones, 0, 0}, 0},
	{"bit 0: a field of 1 bit below one of 63", aluOp{wire.FetchAdd, 3, 3, 1, 0, 0}, 4},
	{"bit 31: two halves", aluOp{wire.FetchAdd, 0x00000001_FFFFFFFF, 0x00000001_00000001, 1 << 31, 0, 0}, 0x00000002_00000000},
	{"bit 31: the upper half wraps alone", aluOp{wire.FetchAdd, 0xFFFFFFFF_00000001, 0x00000001_00000001, 1 << 31, 0, 0}, 2},
	{"bit 32: 33 bits below 31", aluOp{wire.FetchAdd, 0x00000001_FFFFFFFF, 1, 1 << 32, 0, 0}, 0},
	{"bit 32: no carry out of bit 31 is lost", aluOp{wire.FetchAdd, 0x00000000_FFFFFFFF, 1, 1 << 32, 0, 0}, 0x00000001_00000000},
	{"bit 62: no carry into bit 63", aluOp{wire.FetchAdd, 0x7FFFFFFF_FFFFFFFF, 1, 1 << 62, 0, 0}, 0},
	{"bit 61: what is above it stays", aluOp{wire.FetchAdd, 0x7FFFFFFF_FFFFFFFF, 1, 1 << 61, 0, 0}, 0x40000000_00000000},
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
	{"differs where it is not compared", aluOp{wire.CmpSwap, 0x11111111_22222222, 9, ones, 0x99999999_22222222, 0x00000000_FFFFFFFF}, 9},
	{"one bit compared, equal", aluOp{wire.CmpSwap, 0x80000000_00000000, 9, ones, ones, 1 << 63}, 9},
	{"one bit compared, not equal", aluOp{wire.CmpSwap, 0x7FFFFFFF_FFFFFFFF, 9, ones, ones, 1 << 63}, 0x7FFFFFFF_FFFFFFFF},
	{"nothing compared: always swaps", aluOp{wire.CmpSwap, 5, 9, ones, 4, 0}, 9},
	{"low half swapped", aluOp{wire.CmpSwap, 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB, 0x00000000_FFFFFFFF, 0, 0}, 0x11111111_BBBBBBBB},
	{"high half swapped", aluOp{wire.CmpSwap, 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB, 0xFFFFFFFF_00000000, 0, 0}, 0xAAAAAAAA_22222222},
	{"bits 0, 31, 32, 62 and 63 swapped", aluOp{wire.CmpSwap, 0, ones, 0xC0000001_80000001, 0, 0}, 0xC0000001_80000001},
	{"bits 0, 31, 32, 62 and 63 cleared", aluOp{wire.CmpSwap, ones, 0, 0xC0000001_80000001, 0, 0}, 0x3FFFFFFE_7FFFFFFE},
	{"nothing swapped", aluOp{wire.CmpSwap, 5, 9, 0, 5, ones}, 5},
}

func TestAtomicALUByHand(t *testing.T) {
	for name, draft00 := range map[string]bool{"RFC 7306": false, "draft-00": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, gen.AtomicALU(draft00))
			for _, row := range aluTable {
				push(b, "req", row.op)
			}
			b.run()
			results := take[aluResult](b, "resp")
			assert.Len(t, results, len(aluTable))
			for i, r := range results {
				assert.Equal(t, aluResult{aluTable[i].op.Original, aluTable[i].want}, r, "%v %s: %+v", aluTable[i].op.Opcode, aluTable[i].says, aluTable[i].op)
			}
		})
	}
}

// What the configuration does not execute leaves the word as it is; Swap of draft-00 looks at no mask.
func TestAtomicALUOpcodes(t *testing.T) {
	for opcode := range wire.AOpCode(16) {
		for _, draft00 := range []bool{false, true} {
			if opcode == wire.FetchAdd || opcode == wire.CmpSwap {
				continue
			}
			want := uint64(0x11111111_22222222)
			if draft00 && opcode == 1 {
				want = 0xAAAAAAAA_BBBBBBBB
			}
			b := open(t, gen.AtomicALU(draft00))
			push(b, "req", aluOp{opcode, 0x11111111_22222222, 0xAAAAAAAA_BBBBBBBB, 0, 0x33333333_44444444, ones})
			b.run()
			assert.Equal(t, []aluResult{{0x11111111_22222222, want}}, take[aluResult](b, "resp"), "AOpCode %d, draft-00 %v", opcode, draft00)
		}
	}
}

func randomOps(seed uint64, n int) (ops []aluOp, want []aluResult) {
	r := random(seed)
	for range n {
		op := aluOp{wire.AOpCode(r.IntN(3)), operand(r), operand(r), operand(r), operand(r), operand(r)}
		if r.IntN(2) == 0 {
			op.Compare = op.Original ^ 1<<r.IntN(64)
		}
		ops = append(ops, op)
		want = append(want, aluResult{op.Original, atomic.Execute(op.Opcode, op.Original, op.Data, op.Mask, op.Compare, op.CompareMask)})
	}
	return ops, want
}

func TestAtomicALUUnderStalls(t *testing.T) {
	ops, want := randomOps(1, 2000)
	everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
		b := open(t, gen.AtomicALU(true))
		b.stall(idle, pressure)
		push(b, "req", ops...)
		b.run()
		same(t, want, take[aluResult](b, "resp"))
	})
}

// One result a clock, one clock behind its request.
func TestAtomicALURate(t *testing.T) {
	ops, want := randomOps(2, 10000)
	b := open(t, gen.AtomicALU(true))
	push(b, "req", ops...)
	b.run()
	same(t, want, take[aluResult](b, "resp"))
	gapless(t, b.cycles("req"))
	gapless(t, b.cycles("resp"))
	assert.Equal(t, b.cycles("req")[0]+1, b.cycles("resp")[0])
}

// A result leaves one clock after its request, and stays when it is not taken; the request behind it waits outside then.
func TestAtomicALUPicture(t *testing.T) {
	assert.Equal(t, `
                  ┌───────────────────┐
req_valid         │                   │
              ────┘                   └───────
              ────────────┐       ┌───────────
req_ready                 │       │
                          └───────┘
              ┌───┬───┬───┬───────────────────
req_original  │0  │10 │20 │30
              └───┴───┴───┴───────────────────
              ┌───┬───┬───┬───────────────────
req_data      │0  │1  │2  │3
              └───┴───┴───┴───────────────────
                      ┌───────────────────┐
resp_valid            │                   │
              ────────┘                   └───
              ────────────┐       ┌───────────
resp_ready                │       │
                          └───────┘
              ┌───────┬───┬───────────┬───────
resp_result   │0      │11 │22         │33
              └───────┴───┴───────────┴───────
`, picture(t, gen.AtomicALU(false), 8, pins{
		"req_valid":    {0, 1, 1, 1, 1, 1, 0},
		"req_original": {0, 0x10, 0x20, 0x30},
		"req_data":     {0, 1, 2, 3},
		"resp_ready":   {1, 1, 1, 0, 0, 1},
	}, "req_valid", "req_ready", "req_original", "req_data", "resp_valid", "resp_ready", "resp_result"))
}
