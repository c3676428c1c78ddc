package atomic

import "github.com/rnicgen/rnicgen/hdl"

// every is 1 if all bits are 1: a carry chain adds 1 to them, which is faster than a tree of gates and keeps its shape.
func every(m *hdl.Module, name string, bits hdl.Value) hdl.Value {
	width := bits.Width()
	carry := m.Let(name+"_carry", bits.ZeroExtend(width+1).Plus(1))
	m.Unused("only the last carry matters", carry)
	return carry.Bit(width)
}

// zero is 1 if all bits are 0; group bits share a place in the chain.
func zero(m *hdl.Module, name string, bits hdl.Value, group int) hdl.Value {
	var groups []hdl.Value // most significant first
	for low := (bits.Width() - 1) / group * group; low >= 0; low -= group {
		groups = append(groups, bits.Slice(min(low+group, bits.Width())-1, low).IsZero())
	}
	return every(m, name, m.Let(name+"_groups", hdl.Cat(groups...)))
}
