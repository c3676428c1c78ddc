package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// VerifyResponder turns RDMA Verifies that have been executed into messages.
func VerifyResponder(c engine.Config) hdl.Block[CommitResponderPorts] {
	return commitResponder(c, "verify")
}
