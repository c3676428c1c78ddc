package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// Every bus width, with and without the retire port and draft-00: no tool has anything to say.
func TestVerilogIsCleanInEveryTool(t *testing.T) {
	t.Parallel()
	for i, width := range gen.BusWidths {
		c := gen.DefaultAtomics()
		c.BusBytes, c.Streams, c.WindowWords = width, 2<<i, 2<<(2*i)
		c.RetirePort = i%2 == 0
		if i%3 == 1 {
			c.Extensions = []string{"draft00"}
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			d, err := hdl.Compile(gen.RNICAtomics(c))
			require.NoError(t, err)
			hdltest.Lint(t, d.Files(), d.Top())
		})
	}
}
