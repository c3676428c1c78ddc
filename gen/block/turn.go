package block

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// TurnSteps is the number of stages in which [Turn] rotates.
const TurnSteps = 3

// TurnCode is a rotation as [Turn] takes it. Each step chooses between up to four places, in Gray code, and that between
// registers: synthesis finds nothing that neighbours share, and makes each choice one LUT.
func TurnCode(by hdl.Value) hdl.Value {
	var bits []hdl.Value // most significant first
	for step := range TurnSteps {
		low, n := turnBits(by.Width(), step)
		if n > 1 {
			bits = append([]hdl.Value{by.Bit(low + 1), by.Bit(low).Xor(by.Bit(low + 1))}, bits...)
			low, n = low+2, n-2
		}
		if n > 0 {
			bits = append([]hdl.Value{by.Slice(low+n-1, low)}, bits...)
		}
	}
	return hdl.Cat(bits...)
}

// turnBits are the bits of a rotation that a step takes.
func turnBits(width, step int) (low, n int) {
	low = step * width / TurnSteps
	return low, (step+1)*width/TurnSteps - low
}

// Turn rotates octets towards higher indices while they pass from a stage of a pipeline to the one TurnSteps later.
func Turn(p *Pipeline, stage int, octets, code hdl.Value) *Signal {
	m := p.m
	for step := range TurnSteps {
		low, n := turnBits(code.Width(), step)
		first, part := low, p.Holds(fmt.Sprintf("turn_code_%d", step), stage, code.Slice(low+n-1, low)).At(stage+step)
		by := func(bit int) hdl.Value { return part.Bit(bit - first) }
		if n > 1 {
			one, two, three := rotated(octets, 1<<low), rotated(octets, 2<<low), rotated(octets, 3<<low)
			near := m.Let(fmt.Sprintf("turned_by_0_or_%d", 1<<low), hdl.Mux(by(low), one, octets))
			far := m.Let(fmt.Sprintf("turned_by_%d_or_%d", 2<<low, 3<<low), hdl.Mux(by(low), two, three))
			octets = m.Let(fmt.Sprintf("turned_by_%d", 1<<low), hdl.Mux(by(low+1), far, near))
			low, n = low+2, n-2
		}
		if n > 0 {
			octets = m.Let(fmt.Sprintf("turned_by_%d", 1<<low), hdl.Mux(by(low), rotated(octets, 1<<low), octets))
		}
		octets = p.Holds(fmt.Sprintf("turn_%d", step), stage+step, octets).At(stage + step + 1)
	}
	return p.Holds("turned", stage+TurnSteps, octets)
}

// rotated is v with octet i at index i + n, modulo the width.
func rotated(v hdl.Value, n int) hdl.Value {
	cut := v.Width() - 8*n
	return hdl.Cat(v.Truncate(cut), v.Slice(v.Width()-1, cut))
}
