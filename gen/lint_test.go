package gen_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/gen"
)

// Every bus width, with and without the retire port and draft-00: no tool has anything to say.
func TestVerilogIsCleanInEveryTool(t *testing.T) {
	t.Parallel()
	for i, width := range gen.BusWidths {
		c := gen.Default()
		if width != c.BusBytes {
			c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.AtomicDepth = width, 2<<i, 16<<i, 1<<i, 2<<i, 4<<i
			c.RetirePort = i%2 == 1
		}
		if i%2 == 0 {
			c.Extensions = []string{"draft00"}
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) { clean(t, gen.RNIC(c)) })
	}
}
