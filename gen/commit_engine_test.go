package gen_test

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// commitEngine is a configuration with the extension commit.
func commitEngine(streams, rows int) engine.Config {
	c := gen.Default()
	c.Extensions = []string{"commit"}
	c.Streams, c.STags, c.IRD, c.ORD = streams, rows, 4, 4
	return c.Engine()
}

var (
	commitKinds = commitEngine(2, 4).Kinds()

	executorFlush       = int(commitKinds.Executor("flush"))
	executorVerify      = int(commitKinds.Executor("verify"))
	executorAtomicWrite = int(commitKinds.Executor("atomic_write"))
)

// operand32 is an operand of 32 bits.
func operand32(b *rig) uint32 { return uint32(operand(b.rand) >> (32 * b.rand.IntN(2))) }
