package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

// No output of the engine depends combinationally on an input, so logic outside cannot lengthen a path inside.
func TestNoPathThroughTheEngine(t *testing.T) {
	far := gen.Default()
	far.FarMemoryBit = 32
	configs := goldens()
	configs["far memory"] = far
	for name, c := range configs {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		for _, path := range d.Through() {
			assert.Fail(t, "combinational path", "%s: %s", name, path)
		}
	}
}
