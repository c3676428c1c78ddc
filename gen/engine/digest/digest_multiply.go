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
		Stream hdl.In `doc:"number of the stream"`
		State  hdl.In `doc:"of the CRC after the last beat; that of CRC32C in [31:0]"`
		End    hdl.In `doc:"octets of the beat up to the end of the range; 0: all"`
		Wide   hdl.In `doc:"1: CRC-64/NVME, 0: CRC32C"`
		Failed hdl.In `doc:"the range could not be read"`
	}
	Check hdl.Source[check]
}

// check is the CRC of a range.
type check struct {
	Stream hdl.Value `doc:"number of the stream"`
	Octets hdl.Value `doc:"of the CRC, most significant octet first, octet i in [8i+7:8i]; those of CRC32C in [31:0]"`
	Failed hdl.Value `doc:"the range could not be read"`
}

func checkOf(streamBits int) check {
	return check{Stream: hdl.Bits(streamBits), Octets: hdl.Bits(64), Failed: hdl.Bits(1)}
}

const multiplyDoc = `digest_multiply takes the zeros after a range out of its CRC: it multiplies the state by x^-8n for n octets of zeros, modulo the
polynomial, 4 bits per cycle. A check is on offer 10 cycles after its CRC32C, 18 cycles after its CRC-64/NVME. The next state
may arrive in the cycle in which the check is taken, and no earlier.

The state of CRC32C is treated as one of 64 bits, a multiple of x^32, modulo its polynomial times x^32.`

// Multiply is for buses of 8 to 128 octets.
func Multiply(busBytes, streamBits int) hdl.Block[MultiplyPorts] {
	p := MultiplyPorts{Check: hdl.NewSource(checkOf(streamBits))}
	p.Range.Valid, p.Range.State, p.Range.End = hdl.NewIn(1), hdl.NewIn(64), hdl.NewIn(block.IndexWidth(busBytes))
	p.Range.Stream = hdl.NewIn(streamBits)
	p.Range.Wide, p.Range.Failed = hdl.NewIn(1), hdl.NewIn(1)
	return hdl.Block[MultiplyPorts]{
		Kind: "digest_multiply", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "stream_bits", Value: streamBits}}, Doc: multiplyDoc, Ports: p,
		Build: func(m *hdl.Module, p MultiplyPorts) { buildMultiply(m, p, busBytes) },
	}
}

// multiplyCycles is how many cycles a state follows another one at least, if their checks are taken at once.
func multiplyCycles(c crc) uint64 { return uint64(c.width/multiplyBits) + 2 }

func buildMultiply(m *hdl.Module, p MultiplyPorts, busBytes int) {
	m.Section("The factor for the octets after the range")
	factors := func(c crc) hdl.Value {
		var rows []uint64
		for end := range busBytes {
			rows = append(rows, c.move(c.one(), -(-end&(busBytes-1))))
		}
		return table(m, c.name+"_factor", p.Range.End.Value, c.width, rows)
	}
	narrow, large := factors(crc32c), factors(crc64)

	m.Section("Bits of the state times the factor: the highest power, which is bit 0, is first")
	state, factor := m.Reg("state_q", 64, hdl.NoReset), m.Reg("factor_q", 64, hdl.NoReset)
	wide, failed := m.Reg("wide_q", 1, hdl.NoReset), m.Reg("failed_q", 1, hdl.NoReset)
	stream := m.Reg("stream_q", p.Range.Stream.Width(), hdl.NoReset)
	busy, left := m.Reg("busy_q", 1, hdl.ResetTo(0)), m.Reg("left_q", 4, hdl.NoReset)
	shifted := func(v hdl.Value, by int) hdl.Value { return hdl.Cat(v.ZeroExtend(64+multiplyBits-by), hdl.Zero(by)) }
	var terms hdl.Value
	for bit := range multiplyBits {
		term := shifted(factor.And(state.Bit(bit).Replicate(64)), bit+1)
		if terms.Width() > 0 {
			term = terms.Xor(term)
		}
		terms = term
	}
	terms = m.Let("terms", terms)
	cycles := hdl.Mux(p.Range.Wide.Value, hdl.Const(4, uint64(crc64.width/multiplyBits-1)), hdl.Const(4, uint64(crc32c.width/multiplyBits-1)))
	m.OnClock(
		hdl.If(p.Range.Valid.Value,
			state.Set(p.Range.State.Value), factor.Set(hdl.Mux(p.Range.Wide.Value, large, narrow.ZeroExtend(64))),
			stream.Set(p.Range.Stream.Value), wide.Set(p.Range.Wide.Value), failed.Set(p.Range.Failed.Value), left.Set(cycles),
		).Else(state.Set(hdl.Cat(hdl.Zero(multiplyBits), state.Slice(63, multiplyBits))), left.Set(left.Minus(1))),
		busy.Set(p.Range.Valid.Or(busy.And(left.Any()))))

	m.Section("The product: these terms, and the product before, moved on and reduced")
	product, term := m.Reg("product_q", 64, hdl.NoReset), m.Reg("term_q", 64+multiplyBits, hdl.NoReset)
	adds, done := m.Reg("adds_q", 1, hdl.ResetTo(0)), m.Reg("done_q", 1, hdl.ResetTo(0))
	replaces := func(c crc, bit int, when hdl.Value) hdl.Value {
		return shifted(hdl.Hex(64, c.polynomial).And(when.Replicate(64)), bit+1)
	}
	m.Note("A term of x^64 or more is in the low bits; the polynomial replaces it. Which of them are left in their turn is known")
	m.Note("a cycle ahead, for each of the polynomials.")
	large64, narrow32 := m.Reg("over_crc64_q", multiplyBits, hdl.NoReset), m.Reg("over_crc32c_q", multiplyBits, hdl.NoReset)
	reduced := product.ZeroExtend(64 + multiplyBits).Xor(term.Value)
	for bit := range multiplyBits {
		reduced = reduced.Xor(replaces(crc64, bit, large64.Bit(bit))).Xor(replaces(crc32c, bit, narrow32.Bit(bit)))
	}
	reduced = m.Let("reduced", reduced)
	m.Unused("all of them are replaced", reduced.Truncate(multiplyBits))
	next := m.Let("next_low", reduced.Slice(2*multiplyBits-1, multiplyBits).And(adds.Replicate(multiplyBits)))
	low := m.Let("low", next.Xor(terms.Truncate(multiplyBits)))
	var over []hdl.Value // most significant first
	for bit := range multiplyBits {
		is := m.Let(fmt.Sprintf("over_%d", bit), low.Bit(bit))
		over = append([]hdl.Value{is}, over...)
		if bit < multiplyBits-1 {
			term := replaces(crc64, bit, is.And(wide.Value)).Xor(replaces(crc32c, bit, is.And(wide.Not())))
			low = m.Let(fmt.Sprintf("low_%d", bit), low.Xor(m.Let(fmt.Sprintf("replaces_%d", bit), term.Truncate(multiplyBits))))
		}
	}
	m.Unused("replaced", low.Truncate(multiplyBits-1))
	m.OnClock(
		hdl.If(p.Range.Valid.Value, product.Set(hdl.Zero(64))).ElseIf(adds.Value, product.Set(reduced.Slice(63+multiplyBits, multiplyBits))),
		term.Set(terms),
		large64.Set(hdl.Cat(over...).And(wide.Replicate(multiplyBits))), narrow32.Set(hdl.Cat(over...).And(wide.Not().Replicate(multiplyBits))),
		adds.Set(busy.Value), done.Set(adds.And(busy.Not()).Or(done.And(p.Check.Ready.Not()))))

	m.Section("The check: the complement, most significant octet first")
	inverted := product.Not()
	p.Check.Drive(m, done.Value, check{Stream: stream.Value, Failed: failed.Value,
		Octets: m.Let("octets", hdl.Mux(wide.Value, inverted.ReverseOctets(), inverted.Truncate(32).ReverseOctets().ZeroExtend(64)))})
}
