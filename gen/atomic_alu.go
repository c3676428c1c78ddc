package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// AtomicOp is one operation on a 64-bit word. Opcode is an AOpCode: FetchAdd, CmpSwap, or Swap where the
// configuration has it; others leave the word as it is. All operands but Opcode have 64 bits.
type AtomicOp struct {
	Opcode      hdl.Value
	Original    hdl.Value
	Data        hdl.Value
	Mask        hdl.Value
	Compare     hdl.Value
	CompareMask hdl.Value
}

// atomicResultOf is the word after the operation of RFC 7306 section 5.1, and of draft-00 where draft00 is set, computed without a clock.
func atomicResultOf(m *hdl.Module, op AtomicOp, draft00 bool) hdl.Value {
	names := nameAtomics(m, draft00)

	m.Section("FetchAdd: one carry chain, cut where a mask bit ends a field")
	keep := m.Let("keep", op.Mask.Not())
	m.Note("A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.")
	sum := m.Let("sum", op.Original.And(keep).Add(op.Data.And(keep)).Xor(op.Original.Xor(op.Data).And(op.Mask)))

	m.Section("CmpSwap: the masked bits are replaced when the compared bits are equal")
	equal := m.Let("equal", op.Compare.Xor(op.Original).And(op.CompareMask).IsZero())
	swapped := m.Let("swapped", op.Original.And(keep).Or(op.Data.And(op.Mask)))

	m.Section("Result")
	choices := []hdl.When{
		{Cond: op.Opcode.Eq(names[wire.FetchAdd]), Then: sum},
		{Cond: op.Opcode.Eq(names[wire.CmpSwap]).And(equal), Then: swapped},
	}
	if draft00 {
		choices = append(choices, hdl.When{Cond: op.Opcode.Eq(names[wire.Swap]), Then: op.Data})
	}
	return m.Let("next", hdl.Select(op.Original, choices...))
}

// nameAtomics names the AOpCodes that the configuration executes.
func nameAtomics(m *hdl.Module, draft00 bool) map[wire.AOpCode]hdl.Value {
	names := map[wire.AOpCode]hdl.Value{wire.FetchAdd: m.Constant("FETCH_ADD", 4, uint64(wire.FetchAdd))}
	if draft00 {
		names[wire.Swap] = m.Constant("SWAP", 4, uint64(wire.Swap))
	}
	names[wire.CmpSwap] = m.Constant("CMP_SWAP", 4, uint64(wire.CmpSwap))
	return names
}
