package engine

import "github.com/rnicgen/rnicgen/hdl"

// AtomicOperands is an operation without the word that it works on.
type AtomicOperands struct {
	Opcode      hdl.Value `doc:"AOpCode of an Atomic"`
	Data        hdl.Value `doc:"Add Data or Swap Data; of Immediate Data, its 8 octets, the first one most significant"`
	Mask        hdl.Value `doc:"Add Mask or Swap Mask"`
	Compare     hdl.Value `doc:"Compare Data"`
	CompareMask hdl.Value `doc:"Compare Mask"`
}
