package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ListUse is the use of elements in a shared receive queue by a message: from the first packet to the completion of the receive.
type ListUse struct {
	Is    hdl.Value `doc:"1: the receive is one of a shared queue and has several elements"`
	Queue hdl.Value `doc:"number of the queue"`
	First hdl.Value `doc:"place of the first element"`
}

func listUseOf(c engine.Config) ListUse {
	return ListUse{Is: hdl.Bits(1), Queue: hdl.Bits(block.IndexWidth(c.Streams)), First: hdl.Bits(block.IndexWidth(c.ReceiveDepth))}
}

// receive is what is kept of a receive until it completes.
func (p Part) receive() hdl.Value { return hdl.Cat(hdl.Pack(p.Use), p.ID) }
