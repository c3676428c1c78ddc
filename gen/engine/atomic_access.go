package engine

import "github.com/rnicgen/rnicgen/hdl"

// AtomicOperands are the operands of an atomic, without the word in memory.
type AtomicOperands struct {
	Opcode      hdl.Value `doc:"AOpCode of an Atomic"`
	Data        hdl.Value `doc:"Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant"`
	Mask        hdl.Value `doc:"Add Mask or Swap Mask"`
	Compare     hdl.Value `doc:"Compare Data"`
	CompareMask hdl.Value `doc:"Compare Mask"`
}
