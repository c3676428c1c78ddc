package hdl_test

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestMain(m *testing.M) { hdltest.Main(m, 60) }

// Any design behaves in Icarus as in hdl/sim; a difference is reduced to the smallest design.
func TestRandomDesignsAgreeWithIcarus(t *testing.T) {
	long.Test(t)
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		d := randomDesign(rt, "d")
		if err := hdltest.Compare(dir, hdltest.Icarus, 1, 40, d); err != nil {
			rt.Fatalf("%v\n%s", err, d.Files())
		}
	})
}

// Many designs at once behave in Verilator and in Icarus as in hdl/sim, and no tool warns. There are 16 of
// them, or HDL_RANDOM_DESIGNS.
func TestRandomDesignsTogether(t *testing.T) {
	long.Test(t)
	const build = 16
	count, err := strconv.Atoi(cmp.Or(os.Getenv("HDL_RANDOM_DESIGNS"), strconv.Itoa(build)))
	require.NoError(t, err)
	for first := 0; first < count; first += build {
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			var list []*hdl.Design
			for i := first; i < first+build; i++ {
				design := rapid.Custom(func(rt *rapid.T) *hdl.Design { return randomDesign(rt, fmt.Sprintf("d%d", i)) })
				list = append(list, design.Example(i))
			}
			// A randomly drawn comparison may be constant.
			hdltest.LintDesigns(t, []string{"UNSIGNED", "CMPCONST"}, list...)
			hdltest.Agree(t, 1, 200, []hdltest.Engine{hdltest.Icarus, hdltest.Verilator}, list...)
		})
	}
}
