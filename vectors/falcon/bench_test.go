package falcon

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors/falcon/bench"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// The bench passes on the generated hardware in Icarus Verilog and Verilator, and fails with any other outcome.
func TestBench(t *testing.T) {
	long.Test(t)
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
	shell("verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -CFLAGS -O0 --top-module falcon_tb bench/*.v rtl/*.v")
	const passes = `(?m)^PASS: \d+ tests, \d+ comparisons$`
	icarus, verilated := shell("vvp tb +every=250"), shell("obj_dir/Vfalcon_tb +every=250")
	assert.Regexp(t, passes, icarus)
	assert.Equal(t, regexp.MustCompile(passes).FindString(icarus), regexp.MustCompile(passes).FindString(verilated), verilated)
	for _, of := range []struct {
		image, says string
		has         func(*suite.Test, suite.Expect) bool
	}{
		{"tx_octets", "m_axis_tx: a packet differs", func(_ *suite.Test, e suite.Expect) bool { return e.Request != nil }},
		{"answers", "answer: an answer", func(_ *suite.Test, e suite.Expect) bool { return e.Reply != nil }},
		{"completions", "cqe: a completion", func(_ *suite.Test, e suite.Expect) bool { return e.Completion != nil }},
		{"events", "event: an event", func(_ *suite.Test, e suite.Expect) bool { return e.Event != nil }},
		{"memory_octets", "memory: an octet differs", func(x *suite.Test, _ suite.Expect) bool { return len(x.Memory) > 0 }},
	} {
		path := filepath.Join(dir, "bench", of.image+".hex")
		right, err := os.ReadFile(path)
		require.NoError(t, err)
		lines := bytes.Split(bytes.Clone(right), []byte("\n"))
		for _, line := range lines[:len(lines)-2] { // but the one that ends the image
			i := len(line) - 1
			switch of.image {
			case "answers":
				i = len("0000_00000000_") // the reply
			case "completions":
				i = len("0000_0000000000000000_0_") // the outcome
			}
			line[i] = "1032547698badcfe"[bytes.IndexByte([]byte("0123456789abcdef"), line[i])]
		}
		require.NoError(t, os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o644))
		for _, simulator := range []string{"vvp tb", "obj_dir/Vfalcon_tb"} {
			out := shell(fmt.Sprintf("%s +tcid=%d", simulator, firstTest(s, c, of.has)))
			assert.Contains(t, out, "FAIL: ", of.image)
			assert.Contains(t, out, of.says)
		}
		require.NoError(t, os.WriteFile(path, right, 0o644))
	}
}

// firstTest is the number of the first test on hardware that has such an outcome.
func firstTest(s *suite.Suite, c suite.Config, has func(*suite.Test, suite.Expect) bool) (id int) {
	s.Each(func(g *suite.Group, t *suite.Test) {
		if id > 0 || hardware.Lacks(c, g, t) != "" {
			return
		}
		for i := range t.Steps {
			if slices.ContainsFunc(t.Steps[i].Expect, func(e suite.Expect) bool { return has(t, e) }) {
				id = t.TcID
			}
		}
	})
	return id
}
