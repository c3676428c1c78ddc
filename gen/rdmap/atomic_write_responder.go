package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicWriteResponder turns Atomic Writes that have been executed into messages.
func AtomicWriteResponder(c engine.Config) hdl.Block[CommitResponderPorts] {
	return commitResponder(c, "atomic_write")
}
