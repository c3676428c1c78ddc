package digest

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// multiplyBits is how many bits of a state are multiplied in a cycle.
const multiplyBits = 4

// MultiplyPorts are states of digest_crc in, checks out.
type MultiplyPorts struct {
	Range struct {
		Valid  hdl.In
		State  hdl.In `doc:"of the CRC behind the last beat; that of CRC32C in [31:0]"`
		End    hdl.In `doc:"octets of the beat up to the end of the range; 0: all"`
		Wide   hdl.In `doc:"1: CRC-64/NVME, 0: CRC32C"`
		Failed hdl.In `doc:"the range could not be read"`
	}
	Check hdl.Source[check]
}

// check is the CRC of a range.
type check struct {
	Octets hdl.Value `doc:"of the CRC, most significant octet first, octet i in [8i+7:8i]; those of CRC32C in [31:0]"`
	Failed hdl.Value `doc:"the range could not be read"`
}

func checkOf() check { return check{Octets: hdl.Bits(64), Failed: hdl.Bits(1)} }

const multiplyDoc = `digest_multiply takes the zeros behind a range out of its CRC: it multiplies the state by x^-8n for n octets of zeros, modulo the
polynomial, 4 bits per cycle. A check is on offer 9 cycles after its CRC32C, 17 cycles after its CRC-64/NVME. The next state
may come in the cycle in which the check is taken, and no earlier.

The state of CRC32C is treated as one of 64 bits, a multiple of x^32, modulo its polynomial times x^32.`

// Multiply is for buses of 8 to 128 octets.
func Multiply(busBytes int) hdl.Block[MultiplyPorts] {
	p := MultiplyPorts{Check: hdl.NewSource(checkOf())}
	p.Range.Valid, p.Range.State, p.Range.End = hdl.NewIn(1), hdl.NewIn(64), hdl.NewIn(block.IndexWidth(busBytes))
	p.Range.Wide, p.Range.Failed = hdl.NewIn(1), hdl.NewIn(1)
	return hdl.Block[MultiplyPorts]{
		Kind: "digest_multiply", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: multiplyDoc, Ports: p,
		Build: func(m *hdl.Module, p MultiplyPorts) { buildMultiply(m, p, busBytes) },
	}
}

// multiplyCycles is how long a multiplication takes.
func multiplyCycles(c crc) uint64 { return uint64(c.width / multiplyBits) }

func buildMultiply(m *hdl.Module, p MultiplyPorts, busBytes int) {
	m.Section("The factor for the octets behind the range")
	factors := func(c crc) hdl.Value {
		var rows []uint64
		for end := range busBytes {
			rows = append(rows, c.move(c.one(), -(-end&(busBytes-1))))
		}
		return table(m, c.name+"_factor", p.Range.End.Value, c.width, rows)
	}
	narrow, large := factors(crc32c), factors(crc64)

	m.Section("Multiply: the highest power, which is bit 0, comes first")
	state, factor, product := m.Reg("state_q", 64, hdl.NoReset), m.Reg("factor_q", 64, hdl.NoReset), m.Reg("product_q", 64, hdl.NoReset)
	wide, failed := m.Reg("wide_q", 1, hdl.NoReset), m.Reg("failed_q", 1, hdl.NoReset)
	busy, done := m.Reg("busy_q", 1, hdl.ResetTo(0)), m.Reg("done_q", 1, hdl.ResetTo(0))
	left := m.Reg("left_q", 4, hdl.NoReset)
	polynomial := func(c crc, over hdl.Value) hdl.Value { return hdl.Hex(64, c.polynomial).And(over.Replicate(64)) }
	m.Note("Each step multiplies the product by x. If that makes a term of x^64, which is bit 0 before, the polynomial replaces it.")
	sum := []hdl.Value{product.ShiftRight(hdl.Const(4, multiplyBits))}
	var terms []hdl.Value
	for step := range multiplyBits {
		over := []hdl.Value{product.Bit(step)}
		for before, term := range terms {
			over = append(over, term.Bit(step-before-1))
		}
		top := m.Let(fmt.Sprintf("over_%d", step), hdl.Cat(over...).Parity())
		terms = append(terms, m.Let(fmt.Sprintf("term_%d", step), polynomial(crc64, top.And(wide.Value)).
			Xor(polynomial(crc32c, top.And(wide.Not()))).Xor(factor.And(state.Bit(step).Replicate(64)))))
		term := terms[step]
		if step < multiplyBits-1 {
			term = term.ShiftRight(hdl.Const(3, uint64(multiplyBits-1-step)))
		}
		sum = append(sum, term)
	}
	next := sum[0]
	for _, term := range sum[1:] {
		next = next.Xor(term)
	}
	m.OnClock(
		hdl.If(p.Range.Valid.Value,
			state.Set(p.Range.State.Value), factor.Set(hdl.Mux(p.Range.Wide.Value, large, narrow.ZeroExtend(64))), product.Set(hdl.Zero(64)),
			wide.Set(p.Range.Wide.Value), failed.Set(p.Range.Failed.Value),
			left.Set(hdl.Mux(p.Range.Wide.Value, hdl.Const(4, multiplyCycles(crc64)-1), hdl.Const(4, multiplyCycles(crc32c)-1))),
		).ElseIf(busy.Value,
			state.Set(hdl.Cat(hdl.Zero(multiplyBits), state.Slice(63, multiplyBits))), product.Set(m.Let("next_product", next)),
			left.Set(left.Minus(1))),
		busy.Set(p.Range.Valid.Or(busy.And(left.Any()))),
		done.Set(busy.And(left.IsZero()).Or(done.And(p.Check.Ready.Not()))))

	m.Section("The check: the complement, most significant octet first")
	inverted := product.Not()
	p.Check.Drive(m, done.Value, check{Failed: failed.Value,
		Octets: m.Let("octets", hdl.Mux(wide.Value, inverted.ReverseOctets(), inverted.Truncate(32).ReverseOctets().ZeroExtend(64)))})
}
