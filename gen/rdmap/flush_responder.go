package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// FlushResponder turns RDMA Flushes that have been executed into messages.
func FlushResponder(c engine.Config) hdl.Block[CommitResponderPorts] {
	return commitResponder(c, "flush")
}
