package atomic

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicOp is one operation on a 64-bit word, decoded a cycle before. If none of Adds, Changes and Compares is 1, it leaves the word
// unchanged.
type AtomicOp struct {
	Adds        hdl.Value // FetchAdd
	Changes     hdl.Value // FetchAdd or Swap: it changes the bits of Mask whatever the word is
	Compares    hdl.Value // CmpSwap: it changes them if the compared bits are equal
	Data        hdl.Value
	Mask        hdl.Value
	Compare     hdl.Value
	CompareMask hdl.Value
}

// decodeAtomic prepares the operands; Swap, which only draft-00 has, and Store replace all bits.
func decodeAtomic(m *hdl.Module, o engine.AtomicOperands, list []engine.AtomicCode) AtomicOp {
	names := engine.NameAtomics(m, list)
	adds := m.Let("task_adds", o.Opcode.Eq(names[engine.FetchAdd]))
	op := AtomicOp{Adds: adds, Changes: adds, Compares: m.Let("task_compares", o.Opcode.Eq(names[engine.CmpSwap])),
		Data: o.Data, Mask: o.Mask, Compare: o.Compare, CompareMask: o.CompareMask}
	if code, has := names[engine.Swap]; has {
		swaps := m.Let("task_swaps", o.Opcode.Eq(code))
		op.Changes, op.Mask = adds.Or(swaps), o.Mask.Or(swaps.Replicate(64))
	}
	if code, has := names[engine.Store]; has {
		stores := m.Let("task_stores", o.Opcode.Eq(code))
		op.Changes, op.Mask = op.Changes.Or(stores), op.Mask.Or(stores.Replicate(64))
	}
	return op
}

// atomicWordSource says where the word of an atomic comes from.
type atomicWordSource struct {
	Forward hdl.Value // 1: from Ahead, what the previous atomic leaves; 0: from Here
	Ahead   hdl.Value
	Here    hdl.Value
}

// atomicResultOf computes the word after the operation of RFC 7306 section 5.1, or of draft-00 for Swap. It is combinational, and all
// that is in the loop from one atomic to the next on the same word.
func atomicResultOf(m *hdl.Module, op AtomicOp, from atomicWordSource) (original, result hdl.Value) {
	original = m.Let("original", hdl.Mux(from.Forward, from.Ahead, from.Here))

	m.Section("FetchAdd: one carry chain, cut where a mask bit ends a field")
	keep := m.Let("keep", op.Mask.Not())
	changes := m.Let("changes", original.Xor(op.Data).And(op.Mask))
	m.Note("A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.")
	sum := m.Let("sum", op.Data.And(keep).Add(original.And(keep)))

	m.Section("CmpSwap: the masked bits are replaced when the compared bits are equal")
	m.Note("Both possible originals are compared at once, so that the comparison does not wait for the selection.")
	equals := func(name string, word hdl.Value) hdl.Value {
		return zero(m, name, m.Let(name+"_differs", op.Compare.Xor(word).And(op.CompareMask)), 2)
	}
	ahead, here := equals("ahead", from.Ahead), equals("here", from.Here)
	equal := m.Let("equal", from.Forward.And(ahead).Or(from.Forward.Not().And(here)))

	m.Section("Result")
	masked := m.Let("changes_masked", op.Changes.Or(op.Compares.And(equal)))
	plain := m.Let("unmasked", hdl.Mux(op.Adds, sum, original))
	return original, m.Let("result", plain.Xor(changes.And(masked.Replicate(64))))
}
