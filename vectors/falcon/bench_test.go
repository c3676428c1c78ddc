package falcon

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/falcon/bench"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// The bench passes on the generated hardware in Icarus Verilog.
func TestBench(t *testing.T) {
	t.Parallel()
	c := suite.DefaultConfig()
	c.BusBytes = 16
	s, err := New(c, 1)
	require.NoError(t, err)
	files, err := bench.Files(s)
	require.NoError(t, err)
	rtl, err := gen.Generate(hardware.Config(c))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range append(files, rtl...) {
		path := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	shell := func(command string) string {
		x := exec.Command("sh", "-c", command)
		x.Dir = dir
		out, err := x.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	shell("iverilog -g2005 -s falcon_tb -o tb bench/*.v rtl/*.v")
	assert.Regexp(t, `(?m)^PASS: \d+ tests, \d+ comparisons$`, shell("vvp tb +every=250"))
}
