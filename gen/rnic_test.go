package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen"
)

func TestRNICIsCleanInEveryTool(t *testing.T) {
	clean(t, gen.RNIC(gen.DefaultRNIC()))
}
