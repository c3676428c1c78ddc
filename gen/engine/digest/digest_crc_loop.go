package digest

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// How many bits of the state share sums: of the octets of a beat, of which there are many, and of the state before.
const (
	octetOutputs = 6
	stateOutputs = 3
)

// crcLoop is what the two CRCs have in common.
type crcLoop struct {
	*hdl.Module
	pipe          *block.Pipeline
	octets        hdl.Value     // of a beat, in stage crcMasked
	left          *block.Signal // the last of them
	nearest       *block.Signal // the first of them
	busBytes      int
	last          hdl.Value // of a turn, in the stage in which the beat enters the state
	first, offset hdl.Value // of a range, in the one before
	resumed       hdl.Value // the state that a later turn resumes, or 0, in the same stage
}

// leftBits marks the bits of a beat that are added up in the second step.
func leftBits(busBytes int) (is []bool) {
	is = make([]bool, 8*busBytes)
	for _, c := range []crc{crc32c, crc64} {
		for _, g := range c.ofOctets(c.width/8, busBytes).share(c.width, octetOutputs) {
			for _, class := range g.classes {
				_, rest := firstSums(class)
				for _, bit := range rest {
					is[c.width+bit] = true
				}
			}
		}
	}
	return is
}

// build returns the state after a last beat of stage crcDone.
func (l crcLoop) build(c crc) hdl.Value {
	state := l.Reg(c.name+"_q", c.width, hdl.ResetTo(0))
	others := l.others(c)
	l.Section("The state of " + c.name)
	var opens []uint64
	for octets := range l.busBytes {
		opens = append(opens, c.move(c.ones(), -octets))
	}
	l.Note("It is zero before a turn. A later turn brings the state that was saved; a range: its first octets bring the state with them that octets of zeros before the range change into all ones.")
	opening := table(l.Module, c.name+"_opening", l.offset, c.width, opens).And(l.first.Replicate(c.width))
	entering := l.pipe.Signal(c.name+"_entering", crcSums, l.nearest.At(crcSums).Truncate(c.width).Xor(opening).Xor(l.resumed.Truncate(c.width))).At(crcReady)
	with := l.Let(c.name+"_with_octets", state.Xor(entering))
	var sums [][]hdl.Value
	groups := c.ofState(l.busBytes).share(c.width, stateOutputs)
	for _, g := range groups {
		for _, class := range g.classes {
			sums = append(sums, bitsOf(with, class))
		}
	}
	sum := l.Let(c.name+"_sum", add(l.Module, c.name+"_sum", sums))
	var bits [][]hdl.Value
	for _, g := range groups {
		n := len(g.classes)
		bits = append(bits, g.outputs(sum.Truncate(n), others)...)
		if n < sum.Width() {
			sum = sum.Slice(sum.Width()-1, n)
		}
	}
	next := l.Let(c.name+"_next", add(l.Module, c.name+"_next", bits))
	final := l.Reg(c.name+"_final_q", c.width, hdl.NoReset)
	l.OnClock(
		hdl.If(l.pipe.Valid(crcReady).And(l.last), state.Set(hdl.Zero(c.width))).ElseIf(l.pipe.Valid(crcReady), state.Set(next)),
		final.Set(next))
	return final.Value
}

// others is what the octets of a beat contribute to which the state is not added, in stage crcReady. It is unset if there are none.
func (l crcLoop) others(c crc) hdl.Value {
	near := c.width / 8
	if near == l.busBytes {
		return hdl.Value{}
	}
	l.Section("What the octets of a beat contribute to " + c.name + " without those to which the state is added")
	far, left := l.octets.Slice(8*l.busBytes-1, c.width), l.left.At(crcParts)
	before := far.Width() - left.Width()
	var bits [][]hdl.Value
	for _, g := range c.ofOctets(near, l.busBytes).share(c.width, octetOutputs) {
		name := fmt.Sprintf("%s_%d", c.name, g.from)
		var first [][]hdl.Value // of bits that are added up at once
		items := make([][]hdl.Value, len(g.classes))
		for i, class := range g.classes {
			sums, rest := firstSums(class)
			for _, sum := range sums {
				first = append(first, bitsOf(far, sum))
			}
			for _, bit := range rest {
				items[i] = append(items[i], left.Bit(bit-before))
			}
		}
		if len(first) > 0 {
			part, at := l.pipe.Signal(name+"_part", crcMasked, add(l.Module, name+"_part", first)).At(crcParts), 0
			for i, class := range g.classes {
				sums, _ := firstSums(class)
				for range sums {
					items[i] = append(items[i], part.Bit(at))
					at++
				}
			}
		}
		half, lists := g.halves(items)
		sum := l.pipe.Signal(name, crcParts, add(l.Module, name+"_sum", lists)).At(crcSums)
		for output := range g.count {
			var list []hdl.Value
			for i, of := range half {
				if of>>output&1 == 1 {
					list = append(list, sum.Bit(i))
				}
			}
			bits = append(bits, list)
		}
	}
	return l.pipe.Signal(c.name+"_others", crcSums, add(l.Module, c.name+"_others", bits)).At(crcReady)
}
