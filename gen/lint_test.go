package gen_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
)

// Narrow and wide, with and without the retire port and draft-00: no tool has a warning.
func TestVerilogIsCleanInEveryTool(t *testing.T) {
	t.Parallel()
	for i, width := range []int{8, 64} {
		c := gen.Default()
		c.BusBytes = width
		if i == 0 {
			c.Streams, c.STags, c.IRD, c.ORD, c.AtomicDepth = 2, 16, 1, 2, 4
			c.RetirePort, c.Extensions = false, []string{"draft00"}
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) { clean(t, gen.RNIC(c)) })
		c.Extensions = append(c.Extensions, "commit")
		t.Run(fmt.Sprint(width, " with commit"), func(t *testing.T) {
			if i > 0 {
				long.Test(t)
			}
			clean(t, gen.RNIC(c))
		})
	}
}
