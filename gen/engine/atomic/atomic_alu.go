package atomic

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicOp is one operation on a 64-bit word. A code that the profile does not define leaves the word unchanged. All operands except
// Opcode have 64 bits.
type AtomicOp struct {
	Opcode      hdl.Value
	Original    hdl.Value
	Data        hdl.Value
	Mask        hdl.Value
	Compare     hdl.Value
	CompareMask hdl.Value
}

// atomicResultOf computes the word after the operation of RFC 7306 section 5.1, or of draft-00 if list has Swap. It is combinational.
func atomicResultOf(m *hdl.Module, op AtomicOp, list []engine.AtomicCode) hdl.Value {
	names := engine.NameAtomics(m, list)

	m.Section("FetchAdd: one carry chain, cut where a mask bit ends a field")
	keep := m.Let("keep", op.Mask.Not())
	m.Note("A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.")
	sum := m.Let("sum", op.Original.And(keep).Add(op.Data.And(keep)).Xor(op.Original.Xor(op.Data).And(op.Mask)))

	m.Section("CmpSwap: the masked bits are replaced when the compared bits are equal")
	equal := m.Let("equal", op.Compare.Xor(op.Original).And(op.CompareMask).IsZero())
	swapped := m.Let("swapped", op.Original.And(keep).Or(op.Data.And(op.Mask)))

	m.Section("Result")
	choices := []hdl.When{
		{Cond: op.Opcode.Eq(names[engine.FetchAdd]), Then: sum},
		{Cond: op.Opcode.Eq(names[engine.CmpSwap]).And(equal), Then: swapped},
	}
	if code, has := names[engine.Swap]; has {
		choices = append(choices, hdl.When{Cond: op.Opcode.Eq(code), Then: op.Data})
	}
	return m.Let("next", hdl.Select(op.Original, choices...))
}
