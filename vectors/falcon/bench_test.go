package falcon

import (
	"bytes"
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

// The bench passes on the generated hardware in Icarus Verilog, and fails with any other outcome.
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
	for image, port := range map[string]string{"tx_octets": "m_axis_tx: a packet differs", "answers": "answer: an answer", "completions": "cqe: a completion",
		"events": "event: an event", "memory_octets": "memory: an octet differs"} {
		path := filepath.Join(dir, "bench", image+".hex")
		right, err := os.ReadFile(path)
		require.NoError(t, err)
		lines := bytes.Split(right, []byte("\n"))
		for _, line := range lines[:len(lines)-2] { // but the one that ends the image
			i := len(line) - 1
			if image == "answers" {
				i = len("0000_00000000_") // the reply
			}
			line[i] = "1032547698badcfe"[bytes.IndexByte([]byte("0123456789abcdef"), line[i])]
		}
		require.NoError(t, os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o644))
		out := shell("vvp tb +every=700")
		assert.Contains(t, out, "FAIL: ", image)
		assert.Contains(t, out, port)
		require.NoError(t, os.WriteFile(path, right, 0o644))
	}
}
