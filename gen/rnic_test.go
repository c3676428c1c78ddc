package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen"
)

func TestRNICIsCleanInEveryTool(t *testing.T) {
	t.Parallel()
	clean(t, gen.RNIC(gen.DefaultRNIC()))
	for _, bus := range []int{8, 128} {
		c := gen.DefaultRNIC()
		c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.AtomicDepth, c.RetirePort = bus, 2, 16, 1, 2, 4, false
		c.Extensions = []string{"draft00"}
		clean(t, gen.RNIC(c))
	}
}
